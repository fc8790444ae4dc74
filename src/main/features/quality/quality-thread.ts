import { onAbort } from '../../../shared/abort.ts';
import type { Thread } from '../../../shared/threads.ts';
import { openPageThread } from '../../core/processes/page-thread.ts';
import type { QualityCalls } from './quality-worker.ts';

/** Uses a thread that checks records, closed afterward, or when the call is canceled. */
export async function withQualityThread<T>(
  signal: AbortSignal | undefined,
  use: (calls: Thread<QualityCalls>['calls']) => Promise<T>,
): Promise<T> {
  const thread = openPageThread<QualityCalls>('quality');
  const stop = onAbort(signal, () => thread.close());
  // Starts while the first page travels.
  if (!signal?.aborted) thread.start();
  try {
    return await use(thread.calls);
  } finally {
    stop();
    thread.close();
  }
}
