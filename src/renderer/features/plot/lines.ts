import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import type { Points, Range } from './thin.ts';

/** The data of a plot: one x for each record, and the values of each field. NaN: no value. */
export interface PlotData {
  readonly x: Float64Array<ArrayBuffer>;
  readonly y: readonly Float64Array<ArrayBuffer>[];
  /** The values that color dots. */
  readonly color?: Float64Array<ArrayBuffer> | undefined;
  /** The measured depths of the stations of wellpaths, whose lines run in their order. */
  readonly stations?: Float64Array<ArrayBuffer> | undefined;
  /** The group of each record, such as its well; null: one group. */
  readonly groups: Uint16Array | null;
  /** The rows after which records of their group are missing, in order; absent: unknown. */
  readonly breaks?: readonly number[] | undefined;
  /** Number of groups that are shown, the first ones. */
  readonly groupCount: number;
}

export interface LineOptions {
  /** Each group starts at 0. */
  readonly elapsed: boolean;
  /** In the order of x, as lines require; scatter plots don't. */
  readonly sorted: boolean;
}

/** One field of one group. */
export interface Line extends Points {
  /** The values that color its dots. */
  readonly color?: Float64Array<ArrayBuffer> | undefined;
  /** The lowest position above 0, and the lowest value: where a logarithmic axis can start. */
  readonly positive: { readonly x: number; readonly y: number };
  readonly field: number;
  readonly group: number;
  /** Number of records with a value. */
  readonly count: number;
  /** Number of records that are left out because of a null value such as -999.25. */
  readonly tokens: number;
  /** Number of values at the same x as the value before. */
  readonly repeated: number;
  readonly extent: { readonly x: Range; readonly y: Range } | null;
}

/** Splits the records into one line for each field and group. Records without an x are left out. */
export function toLines(data: PlotData, { elapsed, sorted }: LineOptions): Line[] {
  const lines: Line[] = [];
  for (let group = 0; group < data.groupCount; group += 1) {
    const order = orderOf(data, group, sorted);
    const orderedX = taken(data.x, order);
    const x = elapsed ? fromZero(orderedX) : orderedX;
    const color = data.color && taken(data.color, order);
    data.y.forEach((values, field) =>
      lines.push({ ...lineOf(x, taken(values, order), field, group), color }),
    );
  }
  return lines;
}

/** Data whose positions are null values, such as -999.25, count as having none. */
export function withoutNullPositions(data: PlotData): PlotData {
  const isNull = (x: number): boolean => x <= -999 && isNullNumber(x);
  const marked = (values: PlotData['x']): PlotData['x'] =>
    values.some(isNull) ? values.map((x) => (isNull(x) ? Number.NaN : x)) : values;
  return { ...data, x: marked(data.x), stations: data.stations && marked(data.stations) };
}

/** The indexes of a group's records, by x or by stations; null: all records in their order. */
function orderOf({ x, stations, groups }: PlotData, group: number, sorted: boolean): Uint32Array | null {
  let order: Uint32Array | null = null;
  if (groups || hasNaN(x) || (stations && hasNaN(stations))) {
    const places = new Uint32Array(x.length);
    let length = 0;
    for (let at = 0; at < x.length; at += 1) {
      if ((groups && groups[at] !== group) || Number.isNaN(x[at])) continue;
      // A station without a depth has no place in a path.
      if (stations && Number.isNaN(stations[at])) continue;
      places[length] = at;
      length += 1;
    }
    order = places.subarray(0, length);
  }
  if (stations) return ascending(stations, order);
  return sorted ? ascending(x, order) : order;
}

function hasNaN(values: Float64Array<ArrayBuffer>): boolean {
  for (let at = 0; at < values.length; at += 1) if (Number.isNaN(values[at])) return true;
  return false;
}

/**
 * The same indexes in the order of x. Ascending or descending records, as in most responses, are only reversed if
 * necessary.
 */
function ascending(x: Float64Array<ArrayBuffer>, order: Uint32Array | null): Uint32Array | null {
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

function taken(values: Float64Array<ArrayBuffer>, order: Uint32Array | null): Float64Array<ArrayBuffer> {
  // Null values become gaps in place, so the data of the plot omit them too.
  if (order === null) return values;
  const result = new Float64Array(order.length);
  for (let at = 0; at < order.length; at += 1) result[at] = values[order[at] ?? 0] ?? Number.NaN;
  return result;
}

function fromZero(x: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  let first = Number.POSITIVE_INFINITY;
  for (const value of x) if (value < first) first = value;
  return x.map((value) => value - first);
}

function lineOf(
  x: Float64Array<ArrayBuffer>,
  y: Float64Array<ArrayBuffer>,
  field: number,
  group: number,
): Line {
  const positive = { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY };
  let count = 0;
  let tokens = 0;
  let repeated = 0;
  let before = Number.NaN;
  const xs = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  const ys = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  for (let at = 0; at < y.length; at += 1) {
    const value = y[at] ?? Number.NaN;
    if (value <= -999 && isNullNumber(value)) {
      y[at] = Number.NaN;
      tokens += 1;
      continue;
    }
    // Infinity has no position on an axis.
    if (!Number.isFinite(value)) {
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
  return { x, y, field, group, count, tokens, repeated, extent, positive };
}
