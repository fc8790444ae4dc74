import { basename, dirname, join } from 'node:path';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import { folderNames } from '../../../../shared/export/export.ts';
import { flushFolder } from '../../files/disk.ts';
import { isMissing, withWriteErrors, writeError } from '../../files/file-errors.ts';
import { type Lock, takeLock } from '../../files/lock.ts';
import { logName } from '../delta/snapshot.ts';
import { isOwnName } from '../delta/vacuum.ts';
import { mkdir, readdir, rm, rmdir } from '../../../world/files.ts';

const lockName = '_lock';

const ownNames = new Set<string>([lockName, folderNames.serviceLock]);

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
    names.includes(logName) ||
    names.every(
      (name) => ownNames.has(name) || name.startsWith(folderNames.health) || isPartial(name, folder),
    );
  if (isOurs) return;
  if (await hasOwnFiles(folder))
    throw invalidInput(
      `${basename(folder)} has the files of a mirror, but its log, the folder ${logName}, is missing. Restore the log from a copy, or remove the folder to start again.`,
    );
  throw new AppError('file_exists', { file: basename(folder) });
}

/**
 * Creates a folder and locks it; a lock ends with its process.
 * @param name of the lock
 * @param reason why it may be locked already
 * @throws AppError `file_unwritable` if it is
 */
export async function lockFolder(
  folder: string,
  name: string = lockName,
  reason = 'another run is updating it',
): Promise<Lock> {
  const file = basename(folder);
  const lock = await withWriteErrors(file, async () => {
    await mkdir(folder, { recursive: true });
    return takeLock(join(folder, name));
  });
  if (lock) return lock;
  throw new AppError('file_unwritable', { file, reason, isBusy: true });
}

/** Whether a folder has files of a table. @throws AppError `file_unwritable` */
async function hasOwnFiles(folder: string): Promise<boolean> {
  const entries = await withWriteErrors(basename(folder), async () =>
    readdir(folder, { recursive: true, withFileTypes: true }),
  );
  return entries.some((entry) => entry.isFile() && isOwnName(entry.name));
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

/** Removes a file, and the folders of its partition that are empty then, as far as possible. */
export async function removePart(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true }).catch(() => undefined);
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const isRemoved = await rmdir(join(folder, parent)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
