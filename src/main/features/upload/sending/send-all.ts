import { AppError } from '../../../../shared/errors/errors.ts';
import { appErrorFrom } from '../../../core/files/file-errors.ts';
import { type Clock, insertPolicy } from '../../../core/wire/http/retry.ts';
import type { EngineContext, ProgressReport } from '../../../core/jobs/jobs.ts';
import {
  placesOf,
  plainPart,
  type UploadEntry,
  nameOf,
  partOf,
  type BatchEntry,
  type Part,
} from '../ledger/entries.ts';
import type { UploadLedger } from '../ledger/ledger.ts';
import { packIds, type CsvThread, type UploadPlan } from '../../../core/mapping/mapping.ts';
import { problem } from '../../../core/records/targets.ts';
import { Batches, type BatchSize, type PreparedPart } from './batches.ts';
import { insertPart, rejectionsOf, type InsertOptions } from './insert-part.ts';
import { Losses, noPermission, unknownError, type Loss } from './losses.ts';
import {
  MissingPolicy,
  reconciledParts,
  rejectRows,
  rowsOfProbe,
  rowsToHoldBack,
  type Resend,
} from './policy.ts';
import { findStoredTwice, Reconciler, type Settlement, type StoredTwice } from './reconcile.ts';
import { RowSearch } from './row-search.ts';
import { Stop } from './stop.ts';
import type { UnknownPart } from '../ledger/batch.ts';
import { append } from '../../../../shared/lists.ts';

interface QueuedPart {
  readonly part: Part & { readonly entry: BatchEntry };
  readonly resend?: Resend | undefined;
}

/** Some records of a part as a separate part. */
export const cutPart = (part: PreparedPart, places: readonly number[]): PreparedPart => {
  const { body, sha256, of, lines, resend } = part;
  return { ...partOf(part.batch, places), body, sha256, of, lines, resend };
};

/** The order of sending: rows to be sent again, then new ones, and a few rows at the very end. */
export class SendQueue {
  readonly #batches: Pick<Batches, 'next' | 'prepareAgain' | 'isEmpty'>;
  readonly #ledger: Pick<UploadLedger, 'openBatch' | 'unknownParts' | 'maxAcked'>;
  readonly #search: Pick<RowSearch, 'marksOf'>;
  readonly #canReconcile: boolean;
  readonly #resends: QueuedPart[] = [];
  readonly #cutParts: PreparedPart[] = [];
  /** Parts that share keys with unknown rows: they wait until those are settled. */
  #waiting: QueuedPart[] = [];
  readonly #heldBack: PreparedPart[] = [];
  #mayWait = true;
  readonly #marksOfUnknown = new Map<string, readonly (string | undefined)[]>();

  /** @param canReconcile whether lost rows can be reconciled; if not, parts are sent in order */
  constructor(
    batches: Pick<Batches, 'next' | 'prepareAgain' | 'isEmpty'>,
    ledger: Pick<UploadLedger, 'openBatch' | 'unknownParts' | 'maxAcked'>,
    search: Pick<RowSearch, 'marksOf'>,
    canReconcile: boolean,
  ) {
    this.#batches = batches;
    this.#ledger = ledger;
    this.#search = search;
    this.#canReconcile = canReconcile;
  }

  addResend(entry: BatchEntry, places: readonly number[], resend: Resend): void {
    this.#resends.push({ part: { ...partOf(entry.batch, places), entry }, resend });
  }

