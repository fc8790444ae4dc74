/** The smallest pieces of relaxed JSON. Invalid text has pieces, too, so that errors can point at them. */
type LexemeKind =
  | 'space'
  | 'comment'
  | 'text'
  | 'regex'
  | 'parameter'
  | 'open'
  | 'close'
  | 'comma'
  | 'colon'
  | 'word';

/** A piece of a text: offsets in UTF-16 units, the end not included. A word is anything else: names, numbers, signs. */
export interface Lexeme {
  readonly kind: LexemeKind;
  readonly start: number;
  readonly end: number;
}

/** The closing bracket of an opening one. */
export const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

const space = /\s+/y;
const word = /;|[^\s"'`{}[\]():,;/]+/y;
const parameter = /\{\{[^{}\r\n]*\}\}/y;
const lineEnd = /[\n\r\u2028\u2029]|$/g;

function runEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The offset after a quoted text, or where the line (for a template: the whole text) ends without a closing quote. */
function textEnd(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') {
      if (text[at + 1] === '\r' && text[at + 2] === '\n') at++;
      at++;
    } else if (char === quote) return at + 1;
    else if (quote !== '`' && (char === '\n' || char === '\r')) return at;
  }
  return text.length;
}

/** The offset after a regular expression and its flags; a slash within [] does not end it. */
function regexEnd(text: string, start: number): number {
  let inClass = false;
  let at = start + 1;
  for (; at < text.length; at++) {
    const char = text[at];
    if (char === '\n' || char === '\r') return at;
    if (char === '\\') at++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) break;
  }
  for (at++; /[a-z]/i.test(text[at] ?? ''); at++);
  return Math.min(at, text.length);
}

function lineCommentEnd(text: string, start: number): number {
  lineEnd.lastIndex = start;
  return lineEnd.exec(text)?.index ?? text.length;
}

function slash(text: string, start: number): Lexeme {
  const next = text[start + 1];
  if (next === '/') return { kind: 'comment', start, end: lineCommentEnd(text, start) };
  if (next !== '*') return { kind: 'regex', start, end: regexEnd(text, start) };
  const close = text.indexOf('*/', start + 2);
  return { kind: 'comment', start, end: close < 0 ? text.length : close + 2 };
}

function lexemeAt(text: string, start: number): Lexeme {
  const single = (kind: LexemeKind): Lexeme => ({ kind, start, end: start + 1 });
  switch (text.charAt(start)) {
    case '"':
    case "'":
    case '`':
      return { kind: 'text', start, end: textEnd(text, start) };
    case '/':
      return slash(text, start);
    case '{': {
      const end = text[start + 1] === '{' ? runEnd(parameter, text, start) : -1;
      return end < 0 ? single('open') : { kind: 'parameter', start, end };
    }
    case '[':
    case '(':
      return single('open');
    case '}':
    case ']':
    case ')':
      return single('close');
    case ',':
      return single('comma');
    case ':':
      return single('colon');
    default: {
      const end = runEnd(space, text, start);
      return end < 0
        ? { kind: 'word', start, end: runEnd(word, text, start) }
        : { kind: 'space', start, end };
    }
  }
}

/** Cuts a text into its pieces, in order and without gaps. Never throws; text that is not closed runs to its end. */
export function* scan(text: string): Generator<Lexeme, void, undefined> {
  for (let at = 0; at < text.length;) {
    const lexeme = lexemeAt(text, at);
    yield lexeme;
    at = lexeme.end;
  }
}

/** Whether a lexeme is neither space nor comment. */
export function isSignificant(lexeme: Lexeme): boolean {
  return lexeme.kind !== 'space' && lexeme.kind !== 'comment';
}
