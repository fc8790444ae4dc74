import { Worker } from 'node:worker_threads';
import { nodePort, openThread, type Thread } from '../../shared/threads.ts';
import { workerUrl } from '../workers.ts';
import type { QualityCalls } from './quality-worker.ts';

// Pages become garbage as soon as they are checked, as in an export.
const youngGenerationMb = 12;

/** Opens the thread that checks records. */
export const openQualityThread = () =>
  openThread<QualityCalls>(() =>
    nodePort(
      new Worker(workerUrl('quality'), { resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb } }),
    ),
  );

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
