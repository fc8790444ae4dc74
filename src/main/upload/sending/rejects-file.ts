import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import { renameFile } from '../../files/disk.ts';
import type { CsvThread } from '../thread/csv-thread.ts';
import type { UploadLedger } from '../ledger/ledger.ts';
import type { UploadPlan } from '../model/plan.ts';

/**
 * Makes the rejects file from plan and journal, whole or not at all.
 * @returns its path; null when no row was rejected
 * @throws AppError disk_full, file_unwritable, file_changed
 */
export async function makeRejects(
  thread: CsvThread,
  plan: UploadPlan,
  ledger: UploadLedger,
  folder: string,
): Promise<string | null> {
  const batches = ledger.rejectedBatches;
  if (batches.length === 0) return null;
  const path = plan.rejects.place === 'path' ? plan.rejects.path : join(folder, plan.rejects.name);
  const beside = `${path}.partial`;
  const ranges = batches.map(({ entry, rejections }) => ({
    from: entry.from,
    line: entry.line,
    rows: entry.rows,
    skipped: new Set(entry.skipped),
    refused: new Map(rejections.map(({ at, code, message }) => [at, { code, message }])),
  }));
  try {
    const written = await thread.calls.rejects({ to: beside, newline: plan.newline, ranges });
    if (written !== ledger.rejectedRows)
      throw new AppError('internal', {
        problem: `${written} rejected rows were written, but ${ledger.rejectedRows} counted`,
      });
    await renameFile(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return path;
}
