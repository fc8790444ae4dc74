import { useEffect, useState } from 'react';
import { toAppError } from '../../../shared/errors/errors.ts';
import { useTab } from '../../contexts.ts';
import { failed, loaded, loading, type Loadable } from '../../state/loadable.ts';
import type { LoadAll } from './load-all.ts';
import type { Records } from '../records/records.ts';

/**
 * Processes the loaded rows now and whenever there are more: one pass at a time, and none while all rows
 * load, because each pass reads every row.
 * @returns a function that stops
 */
export function watchGrowth(
  records: Pick<Records, 'onGrow'>,
  { store }: Pick<LoadAll, 'store'>,
  look: () => Promise<void>,
): () => void {
  let isUpdating = false;
  let hasGrown = false;
  const over = new AbortController();
  async function updateOnce(): Promise<void> {
    hasGrown = true;
    while (hasGrown && !isUpdating && !over.signal.aborted && store.getState().status !== 'running') {
      hasGrown = false;
      isUpdating = true;
      await look();
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
    over.abort();
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
  useEffect(() => {
    let isShown = true;
    const stop = watchGrowth(records, loadAll, async () => {
      const next = await read().then(loaded, (error: unknown) => failed(toAppError(error)));
      if (isShown) setValue(next);
    });
    return () => {
      isShown = false;
      stop();
    };
  }, [records, loadAll, read]);
  return value;
}
