import { isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Bound } from './cursor.ts';
import { valueOf } from './values.ts';

// Operators that can stand beside ours in one object. Anything else (a regular expression, an object to be equal to)
// can't be intersected.
const combining = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists']);

const implied = { $gt: ['$gt', '$gte'], $gte: ['$gt', '$gte'], $lt: ['$lt', '$lte'] } as const;

function operatorsOf(condition: JsonValue | undefined): JsonObject | null {
  if (condition === undefined) return {};
  if (condition === null || Array.isArray(condition)) return null;
  if (!isObject(condition)) return { $in: [condition] };
  return Object.keys(condition).every((name) => combining.has(name)) ? condition : null;
}

/** Whether a person's own condition on a field can be intersected with a window in one operator object. */
export function canBeWindowed(query: JsonObject, field: string): boolean {
  return operatorsOf(query[field]) !== null;
}

/**
 * The query with a window on a field. The bound's value comes from a record that matches the person's own conditions,
 * so a lower (or upper) bound of theirs is implied by ours and replaced; the others stay.
 */
export function withBound(query: JsonObject, field: string, { op, value }: Bound): JsonObject {
  const own = Object.entries(operatorsOf(query[field]) ?? {});
  const replaced: readonly string[] = implied[op];
  const kept = Object.fromEntries(own.filter(([name]) => !replaced.includes(name)));
  return { ...query, [field]: { ...kept, [op]: valueOf(value) } };
}

/** The query for the records that have one value, which matches the person's own conditions. */
export function withValue(query: JsonObject, field: string, value: string): JsonObject {
  return { ...query, [field]: valueOf(value) };
}
