import { link, mkdir, open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../shared/errors/errors.ts';
import { renameFile } from '../files/disk.ts';
import { isMissing, writeError } from '../files/file-errors.ts';
import { plainName } from '../files/plain-name.ts';
import type { ExportPlan, ExportEntry, ExportProgress } from './plan.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { idBytes } from '../paging/id-set.ts';
import { spoolName } from './writing/export-writer.ts';
import { idsName } from './writing/seen-ids.ts';
import type { Checkpoint, Finished } from './writing/spec.ts';

export interface Places {
  readonly file: string;
  readonly manifest: string;
}

export const manifestOf = (file: string): string => `${file}.manifest.json`;

/** The places that a plan's target means; a folder of the job's own is made. */
export async function placesFor({ target }: Pick<ExportPlan, 'target'>, jobFolder: string): Promise<Places> {
  if (target.place === 'path') return { file: target.path, manifest: manifestOf(target.path) };
  const folder = join(jobFolder, 'result');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, plainName(target.name));
  return { file, manifest: manifestOf(file) };
}

const mostPartials = 100;

/**
 * Makes the incomplete file beside the target: `<file>.partial`, or with a number where that exists already, because
 * another export may be at work on it, or may be resumed.
 * @throws AppError file_unwritable, disk_full
 */
export async function reservePartial(file: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const path = attempt === 1 ? `${file}.partial` : `${file}.${attempt}.partial`;
    try {
      await (await open(path, 'wx')).close();
      return path;
    } catch (error) {
      const problem = writeError(error, basename(file), 0);
      if (attempt < mostPartials && problem instanceof AppError && problem.is('file_exists')) continue;
      throw problem;
    }
  }
}

/** Size in bytes; null when there is no such file. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw writeError(error, basename(path), 0);
  }
}

/** @throws AppError file_exists */
async function checkFree(file: string): Promise<void> {
  if ((await sizeOf(file)) !== null) throw new AppError('file_exists', { file: basename(file) });
}

const noLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EACCES', 'UNKNOWN', 'EBUSY']);

/**
 * Gives the finished file its name, without ever replacing another file: by a second link to it, which fails where
 * the name is taken; on a drive without links by a rename after a look.
 * @throws AppError file_exists, file_unwritable
 */
export async function publish(partial: string, file: string): Promise<void> {
  const name = basename(file);
  try {
    await link(partial, file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!noLinks.has(code)) throw writeError(error, name, 0);
    await checkFree(file);
    await renameFile(partial, file).catch((cause: unknown) => {
      throw writeError(cause, name, 0);
    });
    return;
  }
  await rm(partial, { force: true }).catch(() => undefined);
}

/**
 * Whether a file can be made at a path that a person chose.
 * @throws AppError file_exists, file_unwritable
 */
export async function checkTarget(target: ExportPlan['target']): Promise<void> {
  if (target.place === 'job') return;
  const file = target.name;
  await checkFree(target.path);
  const folder = await stat(dirname(target.path)).catch((error: unknown) => {
    throw writeError(error, file, 0);
  });
  if (!folder.isDirectory())
    throw new AppError('file_unwritable', { file, reason: 'its folder doesn’t exist' });
  // Only trying tells: permissions, read-only drives and network shares each have their own rules.
  await rm(await reservePartial(target.path), { force: true });
}

type Append = (entry: ExportEntry, options?: { flush?: boolean }) => Promise<void>;

/**
 * The path of the incomplete file: the one of before when it still stands, else a new one.
 * @throws AppError file_exists when something has the result's name meanwhile; file_unwritable
 */
export async function findPartial(
  { file }: Places,
  { partial, began }: ExportProgress & { readonly began: string },
  append: Append,
): Promise<string> {
  await checkFree(file);
  if (partial !== null && (await sizeOf(partial)) !== null) return partial;
  const made = await reservePartial(file);
  await append({ kind: 'began', at: began, partial: made }, { flush: true });
  return made;
}

/**
 * The last checkpoint whose files are as long as it says: after a loss of power they may be shorter. A table whose
 * incomplete file is gone is made anew from the spool.
 * @returns null when everything must be read again
 */
export async function lastUsable(
  { checkpoints }: ExportProgress,
  { format }: ExportPlan,
  { folder, partial }: { folder: string; partial: string },
): Promise<Checkpoint | null> {
  const size = async (path: string): Promise<number> => (await sizeOf(path)) ?? 0;
  const ids = (await size(join(folder, idsName))) / idBytes;
  const spool = await size(join(folder, spoolName));
  const file = await size(partial);
  const spooled = format === 'csv' || format === 'parquet';
  const usable = checkpoints.findLast(
    ({ marks, ...known }) => known.ids <= ids && marks.spool <= spool && (spooled || marks.partial <= file),
  );
  // A table that was given up later is not what the file holds by now, whatever its length.
  const givenUp = checkpoints.at(-1)?.marks.columns === null && usable?.marks.columns !== null;
  if (!usable || (usable.marks.partial <= file && !givenUp)) return usable ?? null;
  return { ...usable, marks: { ...usable.marks, partial: 0, columns: null } };
}

async function isWhole(path: string, { bytes, sha256 }: Finished, signal: AbortSignal): Promise<boolean> {
  if ((await sizeOf(path)) !== bytes) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex') === sha256;
}

/**
 * The file that an earlier run finished, under its name by now; null when it was not finished, or is not as it was.
 * @throws AppError file_exists, file_unwritable
 */
export async function findFinished(
  { file }: Places,
  { finished, partial }: ExportProgress,
  signal: AbortSignal,
): Promise<ExportProgress['finished']> {
  if (!finished) return null;
  if (partial !== null && (await isWhole(partial, finished.file, signal))) await publish(partial, file);
  return (await isWhole(file, finished.file, signal)) ? finished : null;
}

/** Removes what only an unfinished export needs. What can't be removed now goes with the job's folder. */
export async function removeSpools(folder: string): Promise<void> {
  for (const name of [spoolName, idsName])
    await rm(join(folder, name), { force: true }).catch(() => undefined);
}
