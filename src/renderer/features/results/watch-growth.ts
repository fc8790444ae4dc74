import type { LoadAll } from './load-all.ts';
import type { Records } from '../records/records.ts';

/**
 * Looks through the rows that are held, now and again whenever more are: one look at a time, and none while all rows
 * are being loaded until that ends, because each look goes through every row.
 * @returns ends it
 */
export function watchGrowth(
  records: Pick<Records, 'onGrow'>,
  { store }: Pick<LoadAll, 'store'>,
  look: () => Promise<void>,
): () => void {
  let isLooking = false;
  let hasGrown = false;
  const over = new AbortController();
  async function lookOnce(): Promise<void> {
    hasGrown = true;
    while (hasGrown && !isLooking && !over.signal.aborted && store.getState().status !== 'running') {
      hasGrown = false;
      isLooking = true;
      await look();
      isLooking = false;
    }
  }
  void lookOnce();
  const stops = [
    records.onGrow(() => void lookOnce()),
    store.subscribe((now, before) => {
      if (before.status === 'running' && now.status !== 'running') void lookOnce();
    }),
  ];
  return () => {
    over.abort();
    for (const stop of stops) stop();
  };
}
