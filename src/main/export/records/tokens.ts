import { AppError } from '../../../shared/errors.ts';

/** The error for an answer that is not the JSON that was expected; `at` counts characters from 0. */
export const unreadable = (at: number, problem: string): AppError =>
  new AppError('bad_answer', { service: 'data', problem: `${problem} at character ${at + 1}` });

export const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Behind the closing quote of the string whose opening quote stands at `start`. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end < 0) throw unreadable(start, 'a text does not end');
  return end + 1;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes += 1;
  return backslashes % 2 === 1;
}

/** Behind the bracket that closes the array or object that opens at `start`. */
export function endOfComposite(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfString(text, at) - 1;
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw unreadable(start, 'a list or an object does not end');
}

const literals = ['null', 'true', 'false'];

/** Behind the number or literal at `start`. */
export function endOfScalar(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); isNumeric(code); code = text.charCodeAt(at)) at += 1;
  if (at > start) return at;
  const literal = literals.find((word) => text.startsWith(word, start));
  if (literal === undefined) throw unreadable(start, 'a value is missing');
  return start + literal.length;
}

/** Whether a character can stand in a JSON number. */
function isNumeric(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 43 || code === 101 || code === 69
  );
}

/** Behind the value, whichever it is, at `start`. */
export function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === 34) return endOfString(text, start);
  return code === 123 || code === 91 ? endOfComposite(text, start) : endOfScalar(text, start);
}

/** JSON text without line ends, so that it fits in a line. Most texts have none and come back untouched. */
export function onOneLine(json: string): string {
  if (!json.includes('\n') && !json.includes('\r')) return json;
  const compact = json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  if (/[\n\r]/.test(compact)) throw unreadable(0, 'a line ends inside a text');
  return compact;
}
