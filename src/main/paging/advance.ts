import type { Cursor, PageCursor, RunCursor } from './cursor.ts';
import type { IdSet } from './id-set.ts';
import type { PageKeys, PageOrigin, Step, WindowRule } from './rule.ts';
import { advanceRun } from './runs.ts';
import { advanceWindow } from './windows.ts';

/** The ids that runs have seen. */
export interface Seen {
  /** The ids of the run that a cursor belongs to; what is added to the set stays in it. */
  of(cursor: RunCursor): IdSet;
  /** Ids in the file: where the part of the next run begins. */
  readonly written: number;
}

/**
 * What the page at a cursor leads to: the records to write, in order, and the next cursor. `giveUp` says in words why
 * the rule can't be trusted with this dataset; then everything is read again by a run.
 * @throws AppError bad_answer when the service sends the same records for ever
 */
export function advance(
  rule: WindowRule | null,
  cursor: PageCursor,
  keys: PageKeys,
  seen: Seen,
  origin: PageOrigin,
): Step<Cursor> {
  if (cursor.at === 'run') return advanceRun(rule, cursor, keys, seen.of(cursor), origin);
  if (rule === null) return { giveUp: 'there is no field to cut windows by' };
  return advanceWindow(rule, cursor, keys, { ids: seen.written, ...origin });
}
