import { quote } from './reader.ts';
import { isSignificant, scan, type Lexeme } from './scan.ts';

const closing: Record<string, string> = { '{': '}', '[': ']', '(': ')' };

/** What stands before a place in a text: the brackets still open there, and the pieces before it. */
interface Before {
  readonly open: readonly Lexeme[];
  /** The last three pieces before the place, the nearest first. */
  readonly last: readonly Lexeme[];
  /** The piece at the place, or the one that it lies in; undefined at the end of the text. */
  readonly here: Lexeme | undefined;
}

function look(text: string, at: number): Before {
  const open: Lexeme[] = [];
  const last: Lexeme[] = [];
  for (const lexeme of scan(text)) {
    if (!isSignificant(lexeme)) continue;
    if (lexeme.end > at) return { open, last, here: lexeme };
    if (lexeme.kind === 'open') open.push(lexeme);
    if (lexeme.kind === 'close') open.pop();
    last.unshift(lexeme);
    last.length = Math.min(last.length, 3);
  }
  return { open, last, here: undefined };
}

function atEnd(text: string, { open }: Before): string {
  const bracket = open.at(-1);
  if (!bracket) return 'Something is missing at the end. Complete the value.';
  const char = text[bracket.start] ?? '';
  const line = text.slice(0, bracket.start).split(/\r\n|\r|\n/).length;
  return `The text ends before the ${char} of line ${line} is closed. Add ${closing[char] ?? ''} at the end.`;
}

function inKey(text: string, here: Lexeme): string {
  const said = quote(text, here);
  if (said === '=') return 'Write a colon instead of =.';
  return `${said} can't be a field name as it stands. Put it in quotes: "${said}".`;
}

function wrongBracket(text: string, here: Lexeme, open: Lexeme | undefined): string {
  const char = text[here.start] ?? '';
  if (!open) return `This ${char} closes nothing. Remove it.`;
  const wanted = closing[text[open.start] ?? ''] ?? '';
  return `This ${char} comes where ${wanted} is expected. Close the ${text[open.start]} first, or remove it.`;
}

// Words of the parser's language that a person means as text, and that leave it waiting for more.
const keywords = /^(?:delete|typeof|void|new|await|async|class|function|import|super)$/;

const isValueEnd = ({ kind }: Lexeme): boolean =>
  kind === 'word' || kind === 'text' || kind === 'regex' || kind === 'close' || kind === 'parameter';

function unexpected(text: string, at: number, before: Before): string {
  const { here, last, open } = before;
  if (!here) return atEnd(text, before);
  if (text.startsWith('{{', at - 1))
    return 'The parameter that begins here is not closed. Add }} at its end.';
  const said = quote(text, here);
  const [previous, beforeIt] = last;
  const bracket = open.at(-1);
  const inObject = bracket !== undefined && text[bracket.start] === '{';
  const isKeyPlace = inObject && (previous === bracket || previous?.kind === 'comma');
  const isAfterKey = inObject && (beforeIt === bracket || beforeIt?.kind === 'comma') && !isKeyPlace;
  const isClosing =
    here.kind === 'close' && bracket !== undefined && closing[text[bracket.start] ?? ''] !== said;
  if (isClosing || (here.kind === 'close' && !bracket)) return wrongBracket(text, here, bracket);
  if (here.kind === 'comma')
    return 'There is one comma too many, or a value is missing before it. Remove the comma.';
  if (isKeyPlace && here.kind === 'word') return inKey(text, here);
  if (isKeyPlace)
    return `A field name is expected here, not ${said}. Write a name and a colon before the value.`;
  if (isAfterKey && /^=+$/.test(said)) return 'Write a colon instead of =.';
  if (isAfterKey && previous)
    return `A colon is missing after ${quote(text, previous)}. Write it before ${said}.`;
  if (here.kind === 'colon')
    return 'A second colon has no place here. Put text that holds a colon in quotes.';
  if (previous?.kind === 'colon' && here.kind === 'close')
    return `A value is missing before ${said}. Write one.`;
  if (previous && isValueEnd(previous) && bracket) return `A comma is missing before ${said}. Write it.`;
  if (here.kind === 'word' && here.start < at)
    return `${said} can't stand here as it is. Put it in quotes: "${said}".`;
  return `${said} can't stand here. If it is text, put it in quotes: "${said.replaceAll('"', '')}".`;
}

function number(text: string, { here }: Before): string {
  const said = here ? quote(text, here) : '';
  if (/^\d{4}-\d{1,2}-\d{1,2}/.test(said)) return `A date needs quotes. Did you mean ISODate("${said}")?`;
  if (/^[+-]?0\d+$/.test(said))
    return `${said} begins with a 0. Leave the 0 out, or put it in quotes if it is text.`;
  return `${said} is not a number. If it is text, put it in quotes: "${said}".`;
}

function character(text: string, at: number): string {
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (/[“”„«»‘’‚]/.test(char)) return `${char} is not a quote that JSON knows. Use straight quotes: "…".`;
  if (char === '#') return '# begins no comment here. Write // before a comment.';
  return `The character ${char} can't stand here. If it belongs to a text, put the text in quotes.`;
}

function unterminated(text: string, at: number, said: string): string | undefined {
  if (!/^unterminated/i.test(said)) return undefined;
  if (/string/.test(said)) return `This text has no closing quote. Add ${text[at] ?? '"'} at its end.`;
  if (/template/.test(said)) return 'This text has no closing backtick. Add ` at its end.';
  if (/comment/.test(said)) return 'This comment is not closed. Add */ at its end.';
  return 'This regular expression has no closing /. Add it, or put the text in quotes.';
}

/** In a person's words: what the parser stumbled over at an offset, what to do, and where the piece begins. */
export function explain(text: string, at: number, said: string): { at: number; message: string } {
  const open = unterminated(text, at, said);
  if (open !== undefined) return { at, message: open };
  const before = look(text, at);
  const start = before.here?.start ?? at;
  if (/^unexpected character/i.test(said)) return { at, message: character(text, at) };
  if (/regular expression/i.test(said)) {
    const why = said.replace(/^.*\/: /, '');
    const message = `This regular expression can't be read (${why}). Correct it, or write {$regex: "…"}.`;
    return { at: start, message };
  }
  if (/__proto__/.test(said)) return { at: start, message: "__proto__ can't be a field name. Leave it out." };
  if (/shorthand/i.test(said)) return { at, message: 'Write a colon instead of =.' };
  if (/octal escape|escape sequence|bad character/i.test(said) && before.here?.kind === 'text') {
    return { at, message: "This escape can't be read. Write \\\\ for a backslash." };
  }
  if (/number|numeric|octal/i.test(said)) return { at: start, message: number(text, before) };
  if (/stack space/.test(said)) {
    return { at: start, message: 'This chain of signs is too long to be read. Write the value itself.' };
  }
  const [previous] = before.last;
  if (previous && keywords.test(quote(text, previous))) {
    const word = quote(text, previous);
    return { at: previous.start, message: `${word} can't stand here as it is. Put it in quotes: "${word}".` };
  }
  return { at: start, message: unexpected(text, at, before) };
}
