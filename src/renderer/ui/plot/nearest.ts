import type { ChartLine } from './chart-spec.ts';

/** The place of the point nearest to `along`, gaps included; -1: there are none. */
export function nearestTo({ x }: Pick<ChartLine, 'x'>, along: number): number {
  let low = 0;
  let high = x.length - 1;
  if (high < 0) return -1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((x[middle] ?? Number.NaN) < along) low = middle + 1;
    else high = middle;
  }
  const before = x[low - 1];
  const here = x[low] ?? Number.NaN;
  return before !== undefined && along - before < here - along ? low - 1 : low;
}
