import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../shared/errors/errors.ts';

/** The times that retry and tokens go by; a test brings its own and waits for nothing. */
export interface Clock {
  /** Wall time in Unix milliseconds: for dates that a service names. */
  now(): number;
  /** Milliseconds that only ever grow: for measuring how long something took. */
  elapsed(): number;
  /** Waits so many milliseconds. @throws AppError `cancelled` as soon as the signal aborts */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async wait(ms, signal) {
    try {
      await sleep(ms, undefined, signal ? { signal } : {});
    } catch {
      throw new AppError('cancelled', {});
    }
  },
};
