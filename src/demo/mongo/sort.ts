import { type Iterator, Lazy } from 'mingo/lazy';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { invalid } from '../problem.ts';
import { compareValues, sortValue } from '../store/values.ts';

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

/** Compares two lists of sort values, field by field. */
export function compareSortValues(
  fields: readonly SortField[],
  a: readonly (JsonValue | undefined)[],
  b: readonly (JsonValue | undefined)[],
): number {
  for (const [at, [, direction]] of fields.entries()) {
    const order = compareValues(a[at], b[at]) * direction;
    if (order !== 0) return order;
  }
  return 0;
}

/** The values by which a record is sorted. */
export function sortValues(fields: readonly SortField[], record: JsonObject): (JsonValue | undefined)[] {
  return fields.map(([path, direction]) => sortValue(record, path, direction));
}

/** `$sort` with the type order of the document database, exact for integers beyond 2^53. */
export function sortStage(records: Iterator, sort: unknown, _options: unknown): Iterator {
  const fields = readSort(sort as JsonObject);
  if (fields.length === 0) throw invalid('$sort needs at least one field');
  return records.transform((all) => {
    const keyed = (all as JsonObject[]).map((record) => ({ record, values: sortValues(fields, record) }));
    keyed.sort((a, b) => compareSortValues(fields, a.values, b.values));
    return Lazy(keyed.map(({ record }) => record));
  });
}
