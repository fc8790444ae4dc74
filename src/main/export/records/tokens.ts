import { AppError } from '../../../shared/errors/errors.ts';

/** The error for an answer that is not the JSON that was expected; `at` counts bytes from 0. */
export const unreadable = (at: number, problem: string): AppError =>
  new AppError('bad_answer', { service: 'data', problem: `${problem} at byte ${at + 1}` });

export const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** The first place from one on where no white space stands. */
export function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  // Everything that is not white space lies above a blank, but for what no JSON has outside of texts.
  while ((bytes[at] ?? 33) <= 32 && isSpace(bytes[at])) at += 1;
  return at;
}

const quote = 34;
const backslash = 92;

/** Behind the closing quote of the string whose opening quote stands at `start`. */
export function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  for (let at = start + 1; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at += 1;
  }
  throw unreadable(start, 'a text does not end');
}

/** Behind the bracket that closes the array or object that opens at `start`. */
export function endOfComposite(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at) - 1;
    else if (byte === 123 || byte === 91) depth += 1;
    else if (byte === 125 || byte === 93) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw unreadable(start, 'a list or an object does not end');
}

const literals = ['null', 'true', 'false'].map((word) => Buffer.from(word));

/** 1 for each byte that can stand in a JSON number. */
const numeric = new Uint8Array(256);
for (const char of '0123456789-.+eE') numeric[char.charCodeAt(0)] = 1;

/** Behind the number or literal at `start`. */
export function endOfScalar(bytes: Uint8Array, start: number): number {
  let at = start;
  while (numeric[bytes[at] ?? 0] === 1) at += 1;
  if (at > start) return at;
  const literal = literals.find((word) => standsAt(bytes, start, word));
  if (literal === undefined) throw unreadable(start, 'a value is missing');
  return start + literal.length;
}

/** Whether bytes stand at a place. */
export function standsAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at += 1) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}

/** Behind the value, whichever it is, at `start`. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const byte = bytes[start];
  if (byte === quote) return endOfString(bytes, start);
  return byte === 123 || byte === 91 ? endOfComposite(bytes, start) : endOfScalar(bytes, start);
}

/** JSON text without line ends, so that it fits in a line. Most texts have none and come back untouched. */
export function onOneLine(json: string): string {
  if (!json.includes('\n') && !json.includes('\r')) return json;
  const compact = json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  if (/[\n\r]/.test(compact)) throw unreadable(0, 'a line ends inside a text');
  return compact;
}
