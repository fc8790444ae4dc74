import { AppError } from '../../shared/errors/errors.ts';

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
export type Limiter = ReturnType<typeof createLimiter>;

/** Rising latency takes the number down to this, never below. */
const gentle = 2;

export function createLimiter({ start = 8, most = 16 }: { start?: number; most?: number } = {}) {
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
    /** How many may run at once now. */
    get limit(): number {
      return limit;
    },
    /** @throws AppError `cancelled` as soon as the signal aborts */
    async acquire(signal?: AbortSignal): Promise<Slot> {
      if (signal?.aborted) throw new AppError('cancelled', {});
      return running < limit && waiting.length === 0 ? makeSlot() : queue(signal);
    },
  };
}

/** Slowed down: so many times the usual, and so many milliseconds beyond it. Less is weather. */
const factor = 2.5;
const beyondMs = 100;
/** Rounds after which what was unusual is the new usual: links and questions change. */
const memory = 20;

function watchLatency() {
  let usual = Number.POSITIVE_INFINITY;
  let quickest = Number.POSITIVE_INFINITY;
  let seen = 0;
  return {
    /**
     * Takes in how long an answer took to begin.
     * @param ms from the request to the first byte of the answer
     * @param round how many answers make a round: as many as run at once
     * @returns true once for each round in which the service slowed down
     */
    slowed(ms: number, round: number): boolean {
      quickest = Math.min(quickest, ms);
      seen += 1;
      if (seen < round) return false;
      const now = quickest;
      seen = 0;
      quickest = Number.POSITIVE_INFINITY;
      const slow = now > usual * factor && now > usual + beyondMs;
      usual = now < usual ? now : usual + (now - usual) / memory;
      return slow;
    },
  };
}
