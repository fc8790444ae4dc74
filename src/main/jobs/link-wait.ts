import type { AppError } from '../../shared/errors/errors.ts';
import type { Clock } from '../http/clock.ts';
import { longestWait } from '../http/retry.ts';
import { orAborted } from './or-aborted.ts';

/** The waits for a lost link, in milliseconds: each twice the one before. */
export const linkWaits = { firstMs: 1000, longestMs: 30_000 } as const;

export interface LinkWaitOptions {
  readonly clock: Clock;
  /** Of the job. */
  readonly signal: AbortSignal;
  /** Told what is waited for, and how long; null: nothing any more. */
  readonly onChange: (wait: { readonly error: AppError; readonly ms: number } | null) => void;
}

/** How the requests of one job wait while the service can't be reached: all of them for the same next try. */
export interface LinkWait {
  /** @throws `cancelled` */
  wait(error: AppError, signal?: AbortSignal): Promise<void>;
  /** Ends the wait now. */
  wake(): void;
}

/** Whether the service may be reached again without anybody doing anything about it: a certificate stays wrong. */
export function mayComeBack(error: AppError): boolean {
  if (!error.is('unreachable') || error.details.reason === 'tls') return false;
  const { proxy } = error.details;
  if (!proxy) return true;
  // A proxy that says no says so again; one that can't be reached, or fails, may be left behind or recover.
  return proxy.status === undefined ? proxy.kind !== 'socks' : proxy.status >= 500;
}

export function createLinkWait({ clock, signal, onChange }: LinkWaitOptions): LinkWait {
  let inARow = 0;
  let lastEnd = -Infinity;
  let shared: { readonly over: Promise<void>; readonly wake: AbortController } | null = null;

  function begin(error: AppError): NonNullable<typeof shared> {
    // A try that failed long after the last wait is a new loss.
    if (clock.elapsed() - lastEnd > linkWaits.longestMs) inARow = 0;
    const ms = longestWait(linkWaits, ++inARow);
    const wake = new AbortController();
    onChange({ error, ms });
    return { over: pass(ms, wake.signal), wake };
  }

  async function pass(ms: number, woken: AbortSignal): Promise<void> {
    try {
      await clock.wait(ms, AbortSignal.any([signal, woken]));
    } catch (error) {
      if (signal.aborted || !woken.aborted) throw error;
    } finally {
      lastEnd = clock.elapsed();
      shared = null;
      onChange(null);
    }
  }

  return {
    wait(error, own) {
      shared ??= begin(error);
      return orAborted(shared.over, own);
    },
    wake() {
      inARow = 0;
      shared?.wake.abort();
    },
  };
}
