import { join } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import { renameFile } from '../../core/files/disk.ts';
import { copyToOwnOutput } from '../../core/files/own-output.ts';
import type { CsvThread } from '../../core/mapping/thread/csv-thread.ts';
import type { UploadPlan } from '../../core/tables/model/plan.ts';
import type { UploadLedger } from './ledger/ledger.ts';
import { rm } from '../../world/files.ts';

/** Whether a rejects file is useful after this error: not after a cancel, or without the file. */
export const leavesRejects = (error: AppError): boolean =>
  !error.is('cancelled') &&
  !error.is('file_changed') &&
  !error.is('file_unreadable') &&
  !error.is('disk_full') &&
  !error.is('internal');

/** The record of the rejects file that a job wrote to a path of the user. */
export const rejectsRecord = (folder: string): string => join(folder, 'rejects.json');

/**
 * Writes the rejects file from plan and journal, completely or not at all.
 * @returns its path; null if no row was rejected
 * @throws AppError disk_full, file_exists, file_unwritable, file_changed
 */
export async function makeRejects(
  thread: CsvThread,
  plan: UploadPlan,
  ledger: UploadLedger,
  folder: string,
): Promise<string | null> {
  const batches = ledger.rejectedBatches;
  if (batches.length === 0) return null;
  const { rejects } = plan;
  const spool = join(folder, rejects.place === 'job' ? rejects.name : 'rejects');
  const beside = `${spool}.partial`;
  const ranges = batches.map(({ entry, rejections }) => ({
    from: entry.from,
    line: entry.line,
    rows: entry.rows,
    skipped: new Set(entry.skipped),
    refused: new Map(rejections.map(({ at, code, message }) => [at, { code, message }])),
  }));
  try {
    const table = plan.conversion?.places.table ?? null;
    const written = await thread.calls.rejects({ to: beside, newline: plan.newline, ranges, table });
    if (written !== ledger.rejectedRows)
      throw new AppError('internal', {
        problem: `${written} rejected rows were written, but ${ledger.rejectedRows} counted`,
      });
    if (rejects.place === 'job') {
      await renameFile(beside, spool);
      return spool;
    }
    await copyToOwnOutput(beside, rejects, rejectsRecord(folder));
    return rejects.path;
  } finally {
    await rm(beside, { force: true });
  }
}
