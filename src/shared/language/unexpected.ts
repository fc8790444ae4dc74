import { convert } from './convert.ts';
import { atTop, comparisons, quote, type Reader, type Span } from './reader.ts';
import { refuseSum } from './refuse.ts';
import { isSignificant, scan, type Lexeme } from './scan.ts';
import { maxDepth, type Misplaced, type TreeNode } from './tree/tree.ts';

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** The context of a position: its open brackets, the lexemes before it, and the one at it. */
interface SyntaxContext {
  readonly text: string;
  readonly open: readonly Lexeme[];
  /** The last two lexemes before it, nearest first. */
  readonly last: readonly Lexeme[];
  /** The lexeme at or around it; undefined at the end of the text. */
  readonly here: Lexeme | undefined;
}

function syntaxContextAt(text: string, at: number): SyntaxContext {
  const open: Lexeme[] = [];
  let last: Lexeme[] = [];
  for (const lexeme of scan(text)) {
    if (!isSignificant(lexeme)) continue;
    if (lexeme.end > at) return { text, open, last, here: lexeme };
    if (lexeme.kind === 'open') open.push(lexeme);
    if (lexeme.kind === 'close') open.pop();
    last = [lexeme, ...last.slice(0, 1)];
  }
  return { text, open, last, here: undefined };
}

function atEnd({ text, open }: SyntaxContext): string {
  const bracket = open.at(-1);
  if (!bracket) return 'The value is incomplete. Complete it.';
  const char = text.charAt(bracket.start);
  const line = text.slice(0, bracket.start).split(/\r\n|\r|\n/).length;
  return `The text ends before the ${char} of line ${line} is closed. Add ${closing[char] ?? ''} at the end.`;
}

function wrongBracket({ text, open }: SyntaxContext, source: string): string | undefined {
  const bracket = open.at(-1);
  if (!bracket) return `This ${source} has no matching opening. Remove it.`;
  const char = text.charAt(bracket.start);
  if (closing[char] === source) return undefined;
  return `This ${source} appears where ${closing[char] ?? ''} is expected. Close the ${char} first, or remove it.`;
}

const missingColon = (name: string, source: string): string => {
  const operator = comparisons.get(source);
  if (operator !== undefined) return `${source} is not known here. Did you mean ${name}: {${operator}: …}?`;
  return source.startsWith('=')
    ? '= isn’t supported here. Use a colon.'
    : `A colon is missing after ${name}. Write it before ${source}.`;
};

/** Within { }: what is wrong with a name, or between a name and its value. */
function aroundName({ text, open, last, here }: SyntaxContext, source: string): string | undefined {
  const [previous, beforeIt] = last;
  const bracket = open.at(-1);
  if (!bracket || !previous || text[bracket.start] !== '{') return undefined;
  const ends = (lexeme: Lexeme | undefined) => lexeme === bracket || lexeme?.kind === 'comma';
  if (ends(previous)) {
    if (here?.kind === 'comma') return undefined;
    if (here?.kind === 'parameter') return `${source} can't be a field name. Write the name itself.`;
    if (source === '[') return 'Computed field names aren’t supported. Enter the name.';
    return here?.kind === 'word' && !/^[=<>!]/.test(source)
      ? `${source} isn't a valid field name without quotes. Put it in quotes: "${source}".`
      : `A field name is expected here, not ${source}. Write a name and a colon before the value.`;
  }
  if (!ends(beforeIt) || previous.kind === 'colon') return undefined;
  const name = quote(text, previous);
  return here?.kind === 'close' || here?.kind === 'comma'
    ? `${name} has no value. Write ${name}: and a value after it.`
    : missingColon(name, source);
}

function aroundValue({ text, open, last, here }: SyntaxContext, source: string): string | undefined {
  const [previous] = last;
  if (here?.kind === 'colon') return 'Unexpected second colon. Put text that contains a colon in quotes.';
  if (previous?.kind === 'colon') {
    const operator = comparisons.get(source);
    if (operator !== undefined) return `${source} isn't supported here. Did you mean {${operator}: …}?`;
    if (here?.kind === 'close') return `A value is missing before ${source}. Write one.`;
  }
  const isAfterValue = previous && !['open', 'colon', 'comma'].includes(previous.kind);
  if (!isAfterValue || !open.length) return undefined;
  return comparisons.has(quote(text, previous))
    ? undefined
    : `A comma is missing before ${source}. Write it.`;
}

