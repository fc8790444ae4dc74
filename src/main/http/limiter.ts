import { AppError } from '../../shared/errors/errors.ts';
import { watchLatency } from './latency.ts';

/** A place among the requests that may run at once; give it back once, with how it went. */
export interface Slot {
  /** @param firstByteMs how long the answer took to begin, when one came */
  release(outcome: 'ok' | 'throttled' | 'failed', firstByteMs?: number): void;
}

/**
 * How many requests may run at once against one service. A 429 halves the number, answers that begin later and later
 * take a fifth of it, successes raise it again by one for each full round: what TCP does on a link it knows nothing
 * about.
 */
export interface Limiter {
  /** @throws AppError `cancelled` as soon as the signal aborts */
  acquire(signal?: AbortSignal): Promise<Slot>;
  /** How many may run at once now. */
  readonly limit: number;
}

/** Rising latency takes the number down to this, never below. */
const gentle = 2;

export function createLimiter({ start = 8, most = 16 }: { start?: number; most?: number } = {}): Limiter {
  const waiting: { give: (slot: Slot) => void }[] = [];
  let limit = start;
  let running = 0;
  let successes = 0;
  // Requests that ran together tell of one jam: only the first of their 429 counts.
  let round = 0;
  const latency = watchLatency();

  function makeSlot(): Slot {
    const began = round;
    let held = true;
    running += 1;
    return {
      release(outcome, firstByteMs) {
        if (!held) return;
        held = false;
        running -= 1;
        if (outcome === 'throttled' && began === round) fall(1, limit / 2);
        if (outcome === 'ok') {
          const slowed = firstByteMs !== undefined && latency.slowed(firstByteMs, limit);
          // One that is slow with little to do is not slow because of us.
          if (!slowed || limit < gentle) rise();
          else if (limit > gentle) fall(gentle, limit * 0.8);
        }
        while (running < limit && waiting.length > 0) waiting.shift()?.give(makeSlot());
      },
    };
  }
  function fall(least: number, to: number): void {
    limit = Math.max(least, Math.floor(to));
    successes = 0;
    round += 1;
  }
  function rise(): void {
    successes += 1;
    if (successes < limit) return;
    successes = 0;
    limit = Math.min(most, limit + 1);
  }
  function queue(signal: AbortSignal | undefined): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const place = {
        give: (slot: Slot) => {
          signal?.removeEventListener('abort', leave);
          resolve(slot);
        },
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(place), 1);
        reject(new AppError('cancelled', {}));
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(place);
    });
  }
  return {
    get limit() {
      return limit;
    },
    async acquire(signal) {
      if (signal?.aborted) throw new AppError('cancelled', {});
      return running < limit && waiting.length === 0 ? makeSlot() : queue(signal);
    },
  };
}
