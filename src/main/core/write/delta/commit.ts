import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isAppError } from '../../../../shared/errors/errors.ts';
import { writeError } from '../../files/file-errors.ts';
import { flushFolderNames } from '../../files/flush.ts';
import { openOutput } from '../../files/output-file.ts';
import type { Action } from './actions.ts';
import { commitName, logName, snapshotAfter, type Snapshot } from './snapshot.ts';

/**
 * Commits a change of a table: the file of the commit has its name only when it is complete and on disk, and never that of
 * another commit. A reader sees the table before it or after it.
 * @param table its folder
 * @param before the version that is changed; null: the table is new
 * @returns the table after it; null if another writer has made this version
 * @throws AppError `disk_full`, `file_unwritable`
 */
export async function commitChange(
  table: string,
  before: Snapshot | null,
  actions: readonly Action[],
): Promise<Snapshot | null> {
  const after = snapshotAfter(before, actions);
  const log = join(table, logName);
  try {
    await mkdir(log, { recursive: true });
    await flushFolderNames(log);
  } catch (error) {
    throw writeError(error, basename(table), 0);
  }
  const path = join(log, commitName(after.version));
  let partial: string | null = null;
  try {
    const output = await openOutput({ path, replaces: false });
    ({ partial } = output);
    await output.append(actions.map((action) => `${JSON.stringify(action)}\n`).join(''));
    await output.complete();
    await output.publish();
    return after;
  } catch (error) {
    if (partial !== null) await rm(partial, { force: true }).catch(() => undefined);
    if (isAppError(error, 'file_exists')) return null;
    throw error;
  }
}
