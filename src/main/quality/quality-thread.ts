import type { Thread } from '../../shared/threads.ts';
import { openPageThread } from '../page-thread.ts';
import type { QualityCalls } from './quality-worker.ts';

/** Opens the thread that checks records. */
export const openQualityThread = () => openPageThread<QualityCalls>('quality');

/** Uses a thread that checks records, closed afterward, or when the call is canceled. */
export async function withQualityThread<T>(
  signal: AbortSignal | undefined,
  use: (calls: Thread<QualityCalls>['calls']) => Promise<T>,
): Promise<T> {
  const thread = openQualityThread();
  const onAbort = (): void => thread.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await use(thread.calls);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    thread.close();
  }
}
