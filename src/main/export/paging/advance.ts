import type { Cursor, PageCursor, RunCursor } from './cursor.ts';
import type { IdSet } from './id-set.ts';
import type { PageKeys, Step, WindowRule } from './rule.ts';
import { advanceRun } from './runs.ts';
import { advanceWindow } from './windows.ts';

/** The ids that runs have seen. */
export interface Seen {
  /** The ids of the run that a cursor belongs to; what is added to the set stays in it. */
  of(cursor: RunCursor): IdSet;
  /** Where the part of the next run begins. */
  readonly expected: number;
}

/**
 * What the page at a cursor leads to: the records to write, in order, and the next cursor. `giveUp` says in words why
 * the rule can't be trusted with this dataset; then everything is read anew by a run.
 * @param seam the value at which another band takes over; null: none does
 * @throws AppError bad_answer when the service sends the same records for ever
 */
export function advance(
  rule: WindowRule | null,
  cursor: PageCursor,
  keys: PageKeys,
  seen: Seen,
  seam: string | null = null,
): Step<Cursor> {
  if (cursor.at === 'run') {
    const begun = placed(cursor, seen);
    return advanceRun(rule, begun, keys, seen.of(begun));
  }
  if (rule === null) return { giveUp: 'there is no field to cut windows by' };
  return advanceWindow(rule, cursor, keys, { ids: seen.expected, seam });
}

/** A run's part of the ids begins where it is begun: bands that are read ahead do not know yet where that is. */
function placed(cursor: RunCursor, seen: Seen): RunCursor {
  const begins = cursor.seen === 0 && cursor.skip === 0 && cursor.step === 'plain';
  return begins ? { ...cursor, idsFrom: seen.expected } : cursor;
}
