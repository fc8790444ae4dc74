import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../shared/errors/errors.ts';
import { reasonInWords } from './file-errors.ts';

// Opening a pipe waits for who writes to it, and a thread that waits so can't be ended; opening some devices does
// something. So a path is looked at first, opened without waiting in case it was exchanged since, and looked at again.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Why something is no regular file, in words; null: it is one. */
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
  error instanceof AppError ? error : unreadable(file, reasonInWords(error), error);

/**
 * The size of a file of a person's, in bytes, without opening it.
 * @throws AppError file_unreadable, also for folders, pipes, sockets and devices
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
 * Opens a file of a person's to read it.
 * @param file what an error calls it
 * @throws AppError file_unreadable, also for folders, pipes, sockets and devices
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
 * All of a small file of a person's.
 * @param maxBytes a larger one is refused; default: 20 MB
 * @throws AppError file_unreadable
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

/**
 * Whether a path can be written to: nothing is there, or a regular file. Opening a pipe waits for who reads it.
 * @throws AppError file_unwritable
 */
export async function checkReplaceable(path: string, file: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  const reason = found && objection(found);
  if (reason !== null) throw new AppError('file_unwritable', { file, reason });
}
