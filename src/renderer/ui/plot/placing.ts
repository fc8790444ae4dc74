import type { ChartRange } from './chart-spec.ts';

/** The values at the two ends of an axis; the first one can be the higher. */
export interface AxisScale {
  readonly range: ChartRange;
  readonly isLog?: boolean | undefined;
}

/**
 * Where values are on an axis, as a share of its length: 0 at its `from`, 1 at its `to`, and beyond these outside. A value
 * that a logarithm doesn't have is NaN.
 */
export function shareOf({ range: { from, to }, isLog = false }: AxisScale): (value: number) => number {
  if (!isLog) {
    const length = to - from || 1;
    return (value) => (value - from) / length;
  }
  const start = Math.log10(from);
  const length = Math.log10(to) - start || 1;
  return (value) => (value > 0 ? (Math.log10(value) - start) / length : Number.NaN);
}

/** A mark of a grid: a share of its axis, and whether it is a main one. */
export interface GridMark {
  readonly share: number;
  readonly isMain: boolean;
}

const maxDecades = 12;

/** The grid of a log print: ten parts of a linear scale; of a logarithmic one 1 to 9 in each decade. */
export function gridOf(scale: AxisScale): GridMark[] {
  if (!scale.isLog) return Array.from({ length: 9 }, (_, at) => ({ share: (at + 1) / 10, isMain: at === 4 }));
  const share = shareOf(scale);
  const [low, high] = [scale.range.from, scale.range.to].map(Math.log10).toSorted((a, b) => a - b);
  if (low === undefined || high === undefined || !(high - low <= maxDecades)) return [];
  const marks: GridMark[] = [];
  for (let decade = Math.floor(low); decade <= Math.ceil(high); decade += 1)
    for (let step = 1; step < 10; step += 1) {
      const at = share(step * 10 ** decade);
      if (at > 0.001 && at < 0.999) marks.push({ share: at, isMain: step === 1 });
    }
  return marks;
}

interface ScaledPart {
  readonly x: ChartRange;
  readonly y: ChartRange;
}

/**
 * A part with the same scale on both axes: the axis with room to spare shows more on both sides.
 * @param along pixels of the axis
 * @param across pixels of the other axis
 */
export function withSameScale({ x, y }: ScaledPart, along: number, across: number): ScaledPart {
  const perPixel = Math.max((x.to - x.from) / along, (y.to - y.from) / across);
  const around = ({ from, to }: ChartRange, pixels: number): ChartRange => {
    const margin = (perPixel * pixels - (to - from)) / 2;
    return { from: from - margin, to: to + margin };
  };
  return { x: around(x, along), y: around(y, across) };
}
