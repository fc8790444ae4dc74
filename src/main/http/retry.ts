import { AppError } from '../../shared/errors/errors.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** What one try gave: a value, or an error and whether another try may help. */
export type Try<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly error: AppError;
      readonly again: boolean;
      readonly retryAfterMs?: number | null;
    };

/** How waits between tries grow: the first is at most `firstMs` long, each further one at most twice the one before. */
interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

interface RetryPolicy extends Backoff {
  readonly tries: number;
  /** No try begins later than so many milliseconds after the first. */
  readonly withinMs: number;
}

/** Reads: at most 10 tries and 2 minutes. */
export const readPolicy: RetryPolicy = { tries: 10, withinMs: 120_000, firstMs: 500, longestMs: 20_000 };

/** Inserts of what was certainly not stored: at most 10 tries and 2 minutes. */
export const insertPolicy: RetryPolicy = { ...readPolicy, longestMs: 30_000 };

/**
 * The longest wait after failures in a row, in milliseconds.
 * @param failures from 1
 */
export const longestWait = ({ firstMs, longestMs }: Backoff, failures: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));

export interface RetrySetting {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal | undefined;
  /** Failures that are not tried again, although that might help. */
  readonly isFinal?: ((error: AppError) => boolean) | undefined;
  /** Told before each wait; `tried` counts from 1. */
  readonly onWait: (tried: number, waitMs: number, error: AppError) => void;
  /** Told after each wait, also one that was cancelled. */
  readonly onWaited?: (() => void) | undefined;
}

/** Counts the tries of one request. */
export interface Tries {
  /**
   * Waits before the next try: with full jitter, and at least as long as the service asked.
   * @throws the error when the policy is used up; AppError `cancelled` when the signal aborts
   */
  again(error: AppError, retryAfterMs: number | null): Promise<void>;
}

export function countTries({ policy, clock, random, signal, onWait, onWaited }: RetrySetting): Tries {
  const began = clock.elapsed();
  let tried = 0;
  return {
    async again(error, retryAfterMs) {
      tried += 1;
      if (tried >= policy.tries) throw error;
      const waitMs = Math.max(Math.round(random() * longestWait(policy, tried)), retryAfterMs ?? 0);
      if (clock.elapsed() - began + waitMs > policy.withinMs) throw error;
      if (signal?.aborted) throw new AppError('cancelled', {});
      onWait(tried, waitMs, error);
      try {
        await clock.wait(waitMs, signal);
      } finally {
        onWaited?.();
      }
    },
  };
}

/**
 * Tries until it succeeds, until trying again does not help, or until the policy is used up; then the last
 * error is thrown.
 * @throws AppError the last try's, or `cancelled` at any moment
 */
export async function retrying<T>(once: () => Promise<Try<T>>, setting: RetrySetting): Promise<T> {
  const tries = countTries(setting);
  for (;;) {
    if (setting.signal?.aborted) throw new AppError('cancelled', {});
    const result = await once();
    if (result.ok) return result.value;
    if (!result.again || setting.isFinal?.(result.error) === true) throw result.error;
    await tries.again(result.error, result.retryAfterMs ?? null);
  }
}

/**
 * Milliseconds that a `Retry-After` header asks to wait: seconds or a date. Null when it is absent, past or
 * unreadable.
 * @param now wall time in Unix milliseconds
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Without a letter Date.parse would read "-5" as a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

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
