import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createFolder } from '../../core/files/flush.ts';
import { isMissing, writeError } from '../../core/files/file-errors.ts';
import { checkFree, publishOutput, reservePartial } from '../../core/files/output-file.ts';
import { plainName } from '../../core/files/plain-name.ts';
import type { ExportPlan, ExportProgress } from './plan.ts';
import { digestOf } from '../../core/files/move-file.ts';
import { idBytes } from '../../core/paging/id-set.ts';
import { slicesName } from '../../core/write/folder/slice.ts';
import {
  rowsName,
  spoolName,
  manifestOf,
  type Checkpoint,
  type FinishedFile,
} from '../../core/write/spec.ts';
import { idsName } from '../../core/write/seen-ids.ts';

export interface TargetFiles {
  readonly file: string;
  /** Whether the file may replace another. */
  readonly replaces: boolean;
  readonly manifest: string;
}

/**
 * The files of a plan's target; creates the folder of a target inside the job.
 * @param jobFolder absolute path
 * @throws Error of the file system
 */
export async function targetFilesOf(
  { target }: Pick<ExportPlan, 'target'>,
  jobFolder: string,
): Promise<TargetFiles> {
  if (target.place === 'path')
    return { file: target.path, manifest: manifestOf(target.path), replaces: target.replaces };
  const folder = join(jobFolder, 'result');
  await createFolder(folder);
  const file = join(folder, plainName(target.name));
  return { file, manifest: manifestOf(file), replaces: false };
}

/** Size in bytes; null if the file doesn't exist. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw writeError(error, basename(path), 0);
  }
}

/**
 * The path of the partial file: the earlier one if it exists, else a new one.
 * @throws AppError `file_exists` if the name of the result is taken in the meantime; `file_unwritable`,
 *   `disk_full`
 */
export async function findPartial(
  { file, replaces }: TargetFiles,
  { partial }: ExportProgress,
): Promise<{ readonly partial: string; readonly isNew: boolean }> {
  await checkFree({ path: file, replaces });
  if (partial !== null && (await sizeOf(partial)) !== null) return { partial, isNew: false };
  return { partial: await reservePartial(file), isNew: true };
}

/**
 * The last durable checkpoint. A table whose partial file is shorter is rebuilt from the spool.
 * @returns null if everything must be read again: nothing is durable, or somebody changed or removed the files
 * @throws AppError `file_unwritable`
 */
export async function durableCheckpoint(
  { checkpoints, slices }: ExportProgress,
  { format }: ExportPlan,
  { folder, partial }: { folder: string; partial: string },
): Promise<Checkpoint | null> {
  const size = async (path: string): Promise<number> => (await sizeOf(path)) ?? 0;
  for (const slice of slices)
    if (slice === null || (await size(join(folder, slicesName, slice.file))) !== slice.bytes) return null;
  const ids = (await size(join(folder, idsName))) / idBytes;
  const spool = await size(join(folder, format === 'parquet' ? rowsName : spoolName));
  const file = await size(partial);
  const isSpooled = format !== 'ndjson' && format !== 'json';
  const last = checkpoints.findLast(({ durable }) => durable);
  if (!last || last.ids > ids || last.marks.spool > spool) return null;
  if (last.marks.partial <= file) return last;
  return isSpooled ? { ...last, marks: { ...last.marks, partial: 0, columns: null } } : null;
}

async function isIntact(
  path: string,
  { bytes, sha256 }: FinishedFile,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await sizeOf(path)) !== bytes) return false;
  return (await digestOf(path, signal)).sha256 === sha256;
}

/**
 * The finished file of an earlier run, published if necessary.
 * @returns null if it wasn't finished or has changed
 * @throws AppError `file_exists`, `file_unwritable`, `cancelled`
 */
export async function findFinished(
  { file, replaces }: TargetFiles,
  { finished, partial }: ExportProgress,
  signal: AbortSignal,
): Promise<ExportProgress['finished']> {
  if (!finished) return null;
  if (await isIntact(file, finished.file, signal)) {
    // A process that ends while it publishes leaves the file with both names.
    if (partial !== null) await rm(partial, { force: true }).catch(() => undefined);
    return finished;
  }
  // Its name was given: the permission to replace a file was for that, not for what the person has changed since.
  if (partial === null || (await sizeOf(partial)) === null) {
    await checkFree({ path: file, replaces: false });
    return null;
  }
  if (!(await isIntact(partial, finished.file, signal))) return null;
  await publishOutput(partial, { path: file, replaces });
  return finished;
}
