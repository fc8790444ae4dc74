import { describe, expect, it } from 'vitest';
import { createWaits, linkWaits } from '../../../../src/main/core/jobs/waits.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { testClock } from '../../../support/clock.ts';

const host = 'data.example';
const vain = { count: 0 };
const unreachable = (reason: 'name' | 'tls' = 'name') =>
  new AppError('unreachable', { service: 'data', host, reason });
const question = { kind: 'many_refused' as const, rows: 20, reason: 'no' };

function setUp({ attended: isAttended = true } = {}) {
  const clock = testClock();
  const job = new AbortController();
  const nextTries: (number | null)[] = [];
  const waits = createWaits({
    isAttended,
    signInWaiter: () => undefined,
    clock,
    signal: job.signal,
    onNextTry: (ms) => nextTries.push(ms),
  });
  return { clock, job, nextTries, waits };
}

describe('a job whose service can’t be reached', () => {
  it('waits longer each time, reports the next try, and resets the wait after a while', async () => {
    const { waits, nextTries, clock } = setUp();
    for (let tries = 0; tries < 7; tries++)
      expect(await waits.waitForRecovery(unreachable(), vain)).toBe(true);
    expect(clock.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(nextTries.slice(0, 4)).toEqual([1000, null, 2000, null]);
    clock.pass(linkWaits.maxMs + 1);
    await waits.waitForRecovery(unreachable(), vain);
    expect(clock.waits.at(-1)).toBe(1000);
  });

  it('has all its requests wait for the same try, and shows why', async () => {
    const { waits, clock } = setUp();
    const both = Promise.all([
      waits.waitForRecovery(unreachable(), vain),
      waits.waitForRecovery(unreachable(), vain),
    ]);
    expect(waits.current()).toMatchObject({ waitsFor: { for: 'link' }, error: { code: 'unreachable' } });
    await both;
    expect(clock.waits).toEqual([1000]);
    expect(waits.current()).toBeNull();
  });

  it('doesn’t wait for a valid certificate, nor without a user', async () => {
    expect(await setUp().waits.waitForRecovery(unreachable('tls'), vain)).toBe(false);
    expect(await setUp({ attended: false }).waits.waitForRecovery(unreachable(), vain)).toBe(false);
  });

  it('retries immediately when it is resumed', async () => {
    const { job } = setUp();
    const never = testClock();
    never.wait = (_ms, signal) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new AppError('cancelled', {}))),
      );
    const waits = createWaits({
      isAttended: true,
      signInWaiter: () => undefined,
      clock: never,
      signal: job.signal,
      onNextTry: () => undefined,
    });
    const waiting = waits.waitForRecovery(unreachable(), vain);
    expect(waits.resume()).toBe(true);
    expect(await waiting).toBe(true);
    expect(waits.resume()).toBe(false);
    const cancelled = waits.waitForRecovery(unreachable(), vain);
    job.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('a paused job', () => {
  it('starts nothing until it is resumed or canceled', async () => {
    const { waits, job } = setUp();
    await waits.waitWhilePaused();
    waits.pause();
    expect(waits.current()).toEqual({ waitsFor: { for: 'resume' }, error: null });
    let unreachable = false;
    const going = waits.waitWhilePaused().then(() => (unreachable = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unreachable).toBe(false);
    waits.resume();
    await going;
    waits.pause();
    const cancelled = waits.waitWhilePaused();
    job.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  });
});

it('ends a pause only if it is still the one that is meant', async () => {
  const { waits } = setUp();
  const first = waits.pause();
  expect(waits.pause()).toBe(first);
  waits.resume();
  const second = waits.pause();
  expect(waits.resume(first)).toBe(false);
  expect(waits.current()?.waitsFor).toEqual({ for: 'resume' });
  expect(waits.resume(second)).toBe(true);
  expect(waits.current()).toBeNull();
});

describe('a job with a prompt', () => {
  it('waits for the answer, and shows the prompt before anything else', async () => {
    const { waits } = setUp();
    expect(waits.answer('stop')).toBe(false);
    waits.pause();
    const answer = waits.askUser?.(question);
    expect(waits.current()?.waitsFor).toEqual({ for: 'answer', question });
    expect(waits.answer('go_on')).toBe(true);
    expect(await answer).toBe('go_on');
    expect(waits.current()?.waitsFor).toEqual({ for: 'resume' });
  });

  it('doesn’t prompt without a user', () => {
    expect(setUp({ attended: false }).waits.askUser).toBeUndefined();
  });
});
