import { describe, expect, it } from 'vitest';
import { abortable, aborted, onAbort } from '../../src/shared/abort.ts';

const never = new Promise<never>(() => undefined);

describe('a promise that a signal can end', () => {
  it('has the value or the error of the promise', async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve(7), signal)).toBe(7);
    expect(await abortable(Promise.resolve(8), undefined)).toBe(8);
    await expect(abortable(Promise.reject(new Error('lost')), signal)).rejects.toThrow('lost');
  });

  it('is canceled for the caller whose signal aborts, and not for another', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const work = Promise.withResolvers<string>();
    const waits = [abortable(work.promise, first.signal), abortable(work.promise, second.signal)] as const;
    first.abort();
    await expect(waits[0]).rejects.toMatchObject({ code: 'cancelled' });
    work.resolve('done');
    expect(await waits[1]).toBe('done');
  });

  it('is canceled if the signal had aborted, and a later rejection of the promise is handled', async () => {
    const work = Promise.withResolvers<string>();
    await expect(abortable(work.promise, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    work.reject(new Error('late'));
    await expect(abortable(Promise.resolve(7), AbortSignal.abort())).rejects.toMatchObject({
      code: 'cancelled',
    });
    await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('a function that is called on abort', () => {
  it('is called once, at once if the signal had aborted, and not after its end', () => {
    const calls: string[] = [];
    const controller = new AbortController();
    onAbort(controller.signal, () => calls.push('first'));
    const stop = onAbort(controller.signal, () => calls.push('second'));
    stop();
    controller.abort();
    onAbort(controller.signal, () => calls.push('late'));
    onAbort(undefined, () => calls.push('none'))();
    expect(calls).toEqual(['first', 'late']);
  });
});

describe('the end of a wait', () => {
  it('is the abort', async () => {
    const controller = new AbortController();
    const ended = Promise.race([aborted(controller.signal).then(() => 'ended'), never]);
    controller.abort();
    expect(await ended).toBe('ended');
    await aborted(controller.signal);
  });
});