const onlyOne = 'Only one value is allowed here. Remove the rest, or put them all between [ and ].';

/** Why a lexeme isn't allowed in its place, and what to write instead. */
function unexpected(scene: SyntaxContext): string {
  const { text, here, open } = scene;
  if (!here) return atEnd(scene);
  if (here.kind === 'open' && text.startsWith('{{', here.start - 1))
    return 'This parameter isn’t closed. Add }} at the end.';
  const source = quote(text, here);
  if (source === ';') return 'Unexpected semicolon. Use a comma, or remove it.';
  const named =
    (here.kind === 'close' ? wrongBracket(scene, source) : undefined) ?? aroundName(scene, source);
  if (named !== undefined) return named;
  if (here.kind === 'comma')
    return text[open.at(-1)?.start ?? -1] === '('
      ? onlyOne
      : 'Extra comma, or a missing value before it. Remove the comma.';
  return (
    aroundValue(scene, source) ??
    `${source} isn't allowed here. If it is text, put it in quotes: "${source.replaceAll('"', '')}".`
  );
}

function refuseRest(rest: Lexeme, reader: Reader): null {
  const { text } = reader;
  const span: Span = { start: rest.start, end: text.length };
  if (rest.kind === 'comma') return reader.refuse(span, onlyOne);
  const hint = text[rest.start] === ';' ? 'Remove the semicolon.' : 'Remove it.';
  return reader.refuse(span, `Unexpected ${quote(text, span)} after the end. ${hint}`);
}

/** Refuses code: a function, an assignment, a sum. Returns false if it isn't code. */
function refuseCode(after: TreeNode, here: Lexeme, reader: Reader): boolean {
  const source = reader.text.slice(here.start, here.end);
  const from = reader.text.slice(after.start, after.start + 30);
  const span: Span = { start: after.start, end: here.end };
  if (from.startsWith('#')) return false;
  if (/^(?:async\s+)?(?:function|class)\b/.test(from) || source.startsWith('=>'))
    reader.refuse(span, "Functions aren't supported. Use operators such as $gt or $in.");
  else if (here.kind === 'word' && /^=(?!=)/.test(source))
    reader.refuse(span, 'Assignments aren’t supported. Use a colon instead of =.');
  else if (here.kind === 'regex' || (here.kind === 'word' && /^[+\-*%&|^<>!=?]/.test(source)))
    refuseSum(span, reader);
  else return false;
  return true;
}

/** Refuses the first misplaced lexeme, or its cause before it. */
export function refuseMisplaced({ at, after, isTooDeep }: Misplaced, reader: Reader): null {
  const scene = syntaxContextAt(reader.text, at);
  const { here, open, last } = scene;
  const span = { start: at, end: here?.end ?? at };
  if (isTooDeep)
    return reader.refuse(
      span,
      `This is nested more than ${maxDepth} levels deep. Flatten it, or check for extra brackets.`,
    );
  const [previous] = last;
  const follows = reader.text.slice(at, at + 20);
  if (previous && /^(?:\)\s*=>|\()/.test(follows) && (!after || follows[0] === ')'))
    return reader.refuse(previous, "Functions aren't supported. Enter the value.");
  if (after && here?.kind === 'colon' && open.length === 0)
    return reader.refuse(
      after,
      `The braces are missing. Put { before ${quote(reader.text, after)} and } at the end.`,
    );
  if (after && here && refuseCode(after, here, reader)) return null;
  if (after) convert(after, atTop, reader);
  if (reader.issues.length > 0) return null;
  if (after && here && open.length === 0) return refuseRest(here, reader);
  const message = unexpected(scene);
  return reader.refuse(/has no value/.test(message) && previous ? previous : span, message);
}
