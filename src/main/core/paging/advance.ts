import type { PageKeys } from '../records/page-keys.ts';
import { endCursor, type Cursor, type ReadPosition, type RunCursor } from './cursor.ts';
import type { IdSet } from './id-set.ts';
import type { PageOrigin, PageStep, WindowRule } from './rule.ts';
import { advanceRun } from './runs.ts';
import { advanceWindow } from './windows.ts';

/** The ids of a run, by which records that come again are recognized. */
export interface RunIds {
  /** Number of ids of all runs so far, where the next run starts. */
  readonly count: number;
  idsOf(run: RunCursor): IdSet;
}

/**
 * Advances a position by a page.
 * @throws AppError `bad_answer` when the service repeats the same records
 */
export function advancePage(
  rule: WindowRule | null,
  at: ReadPosition,
  keys: PageKeys,
  { ids, ...origin }: PageOrigin & { readonly ids: RunIds },
): PageStep<Cursor> {
  if (at.at === 'whole') return { emit: [...Array(keys.count).keys()], next: endCursor };
  if (at.at === 'run') return advanceRun(rule, at, keys, ids.idsOf(at), origin);
  if (rule === null) return { fallbackReason: 'no field can divide the records into ranges' };
  return advanceWindow(rule, at, keys, { ids: ids.count, ...origin });
}
