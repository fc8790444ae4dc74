import { type JsonObject, type JsonValue, isObject } from '../../shared/json.ts';
import { invalid } from '../service.ts';

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

/** Orders any two values as the document database does: by type, then by value, exact for integers beyond 2^53. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  const type = rank(a);
  const byType = type - rank(b);
  if (byType !== 0 || type === 0) return byType;
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (type === 3) return compareLists(Object.entries(a as object).flat(), Object.entries(b as object).flat());
  const [left, right] = [a as string, b as string];
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [at, value] of a.slice(0, b.length).entries()) {
    const order = compareValues(value, b[at]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The value at a dotted path; through an array, the values of its elements. */
export function valueAt(record: JsonValue | undefined, path: string): JsonValue | undefined {
  const [name = '', ...rest] = path.split('.');
  let value: JsonValue | undefined;
  if (Array.isArray(record) && !/^\d+$/.test(name)) {
    const values = record.map((element) => valueAt(element, path)).filter((part) => part !== undefined);
    return values.length > 0 ? values : undefined;
  }
  if (Array.isArray(record)) value = record[Number(name)];
  else if (isObject(record) && Object.hasOwn(record, name)) value = record[name];
  return rest.length === 0 || value === undefined ? value : valueAt(value, rest.join('.'));
}

export type SortField = readonly [path: string, direction: 1 | -1];

/**
 * Reads a sort object: field to direction, `1` or `-1`.
 * @throws Problem 422 for any other direction (specification, section 4.1)
 */
export function readSort(sort: JsonObject): SortField[] {
  return Object.entries(sort).map(([path, direction]) => {
    if (direction !== 1 && direction !== -1)
      throw invalid(`sort: the direction of "${path}" must be 1 or -1`);
    return [path, direction];
  });
}

type SortValues = readonly (JsonValue | undefined)[];

/** Compares two lists of sort values, field by field. */
export function compareSortValues(fields: readonly SortField[], a: SortValues, b: SortValues): number {
  for (const [at, [, direction]] of fields.entries()) {
    const order = compareValues(a[at], b[at]) * direction;
    if (order !== 0) return order;
  }
  return 0;
}

/** The values by which a record is sorted: of an array, its smallest element, or its largest in descending order. */
export function sortValues(fields: readonly SortField[], record: JsonObject): SortValues {
  return fields.map(([path, direction]) => {
    const value = valueAt(record, path);
    if (!Array.isArray(value)) return value;
    return value.toSorted((a, b) => compareValues(a, b) * direction)[0];
  });
}