  /** Whether rows are queued that are sent for a second time. */
  get hasResends(): boolean {
    return this.#resends.length > 0;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether there are rows that were never sent, other than those held back. */
  get hasUnsent(): boolean {
    return this.#cutParts.length > 0 || !this.#batches.isEmpty;
  }

  get hasHeldBack(): boolean {
    return this.#heldBack.length > 0;
  }

  /** Queues the waiting parts. With `anyway` nothing waits from here on, because unknown rows stay unknown. */
  release(anyway: boolean): void {
    if (anyway) this.#mayWait = false;
    append(this.#resends, this.#waiting);
    this.#waiting = [];
  }

  /** The next part; null: none, except those held back. @param isOneRow only its first row */
  async next(isOneRow = false): Promise<PreparedPart | null> {
    for (;;) {
      const part = await this.#take();
      if (!part || !this.#canReconcile) return part;
      const entry = this.#ledger.openBatch(part.batch);
      if (entry && (await this.#waitingPlaces(part)).size > 0) {
        const { resend } = part;
        this.#waiting.push({ part: { ...partOf(part.batch, placesOf(part)), entry }, resend });
        continue;
      }
      if (isOneRow) return this.#split(part, 1, this.#cutParts);
      if (!this.#ledger.maxAcked) return this.#split(part, rowsOfProbe(part.records), this.#cutParts);
      const { records, resend } = part;
      const held = rowsToHoldBack({
        records,
        resend,
        heldBack: this.#heldBack.reduce((sum, batch) => sum + batch.records, 0),
        hasUnsent: this.hasUnsent,
        hasMissing: this.hasResends || this.hasWaiting,
      });
      return held > 0 ? this.#split(part, records - held, this.#heldBack) : part;
    }
  }

  /**
   * One row, or half, of those held back, so that a later part is likely to be acked even if this one is lost; only
   * rows that don't wait. Null: none.
   */
  async nextHeldBack(isOneRow: boolean): Promise<PreparedPart | null> {
    for (const [at, part] of this.#heldBack.entries()) {
      const waiting = await this.#waitingPlaces(part);
      const places = placesOf(part);
      const free = places.filter((place) => !waiting.has(place));
      if (free.length === 0) continue;
      const taken = new Set(free.slice(0, isOneRow ? 1 : Math.ceil(places.length / 2)));
      const left = places.filter((place) => !taken.has(place));
      this.#heldBack.splice(at, 1, ...(left.length > 0 ? [cutPart(part, left)] : []));
      return cutPart(part, [...taken]);
    }
    return null;
  }

  async #take(): Promise<PreparedPart | null> {
    const cutOff = this.#cutParts.shift();
    if (cutOff) return cutOff;
    const queued = this.#resends.shift();
    if (!queued) return this.#batches.next();
    return { ...(await this.#batches.prepareAgain(queued.part)), resend: queued.resend };
  }

  /** The first rows of a part; the others are kept. */
  #split(part: PreparedPart, rows: number, rest: PreparedPart[]): PreparedPart {
    const places = placesOf(part);
    if (rows >= places.length) return part;
    rest.unshift(cutPart(part, places.slice(rows)));
    return cutPart(part, places.slice(0, rows));
  }

  /** The indexes of a part's rows that wait for unknown rows with the same keys. */
  async #waitingPlaces(part: PreparedPart): Promise<ReadonlySet<number>> {
    const entry = this.#mayWait ? this.#ledger.openBatch(part.batch) : null;
    const unknown = entry ? this.#ledger.unknownParts : [];
    if (!entry || unknown.length === 0) {
      this.#marksOfUnknown.clear();
      return new Set();
    }
    const unknownMarks = new Set<string | undefined>();
    for (const lostPart of unknown) for (const mark of await this.#marksOf(lostPart)) unknownMarks.add(mark);
    const partMarks = await this.#search.marksOf(entry);
    return new Set(placesOf(part).filter((place) => unknownMarks.has(partMarks[place])));
  }

  async #marksOf({ part, entry }: UnknownPart): Promise<readonly (string | undefined)[]> {
    const name = nameOf(part);
    const earlierMarks = this.#marksOfUnknown.get(name);
    if (earlierMarks) return earlierMarks;
    const all = await this.#search.marksOf(entry);
    const marks = placesOf(part).map((place) => all[place]);
    this.#marksOfUnknown.set(name, marks);
    return marks;
  }
}

interface SendAllOptions {
  readonly plan: UploadPlan;
  readonly thread: CsvThread;
  readonly ledger: UploadLedger;
  /** Writes an entry to the journal and the ledger. */
  readonly note: (entry: UploadEntry, flush: boolean) => Promise<void>;
  readonly context: EngineContext;
  readonly report: (progress: ProgressReport) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly batch: BatchSize;
  /** Whether existing records are accounted for, so that lost rows can be reconciled. */
  readonly canReconcile: boolean;
}

/** All rows are stored by then, so a read that fails is soon given up. */
const readAtEnd = { maxTries: 2, timeoutMs: 15_000 };

/** Sends the remaining rows of a job: parts are sent until none remain, lost ones are reconciled, and so on. */
class Sending {
  readonly #options: SendAllOptions;
  readonly #insertOptions: InsertOptions;
  readonly #stop: Stop;
  readonly #batches: Batches;
  readonly #queue: SendQueue;
  readonly #search: RowSearch;
  readonly #reconciler: Reconciler;
  readonly #missing = new MissingPolicy();
  readonly #losses: Losses;
  readonly #activeRequests = new Set<Promise<void>>();
  /** Whether unknown rows stay unknown although something was acked later: then other rows don't wait for them. */
  #isHopeless = false;
  /** Whether a single row is sent next, to prove that reads are fresh. */
  #sendsOneRow = false;

  constructor(options: SendAllOptions) {
    const { plan, thread, ledger, context, report, clock, random, batch, canReconcile } = options;
    const { fileName, rows, address } = plan;
    this.#options = options;
    this.#stop = new Stop(context.signal, clock);
    const { signal, giveUpSignal } = this.#stop;
    this.#losses = new Losses(ledger, address);
    this.#batches = new Batches({
      fileName,
      rows,
      thread,
      ledger,
      note: this.#note,
      needsBodies: true,
      batch,
    });
    this.#search = new RowSearch(plan, thread, context.services.data, { signal });
    this.#queue = new SendQueue(this.#batches, ledger, this.#search, canReconcile);
    this.#reconciler = new Reconciler(this.#search, ledger, plan.type, () =>
      clock.wait(plan.settleSeconds * 1000, signal),
    );
    this.#insertOptions = {
      context,
      address,
      note: this.#note,
      giveUpSignal,
      retry: {
        policy: insertPolicy,
        clock,
        random,
        signal,
        onWait: (_tried, nextTryMs) => report({ nextTryMs }),
        onWaited: () => report({ nextTryMs: null }),
      },
    };
  }

