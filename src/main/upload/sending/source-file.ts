import { access, copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import { renameFile } from '../../files/disk.ts';
import { isDiskFull, isMissing } from '../../files/file-errors.ts';
import type { UploadPlan } from '../model/plan.ts';

const spoolName = 'source';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Where the file of a job is. A spooled copy is moved into the job's folder, so that a restart finds it there and a
 * discarded job takes it along. A dry run leaves it where it is: the upload itself is still to come.
 * @throws AppError file_unreadable, disk_full
 */
export async function settleSource(
  { source, fileName, dryRun }: UploadPlan,
  folder: string,
): Promise<string> {
  if (source.place === 'path' || dryRun) return source.path;
  const own = join(folder, spoolName);
  if (await exists(own)) return own;
  try {
    await renameFile(source.path, own);
  } catch (error) {
    if (isMissing(error))
      throw new AppError(
        'file_unreadable',
        { file: fileName, reason: 'its copy is missing; choose the file again' },
        { cause: error },
      );
    await copyAcross(source.path, own, fileName);
  }
  return own;
}

/** The spool can be on another disk than the jobs. A copy counts only when it is whole. */
async function copyAcross(from: string, to: string, fileName: string): Promise<void> {
  const beside = `${to}.partial`;
  try {
    await copyFile(from, beside);
    await renameFile(beside, to);
    await rm(from, { force: true });
  } catch (cause) {
    await rm(beside, { force: true });
    if (isDiskFull(cause)) throw new AppError('disk_full', { file: fileName, writtenBytes: 0 }, { cause });
    throw new AppError(
      'file_unreadable',
      { file: fileName, reason: 'its copy could not be moved' },
      { cause },
    );
  }
}
