import { AppError, toAppError } from '../../../shared/errors.ts';
import type { Clock } from '../../http/clock.ts';
import type { EngineContext } from '../../jobs/engine.ts';
import type { CsvThread } from '../csv-client.ts';
import type { UploadEntry } from './entries.ts';
import type { UploadLedger } from './ledger.ts';
import { Loads } from './loads.ts';
import type { BatchSize } from './loads.ts';
import { PartSender } from './part-sender.ts';
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

/** One sending of all that is left of a job. */
class Sending {
  readonly #options: SendAllOptions;
  /** Aborted when nothing new is to be sent. */
  readonly #stop = new AbortController();
  /** Aborted when even the answers of what is under way are no longer awaited. */
  readonly #giveUp = new AbortController();
  readonly #settled = new AbortController();
  readonly #window: ReturnType<typeof createWindow>;
  readonly #loads: Loads;
  readonly #parts: PartSender;
  readonly #underWay = new Set<Promise<void>>();
  #failure: AppError | null = null;

  constructor(options: SendAllOptions) {
    const { plan, thread, ledger, context, clock, random, batch } = options;
    const { fileName, rows, address, concurrency } = plan;
    this.#options = options;
    this.#window = createWindow(concurrency);
    this.#loads = new Loads({ fileName, rows, thread, ledger, note: this.#note, bodies: true, batch });
    this.#parts = new PartSender({
      data: context.services.data,
      address,
      note: this.#note,
      giveUp: this.#giveUp.signal,
      onTooLarge: (bytes) => this.#loads.tooLarge(bytes),
      retry: {
        clock,
        random,
        signal: this.#stop.signal,
        onWait: (nextTryMs) => context.report({ nextTryMs }),
      },
    });
  }

  readonly #note = async (entry: UploadEntry, flush: boolean): Promise<void> => {
    this.#window.note(entry);
    await this.#options.note(entry, flush);
    if (this.tooManyRejected) this.#stop.abort();
  };

  get tooManyRejected(): boolean {
    const { plan, ledger } = this.#options;
    return plan.maxRejected !== null && ledger.rejectedRows > plan.maxRejected;
  }

  /** The failure that ended it. Parts that only waited while too many rows were rejected did not fail. */
  get failure(): AppError | null {
    const justStopped = this.tooManyRejected && !this.#options.context.signal.aborted;
    return justStopped && this.#failure?.is('cancelled') ? null : this.#failure;
  }

  readonly #fail = (error: unknown): void => {
    const found = toAppError(error);
    // A cancel is only the consequence of another failure when there is one.
    if (!this.#failure || (this.#failure.is('cancelled') && !found.is('cancelled'))) this.#failure = found;
    this.#stop.abort();
  };

  readonly #onCancel = (): void => {
    this.#fail(new AppError('cancelled', {}));
    void this.#options.clock.wait(graceMs, this.#settled.signal).then(
      () => this.#giveUp.abort(),
      () => undefined,
    );
  };

  async run(): Promise<void> {
    const { signal } = this.#options.context;
    signal.addEventListener('abort', this.#onCancel, { once: true });
    if (signal.aborted) this.#onCancel();
    try {
      while (await this.#sendNext());
      await Promise.all(this.#underWay);
    } finally {
      this.#settled.abort();
      signal.removeEventListener('abort', this.#onCancel);
    }
  }

  /** Sends one load more, or waits until there is room for one; false when there is none or it is to stop. */
  async #sendNext(): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    if (this.#underWay.size >= this.#window.size) {
      await Promise.race(this.#underWay);
      return true;
    }
    const load = await this.#loads.next().catch(this.#fail);
    if (!load || this.#stop.signal.aborted) return false;
    const done = this.#parts
      .send(load)
      .catch(this.#fail)
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    return true;
  }
}

/**
 * Sends all that is left of a job, several parts at a time. After a failure, a cancel or too many rejected rows
 * nothing new is sent; the answers of what is under way are awaited and noted.
 * @returns whether it stopped because of `maxRejected`
 * @throws AppError the first failure; outcome_unknown when what became of rows can't be known
 */
export async function sendAll(options: SendAllOptions): Promise<{ stoppedByRejects: boolean }> {
  const sending = new Sending(options);
  await sending.run();
  if (sending.failure) throw sending.failure;
  return { stoppedByRejects: sending.tooManyRejected };
}
