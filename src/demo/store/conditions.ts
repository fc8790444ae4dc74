import { type JsonObject, type JsonValue, isObject } from '../../shared/json.ts';
import { compareKeys, type Key } from './values.ts';

/** One condition of a query that every match must meet: a path and its condition, or a logical operator. */
export interface Condition {
  readonly path: string;
  readonly condition: JsonValue;
}

/** The conditions of a query, including those inside `$and`. */
export function conditionsOf(query: JsonObject): Condition[] {
  return Object.entries(query).flatMap(([path, condition]) => {
    if (
      path === '$and' &&
      Array.isArray(condition) &&
      condition.length > 0 &&
      condition.every((part) => isObject(part))
    ) {
      return condition.flatMap((part) => conditionsOf(part));
    }
    return [{ path, condition }];
  });
}

/** A limit of a range of keys: the first key of the range, or with `after` the last one before it. */
interface Limit {
  readonly key: Key;
  readonly after: boolean;
}

/** A range of keys: from `low`, up to but without `high`. */
export interface KeyRange {
  readonly low: Limit;
  readonly high: Limit;
}

export const compareLimits = (a: Limit, b: Limit): number =>
  compareKeys(a.key, b.key) || Number(a.after) - Number(b.after);

const isKey = (value: JsonValue): value is Key => value === null || typeof value !== 'object';
const only = (key: Key): KeyRange => ({ low: { key, after: false }, high: { key, after: true } });

/** The range of keys that one operator accepts; null if it isn't exactly a range. */
function rangeOf(operator: string, value: JsonValue): KeyRange | null {
  if (!isKey(value)) return null;
  if (operator === '$eq') return only(value);
  // Comparisons match only values of their own type.
  if (value === null || typeof value === 'boolean') return null;
  const [start, end] = typeof value === 'string' ? ['', true] : [-Infinity, Infinity];
  const first = { key: start, after: false };
  const last = { key: end, after: typeof value !== 'string' };
  switch (operator) {
    case '$gt':
    case '$gte':
      return { low: { key: value, after: operator === '$gt' }, high: last };
    case '$lt':
    case '$lte':
      return { low: first, high: { key: value, after: operator === '$lte' } };
    default:
      return null;
  }
}

/** The ranges that a condition on the key is the intersection of; null if it must be tested for each row. */
export function keyRanges(condition: JsonValue): KeyRange[] | null {
  if (isKey(condition)) return [only(condition)];
  if (!isObject(condition)) return null;
  const ranges = Object.entries(condition).map(([operator, value]) => rangeOf(operator, value));
  return ranges.length > 0 && ranges.every((range) => range !== null) ? ranges : null;
}

/** The range from the smallest to the largest key of a list of keys; none for other conditions. */
export function listRange(condition: JsonValue): KeyRange[] {
  const list = isObject(condition) ? condition['$in'] : undefined;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isKey)) return [];
  const sorted = [...list].sort(compareKeys);
  const [low = null] = sorted;
  return [{ low: { key: low, after: false }, high: { key: sorted.at(-1) ?? null, after: true } }];
}
