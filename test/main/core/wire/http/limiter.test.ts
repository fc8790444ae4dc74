import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter, type Permit } from '../../../../../src/main/core/wire/http/http.ts';

async function take(limiter: ReturnType<typeof createLimiter>, count: number): Promise<Permit[]> {
  return Promise.all(Array.from({ length: count }, () => limiter.acquire()));
}

describe('the limiter', () => {
  it('halves on a 429, once for requests that ran together', async () => {
    const limiter = createLimiter({ startLimit: 8 });
    const slots = await take(limiter, 8);
    for (const slot of slots) slot.release('throttled');
    expect(limiter.limit).toBe(4);
    const next = await take(limiter, 4);
    for (const slot of next) slot.release('throttled');
    expect(limiter.limit).toBe(2);
  });

  it('never falls below one, and recovers by one for each full round, up to its maximum', async () => {
    const limiter = createLimiter({ startLimit: 1, maxLimit: 4 });
    (await limiter.acquire()).release('throttled');
    expect(limiter.limit).toBe(1);
    for (let n = 0; n < 1 + 2 + 3; n += 1) (await limiter.acquire()).release('ok');
    expect(limiter.limit).toBe(4);
    for (let n = 0; n < 100; n += 1) (await limiter.acquire()).release('ok');
    expect(limiter.limit).toBe(4);
  });

  it('falls when even the fastest response of each round is late, and recovers when they are fast', async () => {
    const limiter = createLimiter({ startLimit: 8, maxLimit: 8 });
    const round = async (ms: (n: number) => number) => {
      const slots = await take(limiter, limiter.limit);
      for (const [n, slot] of slots.entries()) slot.release('ok', ms(n));
    };
    for (let n = 0; n < 5; n += 1) await round(() => 40);
    // One slow request among fast ones says nothing about the service.
    for (let n = 0; n < 5; n += 1) await round((nth) => (nth === 0 ? 9000 : 40));
    expect(limiter.limit).toBe(8);
    const limits: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      await round(() => 400);
      limits.push(limiter.limit);
    }
    expect(limits).toEqual([6, 4, 3, 2]);
    await round(() => 400);
    expect(limiter.limit).toBe(2);
    for (let n = 0; n < 6; n += 1) await round(() => 40);
    expect(limiter.limit).toBe(8);
  });

  it('adapts to a connection that stays slow', async () => {
    const limiter = createLimiter({ startLimit: 4, maxLimit: 8 });
    (await limiter.acquire()).release('ok', 10);
    for (let n = 0; n < 2000; n += 1) (await limiter.acquire()).release('ok', n < 20 ? 10 : 600);
    expect(limiter.limit).toBe(8);
  });

  it('releases a waiting request when it is canceled, along with its slot', async () => {
    const limiter = createLimiter({ startLimit: 1 });
    const held = await limiter.acquire();
    const cancel = new AbortController();
    const cancelled = limiter.acquire(cancel.signal);
    const next = limiter.acquire();
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    held.release('ok');
    (await next).release('ok');
    await expect(limiter.acquire(cancel.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('runs every request in the end, and never more at once than its limit', async () => {
    const outcomes = fc.array(fc.constantFrom('ok', 'throttled', 'failed'), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(outcomes, fc.integer({ min: 1, max: 8 }), async (planned, startLimit) => {
        const limiter = createLimiter({ startLimit, maxLimit: 10 });
        let running = 0;
        const runs = planned.map(async (outcome) => {
          const slot = await limiter.acquire();
          running += 1;
          expect(running).toBeLessThanOrEqual(10);
          await Promise.resolve();
          running -= 1;
          slot.release(outcome);
          slot.release('throttled');
        });
        await Promise.all(runs);
        expect(running).toBe(0);
      }),
    );
  });
});
