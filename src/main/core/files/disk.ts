import { dirname } from 'node:path';
import { isHeld } from './file-errors.ts';
import { flushFolder } from './flush.ts';
import { open, rename, rm, type FileHandle } from '../../world/files.ts';
import { sleep } from '../../world/time.ts';

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
