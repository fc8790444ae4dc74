import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/shared/errors/errors.ts';
import { nodePort, openThread, serve, webPort, type Thread } from '../../src/shared/threads.ts';
import { served, type Served } from './support/served.ts';

const kinds = {
  'a worker of Node': () => nodePort(new Worker(new URL('support/served.ts', import.meta.url))),
  'a message port': () => {
    const { port1, port2 } = new MessageChannel();
    serve(webPort(port2), served);
    return webPort(port1);
  },
  'a message port whose calls are loading': () => {
    const { port1, port2 } = new MessageChannel();
    serve(webPort(port2), Promise.resolve(served));
    return webPort(port1);
  },
};
const open: Thread<Served>[] = [];
function start(port = kinds['a message port']): Thread<Served> {
  const thread = openThread<Served>(port);
  open.push(thread);
  return thread;
}
afterEach(() => {
  for (const thread of open.splice(0)) thread.close();
});

describe.each(Object.entries(kinds))('calls over %s', (_, port) => {
  it('return values of their types', async () => {
    const { calls } = start(port);
    expect(
      await Promise.all([calls.add({ a: 1, b: 2 }), calls.add({ a: 3, b: 4 }), calls.nothing()]),
    ).toEqual([3, 7, undefined]);
  });

  it('deliver their events in order, before they settle', async () => {
    const events: number[] = [];
    const { calls } = start(port);
    expect(await calls.count(4, { onEvent: (each) => events.push(each) })).toBe('counted');
    expect(events).toEqual([1, 2, 3, 4]);
  });

  it('end when they are canceled, and don’t start after that', async () => {
    const { calls } = start(port);
    const controller = new AbortController();
    const { signal } = controller;
    const counting = calls.count(1e9, { signal, onEvent: () => controller.abort() });
    await expect(counting).rejects.toMatchObject({ code: 'cancelled' });
    await expect(calls.count(1, { signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('transfer memory in both directions', async () => {
    const { calls } = start(port);
    const numbers = Float64Array.of(1, 2, 3);
    const doubled = await calls.doubled(numbers, { transfer: [numbers.buffer] });
    expect([[...doubled], numbers.length]).toEqual([[2, 4, 6], 0]);
  });

  it('reject with the errors of the other side', async () => {
    const { calls } = start(port);
    const refused: unknown = await calls.refuse('a.csv').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ code: 'file_changed', details: { file: 'a.csv' } });
    const failed = calls.fail('no such property');
    await expect(failed).rejects.toMatchObject({
      code: 'internal',
      details: { problem: 'no such property' },
    });
  });

  it('reject when the thread is closed, with its reason', async () => {
    const thread = start(port);
    const counting = thread.calls.count(1e9);
    thread.close(new AppError('file_changed', { file: 'a.csv' }));
    await expect(counting).rejects.toMatchObject({ code: 'file_changed' });
    await expect(thread.calls.nothing()).rejects.toMatchObject({ code: 'file_changed' });
  });
});

it('calls that can’t be loaded reject with the error of loading', async () => {
  const { calls } = start(() => {
    const { port1, port2 } = new MessageChannel();
    const error = new AppError('sql_unavailable', { reason: 'missing' });
    serve<Served>(webPort(port2), Promise.reject(error));
    return webPort(port1);
  });
  for (const call of [calls.nothing(), calls.add({ a: 1, b: 2 })])
    await expect(call).rejects.toMatchObject({ code: 'sql_unavailable', details: { reason: 'missing' } });
});

it('calls of a thread that ends are rejected, and the next one starts another', async () => {
  const { calls } = start(kinds['a worker of Node']);
  await expect(calls.exit(1)).rejects.toMatchObject({ code: 'internal' });
  expect(await calls.add({ a: 1, b: 1 })).toBe(2);
});

it('a web worker that fails is terminated, and its later messages don’t affect the next one', async () => {
  const failures: ((event: { message?: string }) => void)[] = [];
  let terminated = 0;
  const { calls } = start(() =>
    webPort({
      postMessage: () => undefined,
      terminate: () => void (terminated += 1),
      addEventListener(type: string, listener: (event: never) => void) {
        if (type === 'error') failures.push(listener as (typeof failures)[number]);
      },
    }),
  );
  const first = calls.nothing();
  failures[0]?.({ message: 'out of memory' });
  await expect(first).rejects.toMatchObject({ details: { problem: 'out of memory' } });
  const second = calls.nothing();
  failures[0]?.({ message: 'late' });
  failures[1]?.({});
  await expect(second).rejects.toMatchObject({ details: { problem: 'the thread ended' } });
  expect(terminated).toBe(2);
});
