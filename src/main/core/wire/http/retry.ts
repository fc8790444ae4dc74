import { AppError } from '../../../../shared/errors/errors.ts';
import { elapsedMs, sleep, wallMs } from '../../../world/time.ts';

/** The result of one try: a value, or an error and whether it is retryable. */
export type TryResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly error: AppError;
      readonly canRetry: boolean;
      readonly retryAfterMs?: number | null;
    };

/** Exponential backoff: the first wait is at most `firstMs`, and each later maximum doubles up to `maxMs`. */
interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

interface RetryPolicy extends Backoff {
  readonly maxTries: number;
  /** No try starts later than this many milliseconds after the first. */
  readonly withinMs: number;
}

export const readPolicy: RetryPolicy = { maxTries: 10, withinMs: 120_000, firstMs: 500, maxMs: 20_000 };

/** Inserts of rows that were certainly not stored: up to 10 tries in 2 minutes. */
export const insertPolicy: RetryPolicy = { ...readPolicy, maxMs: 30_000 };

/** The maximum wait, in milliseconds, after a number of failures in a row. @param failures from 1 */
export const maxWaitMs = ({ firstMs, maxMs }: Backoff, failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));

export interface RetryOptions {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
  readonly signal: AbortSignal | undefined;
  /** Errors that end the retries although they are retryable. */
  readonly isFinal?: ((error: AppError) => boolean) | undefined;
  /** Called before each wait. `tries` counts from 1; `waitMs` is in milliseconds. */
  readonly onWait: (tries: number, waitMs: number, error: AppError) => void;
  /** Called after each wait, canceled or not. */
  readonly onWaited?: (() => void) | undefined;
}

/** Creates the counter of one request. */
export function createRetryCounter({ policy, clock, random, signal, onWait, onWaited }: RetryOptions) {
  const startedAt = clock.elapsed();
  let tries = 0;
  return {
    /**
     * Waits before the next try, with full jitter, and at least as long as Retry-After requires.
     * @param retryAfterMs milliseconds, or null
     * @throws AppError the given error when the policy is exhausted; `cancelled` when the signal aborts
     */
    async waitForNextTry(error: AppError, retryAfterMs: number | null): Promise<void> {
      tries += 1;
      if (tries >= policy.maxTries) throw error;
      const waitMs = Math.max(Math.round(random() * maxWaitMs(policy, tries)), retryAfterMs ?? 0);
      if (clock.elapsed() - startedAt + waitMs > policy.withinMs) throw error;
      if (signal?.aborted) throw new AppError('cancelled', {});
      onWait(tries, waitMs, error);
      try {
        await clock.wait(waitMs, signal);
      } finally {
        onWaited?.();
      }
    },
  };
}

/**
 * Retries an operation until it succeeds, fails with an error that isn't retryable, or exhausts the policy.
 * @throws AppError the error of the last try; `cancelled` when the signal aborts
 */
export async function withRetries<T>(
  runOnce: () => Promise<TryResult<T>>,
  options: RetryOptions,
): Promise<T> {
  const tries = createRetryCounter(options);
  for (;;) {
    if (options.signal?.aborted) throw new AppError('cancelled', {});
    const result = await runOnce();
    if (result.ok) return result.value;
    if (!result.canRetry || options.isFinal?.(result.error) === true) throw result.error;
    await tries.waitForNextTry(result.error, result.retryAfterMs ?? null);
  }
}

/** Ten years: further dates have no text. */
const maxRequestedMs = 10 * 366 * 86_400_000;
/** Timers end at once when they are longer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * The wait of a `Retry-After` header, in milliseconds: it holds seconds or a date.
 * @param now wall time in Unix milliseconds
 * @returns null when the header is absent, past, or unreadable
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(maxRequestedMs, Math.ceil(Number(text) * 1000));
  // Date.parse would read "-5" as a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(maxRequestedMs, Math.max(0, date - now));
}

/** Tests use their own clock. */
export interface Clock {
  /** Wall time in Unix milliseconds, for dates from a service. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  elapsed(): number;
  /** @throws AppError `cancelled` when the signal aborts */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: wallMs,
  elapsed: elapsedMs,
  async wait(ms, signal) {
    try {
      await sleep(Math.min(ms, maxTimerMs), signal ? { signal } : {});
    } catch {
      throw new AppError('cancelled', {});
    }
  },
};
