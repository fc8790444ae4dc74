import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import {
  createRetryCounter,
  insertPolicy,
  readPolicy,
  withRetries,
  type RetryOptions,
  type TryResult,
  retryAfterMs,
} from '../../../../../src/main/core/wire/http/retry.ts';
import { testClock, type TestClock } from '../../../../support/clock.ts';

const failure = new AppError('service_failed', { service: 'data', status: 503 });
const fails = (more: object = {}): TryResult<string> => ({
  ok: false,
  error: failure,
  canRetry: true,
  ...more,
});

function setting(clock: TestClock, more: Partial<RetryOptions> = {}): RetryOptions {
  return { policy: readPolicy, clock, random: () => 1, signal: undefined, onWait: () => undefined, ...more };
}

describe('retry', () => {
  it('stops after ten tries with the last error', async () => {
    const clock = testClock();
    let tries = 0;
    const once = async () => {
      tries += 1;
      return fails();
    };
    await expect(withRetries(once, setting(clock, { random: () => 0.1 }))).rejects.toBe(failure);
    expect(tries).toBe(10);
  });

  it('doubles the maximum wait up to a limit, and never starts a try after two minutes', async () => {
    const clock = testClock();
    await expect(withRetries(async () => fails(), setting(clock))).rejects.toBe(failure);
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000, 20_000]);
    expect(clock.elapsed()).toBeLessThanOrEqual(120_000);
  });

  it('counts slow tries toward the two minutes', async () => {
    const clock = testClock();
    const once = async () => {
      clock.pass(50_000);
      return fails();
    };
    await expect(withRetries(once, setting(clock))).rejects.toBe(failure);
    expect(clock.waits).toHaveLength(2);
  });

  it('applies jitter to the whole wait', async () => {
    const clock = testClock();
    await expect(withRetries(async () => fails(), setting(clock, { random: () => 0 }))).rejects.toBe(failure);
    expect(clock.waits).toEqual(Array<number>(9).fill(0));
  });

  it('never waits less than Retry-After, and stops immediately when that is too long', async () => {
    const clock = testClock();
    const results = [fails({ retryAfterMs: 7000 }), { ok: true, value: 'fine' } as const];
    await expect(withRetries(async () => results.shift() ?? fails(), setting(clock))).resolves.toBe('fine');
    expect(clock.waits).toEqual([7000]);
    await expect(withRetries(async () => fails({ retryAfterMs: 600_000 }), setting(clock))).rejects.toBe(
      failure,
    );
    expect(clock.waits).toHaveLength(1);
  });

  it('does not retry errors that would repeat', async () => {
    const clock = testClock();
    await expect(withRetries(async () => fails({ canRetry: false }), setting(clock))).rejects.toBe(failure);
    expect(clock.waits).toEqual([]);
  });

  it('reports each wait before it starts', async () => {
    const clock = testClock();
    const notices: unknown[] = [];
    const onWait = (tried: number, ms: number) => notices.push([tried, ms, clock.waits.length]);
    const results = [fails(), fails(), { ok: true, value: 'fine' } as const];
    await withRetries(async () => results.shift() ?? fails(), setting(clock, { onWait }));
    expect(notices).toEqual([
      [1, 500, 0],
      [2, 1000, 1],
    ]);
  });

  it('can be canceled during a wait', async () => {
    const clock = testClock();
    const cancel = new AbortController();
    const onWait = () => cancel.abort();
    const running = withRetries(async () => fails(), setting(clock, { onWait, signal: cancel.signal }));
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('retries of requests that were certainly not stored', () => {
  function begin(random = 1) {
    const clock = testClock();
    const stop = new AbortController();
    const notices: (number | null)[] = [];
    const tries = createRetryCounter({
      policy: insertPolicy,
      clock,
      random: () => random,
      signal: stop.signal,
      onWait: (_tried, ms) => notices.push(ms),
      onWaited: () => notices.push(null),
    });
    return { clock, stop, notices, tries };
  }

  it('wait longer each time, up to ten tries', async () => {
    const { clock, tries } = begin();
    for (let count = 1; count < 8; count++) await tries.waitForNextTry(failure, null);
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
  });

  it('end after two minutes with the original error', async () => {
    const { clock, tries } = begin();
    await tries.waitForNextTry(failure, 50_000);
    await tries.waitForNextTry(failure, 50_000);
    await expect(tries.waitForNextTry(failure, 50_000)).rejects.toBe(failure);
    expect(clock.waits).toEqual([50_000, 50_000]);
  });

  it('report when a wait starts and ends', async () => {
    const { notices, tries } = begin();
    await tries.waitForNextTry(failure, 7000);
    expect(notices).toEqual([7000, null]);
  });

  it('end immediately when the job stops', async () => {
    const { stop, tries } = begin();
    stop.abort();
    await expect(tries.waitForNextTry(failure, null)).rejects.toMatchObject({ code: 'cancelled' });
  });
});

const now = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['5', 5000],
    [' 0 ', 0],
    ['1.5', 1500],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('%s', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it.each([null, '', 'soon', '-5', '5 minutes?!'])('is ignored when invalid: %s', (header) => {
    expect(retryAfterMs(header, now)).toBeNull();
  });
});
