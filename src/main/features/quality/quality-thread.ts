import type { Thread } from '../../../shared/threads.ts';
import { openAbortableThread } from '../../core/processes/page-thread.ts';
import type { QualityCalls } from './quality-worker.ts';

/** Opens a thread that checks records. It is closed when the signal aborts. */
export function openQualityThread(
  signal: AbortSignal | undefined,
): Pick<Thread<QualityCalls>, 'calls' | 'close'> {
  const thread = openAbortableThread<QualityCalls>('quality', signal);
  // Starts while the first page travels.
  if (!signal?.aborted) thread.start();
  return thread;
}
