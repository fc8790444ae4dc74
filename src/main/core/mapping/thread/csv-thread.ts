import type { Thread } from '../../../../shared/threads.ts';
import { openAbortableThread } from '../../processes/page-thread.ts';
import type { CsvCalls } from './csv-worker.ts';

/** A worker thread that reads one file. Calls are processed one after another, in the order in which they were made. */
export type CsvThread = Pick<Thread<CsvCalls>, 'calls' | 'close'>;

/** Opens a thread: {@link openCsvThread}, except in tests that run thousands of jobs. */
export type OpenCsvThread = (signal?: AbortSignal) => CsvThread;

/**
 * Opens the worker thread, which starts with its first call. An aborted signal ends it at once; calls then fail with
 * `cancelled`.
 */
export const openCsvThread: OpenCsvThread = (signal) => openAbortableThread<CsvCalls>('csv', signal);

/** Opens a thread while it is used. */
export async function withThread<T>(
  openThread: OpenCsvThread,
  signal: AbortSignal | undefined,
  use: (thread: CsvThread) => Promise<T>,
): Promise<T> {
  const thread = openThread(signal);
  try {
    return await use(thread);
  } finally {
    thread.close();
  }
}
