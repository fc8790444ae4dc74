import { AppError } from '../errors/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { convert } from './convert.ts';
import { atTop, createReader, placeFinder, type Reader } from './reader.ts';
import { readTree } from './tree/tree.ts';
import { refuseMisplaced } from './unexpected.ts';

/** A parsed value and its start. */
interface ParsedText {
  readonly value: JsonValue;
  readonly start: number;
}

/**
 * Parses one value; null for blank text or only comments. After a recorded problem the value is meaningless.
 */
export function read(reader: Reader): ParsedText | null {
  const { text } = reader;
  const { root, comments, misplaced } = readTree(text);
  const comment = comments.at(-1);
  const isOpen = comment && /^\/\*(?!.*\*\/$)/s.test(text.slice(comment.start, comment.end));
  if (isOpen && (misplaced?.at ?? text.length) === text.length)
    reader.refuse(comment, 'This comment is not closed. Add */ at the end.');
  else if (misplaced) refuseMisplaced(misplaced, reader);
  else if (root) return { value: convert(root, atTop, reader), start: root.start };
  return reader.issues.length > 0 ? { value: null, start: 0 } : null;
}

/** @throws AppError `invalid_input` with the issues of a reader, if it has any */
export function throwIssues(reader: Reader): void {
  if (reader.issues.length > 0) throw new AppError('invalid_input', { issues: reader.issues });
}

function fail(text: string, field: string, at: number, message: string): never {
  throw new AppError('invalid_input', { issues: [{ message, place: placeFinder(text, field)(at) }] });
}

function readOrThrow(text: string, field: string): ParsedText | null {
  const reader = createReader(text, field);
  const parsed = read(reader);
  throwIssues(reader);
  return parsed;
}

function kindOf(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object') return 'a number';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/**
 * Parses relaxed JSON: comments, unquoted names, single quotes, trailing commas, `ISODate("…")`,
 * `NumberLong("…")`, `ObjectId("…")`, and regular expressions; integers stay exact, and a date becomes Unix
 * milliseconds, or ISO 8601 text for a field `datetime`. Nothing is executed or ignored.
 * @param field the input field, for places in errors
 * @throws AppError `invalid_input` with line and column of every problem
 */
export function parseRelaxed(text: string, field: string): JsonValue {
  const parsed = readOrThrow(text, field);
  return parsed ? parsed.value : fail(text, field, text.length, 'A value is missing. Enter one.');
}

/** As {@link parseRelaxed}; undefined if the text is blank or can't be read. */
export function tryRelaxed(text: string): JsonValue | undefined {
  const reader = createReader(text, '');
  const parsed = read(reader);
  return reader.issues.length > 0 ? undefined : parsed?.value;
}

/**
 * As {@link parseRelaxed}, for an object. A blank text means `{}`.
 * @throws AppError invalid_input
 */
export function parseRelaxedObject(text: string, field: string): JsonObject {
  const parsed = readOrThrow(text, field);
  if (!parsed) return {};
  const { value, start } = parsed;
  if (isObject(value)) return value;
  return fail(text, field, start, `This must be an object, not ${kindOf(value)}. Put it between { and }.`);
}

/**
 * As {@link parseRelaxed}, for a list, such as the stages of a pipeline.
 * @throws AppError invalid_input
 */
export function parseRelaxedArray(text: string, field: string): JsonValue[] {
  const parsed = readOrThrow(text, field);
  if (!parsed) return fail(text, field, text.length, 'A list is missing. Enter it between [ and ].');
  const { value, start } = parsed;
  if (Array.isArray(value)) return value;
  return fail(text, field, start, `This must be a list, not ${kindOf(value)}. Put it between [ and ].`);
}
