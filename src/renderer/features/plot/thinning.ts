import { AppError } from '../../../shared/errors/errors.ts';
import type { PlotKind } from '../../../shared/tabs/plot.ts';
import type { CallContext } from '../../../shared/threads.ts';
import { nearestTo } from '../../ui/plot/nearest.ts';
import { changeConverter, type UnitChange } from '../records/shown-cells.ts';
import { type CsvHeads, csvOf } from './csv.ts';
import { type Area, colorRangeOf, histogramsOf, thinDots, type ThinnedDots } from './dots.ts';
import { extentOf, logExtent } from './extent.ts';
import { type Line, type PlotData, toLines, withoutNullPositions } from './lines.ts';
import { type Fit, fitOf, type LogAxes } from './regression.ts';
import { type BlockedPoints, inBlocks, type Range, thin, placeOf, type Points } from './thin.ts';
import {
  createTrack,
  frequentStep,
  gapsOf,
  stepCounts,
  trackIndex,
} from '../../../shared/quality/index-track.ts';

/** The ranges in which records of each group are missing, by its usual step; at most 1,000 of each. */
export type GroupGaps = ReadonlyMap<number, readonly Range[]>;

/** The gaps of each group: between its records, and beyond them. */
export function gapsByGroup(lines: readonly Pick<Line, 'x' | 'group'>[]): GroupGaps {
  const byGroup = new Map(lines.map((line) => [line.group, line.x]));
  return new Map([...byGroup].map(([group, x]) => [group, gapsOfGroup(x)]));
}

/** The ranges of a plot's axis in which no group has a record: where one has none, another may have some. */
export function commonGaps(gaps: GroupGaps): readonly Range[] {
  const [first = [], ...otherGaps] = gaps.values();
  return otherGaps.reduce((common, ranges) => intersection(common, ranges), first);
}

/** The points of a line with one more, without a value, in the middle of each gap: the line is broken there. */
export function brokenAt<T extends Points>(line: T, gaps: readonly Range[]): T {
  const between = gaps.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));
  if (between.length === 0) return line;
  const x = new Float64Array(line.x.length + between.length);
  const y = new Float64Array(x.length);
  let read = 0;
  between.forEach(({ from, to }, at) => {
    const end = placeOf(line.x, from, true);
    x.set(line.x.subarray(read, end), read + at);
    y.set(line.y.subarray(read, end), read + at);
    x[end + at] = (from + to) / 2;
    y[end + at] = Number.NaN;
    read = end;
  });
  x.set(line.x.subarray(read), read + between.length);
  y.set(line.y.subarray(read), read + between.length);
  return { ...line, x, y };
}

/** The gaps of each group where its records are known to be missing. */
export function gapsAtBreaks(
  { x, groups, breaks = [] }: Pick<PlotData, 'x' | 'groups' | 'breaks'>,
  lines: readonly Pick<Line, 'x' | 'group'>[],
): GroupGaps {
  const rowsOf = Map.groupBy(breaks, (row) => groups?.[row] ?? 0);
  return new Map(
    lines.map(({ group, x: along }) => {
      const [first = Infinity, last = -Infinity] = [along[0], along.at(-1)];
      // A group that starts at 0 is moved.
      const shift = first - (x[groups?.indexOf(group) ?? 0] ?? 0);
      const at = (row: number): number => (x[row] ?? Number.NaN) + shift;
      const between = (rowsOf.get(group) ?? []).map((row) => ({ from: at(row), to: at(row + 1) }));
      return [group, [{ from: -Infinity, to: first }, ...between, { from: last, to: Infinity }]];
    }),
  );
}

function gapsOfGroup(x: Float64Array): Range[] {
  const track = createTrack(1);
  for (const at of x) trackIndex(track, at);
  const [first] = x;
  const step = frequentStep(stepCounts(track));
  const between = step === null ? [] : gapsOf(track, step).gaps.map(({ from, to }) => ({ from, to }));
  if (first === undefined) return [{ from: -Infinity, to: Infinity }];
  return [{ from: -Infinity, to: first }, ...between, { from: track.frontier, to: Infinity }];
}

/** The ranges that are in both lists; both are in order. */
function intersection(ranges: readonly Range[], others: readonly Range[]): readonly Range[] {
  const common: Range[] = [];
  let [a, b] = [0, 0];
  while (a < ranges.length && b < others.length) {
    const [left, right] = [ranges[a], others[b]];
    if (!left || !right) break;
    const range = { from: Math.max(left.from, right.from), to: Math.min(left.to, right.to) };
    if (range.to > range.from) common.push(range);
    if (left.to < right.to) a += 1;
    else b += 1;
  }
  return common;
}

/** Facts about one line before it is drawn. */
export type LineFacts = Omit<Line, 'x' | 'y' | 'color'>;

