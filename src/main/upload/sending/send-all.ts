import { AppError } from '../../../shared/errors/errors.ts';
import { appErrorFrom } from '../../files/file-errors.ts';
import type { Clock } from '../../http/clock.ts';
import { insertPolicy } from '../../http/retry.ts';
import type { EngineContext } from '../../jobs/engine.ts';
import type { CsvThread } from '../thread/csv-client.ts';
import { BatchReading } from '../reconcile/batch-reading.ts';
import { keysFor } from '../reconcile/keys.ts';
import { NextSteps } from '../reconcile/next-steps.ts';
import type { Missing, Steps } from '../reconcile/next-steps.ts';
import { Reconciler } from '../reconcile/reconciler.ts';
import { Doubts } from './doubts.ts';
import type { BatchEntry, Part, UploadEntry } from '../ledger/entries.ts';
import type { UnknownPart } from '../ledger/batch-state.ts';
import type { UploadLedger } from '../ledger/ledger.ts';
import { Loads } from './loads.ts';
import type { BatchSize } from './loads.ts';
import { PartSender, unknownError } from './part-sender.ts';
import type { Load } from './part-sender.ts';
import type { UploadPlan } from '../model/plan.ts';
import { createWindow } from './window.ts';
import type { SendingWindow } from './window.ts';
import { WorkList } from './work-list.ts';

/** So many single rows are sent, one after another, to have one acked after whole batches that were refused. */
const mostWitnesses = 20;

/** How long a cancelled upload waits for the answers of what it has sent, in milliseconds. */
const graceMs = 5000;

export interface SendAllOptions {
  readonly plan: UploadPlan;
  readonly thread: CsvThread;
  readonly ledger: UploadLedger;
  /** Writes an entry to the journal and the books. */
  readonly note: (entry: UploadEntry, flush: boolean) => Promise<void>;
  readonly context: Pick<
    EngineContext,
    'signal' | 'services' | 'report' | 'untilAgain' | 'untilGoing' | 'ask'
  >;
  readonly clock: Clock;
  readonly random: () => number;
  readonly batch: BatchSize;
  /** Whether what stood in the dataset before is accounted for, so that lost rows can be found out about. */
  readonly reconciles: boolean;
}

/** One sending of all that is left of a job. */
class Sending {
  readonly #options: SendAllOptions;
  /** Aborted when nothing new is to be sent. */
  readonly #stop = new AbortController();
  /** Aborted when even the answers of what is under way are no longer awaited. */
  readonly #giveUp = new AbortController();
  readonly #settled = new AbortController();
  readonly #window: SendingWindow;
  readonly #work: WorkList;
  readonly #parts: PartSender;
  readonly #doubts: Doubts;
  readonly #reading: BatchReading;
  readonly #reconciler: Reconciler;
  readonly #steps = new NextSteps();
  readonly #underWay = new Set<Promise<void>>();
  #failure: AppError | null = null;
  #isHopeless = false;
  /** Whether a single row is to go next, and how many went so without being acked. */
  #wantsWitness = false;
  #witnesses = 0;

