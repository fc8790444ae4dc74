import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { LoadState } from '../../../../src/renderer/features/results/load-all.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { ResultShape } from '../../../../src/renderer/features/records/result.ts';
import { watchGrowth } from '../../../../src/renderer/features/results/use-records.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

it('rows are scanned once after all of them are loaded, not with every page', async () => {
  const store = createStore<LoadState>()(() => ({ status: 'idle' }));
  const listeners = new Set<() => void>();
  const records = {
    onGrow(listener: (shape: ResultShape) => void) {
      const notify = () => listener({} as ResultShape);
      listeners.add(notify);
      return () => void listeners.delete(notify);
    },
  };
  const grow = () => listeners.forEach((listener) => listener());
  let looks = 0;
  const read = async () => {
    looks += 1;
    await settled();
  };
  const stop = watchGrowth(records, { store }, read, () => undefined);
  // The first scan is running: pages that arrive meanwhile are scanned together after it.
  grow();
  grow();
  await settled();
  await settled();
  expect(looks).toBe(2);
  await settled();
  store.setState({ status: 'running', done: 0 }, true);
  for (let page = 0; page < 50; page += 1) grow();
  await settled();
  expect(looks).toBe(2);
  store.setState({ status: 'idle' }, true);
  await settled();
  expect(looks).toBe(3);
  stop();
  expect(listeners.size).toBe(0);
});

it('a read that fails says so, and one that answers after its end is not shown', async () => {
  const store = createStore<LoadState>()(() => ({ status: 'idle' }));
  const records = { onGrow: () => () => undefined };
  const shown: unknown[] = [];
  const answer = Promise.withResolvers<string>();
  const stopEarly = watchGrowth(
    records,
    { store },
    () => answer.promise,
    (value) => shown.push(value),
  );
  stopEarly();
  answer.resolve('late');
  await settled();
  expect(shown).toEqual([]);
  const lost = new AppError('internal', { problem: 'the worker ended' });
  watchGrowth(
    records,
    { store },
    () => Promise.reject(lost),
    (value) => shown.push(value),
  );
  await settled();
  expect(shown).toEqual([{ status: 'failed', error: lost }]);
});
