import { AppError } from '../../src/shared/errors/errors.ts';
import type { Clock } from '../../src/main/core/wire/http/retry.ts';

export interface TestClock extends Clock {
  /** Every wait up to now, in milliseconds. */
  readonly waits: number[];
  /** Advances the clock. */
  pass(ms: number): void;
}

/**
 * A clock that advances only by its waits, which end immediately; `frozen`: not even by those, for many parallel
 * waits.
 */
export function testClock({ start = Date.parse('2026-01-01T00:00:00Z'), frozen = false } = {}): TestClock {
  let passed = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => start + passed,
    elapsed: () => passed,
    async wait(ms, signal) {
      if (signal?.aborted) throw new AppError('cancelled', {});
      waits.push(ms);
      if (!frozen) passed += ms;
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) throw new AppError('cancelled', {});
    },
    pass(ms) {
      passed += ms;
    },
  };
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
