import { dirname, resolve } from 'node:path';
import { isHeld } from './file-errors.ts';
import {
  open,
  rename,
  rm,
  type FileHandle,
  closeSync,
  fsyncSync,
  access,
  mkdir,
  openSync,
} from '../../world/files.ts';
import { sleep } from '../../world/time.ts';

/** What systems, network drives, and Node's permission model answer for folders that can't be read or flushed. */
const unsupportedCodes = new Set([
  'EINVAL',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EBADF',
  'EISDIR',
  'EACCES',
  'EPERM',
  'ERR_ACCESS_DENIED',
]);

/** Windows flushes no folders. */
const canFlushFolders = process.platform !== 'win32';

const isUnsupported = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && unsupportedCodes.has(String(error.code));

/**
 * Flushes the names in a folder to disk: without it, a power loss can undo that a file was created, renamed, or removed.
 * Does nothing where the system can't.
 * @param path of the folder
 * @throws Error of the file system
 */
export async function flushFolder(path: string): Promise<void> {
  if (!canFlushFolders) return;
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}

/** As {@link flushFolder}, for threads. @throws Error of the file system */
export function flushFolderSync(path: string): void {
  if (!canFlushFolders) return;
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}

/** Whether there is a file or folder at a path. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Flushes the content of a file that another program or module wrote. @throws Error of the file system */
export async function flushFile(path: string): Promise<void> {
  // Windows flushes only files that are open for writing.
  const file = await open(path, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Cuts a file, also on disk: a power loss could mix what was cut with what is written in its place. It opens the file
 * itself, because Windows can't cut a file that is open to append.
 * @throws Error of the file system
 */
export async function cutTo(path: string, length: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(length);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Flushes the name of a folder, and those of all folders above it, which the process that created them may not have flushed.
 * @throws Error of the file system
 */
export async function flushFolderNames(path: string): Promise<void> {
  for (let at = resolve(path); at !== dirname(at); at = dirname(at)) await flushFolder(dirname(at));
}

/**
 * Creates a folder, readable by its user alone, with those above it; their names are on disk when the promise resolves.
 * @throws Error of the file system
 */
export async function createFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await flushFolderNames(path);
}

/** Number of tries of a rename: on Windows a virus scanner may hold the file for a moment. */
const renameTries = 8;

/**
 * Renames, with retries for about two seconds while another program holds the file (EBUSY, EPERM, EACCES). The new name
 * is on disk when the promise resolves.
 * @throws Error of the file system
 */
export async function renameFile(from: string, to: string): Promise<void> {
  await renameUnflushed(from, to);
  for (const folder of new Set([dirname(to), dirname(from)])) await flushFolder(folder);
}

/**
 * As {@link renameFile}, for many files whose folders the caller flushes once.
 * @throws Error of the file system
 */
export async function renameUnflushed(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (attempt === renameTries || !isHeld(error)) throw error;
      await sleep(2 ** attempt * 8);
    }
  }
}

/** Creates a file that must not exist: in a shared folder, a link could lead to another file. */
async function openNew(path: string): Promise<FileHandle> {
  // What a crash left.
  await rm(path, { force: true });
  return open(path, 'wx', 0o600);
}

let writeCount = 0;

/**
 * Writes a file completely or not at all: to a temporary file, flushed, then renamed, and its folder is flushed. After a
 * kill or a power loss it has its earlier content or the new one; when the promise resolves, the new one.
 * @param text all of it, or its parts in order
 * @throws Error of the file system
 */
export async function writeWhole(path: string, text: string | Iterable<string>): Promise<void> {
  // A unique name: concurrent writers of the same file must not remove each other's.
  writeCount += 1;
  const temporaryPath = `${path}.${process.pid}-${writeCount}.tmp`;
  try {
    const file = await openNew(temporaryPath);
    try {
      for (const part of typeof text === 'string' ? [text] : text) await file.writeFile(part);
      await file.datasync();
    } finally {
      await file.close();
    }
    await renameFile(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}