  constructor(options: SendAllOptions) {
    const { plan, thread, ledger, context, clock, random, batch, reconciles } = options;
    const { fileName, rows, address, concurrency } = plan;
    this.#options = options;
    this.#window = createWindow(concurrency);
    const loads = new Loads({ fileName, rows, thread, ledger, note: this.#note, bodies: true, batch });
    this.#doubts = new Doubts(ledger, plan, (entry) => this.#sharedKeys(entry));
    this.#work = new WorkList({
      loads,
      reconciles,
      hasAcked: () => ledger.acked.largest !== null,
      sharing: (load, entry) => this.#doubts.sharing(load, entry),
      entryOf: (number) => ledger.openBatch(number),
    });
    this.#parts = new PartSender({
      data: context.services.data,
      address,
      note: this.#note,
      giveUp: this.#giveUp.signal,
      isOfOneWell: (part) => this.#isOfOneWell(part),
      onTooLarge: (bytes) => loads.tooLarge(bytes),
      onUnknown: (load, why) => {
        this.#doubts.add(load, why);
        return reconciles ? null : unknownError(address, load.records, why);
      },
      untilAgain: async (error) => (await context.untilAgain?.(error, this.#stop.signal)) ?? false,
      untilGoing: async () => context.untilGoing?.(this.#stop.signal),
      retry: {
        policy: insertPolicy,
        clock,
        random,
        signal: this.#stop.signal,
        onWait: (_tried, nextTryMs) => context.report({ nextTryMs }),
        onWaited: () => context.report({ nextTryMs: null }),
      },
    });
    const { data } = context.services;
    this.#reading = new BatchReading({ plan, thread, data, clock, signal: this.#stop.signal });
    this.#reconciler = new Reconciler({
      plan,
      reading: this.#reading,
      ledger,
      note: this.#note,
      decide: this.#decide,
    });
  }

  /** Batches wait for unknown rows at the same place; where a dataset has no places, for the same rows. */
  async #sharedKeys(entry: BatchEntry): Promise<readonly string[]> {
    const key = keysFor(this.#options.plan.type, null)[0] ?? [];
    const { rows } = await this.#reading.print(entry, key);
    return rows.map((row) => (key.length > 0 ? row.key : row.print));
  }

  async #isOfOneWell({ batch }: Part): Promise<boolean> {
    const { plan, ledger } = this.#options;
    const entry = ledger.openBatch(batch);
    if (!entry || plan.rules.columns.some(({ path }) => path.at(-1) === 'company_id')) return false;
    const { rows } = await this.#reading.print(entry, []);
    return new Set(rows.map(({ well }) => well)).size === 1;
  }

  readonly #decide = (suspect: UnknownPart, missing: readonly Missing[]): Steps => {
    const { origin, error } = this.#doubts.why(suspect.part);
    const steps = this.#steps.decide({ ...suspect, origin, error }, missing);
    for (const { places, origin: from } of steps.again) this.#work.addAgain(suspect.entry, places, from);
    if (steps.stop) this.#fail(steps.stop);
    return steps;
  };

  readonly #note = async (entry: UploadEntry, flush: boolean): Promise<void> => {
    this.#window.note(entry);
    if (entry.kind === 'acked') {
      this.#doubts.noteAcked();
      this.#witnesses = 0;
    }
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
    const found = appErrorFrom(error);
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
      do {
        while (await this.#sendNext());
        await Promise.all(this.#underWay);
      } while (await this.#reconcile().catch(this.#fail));
      const lost = this.#doubts.error;
      if (lost && !this.#stop.signal.aborted) this.#fail(lost);
    } finally {
      this.#settled.abort();
      signal.removeEventListener('abort', this.#onCancel);
    }
  }

  /** Asks whether to go on where many rows were refused for one reason and others are still to be sent. */
  async #askAboutRefused(): Promise<void> {
    const question = this.#steps.takeQuestion();
    const { ask } = this.#options.context;
    if (!question || !ask || this.#options.ledger.read().pending === 0) return;
    if ((await ask(question, this.#stop.signal)) === 'stop') this.#fail(new AppError('cancelled', {}));
  }

  /** Sends one load more, or waits until there is room for one; false when there is none or it is to stop. */
  async #sendNext(): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    await this.#askAboutRefused().catch(this.#fail);
    if (this.#stop.signal.aborted) return false;
    if (this.#underWay.size >= this.#window.size) {
      await Promise.race(this.#underWay);
      return true;
    }
    const asWitness = this.#wantsWitness;
    if (this.#doubts.areMany && !this.#work.hasAgain && !asWitness) return false;
    this.#wantsWitness = false;
    const load = await this.#work.next(asWitness).catch(this.#fail);
    if (this.#stop.signal.aborted) return false;
    if (load) return this.#send(load);
    if (this.#underWay.size > 0) {
      await Promise.race(this.#underWay);
      return true;
    }
    // What is held back is sent alone: a row of it at a time while it is to show that reads are new.
    const unknown = this.#options.ledger.read().unknown > 0;
    const oneOnly = unknown && !this.#isHopeless;
    if (oneOnly && !this.#doubts.isUnwitnessed) return false;
    const last = await this.#work.fromReserve(oneOnly).catch(this.#fail);
    if (!last || this.#stop.signal.aborted) return false;
    return this.#send(last);
  }

  #send(load: Load): true {
    const began = performance.now();
    const done = this.#parts
      .send(load)
      .then(() => this.#window.noteAnswer(performance.now() - began), this.#fail)
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    return true;
  }

  /**
   * Whether batch after batch was refused, and only a row that is acked after them can show that what is read of them is
   * new. Without it a stretch of bad rows would end the job.
   */
  get #needsWitness(): boolean {
    const isWorthIt = (this.#work.hasFresh || this.#work.hasReserve) && this.#witnesses < mostWitnesses;
    return isWorthIt && this.#doubts.areRefusals && this.#doubts.isUnwitnessed;
  }

  /** Finds out by reading which unknown rows are stored, and says that it does. @returns whether any was settled */
  async #verify(): Promise<boolean> {
    const { context } = this.#options;
    context.report({ isVerifying: true });
    try {
      return await this.#reconciler.run(this.#doubts.take());
    } finally {
      context.report({ isVerifying: false });
    }
  }

  /** Finds out about what is unknown, while nothing is under way; whether there is more to send now. */
  async #reconcile(): Promise<boolean> {
    const { ledger, reconciles } = this.#options;
    if (!reconciles || this.#stop.signal.aborted) return false;
    const isLost = ledger.read().unknown > 0;
    const settled = isLost && (await this.#verify());
    if (this.#stop.signal.aborted) return false;
    if (!settled && isLost && this.#needsWitness) {
      this.#wantsWitness = true;
      this.#witnesses++;
      return true;
    }
    if (!settled && isLost && this.#doubts.error) return false;
    // What earlier runs left unknown, and stays so although something was acked later, holds nothing back.
    this.#isHopeless = isLost && !settled && !this.#doubts.isUnwitnessed;
    const isMore = this.#work.isWaiting || this.#work.hasReserve;
    this.#work.release(!settled);
    return settled || isMore;
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
