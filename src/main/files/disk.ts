import { open, rename, rm, type FileHandle, realpath } from 'node:fs/promises';
import { isHeld, writeError } from './file-errors.ts';
import { createWriteStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { flushFolder } from './flush.ts';
import { openRegular } from './regular-file.ts';

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
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 8));
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

async function sameFile(from: string, to: string): Promise<boolean> {
  const [first, second] = await Promise.all([from, to].map((path) => realpath(path).catch(() => null)));
  return first !== null && first === second;
}

/**
 * Copies a file completely or not at all: to a temporary file, flushed, then renamed; replaces an existing
 * target.
 * @throws AppError `file_unreadable`, `file_unwritable`, `disk_full`, with names instead of paths
 */
export async function copyWhole(from: string, to: string): Promise<void> {
  const temporaryPath = `${to}.${process.pid}.partial`;
  const file = basename(to);
  let writeCount = (): number => 0;
  try {
    if (await sameFile(from, to)) return;
    // Does not follow a link that another user created.
    await rm(temporaryPath, { force: true });
    const source = (await openRegular(from, basename(from))).createReadStream();
    const target = createWriteStream(temporaryPath, { flush: true, flags: 'wx' });
    writeCount = () => target.bytesWritten;
    await pipeline(source, target);
    await renameFile(temporaryPath, to);
  } catch (cause) {
    await rm(temporaryPath, { force: true });
    throw writeError(cause, file, writeCount());
  }
}
