import { maxOf } from '../lists.ts';

/** Rows of one well in order of their index, as columns. */
export interface Series {
  readonly length: number;
  /** The numbers of a column by path id; NaN: none. Times are Unix milliseconds. */
  readonly numbers: (id: string) => Float64Array;
  /** The times in seconds, or the depths, of the rows; empty: they aren't needed. */
  readonly index: Float64Array;
}

/**
 * The first row whose value needs no rows before a row.
 * @param from that row
 * @returns the number of rows, or more, if there is none
 */
export type InReach = (index: Float64Array, from: number) => number;

/** The reach of a value that needs several other ones; null: none of them needs rows before. */
export function inReachOfAll(reaches: readonly (InReach | null)[]): InReach | null {
  const needed = reaches.filter((reach) => reach !== null);
  return needed.length === 0
    ? null
    : (index, from) => maxOf(needed.map((firstInReach) => firstInReach(index, from)));
}

/** The reach of a value that needs a number of rows before those of another one. */
export const rowsAfter =
  (of: InReach | null, rows: number): InReach =>
  (index, from) =>
    (of?.(index, from) ?? from) + rows;

/** The reach of a value that needs the rows within a span of the index before those of another one. */
export const spanAfter =
  (of: InReach | null, span: number): InReach =>
  (index, from) => {
    const row = of?.(index, from) ?? from;
    const start = index[row];
    if (start === undefined) return index.length;
    const first = index.findIndex((at, other) => other > row && at - span >= start);
    return first === -1 ? index.length : first;
  };

/** The size of the window of each row: it ends at the row. */
export interface Window {
  /** 0: it is a span. */
  readonly rows: number;
  /** Of the index; 0: it is a number of rows. */
  readonly span: number;
}

/** A figure of the values in the window of each row that are there; NaN: there is none. */
export type Figure = (values: Float64Array, starts: Int32Array) => Float64Array;

/** The first row of each window. */
export function windowStarts(index: Float64Array, length: number, { rows, span }: Window): Int32Array {
  let from = 0;
  return new Int32Array(length).map((_, at) => {
    if (rows > 0) return Math.max(at - rows + 1, 0);
    while (from < at && !((index[from] ?? 0) > (index[at] ?? 0) - span)) from += 1;
    return from;
  });
}

/** Windows up to this length are summed from their values for each row. */
const shortWindow = 64;

/**
 * Adds what enters a window and subtracts what leaves it, with the rest that each sum loses: the result doesn't depend on
 * where the rows began, as that of a plain running sum would.
 */
function createSum() {
  let [sum, rest, count] = [0, 0, 0];
  const change = (value: number): void => {
    const next = sum + value;
    const part = next - sum;
    rest += sum - (next - part) + (value - part);
    sum = next;
  };
  return {
    add(value: number): void {
      if (Number.isNaN(value)) return;
      change(value);
      count += 1;
    },
    remove(value: number): void {
      if (Number.isNaN(value)) return;
      change(-value);
      count -= 1;
    },
    clear: () => void ([sum, rest, count] = [0, 0, 0]),
    count: () => count,
    /** NaN or infinite after numbers that no sum can hold. */
    total: () => sum + rest,
  };
}

const sums =
  (end: (sum: number, count: number) => number): Figure =>
  (values, starts) => {
    const sum = createSum();
    let from = 0;
    return values.map((value, at) => {
      const start = starts[at] ?? at;
      if (at + 1 - start <= shortWindow || !Number.isFinite(sum.total())) {
        sum.clear();
        for (let row = start; row <= at; row += 1) sum.add(values[row] ?? Number.NaN);
      } else {
        sum.add(value);
        for (let row = from; row < start; row += 1) sum.remove(values[row] ?? Number.NaN);
      }
      from = start;
      const total = sum.count() === 0 ? Number.NaN : end(sum.total(), sum.count());
      return Number.isFinite(total) ? total : Number.NaN;
    });
  };

/** @param isBefore whether a value takes the place of another one */
const extremes =
  (isBefore: (value: number, other: number) => boolean): Figure =>
  (values, starts) => {
    // Rows that may still be the extreme of a window, the current one first.
    const rows = new Int32Array(values.length);
    let [first, end] = [0, 0];
    const valueAt = (place: number): number => values[rows[place] ?? 0] ?? Number.NaN;
    return values.map((value, at) => {
      while (first < end && (rows[first] ?? 0) < (starts[at] ?? at)) first += 1;
      if (!Number.isNaN(value)) {
        while (first < end && !isBefore(valueAt(end - 1), value)) end -= 1;
        rows[end] = at;
        end += 1;
      }
      return first < end ? valueAt(first) : Number.NaN;
    });
  };

export const rollingMean: Figure = sums((sum, count) => sum / count);
export const rollingSum: Figure = sums((sum) => sum);
export const rollingMin: Figure = extremes((value, other) => value < other);
export const rollingMax: Figure = extremes((value, other) => value > other);
