import type { JsonObject, JsonValue } from '../../shared/json.ts';

/** A value by which rows are ordered; missing values count as null, as in the document database. */
export type Key = null | boolean | number | bigint | string;

// The type order of a document database: null, numbers, texts, objects, arrays, booleans.
function rank(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'number' || typeof value === 'bigint') return 1;
  if (typeof value === 'string') return 2;
  if (typeof value === 'boolean') return 5;
  if (Array.isArray(value)) return 4;
  return value instanceof Date ? 6 : 3;
}

/** Orders keys: by type, then by value. Numbers and exact integers beyond 2^53 compare by value. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  const byType = rank(a) - rank(b);
  if (byType !== 0 || a === null || b === null) return byType;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders any two values as the document database orders them. */
export function compareValues(a: unknown, b: unknown): number {
  const type = rank(a);
  const byType = type - rank(b);
  if (byType !== 0 || type === 0) return byType;
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (type === 3) return compareLists(Object.entries(a as object).flat(), Object.entries(b as object).flat());
  const left = a as Key;
  const right = b as Key;
  return left! < right! ? -1 : left! > right! ? 1 : 0;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The value at a dotted path; through an array, the values of its elements. */
export function valueAt(record: JsonValue | undefined, path: string): JsonValue | undefined {
  const dot = path.indexOf('.');
  const name = dot < 0 ? path : path.slice(0, dot);
  let value: JsonValue | undefined;
  if (Array.isArray(record)) {
    if (!/^\d+$/.test(name)) {
      const values = record.map((element) => valueAt(element, path)).filter((part) => part !== undefined);
      return values.length > 0 ? values : undefined;
    }
    value = record[Number(name)];
  } else if (typeof record === 'object' && record !== null && Object.hasOwn(record, name)) {
    value = record[name];
  }
  return dot < 0 || value === undefined ? value : valueAt(value, path.slice(dot + 1));
}

/** The sort value of a record at a path: of an array, the smallest element, or the largest in descending order. */
export function sortValue(record: JsonObject, path: string, direction: 1 | -1): JsonValue | undefined {
  const value = valueAt(record, path);
  if (!Array.isArray(value)) return value;
  let best: JsonValue | undefined;
  for (const element of value) {
    if (best === undefined || compareValues(element, best) * direction < 0) best = element;
  }
  return best;
}
