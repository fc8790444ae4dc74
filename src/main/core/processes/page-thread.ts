import { openThread, type ServedFunctions } from '../../../shared/threads.ts';
import { onAbort } from '../../../shared/abort.ts';
import { threadPort } from '../../world/threads.ts';
import type { WorkerName } from '../../world/workers.ts';

/**
 * Rows, records, and pages become garbage as soon as they are processed: a larger young generation would cost memory and
 * save no time.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/** Opens a worker thread that processes pages. It starts with its first call. */
export const openPageThread = <Calls extends ServedFunctions<Calls>>(name: WorkerName) =>
  openThread<Calls>(() => threadPort(name, resourceLimits));

/** Opens a worker thread that ends at once when the signal aborts; calls then fail with `cancelled`. */
export function openAbortableThread<Calls extends ServedFunctions<Calls>>(
  name: WorkerName,
  signal: AbortSignal | undefined,
) {
  const { calls, start, close } = openPageThread<Calls>(name);
  const stop = onAbort(signal, () => close());
  return {
    calls,
    start,
    close(): void {
      stop();
      close();
    },
  };
}

/** The buffer of a page, which moves to a thread; a shared buffer is copied. */
export const transferable = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer[] =>
  buffer.byteLength === byteLength ? [buffer] : [];
