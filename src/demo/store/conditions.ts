import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { isObject } from '../../shared/json.ts';
import type { Run, Segment } from './run.ts';
import { firstRow } from './run.ts';
import type { Key } from './values.ts';
import { compareKeys } from './values.ts';

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

/** Whether every condition on this path selects a contiguous range or a list of single keys. */
const rangeOperators = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte']);

/** The keys that conditions on the index field allow: bounds, and single keys if they are listed. */
export interface KeyRange {
  low: { key: Key; after: boolean } | null;
  high: { key: Key; after: boolean } | null;
  points: Key[] | null;
}

/** Converts a condition into a range of keys; null if it can't be converted and must be tested for each record. */
export function keyRange(condition: JsonValue): KeyRange | null {
  const range: KeyRange = { low: null, high: null, points: null };
  if (isKey(condition)) return { ...range, points: [condition] };
  if (!isObject(condition)) return null;
  const operators = Object.entries(condition);
  if (operators.length === 0 || !operators.every(([name]) => rangeOperators.has(name))) return null;
  for (const [name, value] of operators) if (!narrow(range, name, value)) return null;
  return range;
}

function narrow(range: KeyRange, operator: string, value: JsonValue): boolean {
  if (operator === '$in') {
    if (!Array.isArray(value) || !value.every((key) => isKey(key))) return false;
    addPoints(range, value.filter(isKey));
    return true;
  }
  if (!isKey(value)) return false;
  if (operator === '$eq') {
    addPoints(range, [value]);
    return true;
  }
  // Comparisons match only values of their own type; numbers and texts can be keys here.
  if (value === null || typeof value === 'boolean') return false;
  const [first, end] = typeof value === 'string' ? ['', true] : [-Infinity, Infinity];
  const below = operator === '$lt' || operator === '$lte';
  raise(range, below ? { key: first, after: false } : { key: value, after: operator === '$gt' });
  lower(range, below ? { key: value, after: operator === '$lte' } : { key: end, after: false });
  return true;
}

function addPoints(range: KeyRange, keys: Key[]): void {
  range.points = range.points ? range.points.filter((a) => keys.some((b) => compareKeys(a, b) === 0)) : keys;
}

function raise(range: KeyRange, low: { key: Key; after: boolean }): void {
  const order = range.low ? compareKeys(low.key, range.low.key) : 1;
  if (order > 0 || (order === 0 && low.after)) range.low = low;
}

function lower(range: KeyRange, high: { key: Key; after: boolean }): void {
  const order = range.high ? compareKeys(high.key, range.high.key) : -1;
  if (order < 0 || (order === 0 && !high.after)) range.high = high;
}

/** The intersection of two ranges. */
export function intersect(a: KeyRange, b: KeyRange): KeyRange {
  const both: KeyRange = { ...a };
  if (b.points) addPoints(both, b.points);
  if (b.low) raise(both, b.low);
  if (b.high) lower(both, b.high);
  return both;
}

/** The parts of a run that are in a range, in ascending order. */
export function segmentsOf(run: Run, range: KeyRange | null): Segment[] {
  const from = range?.low ? firstRow(run, range.low.key, range.low.after) : 0;
  const to = range?.high ? firstRow(run, range.high.key, range.high.after) : run.length;
  if (from >= to) return [];
  if (!range?.points) return [{ run, from, to }];
  const points = [...range.points]
    .sort(compareKeys)
    .filter((key, i, all) => i === 0 || compareKeys(all[i - 1]!, key) !== 0);
  return points
    .map((key) => ({
      run,
      from: firstRow(run, key, false, from, to),
      to: firstRow(run, key, true, from, to),
    }))
    .filter((segment) => segment.to > segment.from);
}

function isKey(value: JsonValue): value is Key {
  return value === null || typeof value !== 'object';
}
