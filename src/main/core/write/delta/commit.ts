import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError, isAppError } from '../../../../shared/errors/errors.ts';
import { writeError } from '../../files/file-errors.ts';
import { flushFolderNames } from '../../files/flush.ts';
import { openOutput } from '../../files/output-file.ts';
import type { Action } from './actions.ts';
import { commitName, logName, readSnapshot, type ReadCheckpoint, type Snapshot } from './snapshot.ts';

/** Other writers that commit at the same time are waited for so often. */
const maxTries = 20;

/**
 * Writes a commit: the file has its name only when it is complete and on disk, and never that of another commit. A reader
 * sees the table before it or after it.
 * @returns false if another writer has that version
 * @throws AppError `disk_full`, `file_unwritable`
 */
export async function writeCommit(
  table: string,
  version: number,
  actions: readonly Action[],
): Promise<boolean> {
  const log = join(table, logName);
  try {
    await mkdir(log, { recursive: true });
    await flushFolderNames(log);
  } catch (error) {
    throw writeError(error, basename(table), 0);
  }
  const path = join(log, commitName(version));
  let partial: string | null = null;
  try {
    const output = await openOutput({ path, replaces: false });
    ({ partial } = output);
    await output.append(actions.map((action) => `${JSON.stringify(action)}\n`).join(''));
    await output.complete();
    await output.publish();
    return true;
  } catch (error) {
    if (partial !== null) await rm(partial, { force: true }).catch(() => undefined);
    if (isAppError(error, 'file_exists')) return false;
    throw error;
  }
}

export interface TableUpdate {
  readonly readCheckpoint: ReadCheckpoint;
  /**
   * What to change, from the last version of the table; null: nothing. If another writer commits meanwhile, it is called again.
   */
  readonly change: (before: Snapshot | null) => Promise<readonly Action[] | null>;
}

/**
 * Commits a change to a table.
 * @param table its folder
 * @returns the version; null: there was nothing to change
 * @throws AppError `disk_full`, `file_unwritable`, also if others always commit first; errors of the log and of the change
 */
export async function updateTable(
  table: string,
  { readCheckpoint, change }: TableUpdate,
): Promise<number | null> {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const before = await readSnapshot(table, readCheckpoint);
    const actions = await change(before);
    if (actions === null) return null;
    const version = (before?.version ?? -1) + 1;
    if (await writeCommit(table, version, actions)) return version;
  }
  throw new AppError('file_unwritable', {
    file: basename(table),
    reason: 'other programs change it all the time',
  });
}
