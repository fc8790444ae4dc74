import { boundsOf, writeRange, type RangeField } from '../../../shared/language/text/conditions.ts';

/** A place alone is shown with the records around it: a minute of time, or ten units of depth. */
const around = { time: 30_000, depth: 5 } as const;

/**
 * A query for the records of a range of its index, both ends included.
 * @param field the index field
 * @param to equals `from` for a single place
 */
export function queryOfRange(query: string, field: RangeField, from: number, to: number): string {
  const margin = to > from ? 0 : around[field.of];
  return writeRange(query, field, boundsOf(field, { from: from - margin, to: to + margin })) ?? query;
}
