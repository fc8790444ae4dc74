import { maxOf } from '../lists.ts';

/** Rows of one well in order of their index, as columns. */
export interface Series {
  readonly length: number;
  /** The numbers of a column by path id; NaN: none. Times are Unix milliseconds. */
  readonly numbers: (id: string) => Float64Array;
  /** The times in seconds, or the depths, of the rows; empty: they aren't needed. */
  readonly index: Float64Array;
}

/** The rows before a row that its value needs: a number of them, and those within a span of the index before them. */
export interface Reach {
  readonly rows: number;
  readonly span: number;
}

export const noReach: Reach = { rows: 0, span: 0 };

/** Whether a value needs rows before its own. */
export const hasReach = ({ rows, span }: Reach): boolean => rows > 0 || span > 0;

/** A reach that includes all of them. */
export const widest = (all: readonly Reach[]): Reach => ({
  rows: maxOf([0, ...all.map(({ rows }) => rows)]),
  span: maxOf([0, ...all.map(({ span }) => span)]),
});

/**
 * The first row of a series whose value needs no rows before the series.
 * @returns the number of rows if there is none
 */
export function firstWithReach(index: Float64Array, { rows, span }: Reach): number {
  if (span === 0) return Math.min(rows, index.length);
  const start = index[rows];
  if (start === undefined) return index.length;
  const first = index.findIndex((at, row) => row > rows && at - span >= start);
  return first === -1 ? index.length : first;
}
