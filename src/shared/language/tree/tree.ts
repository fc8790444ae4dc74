import { maxDepth } from '../depth.ts';
import type { Span } from '../reader.ts';
import { isSignificant, scan, type Lexeme } from '../scan.ts';
import { unquoted } from './scalars.ts';

/** A name of an object, as it was typed and as it is meant. */
export interface Key extends Span {
  readonly name: string;
}

export interface Member extends Span {
  readonly key: Key;
  /** The offset of the colon; null while there is none. */
  readonly colon: number | null;
  /** Null while it is missing. */
  readonly value: TreeNode | null;
}

export interface ObjectNode extends Span {
  readonly kind: 'object';
  readonly members: readonly Member[];
  readonly closed: boolean;
}
export interface ListNode extends Span {
  readonly kind: 'list';
  readonly items: readonly TreeNode[];
  readonly closed: boolean;
}
/** `ISODate("…")` and its like. */
export interface CallNode extends Span {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly TreeNode[];
  readonly closed: boolean;
}
export interface Leaf extends Span {
  readonly kind: 'text' | 'word' | 'parameter' | 'regex';
}
export type TreeNode = ObjectNode | ListNode | CallNode | Leaf;

/** A text as a tree of spans. */
export interface Tree {
  readonly text: string;
  /** Null: the text says nothing. */
  readonly root: TreeNode | null;
  /** Where it is no use to ask for help: nothing there is part of a query. */
  readonly comments: readonly Span[];
}

type Closing = '}' | ']' | ')';

/**
 * Reads a text as a tree, broken or not: what is half typed is there with what is missing left out. It judges nothing;
 * whether a text may be sent is for `parseRelaxed` to say.
 */
export function readTree(text: string): Tree {
  const comments: Span[] = [];
  const lexemes: Lexeme[] = [];
  for (const lexeme of scan(text)) {
    if (isSignificant(lexeme)) lexemes.push(lexeme);
    else if (lexeme.kind === 'comment') comments.push(lexeme);
  }
  return { text, root: new TreeReader(text, lexemes).value(0), comments };
}

class TreeReader {
  private readonly text: string;
  private readonly lexemes: readonly Lexeme[];
  private at = 0;
  /** The brackets that stand open here, each by what closes it. */
  private readonly open: Closing[] = [];

  constructor(text: string, lexemes: readonly Lexeme[]) {
    this.text = text;
    this.lexemes = lexemes;
  }

  private peek(ahead = 0): Lexeme | undefined {
    return this.lexemes[this.at + ahead];
  }

  private said(lexeme: Lexeme): string {
    return this.text.slice(lexeme.start, lexeme.end);
  }

  /** Whether a name and a colon stand here, so that a value is missing before them. */
  private isName(): boolean {
    const here = this.peek();
    return (here?.kind === 'word' || here?.kind === 'text') && this.peek(1)?.kind === 'colon';
  }

  /** The value that begins here; null where none does. Nothing is consumed then. */
  value(depth: number): TreeNode | null {
    const here = this.peek();
    if (!here || depth > maxDepth) return null;
    if (here.kind === 'open') return this.bracketed(here, depth);
    if (here.kind === 'word') return this.word(here, depth);
    if (here.kind !== 'text' && here.kind !== 'parameter' && here.kind !== 'regex') return null;
    this.at++;
    return { kind: here.kind, start: here.start, end: here.end };
  }

  private bracketed(here: Lexeme, depth: number): TreeNode | null {
    const bracket = this.said(here);
    this.at++;
    if (bracket === '{') return this.object(here, depth);
    const { items, end, closed } = this.items(bracket === '[' ? ']' : ')', depth);
    if (bracket === '[') return { kind: 'list', items, start: here.start, end, closed };
    return items[0] ?? null;
  }

  private word(here: Lexeme, depth: number): TreeNode {
    this.at++;
    const next = this.peek();
    const said = this.said(here);
    const joins = next?.kind === 'word' && (said === 'new' || said === '-' || said === '+');
    if (joins) {
      const value = this.word(next, depth);
      return { ...value, start: here.start };
    }
    if (next?.kind !== 'open' || this.said(next) !== '(')
      return { kind: 'word', start: here.start, end: here.end };
    this.at++;
    const { items: args, end, closed } = this.items(')', depth);
    return { kind: 'call', name: said, args, start: here.start, end, closed };
  }

  /** Whether a closing bracket ends what stands open; one that closes nothing is passed over. */
  private ends(closing: Closing): 'here' | 'above' | 'no' {
    const here = this.peek();
    if (here?.kind !== 'close') return 'no';
    const said = this.said(here);
    if (said === closing) return 'here';
    return this.open.some((each) => each === said) ? 'above' : 'no';
  }

  private items(closing: Closing, depth: number) {
    const items: TreeNode[] = [];
    const end = this.within(closing, () => {
      const value = this.value(depth + 1);
      if (value) items.push(value);
      return value !== null;
    });
    return { items, ...end };
  }

  private object(from: Lexeme, depth: number): ObjectNode {
    const members: Member[] = [];
    const end = this.within('}', () => {
      const member = this.member(depth);
      if (member) members.push(member);
      return member !== null;
    });
    return { kind: 'object', members, start: from.start, ...end };
  }

  /** Reads parts until a bracket closes; `part` gives whether it read one. */
  private within(closing: Closing, part: () => boolean): { end: number; closed: boolean } {
    this.open.push(closing);
    let here = this.peek();
    for (; here; here = this.peek()) {
      const ends = this.ends(closing);
      if (ends !== 'no') break;
      if (here.kind === 'comma' || !part()) this.at++;
    }
    this.open.pop();
    const closed = here !== undefined && this.said(here) === closing;
    if (closed) this.at++;
    return { end: here ? (closed ? here.end : here.start) : this.text.length, closed };
  }

  private member(depth: number): Member | null {
    const here = this.peek();
    if (here?.kind !== 'word' && here?.kind !== 'text') return null;
    this.at++;
    const said = this.said(here);
    const name = here.kind === 'text' ? unquoted(said) : said;
    const key: Key = { name, start: here.start, end: here.end };
    const colon = this.peek();
    if (colon?.kind !== 'colon') return { key, colon: null, value: null, start: here.start, end: here.end };
    this.at++;
    const value = this.isName() ? null : this.value(depth + 1);
    return { key, colon: colon.start, value, start: here.start, end: value?.end ?? colon.end };
  }
}
