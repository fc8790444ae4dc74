/** JSON values in Wellbench. Integers beyond 2^53 are bigint, so no digit is lost. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

// The standard library's own typing of the two newest members of JSON is not in TypeScript's lib yet.
type ReviverContext = { source?: string };
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: JsonValue, context: ReviverContext) => JsonValue,
  ): JsonValue;
  rawJSON(text: string): JsonValue;
}
const exact: ExactJson = JSON as unknown as ExactJson;

// A number that can lose digits has at least sixteen in a row, preceded only by a sign and separators. Most
// responses have none and use JSON.parse directly, which is two to ten times faster than with a reviver.
// Hexadecimal ids that consist of digits are in quotes.
const long = 16;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const mayBegin = new Set(Array.from('[,:- \t\r\n', (letter) => letter.charCodeAt(0)));

/**
 * Tests every sixteenth character, since sixteen digits in a row contain one of them: a fraction of a parse.
 */
function hasLongInteger(text: string): boolean {
  for (let at = long - 1; at < text.length; at += long) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--;
    while (isDigit(text.charCodeAt(at + 1))) at++;
    if (at - start + 1 >= long && (start === 0 || mayBegin.has(text.charCodeAt(start - 1)))) return true;
  }
  return false;
}

/**
 * Parses strict JSON. Integers that a double can't represent become bigint.
 * @throws SyntaxError as JSON.parse, and for nesting deeper than the stack allows
 */
export function parseJson(text: string): JsonValue {
  try {
    if (!hasLongInteger(text)) return JSON.parse(text) as JsonValue;
    return exact.parse(text, exactly);
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('it is nested too deep', { cause: error });
    throw error;
  }
}

const exactly = (_key: string, value: JsonValue, { source }: ReviverContext): JsonValue =>
  typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value;

/** Strict JSON text of a value; bigint is written with all its digits. The counterpart of {@link parseJson}. */
export function stringifyJson(value: JsonValue | object, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, part: JsonValue) => (typeof part === 'bigint' ? exact.rawJSON(part.toString()) : part),
    indent,
  );
}

/** The value of JSON text; null if it isn’t JSON. For lines and files whose form is checked by a schema then. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** JSON text of a number; `null` if it is infinite or NaN, which JSON doesn’t have. */
export const jsonNumber = (value: number): string => (Number.isFinite(value) ? String(value) : 'null');

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value under a name that comes from outside, such as a column called `constructor`, which all objects inherit.
 * @returns undefined if there is none
 */
export const valueUnder = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** The value at a path; undefined if there is none. */
export function valueAt(record: JsonValue, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = record;
  for (const segment of path) at = isObject(at) ? valueUnder(at, segment) : undefined;
  return at;
}

/** What tells a record from others: its `_id`, or all of it. */
export const recordKey = (record: JsonValue): string =>
  isObject(record) && typeof record['_id'] === 'string' ? record['_id'] : stringifyJson(record);

/** Whether a value has at most this many levels of lists and objects: what is deeper can't be serialized. */
export function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isWithinDepth(part, levels - 1));
}

/**
 * A number that {@link stringifyJson} writes with exactly these digits.
 * @throws SyntaxError when the text isn't a JSON number
 */
export const rawNumber = (text: string): JsonValue => exact.rawJSON(text);

/**
 * The members of an object that are defined: spread, an undefined one would replace that of another object.
 * @param values is not changed
 */
export function withoutUndefined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  // The remaining members keep their names and types.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
