import { basename, dirname, join, relative, sep } from 'node:path';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import { renameUnflushed, writeWhole } from '../../files/disk.ts';
import { flushFolder, flushFolderNames, flushFolderTree } from '../../files/flush.ts';
import { isMissing, writeError } from '../../files/file-errors.ts';
import { type Lock, takeLock } from '../../files/lock.ts';
import { checkFree } from '../../files/output-file.ts';
import { checkNoLinks } from '../../files/links.ts';
import { logName } from '../delta/snapshot.ts';
import { isOwnName } from '../delta/vacuum.ts';
import { manifestName, partPath } from './manifest.ts';
import { mkdir, readdir, rm, rmdir } from '../../../world/files.ts';

/** New files of a run that isn't done; what is in it has no effect. */
export const stagingName = '_staging';
/** Readers of the folder must not find a new file before it is in its place, whatever pattern they use. */
export const stagedName = (path: string): string => `${path}.new`;
const successName = '_SUCCESS';
const lockName = '_lock';

/** Of a process that updates a mirror again and again: its lock, and what monitoring reads. */
export const serviceLockName = '_service';
export const healthName = '_health.json';

const ownNames = new Set<string>([stagingName, successName, lockName, serviceLockName]);

/** Whether a name is that of a folder's own partial file, by which is checked that it can be written. */
const isPartial = (name: string, folder: string): boolean =>
  name.startsWith(`${basename(folder)}.`) && name.endsWith('.partial');

/**
 * Checks that a folder is new, empty, or one of ours. One with a log can still be of another program.
 * @throws AppError `file_exists`, `file_unwritable`; `invalid_input` for files of a table whose log is missing
 */
export async function checkFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (isMissing(error)) return [];
    throw writeError(error, basename(folder), 0);
  });
  const isOurs =
    names.includes(manifestName) ||
    names.includes(logName) ||
    names.every((name) => ownNames.has(name) || name.startsWith(healthName) || isPartial(name, folder));
  if (isOurs) return;
  if ((await ownFilesIn(folder, [])).length > 0)
    throw invalidInput(
      `${basename(folder)} has the files of a mirror, but its log, the folder ${logName}, is missing. Restore the log from a copy, or remove the folder to start again.`,
    );
  throw new AppError('file_exists', { file: basename(folder) });
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
  throw new AppError('file_unwritable', { file, reason: 'another run is updating it', isBusy: true });
}

/**
 * The data files of ours in a folder, by their path in it: those of tables, also of runs that were killed, and some others.
 * @param otherFiles those that a manifest or a log names
 * @throws AppError `file_unwritable`
 */
export async function ownFilesIn(folder: string, otherFiles: Iterable<string>): Promise<string[]> {
  const knownFiles = new Set(otherFiles);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw writeError(error, basename(folder), 0);
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(
      (path) => (knownFiles.has(path) || isOwnName(basename(path))) && partPath.safeParse(path).success,
    );
}

/** Removes what an earlier run staged, or a killed one left. Nothing in it is believed. @throws AppError `file_unwritable` */
export async function discardStaging(folder: string): Promise<void> {
  await rm(join(folder, stagingName), { recursive: true, force: true }).catch((error: unknown) => {
    throw writeError(error, basename(folder), 0);
  });
}

/** How the files of a folder change, by their path in it. */
interface FolderChange {
  /** Staged files, which move to their places. */
  readonly moved: readonly string[];
  readonly removed: readonly string[];
  /** The manifest that names both until the end. */
  readonly transition: string;
}

/**
 * Makes the staged files, with their manifest, the content of the folder. A run that is killed meanwhile stages its files
 * again when it is resumed: what is to be moved and removed is never read from a folder that others can write to.
 * @param ownFiles the data files that the folder has
 * @throws AppError `disk_full`, `file_unwritable`, `file_exists` for a file that isn't of the folder
 */
export async function commitStaging(
  folder: string,
  { moved, removed, transition }: FolderChange,
  ownFiles: ReadonlySet<string>,
): Promise<void> {
  const staging = join(folder, stagingName);
  try {
    await checkNoLinks(folder, [logName, ...moved, ...removed]);
    // Nothing but files of ours is replaced.
    for (const path of moved)
      if (!ownFiles.has(path)) await checkFree({ path: join(folder, path), replaces: false });
    await flushFolderTree(staging);
    // Engines and schedulers take the file as the sign that a folder is complete.
    await rm(join(folder, successName), { force: true });
    // First, so that after a kill the next run knows all of these files as ours.
    await writeWhole(join(folder, manifestName), transition);
    // The files of a table are replaced: without its log, readers find none, rather than a mixture.
    await rm(join(folder, logName), { recursive: true, force: true });
    for (const path of moved) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await renameUnflushed(join(staging, stagedName(path)), join(folder, path));
    }
    for (const path of removed) await removePart(folder, path);
    await flushFolders(folder, [...moved, ...removed]);
    await renameUnflushed(join(staging, manifestName), join(folder, manifestName));
    await flushFolderNames(folder);
    await writeWhole(join(folder, successName), '');
    await flushFolderNames(folder);
  } catch (error) {
    throw writeError(error, basename(folder), 0);
  }
  await discardStaging(folder);
}

/**
 * Removes what a folder of files has beside a table that took its place: its manifest, and its files that the table lacks.
 * @param kept the files of the table, by their path in the folder
 * @throws AppError `file_unwritable`
 */
export async function removeFilesOf(
  folder: string,
  { parts }: { readonly parts: readonly { readonly path: string }[] },
  kept: ReadonlySet<string>,
): Promise<void> {
  try {
    await checkNoLinks(
      folder,
      parts.map(({ path }) => path),
    );
    for (const { path } of parts) if (!kept.has(path)) await removePart(folder, path);
    for (const name of [successName, stagingName, manifestName])
      await rm(join(folder, name), { recursive: true, force: true });
  } catch (error) {
    throw writeError(error, basename(folder), 0);
  }
}

/** Flushes the folders of these files, those above them, and the folder itself. @throws Error of the file system */
export async function flushFolders(folder: string, paths: readonly string[]): Promise<void> {
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
