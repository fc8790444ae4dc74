import { dirname } from 'node:path';
import { closeSync, mkdir, openSync, tryLock } from '../../world/files.ts';
import { elapsedMs, sleep } from '../../world/time.ts';

/** A lock of the operating system, held by this process until released. */
export interface Lock {
  release(): void;
}

/**
 * Takes an operating system lock on a file, creating the file. The system releases it when the process ends
 * in any way, so stale locks don't exist.
 * @returns null if another holder, this process included, has it
 * @throws Error of the file system
 */
export function takeLock(path: string): Lock | null {
  const fd = openSync(path, 'a+', 0o600);
  let isHeld = false;
  try {
    isHeld = tryLock(fd);
  } finally {
    // Some network drives have no locks, which is an error.
    if (!isHeld) closeSync(fd);
  }
  if (!isHeld) return null;
  return {
    release() {
      if (isHeld) closeSync(fd);
      isHeld = false;
    },
  };
}

/** Whether a holder has the lock now. @throws Error of the file system */
export function isLocked(path: string): boolean {
  const lock = takeLock(path);
  lock?.release();
  return lock === null;
}

/** Polling interval for a lock of another process, in milliseconds. */
const pause = { first: 20, longest: 250 };

/**
 * Runs work while no other process works under the same lock.
 * @param timeoutMs how long to wait for the lock
 * @throws the error that `busy` creates when the lock isn’t released in time; errors of the work
 */
export async function withFileLock<T>(
  path: string,
  timeoutMs: number,
  busy: () => Error,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const until = elapsedMs() + timeoutMs;
  let lock = takeLock(path);
  for (let wait = pause.first; lock === null; wait = Math.min(wait * 1.5, pause.longest)) {
    if (elapsedMs() > until) throw busy();
    await sleep(wait);
    lock = takeLock(path);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
