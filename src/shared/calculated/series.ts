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