/** A part of a plot, and its size in pixels. */
export interface Look {
  readonly x: Range;
  /** For a scatter plot only. */
  readonly y?: Range | undefined;
  /** Along x, and across it. */
  readonly along: number;
  readonly across: number;
  /** Which axes of a scatter plot are logarithmic. */
  readonly log?: LogAxes | undefined;
  /** Whether the dots of a scatter plot are a path, which continues outside the part. */
  readonly isPath?: boolean | undefined;
}

/** The visible part of a plot whose range isn't known yet: null stands for all of it. */
export interface View extends Pick<Look, 'along' | 'across' | 'log'> {
  readonly x: Range | null;
  readonly y: Range | null;
}

export interface PlotSpec {
  readonly data: PlotData;
  readonly kind: PlotKind;
  /** Each group starts at 0. */
  readonly elapsed: boolean;
  /** How fields are shown in another unit, that of x first and of colors last; null: as stored. */
  readonly changes: readonly (UnitChange | null)[];
  /** The part to return at once; null: none. */
  readonly view: View | null;
}

interface HeldPlot {
  readonly kind: PlotKind;
  readonly data: PlotData;
  readonly lines: readonly (Line & BlockedPoints)[];
  /** The regressions so far, by which axes are logarithmic: all points take part, whatever part is in view. */
  readonly fits: Map<string, readonly (Fit | null)[]>;
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
  const draw = ({ kind, lines }: HeldPlot, look: Look, { transfer }: CallContext): ThinnedDots[] => {
    const drawn = lines.map((line) => drawnLine(kind, line, look));
    transfer(drawn.flatMap(({ x, y, color }) => [x.buffer, y.buffer, ...(color ? [color.buffer] : [])]));
    return drawn;
  };

  return {
    /** Sorts data into lines; `first` are the points of the requested part, or null. */
    load({ plot, data, kind, elapsed, changes, view }: PlotSpec & { plot: number }, context: CallContext) {
      const isLine = kind !== 'scatter';
      // The data stay as stored, for their file.
      const shown = withoutNullPositions(inUnits(data, changes));
      const lines = toLines(shown, { elapsed, sorted: isLine });
      const gaps: GroupGaps = !isLine
        ? new Map()
        : shown.breaks
          ? gapsAtBreaks(shown, lines)
          : gapsByGroup(lines);
      const held: HeldPlot = {
        kind,
        data,
        lines: lines.map((line) => inBlocks(brokenAt(line, gaps.get(line.group) ?? []))),
        fits: new Map(),
      };
      plots.set(plot, held);
      const look = lookOf(view, held.lines);
      return {
        lines: held.lines.map(
          ({ x: _x, y: _y, lowest: _lowest, highest: _highest, ...facts }): LineFacts => facts,
        ),
        gaps: commonGaps(gaps),
        colorRange: shown.color ? colorRangeOf(shown.color) : null,
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
    /** The regression of each line, and histograms of the visible area. */
    statistics: ({ plot, area }: { plot: number; area: Area }) => {
      const { lines, fits } = plotAt(plot);
      const log = area.log ?? { x: false, y: false };
      const key = `${log.x} ${log.y}`;
      const cachedFits = fits.get(key) ?? lines.map(({ x, y }) => fitOf(x, y, log));
      fits.set(key, cachedFits);
      return { fits: cachedFits, histograms: histogramsOf(lines, area) };
    },
    csv: ({ plot, heads, part }: { plot: number; heads: CsvHeads; part: Range | null }) =>
      csvOf(plotAt(plot).data, heads, part),
    release: (plot: number) => void plots.delete(plot),
  };
}

function inUnits({ x, y, color, ...otherParts }: PlotData, [ofX, ...ofY]: PlotSpec['changes']): PlotData {
  const converted = (values: PlotData['x'], change: UnitChange | null | undefined): PlotData['x'] => {
    const convert = changeConverter(change);
    return convert ? values.map(convert) : values;
  };
  return {
    ...otherParts,
    x: converted(x, ofX),
    y: y.map((values, at) => converted(values, ofY[at])),
    color: color && converted(color, ofY[y.length]),
  };
}

function lookOf(view: View | null, lines: readonly Line[]): Look | null {
  const extent = view && extentOf(lines);
  if (!extent) return null;
  const { x, y, log } = logExtent(extent, lines, view.log);
  return { ...view, log, x: view.x ?? x, y: view.y ?? y };
}

/** A longer path is drawn as dots. */
const maxStations = 20_000;

function drawnLine(
  kind: PlotKind,
  line: Line & BlockedPoints,
  { x, y, along, across, log, isPath = false }: Look,
): ThinnedDots {
  if (kind !== 'scatter') return thin(line, x, along);
  if (isPath && line.x.length <= maxStations)
    return {
      x: line.x.slice(),
      y: line.y.slice(),
      color: line.color?.slice(),
      exact: true,
      values: line.extent?.y ?? null,
    };
  return thinDots(line, { x, y: y ?? line.extent?.y ?? { from: 0, to: 1 }, log }, along, across);
}
