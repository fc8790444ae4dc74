import type { PlotKind } from '../../../shared/tabs/plot.ts';
import type { Line } from './lines.ts';
import type { LogAxes } from './regression.ts';
import type { Range } from './thin.ts';
import { maxOf, minOf } from '../../../shared/lists.ts';
import { middleOf, zoomed } from '../../ui/plot/nearest.ts';

/** The range of a plot; `y` for a scatter plot only. */
export interface Part {
  readonly x: Range;
  readonly y?: Range | undefined;
}

export interface WholeExtent extends Part {
  readonly y: Range;
}

/** Null: no points. */
export function extentOf(lines: readonly Pick<Line, 'extent'>[]): WholeExtent | null {
  const extents = lines.flatMap(({ extent }) => extent ?? []);
  if (extents.length === 0) return null;
  return {
    x: wide(joined(extents.map(({ x }) => x))),
    y: wide(joined(extents.map(({ y }) => y))),
  };
}

/**
 * The range of a crossplot with logarithmic axes, which start at the lowest value above 0. An axis without such values is
 * linear.
 * @param extent of all lines
 * @param lines with their lowest values above 0
 * @param log which axes the user made logarithmic; undefined: none
 * @returns the range, and which axes are logarithmic
 */
export function logExtent(
  extent: WholeExtent,
  lines: readonly Pick<Line, 'positive'>[],
  log: LogAxes | undefined,
): WholeExtent & { readonly log: LogAxes | undefined } {
  if (!log) return { ...extent, log };
  const positive = {
    x: minOf(lines.map(({ positive: { x } }) => x)),
    y: minOf(lines.map(({ positive: { y } }) => y)),
  };
  const can = { x: log.x && extent.x.to > 0, y: log.y && extent.y.to > 0 };
  const from = (range: Range, lowest: number): Range => ({
    from: range.from > 0 ? range.from : Math.min(lowest, range.to / 10),
    to: range.to,
  });
  return {
    x: can.x ? from(extent.x, positive.x) : extent.x,
    y: can.y ? from(extent.y, positive.y) : extent.y,
    log: can,
  };
}

/** How much more than all dots a crossplot shows. */
const dotMargin = 1.06;

/** A range with a margin around its middle, so that the outermost dots are whole. */
export const withMargin = (range: Range, isLog = false): Range =>
  zoomed(range, dotMargin, middleOf(range, isLog), isLog);

/**
 * What a plot shows.
 * @param part the zoomed range; null: everything, which has a margin in a crossplot
 * @param extent of all lines
 * @param lines with their lowest values above 0
 * @param log which axes the user made logarithmic; undefined: none
 * @returns the range, and which axes are logarithmic
 */
export function shownArea(
  kind: PlotKind,
  part: Part | null,
  extent: WholeExtent,
  lines: readonly Pick<Line, 'positive'>[],
  log: LogAxes | undefined,
): WholeExtent & { readonly log: LogAxes | undefined } {
  const whole = logExtent(extent, lines, log);
  if (part) return { ...whole, x: part.x, y: part.y ?? whole.y };
  if (kind !== 'scatter') return whole;
  return { ...whole, x: withMargin(whole.x, whole.log?.x), y: withMargin(whole.y, whole.log?.y) };
}

/** From the lowest start to the highest end. */
export function joined(ranges: readonly Range[]): Range {
  return {
    from: minOf(ranges.map(({ from }) => from)),
    to: maxOf(ranges.map(({ to }) => to)),
  };
}

/** The part of the axis in view that has points, without the margins of the plot. */
export function rangeOfPoints(x: Range, lines: readonly Pick<Line, 'extent'>[]): Range {
  const all = joined(lines.flatMap(({ extent }) => extent?.x ?? []));
  const range = { from: Math.max(x.from, all.from), to: Math.min(x.to, all.to) };
  return range.from <= range.to ? range : x;
}

/** A single point needs a margin around it. */
function wide({ from, to }: Range): Range {
  return to > from ? { from, to } : { from: from - 0.5, to: to + 0.5 };
}