  async run(): Promise<void> {
    try {
      do {
        while (await this.#sendNext());
        await Promise.all(this.#activeRequests);
      } while (await this.#reconcile().catch(this.#stop.fail));
      const { error } = this.#losses;
      if (error && !this.#stop.isStopped) this.#stop.fail(error);
    } finally {
      this.#stop.end();
    }
  }

  readonly #note = async (entry: UploadEntry, flush: boolean): Promise<void> => {
    if (entry.kind === 'acked') this.#losses.noteAcked();
    await this.#options.note(entry, flush);
    if (this.tooManyRejected) this.#stop.stop();
  };

  get tooManyRejected(): boolean {
    const { plan, ledger } = this.#options;
    return plan.maxRejected !== null && ledger.rejectedRows > plan.maxRejected;
  }

  /** The error that ended it. Parts that only waited while too many rows were rejected did not fail. */
  get failure(): AppError | null {
    const isJustStopped = this.tooManyRejected && !this.#options.context.signal.aborted;
    const { failure } = this.#stop;
    return isJustStopped && failure?.is('cancelled') ? null : failure;
  }

  /** Whether others stored the same rows meanwhile; null: that isn't known. Reads once, which settles nothing if it fails. */
  async storedTwice(): Promise<StoredTwice | null> {
    const { plan, thread, ledger, context, report, canReconcile } = this.#options;
    if (!canReconcile || this.#stop.isStopped) return null;
    const options = { signal: context.signal, ...readAtEnd };
    report({ isVerifying: true });
    try {
      const search = new RowSearch(plan, thread, context.services.data, options);
      return await findStoredTwice(search, ledger, plan.type);
    } catch (cause) {
      const error = appErrorFrom(cause);
      if (error.is('internal')) throw error;
      return null;
    } finally {
      report({ isVerifying: false });
    }
  }

  /** Sends one more part, or waits until it can; false if there is none or sending stops. */
  async #sendNext(): Promise<boolean> {
    const { ledger, plan } = this.#options;
    await this.#askAboutRefused().catch(this.#stop.fail);
    if (this.#stop.isStopped) return false;
    // One at first: its rows, once acked, prove reads. The limiter of `http` sets the actual concurrency.
    if (this.#activeRequests.size >= (ledger.maxAcked ? plan.concurrency : 1)) return this.#waitForOne();
    const isOneRow = this.#sendsOneRow;
    if (this.#losses.areMany && !this.#queue.hasResends && !isOneRow) return false;
    this.#sendsOneRow = false;
    const part = await this.#queue.next(isOneRow).catch(this.#stop.fail);
    if (this.#stop.isStopped) return false;
    if (part) return this.#start(part);
    if (this.#activeRequests.size > 0) return this.#waitForOne();
    // Rows held back are sent alone: one at a time while they prove that reads are fresh.
    const isForFreshness = ledger.read().unknown > 0 && !this.#isHopeless;
    if (isForFreshness && !this.#losses.areAfterAcked) return false;
    const last = await this.#queue.nextHeldBack(isForFreshness).catch(this.#stop.fail);
    return last && !this.#stop.isStopped ? this.#start(last) : false;
  }

  async #waitForOne(): Promise<true> {
    await Promise.race(this.#activeRequests);
    return true;
  }

  /** Asks the user whether to continue after many rows were rejected for one reason. */
  async #askAboutRefused(): Promise<void> {
    if (this.#stop.isStopped) return;
    const question = this.#missing.takeQuestion();
    const { askUser } = this.#options.context.waits;
    if (!question || !askUser || this.#options.ledger.read().pending === 0) return;
    const countedQuestion = this.#options.plan.rules.fold ? { ...question, areRecords: true } : question;
    if ((await askUser(countedQuestion, this.#stop.signal)) === 'stop')
      this.#stop.fail(new AppError('cancelled', {}));
  }

  #start(part: PreparedPart): true {
    const done = this.#send(part)
      .catch(this.#stop.fail)
      .finally(() => this.#activeRequests.delete(done));
    this.#activeRequests.add(done);
    return true;
  }

  async #send(part: PreparedPart): Promise<void> {
    const outcome = await insertPart(part, this.#insertOptions);
    if (outcome.kind === 'too_large') return this.#sendHalves(part, outcome.bytes);
    if (outcome.kind === 'lost') return this.#lose(part, outcome.loss);
    if (part.resend?.regroup && outcome.isAnyStored) part.resend.regroup.isAnyStored = true;
  }

  /** Halves a part that is too large; a single record that is too large is rejected. */
  async #sendHalves(part: PreparedPart, bytes: number): Promise<void> {
    this.#batches.noteTooLarge(bytes);
    const { first, records } = part;
    if (records === 1) {
      const rejected = rejectionsOf(part, new Map([[first, problem('too_large', null)]]));
      return this.#note({ kind: 'acked', ...plainPart(part), rejected, ids: [] }, true);
    }
    const places = placesOf(part);
    const half = Math.ceil(records / 2);
    await this.#send(cutPart(part, places.slice(0, half)));
    if (this.#stop.isStopped) throw new AppError('cancelled', {});
    await this.#send(cutPart(part, places.slice(half)));
  }

  /**
   * A 403 depends on the sender, dataset, company, and well (specification, section 7): if these are the same for all
   * records, none was stored, and none will be.
   */
  async #lose(part: PreparedPart, loss: Loss): Promise<void> {
    const { plan, ledger, canReconcile } = this.#options;
    const { status, cause, answer, error } = loss;
    const entry = ledger.openBatch(part.batch);
    if (
      error?.is('forbidden') &&
      !part.resend?.regroup &&
      entry &&
      (await this.#search.areOfOneWell(entry))
    ) {
      await this.#note({ kind: 'returned', ...plainPart(part), why: '403' }, true);
      throw noPermission(plan.address, error, 'none of these rows was stored');
    }
    await this.#note(
      { kind: 'unknown', ...plainPart(part), status, cause, ...(answer ? { answer } : {}) },
      true,
    );
    if (!canReconcile) throw unknownError(plan.address, part.records, loss);
    this.#losses.add(part, loss, part.resend);
  }

  /** Reconciles unknown rows while no request is in flight; returns whether there is more to send now. */
  async #reconcile(): Promise<boolean> {
    const { ledger, canReconcile } = this.#options;
    if (!canReconcile || this.#stop.isStopped) return false;
    // Recent ones before those that earlier attempts left.
    const [first, ...others] = ledger.unknownParts.slice(-reconciledParts);
    const hasLost = first !== undefined;
    const isAnySettled = hasLost && (await this.#readUnknown([first, ...others]));
    if (this.#stop.isStopped) return false;
    if (hasLost && !isAnySettled) {
      const hasRows = this.#queue.hasUnsent || this.#queue.hasHeldBack;
      if (hasRows && this.#losses.takeFreshnessRow()) return (this.#sendsOneRow = true);
      if (this.#losses.error) return false;
    }
    this.#isHopeless = hasLost && !isAnySettled && !this.#losses.areAfterAcked;
    const isMore = this.#queue.hasWaiting || this.#queue.hasHeldBack;
    this.#queue.release(!isAnySettled);
    return isAnySettled || isMore;
  }

  /** Reads which unknown rows are stored. @returns whether any was settled */
  async #readUnknown(unknown: Parameters<Reconciler['settle']>[0]): Promise<boolean> {
    const { report } = this.#options;
    let isAnySettled = false;
    this.#losses.noteReconciled();
    report({ isVerifying: true });
    try {
      for await (const settlement of this.#reconciler.settle(unknown)) {
        await this.#settle(settlement);
        isAnySettled = true;
      }
    } finally {
      report({ isVerifying: false });
    }
    return isAnySettled;
  }

  async #settle({ unknown, match, missing, verdict }: Settlement): Promise<void> {
    const { part, answer } = unknown;
    const rejected =
      verdict === 'settled_by_answer' && answer
        ? rejectRows(missing, answer.said)
        : this.#decideOn(unknown, missing);
    const refused = new Set(rejected.map(({ at }) => at));
    await this.#note(
      {
        kind: 'settled',
        ...plainPart(part),
        stored: [...match.stored.keys()],
        ids: packIds([...match.stored.values()]),
        missing: match.missing.filter((place) => !refused.has(place)),
        rejected: [...rejected],
      },
      true,
    );
  }

  /** Queues rows that are sent again. @returns the rejected ones */
  #decideOn(unknown: Settlement['unknown'], rows: Settlement['missing']) {
    const { again, stop, rejected } = this.#missing.decide({ ...unknown, rows, ...this.#losses.of(unknown) });
    for (const group of again) this.#queue.addResend(unknown.entry, group.places, group.resend);
    if (stop) this.#stop.fail(stop);
    return rejected;
  }
}

/**
 * Sends the remaining rows of a job, several parts at a time. After an error, a cancel, or too many rejected rows
 * nothing new is sent; responses to sent requests are awaited and recorded.
 * @returns whether it stopped because of `maxRejected`; rows that others stored too
 * @throws AppError the first error; outcome_unknown if the result of rows can't be determined
 */
export async function sendAll(
  options: SendAllOptions,
): Promise<{ stoppedByRejects: boolean; storedTwice: StoredTwice | null }> {
  const sending = new Sending(options);
  await sending.run();
  if (sending.failure) throw sending.failure;
  return { stoppedByRejects: sending.tooManyRejected, storedTwice: await sending.storedTwice() };
}
