import type { Dataset } from '../../../../shared/datasets/datasets.ts';
import { millisecondsOfMoment, parseMoment } from '../../../../shared/language/moments.ts';
import { queryOfWells } from '../../../../shared/language/scope.ts';
import { rangeFieldOf, writeRange, type Bound } from '../../../../shared/language/text/range.ts';
import { parseRange, type RangeInputs, type RangeProblem } from '../../../format/range-inputs.ts';

export type RangeProblems = Partial<Record<keyof RangeInputs, RangeProblem>>;

/** A relative time as the time that it is now: a table is read once. */
function fixedBound(bound: Bound | null, now: number): Bound | null {
  if (bound?.kind !== 'moment') return bound;
  const moment = parseMoment(bound.written);
  const ms = typeof moment === 'object' ? millisecondsOfMoment(moment, now, 'UTC') : undefined;
  return ms === undefined ? null : { kind: 'time', ms };
}

/**
 * The query for records of a dataset, or what is wrong with the limits of its range.
 * @param assetIds the wells; empty: all
 * @param typed the limits, in UTC; blank: none
 * @param now Unix milliseconds
 */
export function datasetQuery(
  { type }: Pick<Dataset, 'type'>,
  assetIds: readonly number[],
  typed: { readonly from: string; readonly to: string },
  now: number,
): { readonly query: string } | { readonly problems: RangeProblems } {
  const query = queryOfWells(type, assetIds);
  const field = rangeFieldOf(type);
  if (field === null) return { query };
  const read = parseRange({ ...typed, zone: 'UTC' }, { from: null, to: null }, field.of);
  if ('problems' in read) return read;
  const [from, to] = [fixedBound(read.range.from, now), fixedBound(read.range.to, now)];
  return { query: writeRange(query, field, { from, to }) ?? query };
}
