import { hash } from 'node:crypto';
import { utcText } from '../../../../shared/instants.ts';
import { isObject, valueAt, type JsonObject, type JsonValue, parseJson } from '../../../../shared/json.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { endOfValue, skipSpace } from '../../records/json-text.ts';

/** Whether times in text are compared as instants, whatever their notation, or as text. */
export type TimesAs = 'instants' | 'text';

/** A double if it has all digits: services send long integers in the notation of doubles. */
const numberText = (value: number | bigint): string => {
  const double = Number(value);
  if (typeof value === 'bigint' && (!Number.isFinite(double) || BigInt(double) !== value))
    return String(value);
  return String(double === 0 ? 0 : double);
};

/** The same text for the same value: keys sorted, numbers by value, times by their instant, nulls omitted. */
function canonicalText(value: JsonValue | undefined, times: TimesAs): string {
  if (value === undefined || value === null) return '~';
  if (typeof value === 'bigint' || typeof value === 'number') return numberText(value);
  if (typeof value === 'string')
    return JSON.stringify(times === 'instants' ? (utcText(value) ?? value) : value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, times)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key], times)}`);
  return `{${parts.join(',')}}`;
}

/**
 * A short fingerprint of the values of a record at these paths. Records with equal fingerprints count as equal.
 * @param times as instants, except for fingerprints of earlier versions
 */
export const fingerprint = (
  record: JsonObject,
  paths: readonly (readonly string[])[],
  times: TimesAs = 'instants',
): string =>
  hash('sha256', paths.map((path) => canonicalText(valueAt(record, path), times)).join('\n'), 'hex').slice(
    0,
    32,
  );

const notList = (cause?: unknown): AppError =>
  new AppError('bad_answer', { service: 'data', problem: 'it isn’t a list of records' }, { cause });

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (cause) {
    throw notList(cause);
  }
}

const [comma, opening, closing] = [0x2c, 0x5b, 0x5d];

/**
 * The records of a page, parsed one by one: parsed at once, a page of large records takes ten times its size.
 * @param text JSON of the page, as the service sent it
 * @throws AppError `bad_answer` if it isn’t a list of records
 */
export function* pageRecords(text: string): Generator<JsonValue> {
  const bytes = Buffer.from(text);
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== opening) throw notList();
  let at = skipSpace(bytes, start + 1);
  while (bytes[at] !== closing) {
    const end = endOfValue(bytes, at);
    if (end < 0) throw notList();
    yield parsed(bytes.toString('utf8', at, end));
    at = skipSpace(bytes, end);
    if (bytes[at] !== comma) break;
    at = skipSpace(bytes, at + 1);
    if (bytes[at] === closing) throw notList();
  }
  if (bytes[at] !== closing || skipSpace(bytes, at + 1) < bytes.length) throw notList();
}
