import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { isObject } from '../../shared/json.ts';
import type { Faults } from '../faults.ts';

/** How the response to an insert reports the records that were not stored: the specification doesn't define it. */
export function failureMessages(
  records: readonly JsonObject[],
  failed: ReadonlySet<JsonObject>,
  shape: Faults['message_shape'],
): JsonValue[] {
  const indexes = records.flatMap((record, at) => (failed.has(record) ? [at] : []));
  const message = shapes[shape];
  return message ? indexes.map((index) => message(index)) : [];
}

const problem = 'the record could not be stored';
const shapes: Record<Faults['message_shape'], ((index: number) => JsonValue) | null> = {
  string: () => problem,
  indexed: (index) => ({ index, message: problem }),
  nested: () => ({ error: { code: 'write_failed', details: [problem] } }),
  none: null,
};

/** A record as a server stores it that rounds numbers to single precision and drops nulls. */
export function rewritten(record: JsonObject): JsonObject {
  return isObject(record['data']) ? { ...record, data: rewriteObject(record['data']) } : record;
}

function rewriteObject(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, rewriteValue(value)]),
  );
}

function rewriteValue(value: JsonValue): JsonValue {
  if (typeof value === 'number' && !Number.isInteger(value)) return Math.fround(value);
  return isObject(value) ? rewriteObject(value) : value;
}
