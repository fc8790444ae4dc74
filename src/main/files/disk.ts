import { open, rename, rm } from 'node:fs/promises';
import { AppError, toAppError } from '../../shared/errors.ts';

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** Whether an error of the file system says that there is no space left. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT');

/** Whether an error of the file system says that something is not there. */
export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  ENOENT: 'it is not there',
  ENOTDIR: 'it is not there',
  EISDIR: 'it is a folder',
  EROFS: 'the disk is read-only',
  EBUSY: 'another program holds it',
  ENAMETOOLONG: 'its name is too long',
};

/** What the file system refused, in words without a path; its own messages hold one. */
export function reasonInWords(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return reasons[code] ?? `the system says ${code}`;
}

/**
 * Anything thrown, as an AppError. What the system says of a failed call names paths, which are not the window's to
 * know: of that only the reason is kept.
 */
export function appErrorFrom(thrown: unknown): AppError {
  if (!(thrown instanceof Error && 'syscall' in thrown)) return toAppError(thrown);
  return new AppError(
    'internal',
    { problem: `a file or link failed, ${reasonInWords(thrown)}` },
    { cause: thrown },
  );
}

/** How often a rename is tried: on Windows a scanner may hold the file for a moment. */
const renameTries = 8;

/** Renames, trying again for about two seconds where another program holds the file (EBUSY, EPERM, EACCES). */
export async function renameFile(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (attempt === renameTries || !hasCode(error, 'EBUSY', 'EPERM', 'EACCES')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 8));
    }
  }
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
    const file = await open(beside, 'w', 0o600);
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
