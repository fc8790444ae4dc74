import { createPathTree } from '../records/paths.ts';
import { keyOf, RecordScanner } from '../records/scan.ts';
import type { WindowCursor } from './cursor.ts';
import type { WindowRule } from './rule.ts';
import { compareValues, kindOf } from './values.ts';

/** Records that neighbouring bands both read at most, so that one that came in meanwhile costs no request more. */
const mostShared = 4;

/**
 * How many records lie between two seams, so that a page of a band reaches beyond the next seam: that proves, without
 * another request, that the band is complete. 0: pages are too small for bands.
 */
export function strideOf(limit: number): number {
  return Math.max(0, limit - Math.min(mostShared, Math.max(2, limit >> 3)));
}

/** The window that begins at a seam. Ascending the seam's own value belongs to it, descending to the band before. */
export const windowFrom = ({ direction }: WindowRule, seam: string): WindowCursor => ({
  at: 'window',
  bound: { op: direction === 1 ? '$gte' : '$lt', value: seam },
  expect: null,
  known: [],
});

/** Reads the key of the first record in an answer, as JSON text: null when it has none, undefined without a record. */
export function createKeyReader(field: string): (answer: string | Uint8Array) => string | null | undefined {
  const scanner = new RecordScanner({ tree: createPathTree(), keyField: field });
  return (answer) => {
    const page = scanner.scanArray(answer);
    return page.count === 0 ? undefined : keyOf(page, 0);
  };
}

/**
 * Those of the values found that can be seams: each behind the one before, none above the highest value of the start.
 * @param after the seam before them; null: none
 */
export function usableSeams(
  rule: WindowRule,
  found: readonly (string | null | undefined)[],
  after: string | null,
): string[] {
  const seams: string[] = [];
  for (const value of found) {
    if (value == null || kindOf(value) !== rule.kind) continue;
    const last = seams.at(-1) ?? after;
    const isBehind = last === null || rule.direction * compareValues(value, last) > 0;
    const isWithin = rule.direction === -1 || compareValues(value, rule.upper) <= 0;
    if (isBehind && isWithin) seams.push(value);
  }
  return seams;
}
