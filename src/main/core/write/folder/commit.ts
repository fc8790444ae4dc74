import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../../shared/errors/errors.ts';
import { tableFormats } from '../../../../shared/export/export.ts';
import { renameFile, renameUnflushed, writeWhole } from '../../files/disk.ts';
import { flushFolder, flushFolderNames, flushFolderTree } from '../../files/flush.ts';
import { isMissing, writeError } from '../../files/file-errors.ts';
import { type Lock, takeLock } from '../../files/lock.ts';
import { checkFree, isFree } from '../../files/output-file.ts';
import { readRegular, readRegularIfExists } from '../../files/regular-file.ts';
import { commitName, logName } from '../delta/snapshot.ts';
import { manifestName, maxManifestBytes, partPath, type FolderManifest } from './manifest.ts';

/** New files of a run that has not committed; what is in it has no effect. */
export const stagingName = '_staging';
/** New files of a run that has committed: each is moved to its place, now or by the next run. */
const committedName = '_commit';
/** Readers of the folder must not find a new file before it is in its place, whatever pattern they use. */
export const stagedName = (path: string): string => `${path}.new`;
export const changesName = 'changes.json';
/** The first commit of a table of Delta, which replaces a log that the folder has. */
export const stagedLogName = 'log.json';
const successName = '_SUCCESS';
const lockName = '_lock';

const changes = z.object({
  moved: z.array(partPath),
  removed: z.array(partPath),
  tableFormat: z.enum(tableFormats).default('parquet'),
});
export type FolderChanges = z.infer<typeof changes>;

const parseChanges = (bytes: Buffer): FolderChanges => changes.parse(JSON.parse(bytes.toString('utf8')));

const ownNames = new Set<string>([stagingName, committedName, successName, lockName, manifestName]);

/**
 * Checks that a folder is new, empty, or one of ours.
 * @throws AppError `file_exists`, `file_unwritable`
 */
export async function checkFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (isMissing(error)) return [];
    throw writeError(error, basename(folder), 0);
  });
  const isOurs = names.includes(manifestName) || names.every((name) => ownNames.has(name));
  if (!isOurs) throw new AppError('file_exists', { file: basename(folder) });
}

/**
 * Creates a folder and locks it; a lock ends with its process.
 * @throws AppError `file_unwritable` if another run has it
 */
export async function lockFolder(folder: string): Promise<Lock> {
  const file = basename(folder);
  let lock: Lock | null;
  try {
    await mkdir(folder, { recursive: true });
    lock = takeLock(join(folder, lockName));
  } catch (error) {
    throw writeError(error, file, 0);
  }
  if (lock) return lock;
  throw new AppError('file_unwritable', { file, reason: 'another run is updating it' });
}

/**
 * Makes the staged files, with their manifest and their changes, the content of the folder. The rename of the staging
 * folder is the moment of the commit: a run that is killed before leaves the folder as it was, and after it the next run
 * completes the moves.
 * @param base the folder's manifest before
 * @throws AppError `disk_full`, `file_unwritable`, `file_exists` for a file that isn't of the folder
 */
export async function commitStaging(
  folder: string,
  base: Pick<FolderManifest, 'parts'> | null,
): Promise<FolderChanges> {
  const staging = join(folder, stagingName);
  const own = new Set(base?.parts.map(({ path }) => path));
  try {
    const made = parseChanges(await readRegular(join(staging, changesName), changesName, maxManifestBytes));
    // Nothing but files of the folder's manifest is replaced.
    for (const path of made.moved)
      if (!own.has(path)) await checkFree({ path: join(folder, path), replaces: false });
    await flushFolderTree(staging);
    await renameFile(staging, join(folder, committedName));
    await completeCommit(folder);
    return made;
  } catch (error) {
    throw writeError(error, basename(folder), 0);
  }
}

/**
 * Completes the commit of an earlier run, if it was interrupted.
 * @throws AppError `file_unwritable`
 */
export async function completeCommit(folder: string): Promise<void> {
  const committed = join(folder, committedName);
  try {
    const bytes = await readRegularIfExists(join(committed, changesName), changesName, maxManifestBytes);
    if (bytes !== null) {
      const { moved, removed, tableFormat } = parseChanges(bytes);
      // Engines and schedulers take the file as the sign that a folder is complete.
      await rm(join(folder, successName), { force: true });
      const stagedLog = join(committed, stagedLogName);
      // An earlier attempt may have moved the new log already.
      const hasLog =
        tableFormat === 'delta' && !(await isFree(join(folder, logName))) && (await isFree(stagedLog));
      // The files of the log are replaced: without it, readers find no table, rather than a mixture.
      if (!hasLog) await rm(join(folder, logName), { recursive: true, force: true });
      for (const path of moved) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await moveIfPresent(join(committed, stagedName(path)), join(folder, path));
      }
      for (const path of removed) await removePart(folder, path);
      await moveIfPresent(join(committed, manifestName), join(folder, manifestName));
      if (!hasLog && tableFormat === 'delta') {
        // All files of the log are there, and on disk, before it is.
        await flushFolders(folder, [...moved, ...removed]);
        await mkdir(join(folder, logName), { recursive: true });
        await renameFile(stagedLog, join(folder, logName, commitName(0)));
      }
      // The moves are on disk before what they can be repeated from is removed.
      await flushFolders(folder, [...moved, ...removed]);
      await writeWhole(join(folder, successName), '');
      await flushFolderNames(folder);
    }
    await rm(committed, { recursive: true, force: true });
  } catch (error) {
    throw writeError(error, basename(folder), 0);
  }
}

/** Flushes the folders of these files, those above them, and the folder itself. */
async function flushFolders(folder: string, paths: readonly string[]): Promise<void> {
  const below = new Set(
    paths.flatMap((path) =>
      dirname(path)
        .split('/')
        .map((_, depth, names) => names.slice(0, depth + 1).join('/')),
    ),
  );
  for (const name of new Set([...below, '.']))
    await flushFolder(join(folder, name)).catch((error: unknown) => {
      // Removed with its last file.
      if (!isMissing(error)) throw error;
    });
}

async function moveIfPresent(from: string, to: string): Promise<void> {
  await renameUnflushed(from, to).catch((error: unknown) => {
    // An earlier attempt moved it.
    if (!isMissing(error)) throw error;
  });
}

/** Removes a file, and the folders of its partition that are empty then. */
async function removePart(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true });
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const isRemoved = await rmdir(join(folder, parent)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
