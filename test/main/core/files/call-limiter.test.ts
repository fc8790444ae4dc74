import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCallLimiter, driveOf } from '../../../../src/main/core/files/regular-file.ts';

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
  const calls = hanging.map(({ call }, at) =>
    run(
      () => {
        started += 1;
        return call();
      },
      { drive: `${at}`, late },
    ),
  );
  for (const result of await Promise.allSettled(calls)) expect(result).toMatchObject({ status: 'rejected' });
  expect(started).toBe(2);
  // The threads are free again when the calls return, and not before.
  const next = run(async () => 'read', { drive: 'other', late });
  await expect(next).rejects.toThrow('late');
  hanging[0]?.end('first');
  await expect(run(async () => 'read', { drive: 'other', late })).resolves.toBe('read');
  expect(started).toBe(2);
});

it('a result after the limit is closed', async () => {
  const run = createCallLimiter({ maxRunning: 1, limitMs: 5 });
  const { call, end } = hangingCall();
  const closed: string[] = [];
  const abandon = async (result: string) => closed.push(result);
  await expect(run(call, { drive: 'a', late, abandon })).rejects.toThrow('late');
  end('handle');
  await expect(run(async () => 'read', { drive: 'other', late })).resolves.toBe('read');
  expect(closed).toEqual(['handle']);
});

it('errors of a call are those of the caller, and free the thread', async () => {
  const run = createCallLimiter({ maxRunning: 1, limitMs: 1000 });
  await expect(run(() => Promise.reject(new Error('no such file')), { drive: 'a', late })).rejects.toThrow(
    'no such file',
  );
  await expect(run(async () => 1, { drive: 'a', late })).resolves.toBe(1);
});

it('a drive that hangs holds one thread, however many of its files are wanted, and others are read', async () => {
  const run = createCallLimiter({ maxRunning: 3, limitMs: 50 });
  const dead = ['server', 'server', 'server', 'stick', 'stick'].map((drive) =>
    run(hangingCall().call, { drive, late }),
  );
  const local = Array.from({ length: 20 }, (_, at) => run(async () => at, { drive: 'home', late }));
  expect(await Promise.all(local)).toHaveLength(20);
  for (const result of await Promise.allSettled(dead)) expect(result).toMatchObject({ status: 'rejected' });
  await expect(run(async () => 'read', { drive: 'home', late })).resolves.toBe('read');
});

it('many files of a slow drive are read, as long as it responds', async () => {
  const run = createCallLimiter({ maxRunning: 3, limitMs: 50 });
  const slow = Array.from({ length: 20 }, (_, at) => run(() => sleep(10, at), { drive: 'share', late }));
  const hanging = [1, 2].map(() => run(hangingCall().call, { drive: 'share', late }));
  expect(await Promise.all(slow)).toHaveLength(20);
  for (const result of await Promise.allSettled(hanging))
    expect(result).toMatchObject({ status: 'rejected' });
});

it.skipIf(process.platform === 'win32').each([
  ['/home/anna/wits.csv', '/home/ben/wits.csv', true],
  ['/mnt/server/wits.csv', '/mnt/server/wells/wits.csv', true],
  ['/mnt/server/wits.csv', '/mnt/other/wits.csv', false],
  ['/media/anna/STICK/wits.csv', '/media/anna/CARD/wits.csv', false],
  ['/run/media/anna/STICK/wits.csv', '/run/media/anna/CARD/wits.csv', false],
  ['/Volumes/Rig/wits.csv', '/Volumes/Office/wits.csv', false],
  ['/Volumes/Rig/wits.csv', '/Users/anna/wits.csv', false],
])('%s and %s are on one drive: %s', (path, other, expected) => {
  expect(driveOf(path) === driveOf(other)).toBe(expected);
});

it('a call that waits belongs to its own caller, and not to the one whose call ends before it', async () => {
  const run = createCallLimiter({ maxRunning: 1, limitMs: 1000 });
  const caller = new AsyncLocalStorage<string>();
  const { call, end } = hangingCall();
  const one = caller.run('one', () => run(call, { drive: 'a', late }));
  const other = caller.run('other', () => run(async () => caller.getStore(), { drive: 'a', late }));
  end('done');
  await expect(one).resolves.toBe('done');
  await expect(other).resolves.toBe('other');
});
