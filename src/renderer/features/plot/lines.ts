import { minOf } from '../../../shared/lists.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import type { Points, Range } from './thin.ts';

/** The records of a plot: one x for each. NaN: no value. */
export interface PlotRecords {
  readonly x: Float64Array<ArrayBuffer>;
  /** The measured depths of the stations of wellpaths, whose lines run in their order. */
  readonly stations?: Float64Array<ArrayBuffer> | undefined;
  /** The code of each record's group, such as its well; null: one group. */
  readonly codes: Uint16Array | null;
  /** The codes of the groups that are shown, in order. */
  readonly shown: readonly number[];
  /** The rows after which records of their group are missing, in order; absent: where they are is computed. */
  readonly breaks?: readonly number[] | undefined;
}

export interface LineOptions {
  /** Each group starts at 0. */
  readonly elapsed: boolean;
  /** In the order of x, as lines require; scatter plots don't. */
  readonly sorted: boolean;
}

/** The positions of the records of one group, in the order in which a line joins them. */
export interface Axis {
  readonly x: Float64Array<ArrayBuffer>;
  /** The row of each position, {@link noRow} in a gap; null: each row has its position. */
  readonly rows: Uint32Array<ArrayBuffer> | null;
  readonly group: number;
}

/** One field of one group. */
export interface Line extends Points {
  readonly color?: Float64Array<ArrayBuffer> | undefined;
  /** The lowest position above 0, and the lowest value: where a logarithmic axis can start. */
  readonly positive: { readonly x: number; readonly y: number };
  readonly group: number;
  /** Number of records with a value. */
  readonly count: number;
  /** Number of records that are left out because of a null value such as -999.25. */
  readonly tokens: number;
  /** Number of values at the same x as the value before. */
  readonly repeated: number;
  readonly extent: { readonly x: Range; readonly y: Range } | null;
}

/** The row of a position without a record. */
export const noRow = 0xff_ff_ff_ff;

/** The axis of each group that is shown. Records without an x are left out. */
export function axesOf(records: PlotRecords, options: LineOptions): Axis[] {
  return rowsOfGroups(records).map((grouped, group) => {
    const { x: all, stations } = records;
    const rows = stations ? ascending(stations, grouped) : options.sorted ? ascending(all, grouped) : grouped;
    const x = valuesAt(rows, all);
    return { x: options.elapsed ? fromZero(x) : x, rows, group };
  });
}

/** Records whose positions are null values, such as -999.25, count as having none. */
export function withoutNullPositions(records: PlotRecords): PlotRecords {
  const isNull = (x: number): boolean => x <= -999 && isNullNumber(x);
  const marked = (values: PlotRecords['x']): PlotRecords['x'] =>
    values.some(isNull) ? values.map((x) => (isNull(x) ? Number.NaN : x)) : values;
  return { ...records, x: marked(records.x), stations: records.stations && marked(records.stations) };
}

/** The rows of each group that is shown, in their order; null: all rows. */
function rowsOfGroups({ x, stations, codes, shown }: PlotRecords): (Uint32Array<ArrayBuffer> | null)[] {
  if (!codes && !hasNaN(x) && !(stations && hasNaN(stations))) return [null];
  const groups = new Map(shown.map((code, group) => [code, group]));
  const lengths = shown.map(() => 0);
  const groupOfRow = new Int32Array(x.length).fill(-1);
  for (let row = 0; row < x.length; row += 1) {
    // A station without a depth has no place in a path.
    if (Number.isNaN(x[row]) || (stations && Number.isNaN(stations[row]))) continue;
    const group = groups.get(codes?.[row] ?? 0);
    if (group === undefined) continue;
    groupOfRow[row] = group;
    lengths[group] = (lengths[group] ?? 0) + 1;
  }
  const all = lengths.map((length) => new Uint32Array(length));
  const next = shown.map(() => 0);
  groupOfRow.forEach((group, row) => {
    const rows = all[group];
    if (!rows) return;
    const at = next[group] ?? 0;
    rows[at] = row;
    next[group] = at + 1;
  });
  return all;
}

const hasNaN = (values: Float64Array<ArrayBuffer>): boolean => values.some(Number.isNaN);

/**
 * The same indexes in the order of x. Ascending or descending records, as in most responses, are only reversed if
 * necessary.
 */
function ascending(
  x: Float64Array<ArrayBuffer>,
  order: Uint32Array<ArrayBuffer> | null,
): Uint32Array<ArrayBuffer> | null {
  const length = order?.length ?? x.length;
  let up = true;
  let down = true;
  let before = x[order ? (order[0] ?? 0) : 0] ?? 0;
  for (let at = 1; at < length && (up || down); at += 1) {
    const here = x[order ? (order[at] ?? 0) : at] ?? 0;
    if (here < before) up = false;
    if (here > before) down = false;
    before = here;
  }
  if (up) return order;
  const places = order ?? Uint32Array.from({ length }, (_, at) => at);
  if (down) return places.reverse();
  return places.sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0) || a - b);
}

/** The values of rows; NaN where there is no row. */
export function valuesAt(
  rows: Uint32Array | null,
  values: Float64Array<ArrayBuffer>,
): Float64Array<ArrayBuffer> {
  if (rows === null) return values;
  const result = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) result[at] = values[rows[at] ?? noRow] ?? Number.NaN;
  return result;
}

function fromZero(x: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const first = minOf(x);
  return x.map((value) => value - first);
}

/** A field of a group, without null values. */
export function lineOf({ x, rows, group }: Axis, values: Float64Array<ArrayBuffer>): Line {
  const positive = { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY };
  let y = valuesAt(rows, values);
  let count = 0;
  let tokens = 0;
  let repeated = 0;
  let before = Number.NaN;
  const xs = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  const ys = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  for (let at = 0; at < y.length; at += 1) {
    const value = y[at] ?? Number.NaN;
    const isToken = value <= -999 && isNullNumber(value);
    if (isToken) tokens += 1;
    // Infinity has no position on an axis.
    if (isToken || !Number.isFinite(value)) {
      if (Number.isNaN(value)) continue;
      // The values stay as they are stored.
      if (y === values) y = values.slice();
      y[at] = Number.NaN;
      continue;
    }
    count += 1;
    if (value < ys.from) ys.from = value;
    if (value > ys.to) ys.to = value;
    if (value > 0 && value < positive.y) positive.y = value;
    const along = x[at] ?? 0;
    if (along === before) repeated += 1;
    before = along;
    if (along < xs.from) xs.from = along;
    if (along > xs.to) xs.to = along;
    if (along > 0 && along < positive.x) positive.x = along;
  }
  const extent = count > 0 ? { x: xs, y: ys } : null;
  return { x, y, group, count, tokens, repeated, extent, positive };
}
