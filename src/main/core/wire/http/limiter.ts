import { onAbort } from '../../../../shared/abort.ts';
import { AppError } from '../../../../shared/errors/errors.ts';

/** A permit to run one request; released once, with the outcome. */
export interface Permit {
  /**
   * Releases the permit.
   * @param firstByteMs time to the first byte of the response, in milliseconds
   */
  release(outcome: 'ok' | 'throttled' | 'failed', firstByteMs?: number): void;
}

/**
 * Limits the concurrent requests to one service. A 429 halves the limit, rising latency lowers it by a fifth,
 * and each full round of successes raises it by one (additive increase, multiplicative decrease, as in TCP).
 */
export type Limiter = ReturnType<typeof createLimiter>;

/** Rising latency doesn't lower the limit below this. */
const minLatencyLimit = 2;

/** Creates the limiter of one service. @param limits the initial and the highest limit */
export function createLimiter({
  startLimit = 8,
  maxLimit = 16,
}: { startLimit?: number; maxLimit?: number } = {}) {
  const waiters: { grant: (permit: Permit) => void }[] = [];
  let limit = startLimit;
  let running = 0;
  let successes = 0;
  // Requests of one round share one congestion event: only the first 429 of a round counts.
  let round = 0;
  const latency = createLatencyMonitor();

  function createPermit(): Permit {
    const startRound = round;
    let isHeld = true;
    running += 1;
    return {
      release(outcome, firstByteMs) {
        if (!isHeld) return;
        isHeld = false;
        running -= 1;
        if (outcome === 'throttled' && startRound === round) lowerLimit(1, limit / 2);
        if (outcome === 'ok') {
          const hasSlowed = firstByteMs !== undefined && latency.hasSlowedDown(firstByteMs, limit);
          // At the lowest limits, a slow response isn't caused by our own requests.
          if (!hasSlowed || limit < minLatencyLimit) raiseLimit();
          else if (limit > minLatencyLimit) lowerLimit(minLatencyLimit, limit * 0.8);
        }
        while (running < limit && waiters.length > 0) waiters.shift()?.grant(createPermit());
      },
    };
  }
  function lowerLimit(min: number, to: number): void {
    limit = Math.max(min, Math.floor(to));
    successes = 0;
    round += 1;
  }
  function raiseLimit(): void {
    successes += 1;
    if (successes < limit) return;
    successes = 0;
    limit = Math.min(maxLimit, limit + 1);
  }
  function queue(signal: AbortSignal | undefined): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const waiter = {
        grant: (permit: Permit) => {
          stop();
          resolve(permit);
        },
      };
      waiters.push(waiter);
      const stop = onAbort(signal, () => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(new AppError('cancelled', {}));
      });
    });
  }
  return {
    /** The current limit. */
    get limit(): number {
      return limit;
    },
    /**
     * Waits for a permit.
     * @throws AppError `cancelled` when the signal aborts
     */
    async acquire(signal?: AbortSignal): Promise<Permit> {
      if (signal?.aborted) throw new AppError('cancelled', {});
      return running < limit && waiters.length === 0 ? createPermit() : queue(signal);
    },
  };
}

/**
 * A round is slow beyond this factor of the usual latency and this many milliseconds above it. Smaller
 * differences are noise.
 */
const slowFactor = 2.5;
const slowMarginMs = 100;
/** Number of rounds after which a changed latency counts as usual. */
const memoryRounds = 20;

function createLatencyMonitor() {
  let usualMs = Number.POSITIVE_INFINITY;
  let quickestMs = Number.POSITIVE_INFINITY;
  let responses = 0;
  return {
    /**
     * Records the latency of one response.
     * @param ms time to the first byte, in milliseconds
     * @param round number of responses in a round: the current limit
     * @returns true once for each round in which the service slowed down
     */
    hasSlowedDown(ms: number, round: number): boolean {
      quickestMs = Math.min(quickestMs, ms);
      responses += 1;
      if (responses < round) return false;
      const roundMs = quickestMs;
      responses = 0;
      quickestMs = Number.POSITIVE_INFINITY;
      const isSlow = roundMs > usualMs * slowFactor && roundMs > usualMs + slowMarginMs;
      usualMs = roundMs < usualMs ? roundMs : usualMs + (roundMs - usualMs) / memoryRounds;
      return isSlow;
    },
  };
}
