import type { JsonObject } from '../../shared/json.ts';
import type { Key } from './values.ts';
import { compareKeys } from './values.ts';

/** The values that all records of a run share: envelope paths and their values. */
export type Scope = JsonObject;

/**
 * Rows of one scope in the order of their key and, where keys are equal, of their id. A run never changes: later
 * inserts are in runs of their own, so readers see it whole.
 */
export interface Run {
  readonly scope: Scope;
  readonly length: number;
  key(row: number): Key;
  id(row: number): string;
  record(row: number): JsonObject;
  /** The record as JSON text. */
  text(row: number): string;
  /** The insert that added the row, from 0; -1 for rows of the sample. */
  ordinal(row: number): number;
}

/** Rows `from` (inclusive) to `to` (exclusive) of a run. */
export interface Segment {
  readonly run: Run;
  readonly from: number;
  readonly to: number;
}

/** The first row of a segment's range whose key isn't below `key` (or, with `after`, is above it). */
export function firstRow(run: Run, key: Key, after: boolean, from = 0, to = run.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareKeys(run.key(middle), key);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows of a range whose key equals that of a row: usually few, so the search begins beside it. */
export function tiesOf(run: Run, row: number, from: number, to: number): { from: number; to: number } {
  const key = run.key(row);
  const ties = (at: number): boolean => at >= from && at < to && compareKeys(run.key(at), key) === 0;
  let step = 1;
  while (ties(row - step)) step *= 2;
  const first = firstRow(run, key, false, Math.max(from, row - step), row);
  step = 1;
  while (ties(row + step)) step *= 2;
  return { from: first, to: firstRow(run, key, true, row, Math.min(to, row + step)) };
}

/** Some rows of a run, in the same order. */
export function someRows(run: Run, rows: readonly number[]): Run {
  const at = (row: number): number => rows[row] ?? 0;
  return {
    scope: run.scope,
    length: rows.length,
    key: (row) => run.key(at(row)),
    id: (row) => run.id(at(row)),
    record: (row) => run.record(at(row)),
    text: (row) => run.text(at(row)),
    ordinal: (row) => run.ordinal(at(row)),
  };
}

/** The same rows ordered by id: in a run of the sample, key order and id order are the same. */
export function byId(run: Run): Run {
  return {
    scope: run.scope,
    length: run.length,
    key: (row) => run.id(row),
    id: (row) => run.id(row),
    record: (row) => run.record(row),
    text: (row) => run.text(row),
    ordinal: (row) => run.ordinal(row),
  };
}
