import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { LoadState } from '../../../../src/renderer/features/results/load-all.ts';
import type { ResultShape } from '../../../../src/renderer/features/records/result.ts';
import { watchGrowth } from '../../../../src/renderer/features/results/watch-growth.ts';

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
  const stop = watchGrowth(records, { store }, async () => {
    looks += 1;
    await settled();
  });
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
