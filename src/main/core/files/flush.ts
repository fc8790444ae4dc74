import { dirname, join, resolve } from 'node:path';
import { closeSync, fsyncSync, mkdir, open, openSync, readdir } from '../../world/files.ts';

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

/** Flushes the names in a folder and in all folders below it. @throws Error of the file system */
export async function flushFolderTree(path: string): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await flushFolder(join(entry.parentPath, entry.name));
  await flushFolder(path);
}

/**
 * Flushes the content of a file that another program or module wrote.
 * @throws Error of the file system
 */
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
 * Flushes the name of a folder, and those of all folders above it: whoever created them may have ended before it flushed.
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
