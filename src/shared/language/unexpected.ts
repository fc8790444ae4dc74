import { quote } from './reader.ts';
import { isSignificant, scan, type Lexeme } from './scan.ts';

const closing: Record<string, string> = { '{': '}', '[': ']', '(': ')' };
const comparisons: Record<string, string> = {
  '>': '$gt',
  '>=': '$gte',
  '<': '$lt',
  '<=': '$lte',
  '!=': '$ne',
  '!==': '$ne',
};

/** What stands around a place in a text: the brackets still open there, the pieces before it, and the one at it. */
export interface Scene {
  readonly text: string;
  readonly open: readonly Lexeme[];
  /** The last two pieces before the place, the nearest first. */
  readonly last: readonly Lexeme[];
  /** The piece at the place, or the one that it lies in; undefined at the end of the text. */
  readonly here: Lexeme | undefined;
}

/** Looks around a place in a text. */
export function sceneAt(text: string, at: number): Scene {
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

function atEnd({ text, open }: Scene): string {
  const bracket = open.at(-1);
  if (!bracket) return 'Something is missing at the end. Complete the value.';
  const char = text.charAt(bracket.start);
  const line = text.slice(0, bracket.start).split(/\r\n|\r|\n/).length;
  return `The text ends before the ${char} of line ${line} is closed. Add ${closing[char] ?? ''} at the end.`;
}

function wrongBracket({ text, open }: Scene, said: string): string | undefined {
  const bracket = open.at(-1);
  if (!bracket) return `This ${said} closes nothing. Remove it.`;
  const char = text.charAt(bracket.start);
  if (closing[char] === said) return undefined;
  return `This ${said} comes where ${closing[char] ?? ''} is expected. Close the ${char} first, or remove it.`;
}

const missingColon = (name: string, said: string): string => {
  const operator = comparisons[said];
  if (operator !== undefined) return `${said} is not known here. Did you mean ${name}: {${operator}: …}?`;
  return said.startsWith('=')
    ? 'The sign = is not known here. Write a colon instead of =.'
    : `A colon is missing after ${name}. Write it before ${said}.`;
};

/** Within { }: what is wrong with a name, or between a name and its value. */
function aroundName({ text, open, last, here }: Scene, said: string): string | undefined {
  const [previous, beforeIt] = last;
  const bracket = open.at(-1);
  if (!bracket || !previous || text[bracket.start] !== '{') return undefined;
  const ends = (lexeme: Lexeme | undefined) => lexeme === bracket || lexeme?.kind === 'comma';
  if (ends(previous)) {
    return here?.kind === 'word' && !/^[=<>!]/.test(said)
      ? `${said} can't be a field name as it stands. Put it in quotes: "${said}".`
      : `A field name is expected here, not ${said}. Write a name and a colon before the value.`;
  }
  return ends(beforeIt) && previous.kind !== 'colon' ? missingColon(quote(text, previous), said) : undefined;
}

function aroundValue({ text, open, last, here }: Scene, said: string): string | undefined {
  const [previous] = last;
  if (here?.kind === 'colon')
    return 'A second colon has no place here. Put text that holds a colon in quotes.';
  if (previous?.kind === 'colon') {
    const operator = comparisons[said];
    if (operator !== undefined) return `${said} is not known here. Did you mean {${operator}: …}?`;
    if (here?.kind === 'close') return `A value is missing before ${said}. Write one.`;
  }
  const isAfterValue = previous && !['open', 'colon', 'comma'].includes(previous.kind);
  if (!isAfterValue || !open.length) return undefined;
  return comparisons[quote(text, previous)] === undefined
    ? `A comma is missing before ${said}. Write it.`
    : undefined;
}

/** In a person's words: why a piece can't stand where it stands, and what to write instead. */
export function unexpected(scene: Scene): string {
  const { text, here } = scene;
  if (!here) return atEnd(scene);
  if (text.startsWith('{{', here.start - 1))
    return 'The parameter that begins here is not closed. Add }} at its end.';
  const said = quote(text, here);
  if (said === ';') return 'A semicolon has no place here. Write a comma, or remove it.';
  if (here.kind === 'comma') {
    return 'There is one comma too many, or a value is missing before it. Remove the comma.';
  }
  return (
    (here.kind === 'close' ? wrongBracket(scene, said) : undefined) ??
    aroundName(scene, said) ??
    aroundValue(scene, said) ??
    `${said} can't stand here. If it is text, put it in quotes: "${said.replaceAll('"', '')}".`
  );
}
