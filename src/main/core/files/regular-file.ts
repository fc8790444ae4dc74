import { AsyncResource } from 'node:async_hooks';
import { basename, parse } from 'node:path';
import type * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { isMissing, readFailureReason } from './file-errors.ts';
import {
  closeSync,
  constants,
  fstatSync,
  open,
  openSync,
  stat,
  statSync,
  type FileHandle,
  type Stats,
} from '../../world/files.ts';
import { clearTimeout, elapsedMs, setTimeout } from '../../world/time.ts';

interface CallOptions<T> {
  readonly drive: string;
  /** Creates the error after the time limit. */
  readonly late: () => Error;
  /** Takes a result that came after the time limit, such as an open file. */
  readonly abandon?: (result: T) => Promise<unknown>;
}

/**
 * Node has four threads for all files and for the names of hosts; a call that the drive doesn't answer holds one, and can't
 * be stopped. The limiter bounds how many threads such calls hold, one for each drive, and how long a caller waits without any
 * response of the drive. A thread counts as held until its call returns, whether or not somebody still waits for it.
 */
export function createCallLimiter({ maxRunning, limitMs }: { maxRunning: number; limitMs: number }) {
  const waiting: { readonly drive: string; readonly start: () => Promise<void> }[] = [];
  const busyDrives = new Set<string>();
  /** When a call of a drive returned last: those that wait for the drive wait from then. */
  const respondedMs = new Map<string, number>();

  function startNext(): void {
    if (busyDrives.size >= maxRunning) return;
    const at = waiting.findIndex(({ drive }) => !busyDrives.has(drive));
    const [next] = at < 0 ? [] : waiting.splice(at, 1);
    if (!next) return;
    busyDrives.add(next.drive);
    void next.start().finally(() => {
      busyDrives.delete(next.drive);
      respondedMs.set(next.drive, elapsedMs());
      startNext();
    });
  }

  /** @throws the error of the call, or that of `late` when the limit has passed */
  return function run<T>(call: () => Promise<T>, { drive, late, abandon }: CallOptions<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const queuedMs = elapsedMs();
      const expire = (): void => {
        const leftMs = Math.max(queuedMs, respondedMs.get(drive) ?? 0) + limitMs - elapsedMs();
        if (leftMs > 0) {
          timer = setTimeout(expire, leftMs);
          return;
        }
        isLate = true;
        reject(late());
      };
      let timer = setTimeout(expire, limitMs);
      const start = async (): Promise<void> => {
        if (isLate) return;
        try {
          const result = await call();
          if (isLate) await abandon?.(result);
          else resolve(result);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        } finally {
          clearTimeout(timer);
        }
      };
      // It is started by whatever call ends before it, and belongs to its own caller.
      waiting.push({ drive, start: AsyncResource.bind(start) });
      startNext();
    });
  };
}

// Opening a pipe waits for its writer and blocks a thread; opening some devices has effects. So a path is
// checked first, opened without blocking in case it was exchanged, and checked again.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Of Node's four threads: one stays free for Wellbench's own files and for the names of hosts, so two hung drives don't stop a third. */
const run = createCallLimiter({ maxRunning: 3, limitMs: 10_000 });

/** Folders in which systems mount drives, and how many names below them a drive has. */
const mountFolders = { volumes: 1, mnt: 1, media: 2, run: 3 } as const;

/** What a path is on, as far as its text tells: asking the system could hang. */
export function driveOf(path: string): string {
  const { root } = parse(path);
  if (root !== '/') return root.toLowerCase();
  const names = path.split('/').filter((name) => name !== '');
  const below = Object.entries(mountFolders).find(([folder]) => folder === names[0]?.toLowerCase())?.[1] ?? 0;
  return names.slice(0, 1 + below).join('/');
}

/** Why an item isn't a regular file; null: it is one. */
export function objectionTo(item: Stats): string | null {
  if (item.isFile()) return null;
  return item.isDirectory() ? 'it is a folder' : 'it is a pipe or a device';
}

const unreadable = (file: string, reason: string, cause?: unknown): AppError<'file_unreadable'> =>
  new AppError('file_unreadable', { file, reason }, { cause });

