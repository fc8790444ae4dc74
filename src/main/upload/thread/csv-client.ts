import { Worker } from 'node:worker_threads';
import { AppError, fromBody } from '../../../shared/errors/errors.ts';
import { workerUrl } from '../../workers.ts';
import type { CsvCall, CsvRequest, CsvResult, FromWorker } from './csv-calls.ts';

/** A worker thread that reads one file. Calls are done one after another, in the order in which they were made. */
export interface CsvThread {
  call<C extends CsvCall>(
    call: C,
    request: CsvRequest<C>,
    onBytes?: (bytes: number) => void,
  ): Promise<CsvResult<C>>;
  close(): Promise<void>;
}

/** How a thread is come by: {@link openCsvThread}, but for tests that run thousands of jobs. */
export type OpenCsvThread = (signal?: AbortSignal) => CsvThread;

interface Waiting {
  readonly resolve: (result: CsvResult<CsvCall>) => void;
  readonly reject: (error: Error) => void;
  readonly onBytes: ((bytes: number) => void) | undefined;
}

const broken = (problem: string): AppError =>
  new AppError('internal', { problem: `the thread that reads the file failed: ${problem}` });

/**
 * Starts the worker thread. An aborted signal ends it at once, whatever it is doing; calls then fail with `cancelled`.
 */
export function openCsvThread(signal?: AbortSignal): CsvThread {
  const worker = new Worker(workerUrl('csv'));
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let ended: AppError | null = null;

  const end = (error: AppError): void => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    signal?.removeEventListener('abort', onAbort);
  };
  const onAbort = (): void => {
    end(new AppError('cancelled', {}));
    void worker.terminate();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();

  worker.on('message', (message: FromWorker) => {
    const call = waiting.get(message.id);
    if (message.kind === 'progress') return call?.onBytes?.(message.bytes);
    waiting.delete(message.id);
    if (message.kind === 'done') call?.resolve(message.result);
    else call?.reject(fromBody(message.error));
  });
  worker.on('error', (cause) => end(broken(cause instanceof Error ? cause.message : String(cause))));
  worker.on('exit', () => end(broken('it has ended')));

  return {
    call<C extends CsvCall>(call: C, request: CsvRequest<C>, onBytes?: (bytes: number) => void) {
      if (ended) return Promise.reject(ended);
      const id = ++last;
      return new Promise<CsvResult<C>>((resolve, reject) => {
        // The answer to a call has the type of its result: the thread answers each id once, by the same table.
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject, onBytes });
        worker.postMessage({ id, call, request }, []);
      });
    },
    async close() {
      end(new AppError('cancelled', {}));
      await worker.terminate();
    },
  };
}
