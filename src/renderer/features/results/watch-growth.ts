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
