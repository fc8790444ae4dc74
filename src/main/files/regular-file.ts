import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../shared/errors/errors.ts';
import { readFailureReason } from './file-errors.ts';

// Opening a pipe waits for its writer and blocks a thread; opening some devices has effects. So a path is
// checked first, opened without blocking in case it was exchanged, and checked again.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Why something isn't a regular file; null if it is. */
function objection(found: Stats): string | null {
  if (found.isFile()) return null;
  return found.isDirectory() ? 'it is a folder' : 'it is a pipe or a device';
}

const unreadable = (file: string, reason: string, cause?: unknown): AppError<'file_unreadable'> =>
  new AppError('file_unreadable', { file, reason }, { cause });

function check(found: Stats, file: string): void {
  const reason = objection(found);
  if (reason !== null) throw unreadable(file, reason);
}

const failure = (error: unknown, file: string): AppError =>
  error instanceof AppError ? error : unreadable(file, readFailureReason(error), error);

/**
 * The size of a user's file, in bytes, without opening it.
 * @throws AppError `file_unreadable`, also for folders, pipes, sockets, and devices
 */
export async function sizeOfRegular(path: string, file: string): Promise<number> {
  try {
    const found = await stat(path);
    check(found, file);
    return found.size;
  } catch (error) {
    throw failure(error, file);
  }
}

/**
 * Opens a user's file for reading.
 * @param file its name in errors
 * @throws AppError `file_unreadable`, also for folders, pipes, sockets, and devices
 */
export async function openRegular(path: string, file: string): Promise<FileHandle> {
  let handle: FileHandle | null = null;
  try {
    check(await stat(path), file);
    handle = await open(path, flags);
    check(await handle.stat(), file);
    return handle;
  } catch (error) {
    await handle?.close();
    throw failure(error, file);
  }
}

/** {@link openRegular} for threads that may wait. @returns a file descriptor */
export function openRegularSync(path: string, file: string): number {
  let fd: number | null = null;
  try {
    check(statSync(path), file);
    fd = openSync(path, flags);
    check(fstatSync(fd), file);
    return fd;
  } catch (error) {
    if (fd !== null) closeSync(fd);
    throw failure(error, file);
  }
}

/**
 * Reads a small user's file.
 * @param maxBytes limit in bytes; default: 20 MB
 * @throws AppError `file_unreadable`
 */
export async function readRegular(path: string, file: string, maxBytes = 20_000_000): Promise<Buffer> {
  const handle = await openRegular(path, file);
  try {
    if ((await handle.stat()).size > maxBytes)
      throw unreadable(file, `it is larger than ${maxBytes / 1_000_000} MB`);
    return await handle.readFile();
  } catch (error) {
    throw failure(error, file);
  } finally {
    await handle.close();
  }
}
