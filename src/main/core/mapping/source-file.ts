import { dirname, join } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import { renameFile } from '../files/disk.ts';
import { flushFile, flushFolder } from '../files/flush.ts';
import { isDiskFull, isMissing } from '../files/file-errors.ts';
import type { UploadPlan } from './plan.ts';
import { access, copyFile, link, rm } from '../../world/files.ts';

const spoolName = 'source';
const placesName = 'places';

/** The path of the map from a job's converted table to its original; null: none. */
export const placesOf = ({ conversion }: UploadPlan, folder: string): string | null =>
  conversion?.placesFile == null ? null : join(folder, placesName);

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The path of a job's file. A spooled copy is moved into the job's folder, so that a restart finds it and a discarded
 * job removes it. A dry run leaves it in place for the actual upload. A converted table is always linked there, because
 * conversions are temporary. The file is on disk before the first row is sent: rows without a response are compared with
 * it later.
 * @throws AppError file_unreadable, disk_full
 */
export async function settleSource(plan: UploadPlan, folder: string): Promise<string> {
  const { source, fileName, dryRun, conversion } = plan;
  if (source.place === 'converted') {
    const places = placesOf(plan, folder);
    if (places !== null && conversion?.placesFile != null)
      await linkInto(conversion.placesFile, places, fileName);
    return linkInto(source.path, join(folder, spoolName), fileName);
  }
  if (source.place === 'path' || dryRun) return source.path;
  const copy = join(folder, spoolName);
  if (await exists(copy)) return copy;
  try {
    await flushFile(source.path);
    await renameFile(source.path, copy);
  } catch (error) {
    if (isMissing(error)) throw copyMissing(fileName, error);
    await copyAcross(source.path, copy, fileName);
    await rm(source.path, { force: true });
  }
  return copy;
}

/** Removes what {@link settleSource} put into a job's folder. */
export async function releaseSource(folder: string): Promise<void> {
  for (const name of [spoolName, placesName]) await rm(join(folder, name), { force: true });
}

const copyMissing = (file: string, cause: unknown): AppError =>
  new AppError('file_unreadable', { file, reason: 'its copy is missing; choose the file again' }, { cause });

/** Links a file, or copies it if the disk can't link. An existing file is complete. */
async function linkInto(from: string, to: string, fileName: string): Promise<string> {
  if (await exists(to)) return to;
  try {
    await flushFile(from);
    await link(from, to);
    await flushFolder(dirname(to));
  } catch (error) {
    if (isMissing(error)) throw copyMissing(fileName, error);
    await copyAcross(from, to, fileName);
  }
  return to;
}

/** The spool and the jobs can be on different disks. A copy counts only when it is complete. */
async function copyAcross(from: string, to: string, fileName: string): Promise<void> {
  const beside = `${to}.partial`;
  try {
    await copyFile(from, beside);
    await flushFile(beside);
    await renameFile(beside, to);
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
