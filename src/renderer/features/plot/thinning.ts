import { AppError } from '../../../shared/errors/errors.ts';
import type { PlotKind } from '../../../shared/tabs/plot.ts';
import type { CallContext } from '../../../shared/threads.ts';
import { nearestTo } from '../../ui/plot/nearest.ts';
import { changeConverter, type UnitChange } from '../records/unit-changes.ts';
import { type CsvHeads, csvOf } from './csv.ts';
import { extentOf } from './extent.ts';
import { brokenAt, commonGaps, gapsByGroup, type GroupGaps } from './gaps.ts';
import { type Line, type PlotData, toLines, withoutNullPositions } from './lines.ts';
import { type BlockedPoints, inBlocks, type Points, type Range, thin, type Thinned } from './thin.ts';

/** Facts about one line before it is drawn. */
export type LineFacts = Omit<Line, 'x' | 'y'>;

/** A part of a plot, and its size in pixels. */
export interface Look {
  readonly x: Range;
  /** For a scatter plot only. */
  readonly y?: Range | undefined;
  /** Along x, and across it. */
  readonly along: number;
  readonly across: number;
}

/** The visible part of a plot whose range isn't known yet: null stands for all of it. */
export interface View extends Pick<Look, 'along' | 'across'> {
  readonly x: Range | null;
  readonly y: Range | null;
}

export interface PlotSpec {
  readonly data: PlotData;
  readonly kind: PlotKind;
  /** Each group starts at 0. */
  readonly elapsed: boolean;
  /** How fields are shown in another unit, that of x first; null: as stored. */
  readonly changes: readonly (UnitChange | null)[];
  /** The part to return at once; null: none. */
  readonly view: View | null;
}

interface HeldPlot {
  readonly kind: PlotKind;
  readonly data: PlotData;
  readonly lines: readonly (Line & BlockedPoints)[];
}

/** The calls of the thread that holds the data of plots. `plot` is a number that the window assigns. */
export type PlotCalls = ReturnType<typeof createPlotHost>;

/** Holds up to a million points, sorts and downsamples them; the window receives the points to draw. */
export function createPlotHost() {
  const plots = new Map<number, HeldPlot>();
  const plotAt = (plot: number): HeldPlot => {
    const held = plots.get(plot);
    if (!held) throw new AppError('internal', { problem: 'the plot is no longer held' });
    return held;
  };
  const draw = ({ kind, lines }: HeldPlot, look: Look, { transfer }: CallContext): Thinned[] => {
    const drawn = lines.map((line) => drawnLine(kind, line, look));
    transfer(drawn.flatMap(({ x, y }) => [x.buffer, y.buffer]));
    return drawn;
  };

  return {
    /** Sorts data into lines; `first` are the points of the requested part, or null. */
    load({ plot, data, kind, elapsed, changes, view }: PlotSpec & { plot: number }, context: CallContext) {
      const isLine = kind !== 'scatter';
      // The data stay as stored, for their file.
      const lines = toLines(withoutNullPositions(inUnits(data, changes)), { elapsed, sorted: isLine });
      const gaps: GroupGaps = isLine ? gapsByGroup(lines) : new Map();
      const held = {
        kind,
        data,
        lines: lines.map((line) => inBlocks(brokenAt(line, gaps.get(line.group) ?? []))),
      };
      plots.set(plot, held);
      const look = lookOf(view, held.lines);
      return {
        lines: held.lines.map(
          ({ x: _x, y: _y, lowest: _lowest, highest: _highest, ...facts }): LineFacts => facts,
        ),
        gaps: commonGaps(gaps),
        first: look && { look, lines: draw(held, look, context) },
      };
    },
    /** The points to draw for a part, one list for each line. */
    look: ({ plot, look }: { plot: number; look: Look }, context: CallContext) =>
      draw(plotAt(plot), look, context),
    /** The value of each line at its record that is nearest to a position; null: none is near, or it has no value. */
    read: ({ plot, along, reach }: { plot: number; along: number; reach: number }) =>
      plotAt(plot).lines.map((line) => {
        const value = line.y[nearestTo(line, along, reach)] ?? Number.NaN;
        return Number.isNaN(value) ? null : value;
      }),
    csv: ({ plot, heads, part }: { plot: number; heads: CsvHeads; part: Range | null }) =>
      csvOf(plotAt(plot).data, heads, part),
    release: (plot: number) => void plots.delete(plot),
  };
}

function inUnits({ x, y, ...others }: PlotData, [ofX, ...ofY]: PlotSpec['changes']): PlotData {
  const converted = (values: PlotData['x'], change: UnitChange | null | undefined): PlotData['x'] => {
    const convert = changeConverter(change);
    return convert ? values.map(convert) : values;
  };
  return { ...others, x: converted(x, ofX), y: y.map((values, at) => converted(values, ofY[at])) };
}

function lookOf(view: View | null, lines: readonly Line[]): Look | null {
  const extent = view && extentOf(lines);
  return extent && { ...view, x: view.x ?? extent.x, y: view.y ?? extent.y };
}

function drawnLine(kind: PlotKind, line: Line & BlockedPoints, { x, y, along, across }: Look): Thinned {
  if (kind !== 'scatter') return thin(line, x, along);
  const area: Area = { x, y: y ?? line.extent?.y ?? { from: 0, to: 1 } };
  return thinDots(line, area, along, across);
}

export interface Area {
  readonly x: Range;
  readonly y: Range;
}

/** Size of a dot in pixels: closer dots would cover one another. */
const cell = 2;

const inside = (value: number, { from, to }: Range): boolean => value >= from && value <= to;

/**
 * Downsamples dots to one in each square of two by two pixels, so that each position with a dot keeps one and the
 * outermost stay. An area with fewer dots than the screen can show is returned completely.
 * @param width and `height` of the area in pixels
 */
export function thinDots({ x, y }: Points, area: Area, width: number, height: number): Thinned {
  const columns = Math.max(Math.ceil(width / cell), 1);
  const rows = Math.max(Math.ceil(height / cell), 1);
  const taken = new Uint8Array(columns * rows);
  const exact = x.length <= columns;
  const places: number[] = [];
  const across = columns / (area.x.to - area.x.from || 1);
  const down = rows / (area.y.to - area.y.from || 1);
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let left = false;
  for (let at = 0; at < x.length; at += 1) {
    const px = x[at] ?? Number.NaN;
    const py = y[at] ?? Number.NaN;
    if (!inside(px, area.x) || !inside(py, area.y)) continue;
    if (py < from) from = py;
    if (py > to) to = py;
    const column = Math.min(Math.floor((px - area.x.from) * across), columns - 1);
    const row = Math.min(Math.floor((py - area.y.from) * down), rows - 1);
    const place = row * columns + column;
    if (!exact && taken[place] === 1) {
      left = true;
      continue;
    }
    taken[place] = 1;
    places.push(at);
  }
  return {
    x: Float64Array.from(places, (at) => x[at] ?? Number.NaN),
    y: Float64Array.from(places, (at) => y[at] ?? Number.NaN),
    exact: !left,
    values: from <= to ? { from, to } : null,
  };
}
