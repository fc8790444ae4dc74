import { hash } from 'node:crypto';
import { isObject } from '../../../shared/json.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';

/** The value at a path; undefined if there is none. */
export function valueAt(record: JsonObject, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = record;
  for (const segment of path) {
    if (!isObject(at) || !Object.hasOwn(at, segment)) return undefined;
    at = at[segment];
  }
  return at;
}

/** The same text for the same value: keys sorted, numbers by value, nulls omitted. */
function canonicalText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '~';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return String(value === 0 ? 0 : value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${parts.join(',')}}`;
}

/** A short fingerprint of the values of a record at these paths. Records with equal fingerprints count as equal. */
export const fingerprint = (record: JsonObject, paths: readonly (readonly string[])[]): string =>
  hash('sha256', paths.map((path) => canonicalText(valueAt(record, path))).join('\n'), 'hex').slice(0, 32);
