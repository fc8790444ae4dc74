import { expect, it } from 'vitest';
import { createCallLimiter } from '../../../../src/main/core/files/regular-file.ts';

const late = () => new Error('late');

/** A call that ends when it is told to. */
function hangingCall() {
  let end: (value: string) => void = () => undefined;
  const promise = new Promise<string>((resolve) => (end = resolve));
  return { call: () => promise, end };
}

it('calls that hang hold a bounded number of threads, and their callers get an error', async () => {
  const run = createCallLimiter({ maxRunning: 2, limitMs: 20 });
  const hanging = [hangingCall(), hangingCall(), hangingCall()];
  let started = 0;
  const calls = hanging.map(({ call }) =>
    run(
      () => {
        started += 1;
        return call();
      },
      { late },
    ),
  );
  for (const result of await Promise.allSettled(calls)) expect(result).toMatchObject({ status: 'rejected' });
  expect(started).toBe(2);
  // The threads are free again when the calls return, and not before.
  const next = run(async () => 'read', { late });
  await expect(next).rejects.toThrow('late');
  hanging[0]?.end('first');
  await expect(run(async () => 'read', { late })).resolves.toBe('read');
  expect(started).toBe(2);
});

it('a result after the limit is closed', async () => {
  const run = createCallLimiter({ maxRunning: 1, limitMs: 5 });
  const { call, end } = hangingCall();
  const closed: string[] = [];
  const abandon = async (result: string) => closed.push(result);
  await expect(run(call, { late, abandon })).rejects.toThrow('late');
  end('handle');
  await expect(run(async () => 'read', { late })).resolves.toBe('read');
  expect(closed).toEqual(['handle']);
});

it('errors of a call are those of the caller, and free the thread', async () => {
  const run = createCallLimiter({ maxRunning: 1, limitMs: 1000 });
  await expect(run(() => Promise.reject(new Error('no such file')), { late })).rejects.toThrow(
    'no such file',
  );
  await expect(run(async () => 1, { late })).resolves.toBe(1);
});
