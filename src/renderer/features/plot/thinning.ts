import { valueOrNaN } from '../../../shared/upload/null-tokens.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { PlotKind } from '../../../shared/tabs/plot.ts';
import type { CallContext } from '../../../shared/threads.ts';
import { nearestTo, placeOf } from '../../ui/plot/nearest.ts';
import { columnConverter, type UnitChanges } from '../records/shown-cells.ts';
import { type CsvHeads, csvOf } from './csv.ts';
import { type Area, colorRangeOf, histogramsOf, thinDots, type ThinnedDots } from './dots.ts';
import { extentOf, type Part, shownArea } from './extent.ts';
import {
  axesOf,
  type Axis,
  type Line,
  lineOf,
  noRow,
  type PlotRecords,
  valuesAt,
  withoutNullPositions,
} from './lines.ts';
import { type Fit, fitOf, type LogAxes } from './regression.ts';
import { type BlockedPoints, inBlocks, type Range, thin } from './thin.ts';
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
export const gapsByGroup = (axes: readonly Pick<Axis, 'x' | 'group'>[]): GroupGaps =>
  new Map(axes.map(({ group, x }) => [group, gapsOfGroup(x)]));

/** The ranges of a plot's axis in which no group has a record: where one has none, another may have some. */
export function commonGaps(gaps: GroupGaps): readonly Range[] {
  const [first = [], ...otherGaps] = gaps.values();
  return otherGaps.reduce((common, ranges) => intersection(common, ranges), first);
}

/** An axis with one more position, without a record, in the middle of each gap: lines are broken there. */
export function brokenAt(axis: Axis, gaps: readonly Range[]): Axis {
  const between = gaps.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));
  if (between.length === 0) return axis;
  const x = new Float64Array(axis.x.length + between.length);
  const rows = new Uint32Array(x.length);
  const all = axis.rows ?? Uint32Array.from(axis.x, (_, row) => row);
  let read = 0;
  between.forEach(({ from, to }, at) => {
    const end = placeOf(axis.x, from, true);
    x.set(axis.x.subarray(read, end), read + at);
    rows.set(all.subarray(read, end), read + at);
    x[end + at] = (from + to) / 2;
    rows[end + at] = noRow;
    read = end;
  });
  x.set(axis.x.subarray(read), read + between.length);
  rows.set(all.subarray(read), read + between.length);
  return { ...axis, x, rows };
}

