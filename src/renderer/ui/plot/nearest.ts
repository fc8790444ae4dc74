import type { ChartLine, ChartRange } from './chart-spec.ts';

/**
 * The place of the point nearest to `along`, gaps included. -1: the line has none there, for it begins later or ended
 * before.
 * @param reach how far from its ends a line still counts
 */
export function nearestTo(
  { x }: Pick<ChartLine, 'x'>,
  along: number,
  reach = Number.POSITIVE_INFINITY,
): number {
  const [first = Number.NaN, last = Number.NaN] = [x[0], x.at(-1)];
  if (!(along >= first - reach && along <= last + reach)) return -1;
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((x[middle] ?? Number.NaN) < along) low = middle + 1;
    else high = middle;
  }
  const before = x[low - 1];
  const here = x[low] ?? Number.NaN;
  return before !== undefined && along - before < here - along ? low - 1 : low;
}

/** How far from the ends of a line the cursor still finds it: some pixels. */
export const reachOf = ({ from, to }: ChartRange): number => (to - from) / 200;
