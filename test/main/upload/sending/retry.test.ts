import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors.ts';
import { countTries } from '../../../../src/main/upload/sending/retry.ts';
import { testClock } from '../../../support/clock.ts';

const busy = new AppError('too_many_requests', { service: 'data' });

function setUp(random = 1) {
  const clock = testClock();
  const stop = new AbortController();
  const told: (number | null)[] = [];
  const tries = countTries({
    clock,
    random: () => random,
    signal: stop.signal,
    onWait: (ms) => told.push(ms),
  });
  return { clock, stop, told, tries };
}

describe('tries of what was certainly not stored', () => {
  it('wait longer each time, up to ten tries', async () => {
    const { clock, tries } = setUp();
    for (let count = 1; count < 8; count++) await tries.again(busy, null);
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
  });

  it('end after two minutes with the error itself', async () => {
    const { clock, tries } = setUp();
    await expect(
      (async () => {
        for (;;) await tries.again(busy, 50_000);
      })(),
    ).rejects.toBe(busy);
    expect(clock.waits).toEqual([50_000, 50_000]);
  });

  it('end after ten tries', async () => {
    const { clock, tries } = setUp(0);
    await expect(
      (async () => {
        for (;;) await tries.again(busy, 1);
      })(),
    ).rejects.toBe(busy);
    expect(clock.waits.length).toBeLessThan(10);
  });

  it('wait at least as long as the service asks, and say so', async () => {
    const { told, tries } = setUp();
    await tries.again(busy, 7000);
    expect(told).toEqual([7000, null]);
  });

  it('end at once when the job stops', async () => {
    const { stop, tries } = setUp();
    stop.abort();
    await expect(tries.again(busy, null)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
