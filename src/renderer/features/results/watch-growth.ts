import { useEffect, useState } from 'react';
import { useTab } from '../../contexts.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded, loading, type Loadable } from '../../state/loadable.ts';
import type { LoadAll } from './load-all.ts';
import type { Records } from '../records/records.ts';

/**
 * Reads the loaded rows now and whenever there are more: one pass at a time, and none while all rows
 * load, because each pass reads every row.
 * @returns a function that stops
 */
export function watchGrowth<Value>(
  records: Pick<Records, 'onGrow'>,
  { store }: Pick<LoadAll, 'store'>,
  read: (signal: AbortSignal) => Promise<Value>,
  show: (value: Loadable<Value>) => void,
): () => void {
  let isUpdating = false;
  let hasGrown = false;
  const task = createLatestTask();
  async function updateOnce(): Promise<void> {
    hasGrown = true;
    while (hasGrown && !isUpdating && store.getState().status !== 'running') {
      hasGrown = false;
      isUpdating = true;
      await task.run(read, {
        onDone: (value) => show(loaded(value)),
        onFailed: (error) => show(failed(error)),
        onCanceled: () => undefined,
      });
      isUpdating = false;
    }
  }
  void updateOnce();
  const stops = [
    records.onGrow(() => void updateOnce()),
    store.subscribe((now, before) => {
      if (before.status === 'running' && now.status !== 'running') void updateOnce();
    }),
  ];
  return () => {
    hasGrown = false;
    task.drop();
    for (const stop of stops) stop();
  };
}

/**
 * What is computed of the loaded rows of a result, and again whenever there are more.
 * @param read a new function for something else to compute
 */
export function useOfLoadedRows<Value>(records: Records, read: () => Promise<Value>): Loadable<Value> {
  const { loadAll } = useTab('results');
  const [value, setValue] = useState<Loadable<Value>>(loading);
  useEffect(() => watchGrowth(records, loadAll, read, setValue), [records, loadAll, read]);
  return value;
}
