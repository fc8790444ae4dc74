import { onAbort } from '../../../../shared/abort.ts';
import type { Thread } from '../../../../shared/threads.ts';
import { openPageThread } from '../../processes/page-thread.ts';
import type { CsvCalls } from './csv-worker.ts';

/** A worker thread that reads one file. Calls are processed one after another, in the order in which they were made. */
export type CsvThread = Pick<Thread<CsvCalls>, 'calls' | 'close'>;

/** Opens a thread: {@link openCsvThread}, except in tests that run thousands of jobs. */
export type OpenCsvThread = (signal?: AbortSignal) => CsvThread;

/**
 * Opens the worker thread, which starts with its first call. An aborted signal ends it at once; calls then fail with
 * `cancelled`.
 */
export function openCsvThread(signal?: AbortSignal): CsvThread {
  const { calls, close } = openPageThread<CsvCalls>('csv');
  const stop = onAbort(signal, () => close());
  return {
    calls,
    close() {
      stop();
      close();
    },
  };
}

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
