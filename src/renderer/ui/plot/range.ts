import type { ChartRange } from './chart-spec.ts';

/** A part around a place that stays where it is; `by` above 1 shows more, below 1 less. */
export function zoomed({ from, to }: ChartRange, by: number, around: number): ChartRange {
  return { from: around - (around - from) * by, to: around + (to - around) * by };
}

/** The part beside, moved by a share of its length. */
export function moved({ from, to }: ChartRange, share: number): ChartRange {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
}

/** A part that holds to what there is: no larger than it, and not beyond its ends. */
export function within({ from, to }: ChartRange, all: ChartRange): ChartRange {
  const length = to - from;
  if (length >= all.to - all.from) return all;
  if (from < all.from) return { from: all.from, to: all.from + length };
  return to > all.to ? { from: all.to - length, to: all.to } : { from, to };
}
