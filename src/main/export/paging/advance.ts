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
 * @throws AppError bad_answer when the service sends the same records for ever
 */
export function advance(
  rule: WindowRule | null,
  cursor: PageCursor,
  keys: PageKeys,
  seen: Seen,
): Step<Cursor> {
  if (cursor.at === 'run') return advanceRun(rule, cursor, keys, seen.of(cursor));
  if (rule === null) return { giveUp: 'there is no field to cut windows by' };
  return advanceWindow(rule, cursor, keys, seen.expected);
}
