import { writeRange, type RangeField } from '../../../shared/language/text/range.ts';

/** A place alone is shown with the records around it: a minute of time, or ten units of depth. */
const around = { time: 30_000, depth: 5 } as const;

/**
 * A query for the records of a range of its index.
 * @param field the index field
 * @param to equals `from` for a single place
 */
export function queryOfRange(query: string, field: RangeField, from: number, to: number): string {
  const margin = to > from ? 0 : around[field.of];
  const bound = (value: number) =>
    field.of === 'depth'
      ? ({ kind: 'depth', depth: value } as const)
      : ({ kind: 'time', ms: Math.round(value) } as const);
  return writeRange(query, field, { from: bound(from - margin), to: bound(to + margin) }) ?? query;
}
