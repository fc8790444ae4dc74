import type { Span } from '../reader.ts';
import { isSignificant, scan, type Lexeme } from '../scan.ts';
import { unquote } from '../literals.ts';

/** Maximum nesting of lists and objects. The services' database allows 100. */
export const maxDepth = 200;

/** The name of a member; `name` is without the quotes and escapes of the text. */
export interface Key extends Span {
  readonly name: string;
}

export interface Member extends Span {
  readonly key: Key;
  /** The offset of the colon; null without one. */
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
/** A call such as `ISODate("…")`. */
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

/** The first misplaced lexeme. */
export interface Misplaced {
  /** Its offset; that of the end where something is missing there. */
  readonly at: number;
  /** The node before it without a comma; null: none. */
  readonly after: TreeNode | null;
  readonly isTooDeep: boolean;
}

/** A text as a tree of spans. */
export interface Tree {
  readonly text: string;
  /** Null: the text is blank. */
  readonly root: TreeNode | null;
  /** Positions where completion doesn't apply. */
  readonly comments: readonly Span[];
  /** Null: all brackets, commas, and colons are in place. */
  readonly misplaced: Misplaced | null;
}

type Closing = '}' | ']' | ')';

/** The trees of the texts that were parsed last, the latest one at the end: a request has up to four. */
const trees = new Map<string, Tree>();
const maxTrees = 8;

/**
 * Parses a text into a tree, valid or not: incomplete parts are included. `parseRelaxed` interprets names,
 * numbers, and calls. A text is parsed once: checks, values, completion, and explanations share its tree.
 */
export function readTree(text: string): Tree {
  const tree = trees.get(text) ?? parse(text);
  trees.delete(text);
  trees.set(text, tree);
  for (const [oldest] of trees) {
    if (trees.size <= maxTrees) break;
    trees.delete(oldest);
  }
  return tree;
}

function parse(text: string): Tree {
  const comments: Span[] = [];
  const lexemes: Lexeme[] = [];
  for (const lexeme of scan(text)) {
    if (isSignificant(lexeme)) lexemes.push(lexeme);
    else if (lexeme.kind === 'comment') comments.push(lexeme);
  }
  const reader = new TreeReader(text, lexemes);
  return { text, root: reader.whole(), comments, misplaced: reader.misplaced };
}

const leaf = (kind: Leaf['kind'], { start, end }: Span): Leaf => ({ kind, start, end });

class TreeReader {
  misplaced: Misplaced | null = null;
  private readonly text: string;
  private readonly lexemes: readonly Lexeme[];
  private at = 0;
  /** The open brackets, by their closing ones. */
  private readonly open: Closing[] = [];

  constructor(text: string, lexemes: readonly Lexeme[]) {
    this.text = text;
    this.lexemes = lexemes;
  }

  private peek(ahead = 0): Lexeme | undefined {
    return this.lexemes[this.at + ahead];
  }

  private source(lexeme: Lexeme): string {
    return this.text.slice(lexeme.start, lexeme.end);
  }

  /** Whether a name and a colon follow, so that a value is missing before them. */
  private isName(): boolean {
    const here = this.peek();
    return (here?.kind === 'word' || here?.kind === 'text') && this.peek(1)?.kind === 'colon';
  }

  private misplace(here: Span | undefined, after: TreeNode | null, isTooDeep = false): void {
    this.misplaced ??= { at: here?.start ?? this.text.length, after, isTooDeep };
  }

  /** The value that the text consists of. */
  whole(): TreeNode | null {
    const root = this.value(0);
    const rest = this.peek();
    if (rest) this.misplace(rest, root);
    return root;
  }

  /** Reads the value that starts here; null if none does, and nothing is consumed. */
  private value(depth: number): TreeNode | null {
    const here = this.peek();
    if (here?.kind === 'open') return this.isTooDeep(here, depth) ? null : this.bracketed(here, depth);
    if (here?.kind === 'word') return this.word(here, depth);
    if (here?.kind !== 'text' && here?.kind !== 'parameter' && here?.kind !== 'regex') return null;
    this.at++;
    return leaf(here.kind, here);
  }

  private isTooDeep(bracket: Lexeme, depth: number): boolean {
    if (depth >= maxDepth) this.misplace(bracket, null, true);
    return depth >= maxDepth;
  }