function check(item: Stats, file: string): void {
  const reason = objectionTo(item);
  if (reason !== null) throw unreadable(file, reason);
}

const failure = (error: unknown, file: string): AppError =>
  error instanceof AppError ? error : unreadable(file, readFailureReason(error), error);

const late = (file: string) => () => failure(Object.assign(new Error('no response'), { code: 'EIO' }), file);

async function checkedStats(path: string, file: string): Promise<Stats> {
  try {
    const stats = await stat(path);
    check(stats, file);
    return stats;
  } catch (error) {
    throw failure(error, file);
  }
}

async function openChecked(path: string, file: string): Promise<FileHandle> {
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

/**
 * Size in bytes and last change of a user's file, without opening it.
 * @throws AppError `file_unreadable`, also for folders, pipes, sockets, devices, and drives that don't respond
 */
export const statRegular = (path: string, file: string): Promise<Stats> =>
  run(() => checkedStats(path, file), { drive: driveOf(path), late: late(file) });

/**
 * Opens a user's file for reading.
 * @param file its name in errors
 * @throws AppError `file_unreadable`, also for folders, pipes, sockets, devices, and drives that don't respond
 */
export const openRegular = (path: string, file: string): Promise<FileHandle> =>
  run(() => openChecked(path, file), {
    drive: driveOf(path),
    late: late(file),
    abandon: (handle) => handle.close(),
  });

/** {@link openRegular} for threads that may wait. @returns a file descriptor @throws AppError `file_unreadable` */
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

const defaultMaxBytes = 20_000_000;
/** Most files fit into the first block. */
const firstBlockBytes = 16 * 1024;
const blockBytes = 256 * 1024;

const tooLarge = (file: string, maxBytes: number): AppError =>
  unreadable(file, `it is larger than ${maxBytes / 1_000_000} MB`);

/**
 * Reads a small user's file, in blocks, for each of which the time limit applies.
 * @param maxBytes limit in bytes; default: 20 MB
 * @throws AppError `file_unreadable`
 */
export async function readRegular(path: string, file: string, maxBytes = defaultMaxBytes): Promise<Buffer> {
  const handle = await openRegular(path, file);
  const close = (): Promise<void> => handle.close().catch(() => undefined);
  let isHung = false;
  try {
    const blocks: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const block = Buffer.allocUnsafe(bytes < firstBlockBytes ? firstBlockBytes : blockBytes);
      const { bytesRead } = await run(() => handle.read(block), {
        drive: driveOf(path),
        late() {
          isHung = true;
          return late(file)();
        },
        // The thread still reads into it until then.
        abandon: close,
      });
      if (bytesRead === 0) return Buffer.concat(blocks);
      bytes += bytesRead;
      if (bytes > maxBytes) throw tooLarge(file, maxBytes);
      blocks.push(block.subarray(0, bytesRead));
    }
  } catch (error) {
    throw failure(error, file);
  } finally {
    if (!isHung) await close();
  }
}

/**
 * As {@link readRegular}, for a file that may not exist.
 * @returns null if it doesn't exist
 * @throws AppError `file_unreadable`
 */
export async function readRegularIfExists(
  path: string,
  file: string,
  maxBytes = defaultMaxBytes,
): Promise<Buffer | null> {
  try {
    return await readRegular(path, file, maxBytes);
  } catch (error) {
    if (error instanceof AppError && isMissing(error.cause)) return null;
    throw error;
  }
}

/**
 * Reads a text file of the data folder. Those are Wellbench's own, so that reading them doesn't wait for files of the user;
 * what isn't a regular file is refused all the same.
 * @returns null if it doesn't exist
 * @throws AppError `file_unreadable`
 */
export async function readOwnText(path: string, file: string): Promise<string | null> {
  try {
    const handle = await openChecked(path, file);
    try {
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const problem = failure(error, file);
    if (isMissing(problem.cause)) return null;
    throw problem;
  }
}

/** A JSON file of the data folder, by a schema; undefined if it is missing or damaged, or can't be read. */
export async function readOwnJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readOwnText(path, basename(path)).catch(() => null);
  return schema.safeParse(jsonOrNull(text ?? '')).data;
}
