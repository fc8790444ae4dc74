import { AppError, toAppError } from '../../../shared/errors.ts';
import type { Clock } from '../../http/clock.ts';
import type { EngineContext } from '../../jobs/engine.ts';
import type { CsvThread } from '../csv-client.ts';
import type { UploadEntry } from './entries.ts';
import type { UploadLedger } from './ledger.ts';
import { createLoads } from './loads.ts';
import type { BatchSize } from './loads.ts';
import { createPartSender } from './part-sender.ts';
import type { Load } from './part-sender.ts';
import type { UploadPlan } from './plan.ts';

/** How long a cancelled upload waits for the answers of what it has sent, in milliseconds. */
const graceMs = 5000;

export interface SendAllOptions {
  readonly plan: UploadPlan;
  readonly thread: CsvThread;
  readonly ledger: UploadLedger;
  /** Writes an entry to the journal and the books. */
  readonly note: (entry: UploadEntry, flush: boolean) => Promise<void>;
  readonly context: Pick<EngineContext, 'signal' | 'services' | 'report'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly batch: BatchSize;
}

/** How many parts may be under way: one until the first is answered, then more with each, half as many after a 429. */
function createWindow(most: number): { readonly size: number; note(entry: UploadEntry): void } {
  let size = 1;
  return {
    get size() {
      return size;
    },
    note(entry) {
      if (entry.kind === 'acked') size = Math.min(most, size * 2);
      else if (entry.kind === 'returned' && entry.why === '429') size = Math.max(1, Math.floor(size / 2));
    },
  };
}

/**
 * Sends all that is left of a job, several parts at a time. After a failure, a cancel or too many rejected rows
 * nothing new is sent; the answers of what is under way are awaited and noted.
 * @returns whether it stopped because of `maxRejected`
 * @throws AppError the first failure; outcome_unknown when what became of rows can't be known
 */
export async function sendAll({
  plan,
  thread,
  ledger,
  note,
  context,
  clock,
  random,
  batch,
}: SendAllOptions): Promise<{ stoppedByRejects: boolean }> {
  const stop = new AbortController();
  const giveUp = new AbortController();
  const window = createWindow(plan.concurrency);
  const underWay = new Set<Promise<void>>();
  let failure: AppError | null = null;
  const tooManyRejected = (): boolean => plan.maxRejected !== null && ledger.rejectedRows > plan.maxRejected;
  const fail = (error: unknown): void => {
    const found = toAppError(error);
    // A cancel is only the consequence of another failure when there is one.
    if (!failure || (failure.is('cancelled') && !found.is('cancelled'))) failure = found;
    stop.abort();
  };
  const noteAll = async (entry: UploadEntry, flush: boolean): Promise<void> => {
    window.note(entry);
    await note(entry, flush);
    if (tooManyRejected()) stop.abort();
  };
  const loads = createLoads({
    fileName: plan.fileName,
    rows: plan.rows,
    thread,
    ledger,
    note: noteAll,
    bodies: true,
    batch,
  });
  const send = createPartSender({
    data: context.services.data,
    address: plan.address,
    note: noteAll,
    giveUp: giveUp.signal,
    onTooLarge: (bytes) => loads.tooLarge(bytes),
    retry: { clock, random, signal: stop.signal, onWait: (nextTryMs) => context.report({ nextTryMs }) },
  });
  const launch = (load: Load): void => {
    const done = send(load)
      .catch(fail)
      .finally(() => underWay.delete(done));
    underWay.add(done);
  };
  const onCancel = (): void => {
    fail(new AppError('cancelled', {}));
    void clock.wait(graceMs, settled.signal).then(
      () => giveUp.abort(),
      () => undefined,
    );
  };
  const settled = new AbortController();
  context.signal.addEventListener('abort', onCancel, { once: true });
  if (context.signal.aborted) onCancel();
  try {
    while (!stop.signal.aborted) {
      if (underWay.size >= window.size) {
        await Promise.race(underWay);
        continue;
      }
      const load = await loads.next().catch(fail);
      if (!load || stop.signal.aborted) break;
      launch(load);
    }
    await Promise.all(underWay);
  } finally {
    settled.abort();
    context.signal.removeEventListener('abort', onCancel);
  }
  // Parts that only wait for another try end as cancelled when the rows rejected were too many: that is no failure.
  if (failure && !(tooManyRejected() && (failure as AppError).is('cancelled') && !context.signal.aborted))
    throw failure as AppError;
  return { stoppedByRejects: tooManyRejected() };
}
