import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { shareOf } from '../../ui/plot/placing.ts';
import type { LogAxes } from './regression.ts';
import type { Points, Range, Thinned } from './thin.ts';

/** The visible part of a crossplot. */
export interface Area {
  readonly x: Range;
  readonly y: Range;
  /** Which axes are logarithmic; absent: none. */
  readonly log?: LogAxes | undefined;
}

interface Dots extends Points {
  readonly color?: Float64Array<ArrayBuffer> | undefined;
}

export interface ThinnedDots extends Thinned {
  readonly color?: Float64Array<ArrayBuffer> | undefined;
}

/** Size of a dot in pixels: closer dots would cover one another. */
const cell = 2;

/**
 * Downsamples dots to one in each square of two by two pixels, so that each position with a dot keeps one and the
 * outermost stay. An area with fewer dots than the screen can show is returned completely.
 * @param dots of one line
 * @param width of the area in pixels
 * @param height of the area in pixels
 */
export function thinDots({ x, y, color }: Dots, area: Area, width: number, height: number): ThinnedDots {
  const columns = Math.max(Math.ceil(width / cell), 1);
  const rows = Math.max(Math.ceil(height / cell), 1);
  const filled = new Uint8Array(columns * rows);
  const exact = x.length <= columns;
  const indexes: number[] = [];
  const [across, down] = sharesOf(area);
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let left = false;
  for (let at = 0; at < x.length; at += 1) {
    const py = y[at] ?? Number.NaN;
    const [shareX, shareY] = [across(x[at] ?? Number.NaN), down(py)];
    if (!(shareX >= 0 && shareX <= 1 && shareY >= 0 && shareY <= 1)) continue;
    if (py < from) from = py;
    if (py > to) to = py;
    const column = Math.min(Math.floor(shareX * columns), columns - 1);
    const row = Math.min(Math.floor(shareY * rows), rows - 1);
    const place = row * columns + column;
    if (!exact && filled[place] === 1) {
      left = true;
      continue;
    }
    filled[place] = 1;
    indexes.push(at);
  }
  const taken = (values: Float64Array<ArrayBuffer>) =>
    Float64Array.from(indexes, (at) => values[at] ?? Number.NaN);
  return {
    x: taken(x),
    y: taken(y),
    color: color && taken(color),
    exact: !left,
    values: from <= to ? { from, to } : null,
  };
}

const sharesOf = ({ x, y, log }: Area) =>
  [shareOf({ range: x, isLog: log?.x }), shareOf({ range: y, isLog: log?.y })] as const;

/** How many dots are in each equal part of the axes. */
export interface Histograms {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export const histogramBars = 60;

/** Of the visible area; equal parts of a logarithmic axis are those of its length. */
export function histogramsOf(lines: readonly Points[], area: Area): Histograms {
  const empty = () => Array.from({ length: histogramBars }, () => 0);
  const bars = { x: empty(), y: empty() };
  const [across, down] = sharesOf(area);
  const count = (counts: number[], share: number) => {
    const bar = Math.min(Math.floor(share * histogramBars), histogramBars - 1);
    counts[bar] = (counts[bar] ?? 0) + 1;
  };
  for (const { x, y } of lines) {
    for (let at = 0; at < x.length; at += 1) {
      const [shareX, shareY] = [across(x[at] ?? Number.NaN), down(y[at] ?? Number.NaN)];
      if (!(shareX >= 0 && shareX <= 1 && shareY >= 0 && shareY <= 1)) continue;
      count(bars.x, shareX);
      count(bars.y, shareY);
    }
  }
  return bars;
}

const maxSample = 20_000;
/** Values outside are rare, and would make all others one color. */
const colorShare = 0.02;

/** The range of the values that color dots, without the outermost 2 % at either end; null: there are none. */
export function colorRangeOf(values: Float64Array): Range | null {
  const step = Math.max(1, Math.floor(values.length / maxSample));
  const sample: number[] = [];
  for (let at = 0; at < values.length; at += step) {
    const value = values[at] ?? Number.NaN;
    if (Number.isFinite(value) && !isNullNumber(value)) sample.push(value);
  }
  sample.sort((a, b) => a - b);
  const from = sample[Math.floor(sample.length * colorShare)];
  const to = sample[Math.ceil(sample.length * (1 - colorShare)) - 1];
  return from === undefined || to === undefined ? null : { from, to: to > from ? to : from + 1 };
}
