import { AppError } from '../../../shared/errors/errors.ts';

/**
 * The error for invalid JSON.
 * @param at index of the byte, from 0
 */
export const jsonError = (at: number, problem: string): AppError =>
  new AppError('bad_answer', { service: 'data', problem: `${problem} at byte ${at + 1}` });

/** Whether a byte is white space of JSON. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9;

/**
 * The index of the first byte that isn't white space.
 * @param from start index
 */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  // All white space is at or below a space; other bytes there are invalid outside strings.
  while ((bytes[at] ?? 33) <= 32 && isSpace(bytes[at])) at += 1;
  return at;
}

const quote = 34;
const backslash = 92;

/**
 * The index after a string.
 * @param start index of its opening quote
 * @throws AppError `bad_answer`
 */
export function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  for (let at = start + 1; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at += 1;
  }
  throw jsonError(start, 'a text isn’t closed');
}

/**
 * The index after an array or object.
 * @param start index of its opening bracket
 * @throws AppError `bad_answer`
 */
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
  throw jsonError(start, 'a list or an object isn’t closed');
}

const literals = ['null', 'true', 'false'].map((word) => Buffer.from(word));

/** 1 for each byte that can occur in a JSON number. */
const numberBytes = new Uint8Array(256);
for (const char of '0123456789-.+eE') numberBytes[char.charCodeAt(0)] = 1;

/**
 * The index after the number or literal at `start`.
 * @throws AppError `bad_answer`
 */
export function endOfScalar(bytes: Uint8Array, start: number): number {
  let at = start;
  while (numberBytes[bytes[at] ?? 0] === 1) at += 1;
  if (at > start) return at;
  const literal = literals.find((word) => matchesAt(bytes, start, word));
  if (literal === undefined) throw jsonError(start, 'a value is missing');
  return start + literal.length;
}

/** Whether the bytes at an index equal others. */
export function matchesAt(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let at = 0; at < expected.length; at += 1) if (bytes[start + at] !== expected[at]) return false;
  return true;
}

/**
 * The index after the value at `start`.
 * @throws AppError `bad_answer`
 */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const byte = bytes[start];
  if (byte === quote) return endOfString(bytes, start);
  return byte === 123 || byte === 91 ? endOfComposite(bytes, start) : endOfScalar(bytes, start);
}

/**
 * JSON text without line breaks. Most texts have none and are returned unchanged.
 * @throws AppError `bad_answer` for a line break inside a string
 */
export function onOneLine(json: string): string {
  if (!json.includes('\n') && !json.includes('\r')) return json;
  const compact = json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  if (/[\n\r]/.test(compact)) throw jsonError(0, 'a line ends inside a text');
  return compact;
}
