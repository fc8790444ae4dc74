import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from './lock.ts';

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
