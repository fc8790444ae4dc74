import { onAbort } from '../../../shared/abort.ts';
import type { Thread } from '../../../shared/threads.ts';
import { openPageThread } from '../../core/processes/page-thread.ts';
import type { QualityCalls } from './quality-worker.ts';

/** Opens a thread that checks records. It is closed when the signal aborts. */
export function openQualityThread(
  signal: AbortSignal | undefined,
): Pick<Thread<QualityCalls>, 'calls' | 'close'> {
  const { calls, start, close } = openPageThread<QualityCalls>('quality');
  const stop = onAbort(signal, close);
  // Starts while the first page travels.
  if (!signal?.aborted) start();
  return {
    calls,
    close() {
      stop();
      close();
    },
  };
}
