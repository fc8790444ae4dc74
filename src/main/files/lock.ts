import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Native from 'fs-native-extensions';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

let native: typeof Native | undefined;

/** Native code, found by way of a dozen files: a start that locks nothing, such as that of a single read, does without. */
function tryLock(fd: number): boolean {
  native ??= createRequire(import.meta.url)('fs-native-extensions') as typeof Native;
  return native.tryLock(fd);
}

/** A lock of the operating system, held by this process until released. */
export interface Lock {
  release(): void;
}

/**
 * Takes the operating system's own lock on a file, creating the file. The system lets go of it when the process ends,
 * however it ends, so a lock left by a kill needs no clearing up.
 * @returns null when somebody else, this process included, holds it
 */
export function takeLock(path: string): Lock | null {
  const fd = openSync(path, 'a+', 0o600);
  let held = true;
  if (!tryLock(fd)) {
    closeSync(fd);
    return null;
  }
  return {
    release() {
      if (held) closeSync(fd);
      held = false;
    },
  };
}

/** Whether somebody holds the lock now. */
export function isLocked(path: string): boolean {
  const lock = takeLock(path);
  lock?.release();
  return lock === null;
}

/** Between two looks at a lock that another process holds, in milliseconds. */
const pause = { first: 20, longest: 250 };

/**
 * Does the work while no other process does work under the same lock. The lock is the operating system's: it is let go
 * of however a process ends.
 * @param patienceMs how long to wait for it
 * @throws what `busy` makes, when it was held all the while
 */
export async function alone<T>(
  path: string,
  patienceMs: number,
  busy: () => Error,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const until = performance.now() + patienceMs;
  let lock = takeLock(path);
  for (let wait = pause.first; lock === null; wait = Math.min(wait * 1.5, pause.longest)) {
    if (performance.now() > until) throw busy();
    await sleep(wait);
    lock = takeLock(path);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
