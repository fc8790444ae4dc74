import type { Line } from './lines.ts';
import type { Range } from './thin.ts';
import { maxOf, minOf } from '../../../shared/lists.ts';

/** The range of a plot; `y` for a scatter plot only. */
export interface Part {
  readonly x: Range;
  readonly y?: Range | undefined;
}

/** The range of all lines; null: no points. */
export function extentOf(lines: readonly Pick<Line, 'extent'>[]): Required<Part> | null {
  const extents = lines.flatMap(({ extent }) => extent ?? []);
  if (extents.length === 0) return null;
  return {
    x: wide(joined(extents.map(({ x }) => x))),
    y: wide(joined(extents.map(({ y }) => y))),
  };
}

/** From the lowest start to the highest end. */
export function joined(ranges: readonly Range[]): Range {
  return {
    from: minOf(ranges.map(({ from }) => from)),
    to: maxOf(ranges.map(({ to }) => to)),
  };
}

/** A single point needs a margin around it. */
function wide({ from, to }: Range): Range {
  return to > from ? { from, to } : { from: from - 0.5, to: to + 0.5 };
}
