/** What a JSON text can hold here. Integers beyond 2^53 are bigint, so that no digit of them is lost. */
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

// A number that may have lost digits has at least sixteen of them in a row; most answers have none,
// and those take the engine's fast path (two to seven times faster than a reviver).
const longDigits = /\d{16}/;

/**
 * Parses strict JSON. Integers that a double cannot hold come back as bigint, everything else as JSON.parse gives it.
 * @throws SyntaxError as JSON.parse does
 */
export function parseJson(text: string): JsonValue {
  if (!longDigits.test(text)) return JSON.parse(text) as JsonValue;
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' &&
    source !== undefined &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  );
}

/** Strict JSON text of a value; bigint is written with all its digits. The counterpart of {@link parseJson}. */
export function stringifyJson(value: JsonValue, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, part: JsonValue) => (typeof part === 'bigint' ? exact.rawJSON(part.toString()) : part),
    indent,
  );
}

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A number that {@link stringifyJson} writes exactly as this text: digits that neither a double nor an integer keeps.
 * @throws SyntaxError when the text is not a JSON number
 */
export const rawNumber = (text: string): JsonValue => exact.rawJSON(text);