/** The gaps of each group where its records are known to be missing. */
function gapsAtBreaks(
  { x, codes, shown }: PlotRecords,
  breaks: readonly number[],
  axes: readonly Axis[],
): GroupGaps {
  const rowsOf = Map.groupBy(breaks, (row) => codes?.[row] ?? 0);
  return new Map(
    axes.map(({ group, x: along }) => {
      const code = shown[group] ?? 0;
      const [first = Infinity, last = -Infinity] = [along[0], along.at(-1)];
      // A group that starts at 0 is moved.
      const shift = first - (x[codes?.indexOf(code) ?? 0] ?? 0);
      const at = (row: number): number => (x[row] ?? Number.NaN) + shift;
      const between = (rowsOf.get(code) ?? []).map((row) => ({ from: at(row), to: at(row + 1) }));
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

export type LineFacts = Omit<Line, 'x' | 'y' | 'color'> & {
  /** The index of its field among those of the plot. */
  readonly field: number;
};

/** A part of a plot, and its size in pixels. */
export interface Look {
  readonly x: Range;
  /** For a scatter plot only. */
  readonly y?: Range | undefined;
  /** Along x, and across it. */
  readonly along: number;
  readonly across: number;
  readonly log?: LogAxes | undefined;
  /** Whether the dots of a scatter plot are a path, which continues outside the part. */
  readonly isPath?: boolean | undefined;
}

/** The visible part of a plot whose range isn't known yet. */
export interface View extends Pick<Look, 'along' | 'across' | 'log'> {
  /** The zoomed range; null: everything. */
  readonly part: Part | null;
}

/** What a plot shows of its records. Fields are path ids. */
export interface PlotSpec {
  readonly kind: PlotKind;
  readonly x: string;
  readonly y: readonly string[];
  /** The field whose values color dots; null: none. */
  readonly color: string | null;
  /** The measured depths of the stations of wellpaths; null: these are none. */
  readonly stations: string | null;
  /** The fields of the groups, as a key; null: there is one group. */
  readonly groupedBy: string | null;
  /** As of {@link PlotRecords}. */
  readonly shown: readonly number[];
  readonly breaks: readonly number[] | undefined;
  /** Each group starts at 0. */
  readonly elapsed: boolean;
  readonly changes: UnitChanges;
  /** The part to return at once; null: none. */
  readonly view: View | null;
}

type Numbers = Float64Array<ArrayBuffer>;
type DrawnLine = Line & Partial<BlockedPoints>;

interface Axes {
  readonly axes: readonly Axis[];
  readonly gaps: readonly Range[];
}

/** What was read and computed of the records of one source, as plots need it again. */
interface HeldSource {
  /** As stored, by field. */
  readonly numbers: Map<string, Numbers>;
  /** By the fields of the groups. */
  readonly codes: Map<string, Uint16Array<ArrayBuffer>>;
  readonly axes: Map<string, Axes>;
  readonly lines: Map<string, DrawnLine>;
}

interface HeldPlot {
  readonly kind: PlotKind;
  readonly records: PlotRecords;
  readonly y: readonly Numbers[];
  readonly lines: readonly (DrawnLine & LineFacts)[];
  /** The regressions so far, by which axes are logarithmic: all points take part, whatever part is in view. */
  readonly fits: Map<string, readonly (Fit | null)[]>;
}

/** The calls of the thread that holds the data of plots. `plot` and `source` are numbers that the window assigns. */
export type PlotCalls = ReturnType<typeof createPlotHost>;

/** What is held for plots of records that were in view before, in bytes: 30 fields of a million records. */
const maxHeldBytes = 250_000_000;

class HeldSources {
  readonly #maxBytes: number;
  /** The one that was used last is the last one. */
  readonly #sources = new Map<number, HeldSource>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  at(id: number): HeldSource {
    const source = this.#sources.get(id) ?? {
      numbers: new Map(),
      codes: new Map(),
      axes: new Map(),
      lines: new Map(),
    };
    this.#sources.delete(id);
    this.#sources.set(id, source);
    return source;
  }

  /** Releases the least recently used ones beyond the limit. */
  trim(): void {
    let bytes = bytesOf(this.#sources.values());
    for (const [id, source] of this.#sources) {
      if (bytes <= this.#maxBytes) return;
      this.#sources.delete(id);
      bytes -= bytesOf([source]);
    }
  }

  delete(id: number): void {
    this.#sources.delete(id);
  }
}

function draw({ kind, lines }: HeldPlot, look: Look, { transfer }: CallContext): ThinnedDots[] {
  const drawn = lines.map((line) => drawnLine(kind, line, look));
  transfer(drawn.flatMap(({ x, y, color }) => [x.buffer, y.buffer, ...(color ? [color.buffer] : [])]));
  return drawn;
}

/**
 * Sorts up to a million points into lines and downsamples them; the window receives the points to draw. What was
 * computed of records is held, so that another plot of them computes only what it has not in common.
 */
export function createPlotHost(maxBytes = maxHeldBytes) {
  const plots = new Map<number, HeldPlot>();
  const sources = new HeldSources(maxBytes);
  const plotAt = (plot: number): HeldPlot => {
    const held = plots.get(plot);
    if (!held) throw new AppError('internal', { problem: 'the plot is no longer held' });
    return held;
  };

  return {
    /**
     * Sorts records into lines; `first` are the points of the requested part, or null. What is `missing` of the records
     * has to come with the next call.
     */
    load({ plot, source: id, spec, numbers, codes }: PlotLoad, context: CallContext) {
      const source = sources.at(id);
      for (const [field, values] of numbers) source.numbers.set(field, values);
      if (codes && spec.groupedBy !== null) source.codes.set(spec.groupedBy, codes);
      const missing = missingOf(source, spec);
      if (missing) return { missing };
      const { held, gaps, colors } = heldPlot(source, spec);
      plots.set(plot, held);
      sources.trim();
      const look = lookOf(spec, held.lines);
      return {
        lines: held.lines.map(
          ({ x: _x, y: _y, color: _color, lowest: _lowest, highest: _highest, ...facts }): LineFacts => facts,
        ),
        gaps,
        colorRange: colors && held.lines.length > 0 ? colorRangeOf(colors) : null,
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
    csv({ plot, heads, part }: { plot: number; heads: CsvHeads; part: Range | null }) {
      const { records, y } = plotAt(plot);
      return csvOf(records, y, heads, part);
    },
    release: (plot: number) => void plots.delete(plot),
    /** Releases what is held of records that no plot shows. */
    forget: (source: number) => sources.delete(source),
  };
}

/** A plot of records, with those that the thread doesn't hold. */
interface PlotLoad {
  readonly plot: number;
  readonly source: number;
  readonly spec: PlotSpec;
  readonly numbers: readonly (readonly [field: string, values: Numbers])[];
  readonly codes: Uint16Array<ArrayBuffer> | null;
}

/** What has to be read of the records of a plot; null: nothing. */
function missingOf(source: HeldSource, { x, y, color, stations, groupedBy }: PlotSpec) {
  const fields = [...new Set([x, ...y, color, stations])].filter((field) => field !== null);
  const missing = fields.filter((field) => !source.numbers.has(field));
  const areCodesMissing = groupedBy !== null && !source.codes.has(groupedBy);
  return missing.length > 0 || areCodesMissing ? { fields: missing, codes: areCodesMissing } : null;
}

/** The memory of what is held; lines share arrays with columns. */
function bytesOf(sources: Iterable<HeldSource>): number {
  const buffers = new Set<ArrayBufferLike>();
  for (const { numbers, codes, axes, lines } of sources) {
    for (const { buffer } of [...numbers.values(), ...codes.values()]) buffers.add(buffer);
    for (const { x, rows } of [...axes.values()].flatMap((held) => held.axes))
      for (const array of [x, ...(rows ? [rows] : [])]) buffers.add(array.buffer);
    for (const { y, lowest, highest } of lines.values())
      for (const array of [y, ...(lowest && highest ? [lowest, highest] : [])]) buffers.add(array.buffer);
  }
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function cached<T>(values: Map<string, T>, key: string, make: () => T): T {
  const before = values.get(key);
  if (before !== undefined) return before;
  const made = make();
  values.set(key, made);
  return made;
}

const storedNumbers = ({ numbers }: HeldSource, field: string): Numbers =>
  numbers.get(field) ?? new Float64Array();

/** The numbers of a field as they are shown. */
function inUnit(source: HeldSource, { changes }: PlotSpec, field: string): Numbers {
  const values = storedNumbers(source, field);
  const convert = columnConverter(changes, field);
  return convert ? values.map(convert) : values;
}

function heldPlot(
  source: HeldSource,
  spec: PlotSpec,
): { held: HeldPlot; gaps: readonly Range[]; colors: Numbers | null } {
  const { kind, x, y, color, stations, groupedBy, shown, elapsed, changes } = spec;
  const isLine = kind !== 'scatter';
  const stored: PlotRecords = {
    x: storedNumbers(source, x),
    stations: stations === null ? undefined : source.numbers.get(stations),
    codes: groupedBy === null ? null : (source.codes.get(groupedBy) ?? null),
    shown,
  };
  const axesKey = JSON.stringify([x, changes[x], stations, groupedBy, shown, elapsed, isLine]);
  const { axes, gaps } = cached(source.axes, axesKey, () => {
    const records = withoutNullPositions({ ...stored, x: inUnit(source, spec, x) });
    const whole = axesOf(records, { elapsed, sorted: isLine });
    const groupGaps: GroupGaps = !isLine
      ? new Map()
      : spec.breaks
        ? gapsAtBreaks(records, spec.breaks, whole)
        : gapsByGroup(whole);
    return {
      axes: whole.map((axis) => brokenAt(axis, groupGaps.get(axis.group) ?? [])),
      gaps: commonGaps(groupGaps),
    };
  });
  const colors = color === null ? null : inUnit(source, spec, color).map(valueOrNaN);
  const lines = axes.flatMap((axis) => {
    const colored = colors ? { color: valuesAt(axis.rows, colors) } : {};
    return y.map((id, field) => ({
      ...cached(source.lines, JSON.stringify([axesKey, axis.group, id, changes[id]]), () => {
        const line = lineOf(axis, inUnit(source, spec, id));
        return isLine ? inBlocks(line) : line;
      }),
      ...colored,
      field,
    }));
  });
  const numbers = y.map((id) => storedNumbers(source, id));
  return { held: { kind, records: stored, y: numbers, lines, fits: new Map() }, gaps, colors };
}

function lookOf({ kind, view }: PlotSpec, lines: readonly Line[]): Look | null {
  const extent = view && extentOf(lines);
  if (!extent) return null;
  const { along, across, part, log } = view;
  return { along, across, ...shownArea(kind, part, extent, lines, log) };
}

/** A longer path is drawn as dots. */
const maxStations = 20_000;

function drawnLine(
  kind: PlotKind,
  line: DrawnLine,
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
