/**
 * Positions in JSON text as UTF-8 bytes, found without parsing it. Positions are indexes of bytes, and an end is the index
 * after the last byte.
 */

/** Instead of an end: the text ends before. */
export const incomplete = -1;
/** Instead of an end: the value is nested more deeply than allowed. */
export const tooDeep = -2;

const quote = 34;
const backslash = 92;

/** Whether a byte is white space of JSON. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** Whether a JSON value is a number, by its first byte. */
export const isNumberStart = (byte = 0): boolean => byte === 45 || (byte >= 48 && byte <= 57);

/** A name or an id as text. @param json of a value */
export const textOfJson = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json);

/** The index of the first byte that isn't white space. @param from start index */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  // All white space is at or below a space; other bytes there are invalid outside strings.
  while ((bytes[at] ?? 33) <= 32 && isSpace(bytes[at])) at += 1;
  return at;
}

/** The index of the first byte after a byte order mark. */
export const startOfText = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

/** The end of a string, or {@link incomplete}. @param start index of its opening quote */
export function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  for (let at = start + 1; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at += 1;
  }
  return incomplete;
}

/** The end of an array or object, or {@link incomplete} or {@link tooDeep}. @param start index of its opening bracket */
export function endOfComposite(bytes: Uint8Array, start: number, maxDepth = Infinity): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at) - 1;
      if (at < 0) return incomplete;
    } else if (byte === 123 || byte === 91) {
      depth += 1;
      if (depth > maxDepth) return tooDeep;
    } else if (byte === 125 || byte === 93) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return incomplete;
}

const literals = ['null', 'true', 'false'].map((word) => Buffer.from(word));

/** 1 for each byte that can occur in a JSON number. */
const numberBytes = new Uint8Array(256);
for (const char of '0123456789-.+eE') numberBytes[char.charCodeAt(0)] = 1;

/** The end of a number or a literal, or {@link incomplete} if there is none. */
export function endOfScalar(bytes: Uint8Array, start: number): number {
  let at = start;
  while (numberBytes[bytes[at] ?? 0] === 1) at += 1;
  if (at > start) return at;
  const literal = literals.find((word) => matchesAt(bytes, start, word));
  return literal === undefined ? incomplete : start + literal.length;
}

/** Whether the bytes at an index equal others. */
export function matchesAt(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let at = 0; at < expected.length; at += 1) if (bytes[start + at] !== expected[at]) return false;
  return true;
}

/** The end of the value at an index, or {@link incomplete}. What is in an array or object isn't validated. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const byte = bytes[start];
  if (byte === quote) return endOfString(bytes, start);
  return byte === 123 || byte === 91 ? endOfComposite(bytes, start) : endOfScalar(bytes, start);
}
