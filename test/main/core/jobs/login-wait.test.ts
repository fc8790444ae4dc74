import { describe, expect, it } from 'vitest';
import { waitingServices, createWaits } from '../../../../src/main/core/jobs/waits.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { testClock } from '../../../support/clock.ts';

const refusal = () => new AppError('not_authenticated', { service: 'data', why: 'login_needed' });
const address = { provider: 'demo', dataset: 'wits' };

/** Services that reject this many counts, and a sign-in that the test completes. */
function setUp({ refusals = 1, canWait = true } = {}) {
  let requestCount = 0;
  let signIn = Promise.withResolvers<boolean>();
  const clock = testClock();
  const job = new AbortController();
  const until = (signal?: AbortSignal): Promise<boolean> =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new AppError('cancelled', {})));
      void signIn.promise.then(resolve);
    });
  const waits = createWaits({
    isAttended: true,
    signInWaiter: () => (canWait ? until : undefined),
    clock,
    signal: job.signal,
    onNextTry: () => undefined,
  });
  const count = async (): Promise<number> => {
    requestCount += 1;
    if (requestCount <= refusals) throw refusal();
    return requestCount;
  };
  const services = { data: { count }, platform: {} } as unknown as Services;
  return {
    waitsFor: () => waits.current()?.waitsFor.for ?? null,
    job,
    asked: () => requestCount,
    refuse(count: number) {
      requestCount = 0;
      refusals = count;
    },
    count: (signal?: AbortSignal) =>
      waitingServices(
        () => services,
        waits,
        () => undefined,
      ).data.count(address, {}, { signal }),
    logIn() {
      signIn.resolve(true);
      signIn = Promise.withResolvers();
    },
    /** Other requests are accepted with the same credentials. */
    accept: () => signIn.resolve(false),
    clock,
  };
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('job requests rejected because the session has expired', () => {
  it('wait for a sign-in and are sent again; the job waits until the last of them continues', async () => {
    const job = setUp({ refusals: 2 });
    const both = Promise.all([job.count(), job.count()]);
    await soon();
    expect(job.waitsFor()).toBe('login');
    expect(job.asked()).toBe(2);
    job.logIn();
    expect(await both).toEqual([3, 4]);
    expect(job.waitsFor()).toBeNull();
  });

  it('end with the job, and with the operation that they are part of', async () => {
    const job = setUp();
    const part = new AbortController();
    const one = job.count(part.signal);
    await soon();
    part.abort();
    await expect(one).rejects.toMatchObject({ code: 'cancelled' });
    expect(job.waitsFor()).toBeNull();
    const other = setUp();
    const ended = other.count();
    await soon();
    other.job.abort();
    await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('fail when no user can sign in', async () => {
    await expect(setUp({ canWait: false }).count()).rejects.toMatchObject({ code: 'not_authenticated' });
  });

  it('aren’t repeated forever when one service accepts credentials that the other rejects', async () => {
    const job = setUp({ refusals: Infinity });
    job.accept();
    await expect(job.count()).rejects.toMatchObject({ code: 'not_authenticated' });
    expect(job.asked()).toBeLessThan(20);
  });

  it('are sent again when the same credentials are accepted, later each time, in as many reads of a job', async () => {
    const job = setUp({ refusals: 3 });
    job.accept();
    expect(await job.count()).toBe(4);
    expect(job.clock.waits).toEqual([1000, 2000, 4000]);
    for (let reads = 0; reads < 10; reads++) {
      job.refuse(3);
      await job.count();
    }
    expect(job.clock.waits).toHaveLength(33);
  });
});
