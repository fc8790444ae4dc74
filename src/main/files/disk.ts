import { open, rename, rm, type FileHandle, realpath } from 'node:fs/promises';
import { isHeld, writeError } from './file-errors.ts';
import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openRegular } from './regular-file.ts';

/** How often a rename is tried: on Windows a scanner may hold the file for a moment. */
const renameTries = 8;

/** Renames, trying again for about two seconds where another program holds the file (EBUSY, EPERM, EACCES). */
export async function renameFile(from: string, to: string): Promise<void> {
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

/** Opens a file that nobody else has put there: in a folder of others, a link could lead to another file of the person's. */
async function openNew(path: string): Promise<FileHandle> {
  // What a crash left.
  await rm(path, { force: true });
  return open(path, 'wx', 0o600);
}

let written = 0;

/**
 * Writes a file whole or not at all: beside it, flushed, then renamed over it.
 * @param text all of it, or its parts, one after the other
 */
export async function writeWhole(path: string, text: string | Iterable<string>): Promise<void> {
  // A name of its own: two that write the same file at once would otherwise take each other's away.
  written += 1;
  const beside = `${path}.${process.pid}-${written}.tmp`;
  try {
    const file = await openNew(beside);
    try {
      for (const part of typeof text === 'string' ? [text] : text) await file.writeFile(part);
      await file.datasync();
    } finally {
      await file.close();
    }
    await renameFile(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function sameFile(from: string, to: string): Promise<boolean> {
  const [first, second] = await Promise.all([from, to].map((path) => realpath(path).catch(() => null)));
  return first !== null && first === second;
}

/**
 * Copies a file whole or not at all: beside the target, flushed, then renamed over it. What stood there is replaced.
 * @throws AppError file_unreadable, file_unwritable or disk_full, with names instead of paths
 */
export async function copyWhole(from: string, to: string): Promise<void> {
  const beside = `${to}.${process.pid}.partial`;
  const file = basename(to);
  let written = (): number => 0;
  try {
    if (await sameFile(from, to)) return;
    // Not what a link leads to that somebody else put there.
    await rm(beside, { force: true });
    const source = (await openRegular(from, basename(from))).createReadStream();
    const target = createWriteStream(beside, { flush: true, flags: 'wx' });
    written = () => target.bytesWritten;
    await pipeline(source, target);
    await renameFile(beside, to);
  } catch (cause) {
    await rm(beside, { force: true });
    throw writeError(cause, file, written());
  }
}
