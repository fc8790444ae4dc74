import { hash } from 'node:crypto';
import { utcText } from '../../../../shared/instants.ts';
import { isObject, valueAt, type JsonObject, type JsonValue, parseJson } from '../../../../shared/json.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { endOfValue, skipSpace } from '../../records/json-text.ts';

/** A double if it has all digits: services send long integers in the notation of doubles. */
const numberText = (value: number | bigint): string => {
  const double = Number(value);
  if (typeof value === 'bigint' && (!Number.isFinite(double) || BigInt(double) !== value))
    return String(value);
  return String(double === 0 ? 0 : double);
};

/** The same text for the same value: keys sorted, numbers by value, times by their instant, nulls omitted. */
function canonicalText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '~';
  if (typeof value === 'bigint' || typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return JSON.stringify(utcText(value) ?? value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${parts.join(',')}}`;
}

const textAt = (record: JsonObject, paths: readonly (readonly string[])[]): string =>
  paths.map((path) => canonicalText(valueAt(record, path))).join('\n');

/** A short fingerprint of the values of a record at these paths. Records with equal fingerprints count as equal. */
export const fingerprint = (record: JsonObject, paths: readonly (readonly string[])[]): string =>
  hash('sha256', textAt(record, paths), 'hex').slice(0, 32);

/** The same as four words. */
export function digestOf(record: JsonObject, paths: readonly (readonly string[])[]): Uint32Array {
  // A buffer would take twice as long.
  const bytes = hash('sha256', textAt(record, paths), 'binary');
  const words = new Uint32Array(4);
  for (let at = 0; at < 16; at++) words[at >> 2] = ((words[at >> 2] ?? 0) << 8) | bytes.charCodeAt(at);
  return words;
}

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
