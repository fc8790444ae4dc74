import { AppError } from '../../shared/errors.ts';
import type { Clock } from './clock.ts';

/** What one try gave: a value, or an error and whether another try may help. */
export type Try<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly error: AppError;
      readonly again: boolean;
      readonly retryAfterMs?: number | null;
    };

export interface RetryPolicy {
  readonly tries: number;
  /** No try begins later than so many milliseconds after the first. */
  readonly withinMs: number;
  /** The first wait is at most so long; each further one at most twice the one before. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** Reads: at most 10 tries and 2 minutes. */
export const readPolicy: RetryPolicy = {
  tries: 10,
  withinMs: 120_000,
  firstWaitMs: 500,
  longestWaitMs: 20_000,
};

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
}

/**
 * Tries until it succeeds, until trying again does not help, or until the policy is used up; then the last
 * error is thrown. Waits grow exponentially with full jitter; a service's Retry-After is never undercut.
 * @throws AppError the last try's, or `cancelled` at any moment
 */
export async function retrying<T>(once: () => Promise<Try<T>>, setting: RetrySetting): Promise<T> {
  const { policy, clock, signal } = setting;
  const began = clock.elapsed();
  for (let tried = 1; ; tried += 1) {
    if (signal?.aborted) throw new AppError('cancelled', {});
    const result = await once();
    if (result.ok) return result.value;
    if (!result.again || tried >= policy.tries || setting.isFinal?.(result.error) === true)
      throw result.error;
    const waitMs = Math.max(jitter(tried, setting), result.retryAfterMs ?? 0);
    if (clock.elapsed() - began + waitMs > policy.withinMs) throw result.error;
    setting.onWait(tried, waitMs, result.error);
    await clock.wait(waitMs, signal);
  }
}

function jitter(tried: number, { policy, random }: RetrySetting): number {
  return Math.round(random() * Math.min(policy.longestWaitMs, policy.firstWaitMs * 2 ** (tried - 1)));
}
