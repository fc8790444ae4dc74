import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { isHeld } from './file-errors.ts';

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