  private bracketed(here: Lexeme, depth: number): TreeNode | null {
    const bracket = this.source(here);
    this.at++;
    if (bracket === '{') return this.object(here, depth);
    const isList = bracket === '[';
    const { items, end, closed } = this.items(isList ? ']' : ')', depth, isList);
    if (isList) return { kind: 'list', items, start: here.start, end, closed };
    if (items.length === 0) this.misplace({ start: end - 1, end }, null);
    return items[0] ?? null;
  }

  private word(first: Lexeme, depth: number): TreeNode {
    let last = first;
    let next = this.peek(1);
    this.at++;
    for (; next?.kind === 'word' && /^(?:new|[-+])$/.test(this.source(last)); next = this.peek()) {
      last = next;
      this.at++;
    }
    const { start } = first;
    let call: CallNode | null = null;
    for (; next?.kind === 'open' && this.source(next) === '('; next = this.peek()) {
      if (this.isTooDeep(next, depth)) break;
      const name = this.text.slice(call ? start : last.start, call?.end ?? last.end);
      this.at++;
      const { items: args, end, closed } = this.items(')', depth);
      call = { kind: 'call', name, args, start, end, closed };
    }
    return call ?? leaf('word', { start, end: last.end });
  }

  /** Whether a closing bracket ends the current level; an unmatched one is skipped. */
  private ends(closing: Closing): 'here' | 'above' | 'no' {
    const here = this.peek();
    if (here?.kind !== 'close') return 'no';
    const source = this.source(here);
    if (source === closing) return 'here';
    return this.open.some((openSource) => openSource === source) ? 'above' : 'no';
  }

  private items(closing: Closing, depth: number, many = true) {
    const items: TreeNode[] = [];
    const end = this.within(closing, many, () => {
      const value = this.value(depth + 1);
      if (value) items.push(value);
      return value && { value };
    });
    return { items, ...end };
  }

  private object(from: Lexeme, depth: number): ObjectNode {
    const members: Member[] = [];
    const end = this.within('}', true, () => {
      const member = this.member(depth);
      if (member) members.push(member);
      return member;
    });
    return { kind: 'object', members, start: from.start, ...end };
  }

  /** Reads items until a closing bracket; `readPart` reads one item, or returns null. */
  private within(
    closing: Closing,
    many: boolean,
    readPart: () => Pick<Member, 'value'> | null,
  ): { end: number; closed: boolean } {
    this.open.push(closing);
    // The previous item without a comma after it.
    let last: Pick<Member, 'value'> | null = null;
    let here = this.peek();
    for (; here && this.ends(closing) === 'no'; here = this.peek()) {
      const isComma = here.kind === 'comma';
      if (isComma ? !last || !many : last) this.misplace(here, isComma ? null : (last?.value ?? null));
      last = isComma ? null : readPart();
      if (last) continue;
      if (!isComma) this.misplace(here, null);
      this.at++;
    }
    this.open.pop();
    const closed = here !== undefined && this.source(here) === closing;
    if (closed) this.at++;
    else this.misplace(here, last?.value ?? null);
    return { end: here ? (closed ? here.end : here.start) : this.text.length, closed };
  }

  private member(depth: number): Member | null {
    const here = this.peek();
    if (here?.kind !== 'word' && here?.kind !== 'text') return null;
    this.at++;
    const source = this.source(here);
    const name = here.kind === 'text' ? unquote(source) : source;
    const key: Key = { name, start: here.start, end: here.end };
    const colon = this.peek();
    if (colon?.kind !== 'colon') {
      this.misplace(colon, likelyValue(here.kind, here, source));
      return { key, colon: null, value: null, start: here.start, end: here.end };
    }
    this.at++;
    const next = this.peek();
    const value = this.isName() ? null : this.value(depth + 1);
    if (!value) this.misplaceValue(next);
    return { key, colon: colon.start, value, start: here.start, end: value?.end ?? colon.end };
  }

  /** Another lexeme takes the place of a value, such as the next name. */
  private misplaceValue(here: Lexeme | undefined): void {
    if (here && this.isName() && (here.kind === 'word' || here.kind === 'text'))
      this.misplace(this.peek(1), likelyValue(here.kind, here, this.source(here)));
    else this.misplace(here, null);
  }
}

/** A name that is probably an unterminated text or a number, and is reported as one. */
const likelyValue = (kind: 'word' | 'text', span: Span, source: string): Leaf | null =>
  kind === 'text' || /^(?:\d|\.\.\.)/.test(source) ? leaf(kind, span) : null;
