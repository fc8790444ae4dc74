import { AppError } from '../../../shared/errors.ts';
import type { Clock } from '../../http/clock.ts';

/** The bounds of trying again what was certainly not stored: 10 tries and 2 minutes. */
export const retryBounds = { tries: 10, totalMs: 120_000, firstMs: 500, longestMs: 30_000 } as const;

/** Counts the tries of one part. */
export interface Tries {
  /**
   * Waits before the next try: as long as the service asked, else longer each time, with jitter.
   * @throws the error when the bounds are reached; AppError cancelled when the signal aborts
   */
  again(error: AppError, retryAfterMs: number | null): Promise<void>;
}

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Told how long the wait is; null when it is over. */
  readonly onWait: (ms: number | null) => void;
}

export function countTries({ clock, random, signal, onWait }: RetryOptions): Tries {
  const began = clock.elapsed();
  let tries = 1;
  return {
    async again(error, retryAfterMs) {
      const backoff =
        Math.min(retryBounds.longestMs, retryBounds.firstMs * 2 ** (tries - 1)) * (0.5 + random() / 2);
      const ms = Math.max(backoff, retryAfterMs ?? 0);
      if (tries >= retryBounds.tries || clock.elapsed() - began + ms > retryBounds.totalMs) throw error;
      tries++;
      if (signal.aborted) throw new AppError('cancelled', {});
      onWait(ms);
      try {
        await clock.wait(ms, signal);
      } finally {
        onWait(null);
      }
    },
  };
}
