import type { ChartLine, ChartRange } from './chart-spec.ts';

/**
 * The index of the point nearest to `along`, gaps included. -1: the line begins later or ends before it.
 * @param reach distance beyond its ends at which a line still counts
 */
export function nearestTo(
  { x }: Pick<ChartLine, 'x'>,
  along: number,
  reach = Number.POSITIVE_INFINITY,
): number {
  const [first = Number.NaN, last = Number.NaN] = [x[0], x.at(-1)];
  if (!(along >= first - reach && along <= last + reach)) return -1;
  const at = Math.min(placeOf(x, along), x.length - 1);
  const before = x[at - 1];
  const here = x[at] ?? Number.NaN;
  return before !== undefined && along - before < here - along ? at - 1 : at;
}

/** The first index in ascending numbers that isn't below `value` (or, with `past`, is above it). */
export function placeOf(sorted: Float64Array, value: number, past = false): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = sorted[middle] ?? Number.NaN;
    if (past ? at <= value : at < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Distance beyond the ends of a line at which the cursor still finds it: a few pixels. */
export const reachOf = ({ from, to }: ChartRange): number => (to - from) / 200;

/** Does something with a part of an axis, on a logarithmic one with its logarithms. */
function onAxis(
  { from, to }: ChartRange,
  isLog: boolean,
  act: (range: ChartRange) => ChartRange,
): ChartRange {
  if (!isLog) return act({ from, to });
  const changed = act({ from: Math.log10(from), to: Math.log10(to) });
  return { from: 10 ** changed.from, to: 10 ** changed.to };
}

/** A part zoomed around a fixed position; `by` above 1 shows more, below 1 less. */
export function zoomed(range: ChartRange, by: number, around: number, isLog = false): ChartRange {
  const fixed = isLog ? Math.log10(around) : around;
  return onAxis(range, isLog, ({ from, to }) => ({
    from: fixed - (fixed - from) * by,
    to: fixed + (to - fixed) * by,
  }));
}

/** A part moved by a share of its length. */
export function moved(range: ChartRange, share: number, isLog = false): ChartRange {
  return onAxis(range, isLog, ({ from, to }) => {
    const by = (to - from) * share;
    return { from: from + by, to: to + by };
  });
}

export const middleOf = ({ from, to }: ChartRange, isLog = false): number =>
  isLog ? Math.sqrt(from * to) : (from + to) / 2;

/** A part limited to the whole range. */
export function within({ from, to }: ChartRange, all: ChartRange): ChartRange {
  const length = to - from;
  if (length >= all.to - all.from) return all;
  if (from < all.from) return { from: all.from, to: all.from + length };
  return to > all.to ? { from: all.to - length, to: all.to } : { from, to };
}
