import { onAbort } from '../../../../shared/abort.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { appErrorFrom } from '../../../core/files/file-errors.ts';
import type { EngineContext, ProgressReport } from '../../../core/jobs/jobs.ts';
import type { CsvThread, UploadPlan } from '../../../core/mapping/mapping.ts';
import { packIds } from '../../../core/records/id-runs.ts';
import { problem } from '../../../core/records/targets.ts';
import { type Clock, insertPolicy } from '../../../core/wire/http/retry.ts';
import {
  partOf,
  recordIndexes,
  type BatchEntry,
  type Frontier,
  type PartOfBatch,
  type UnknownPart,
  type UploadEntry,
  type UploadLedger,
} from '../ledger.ts';
import {
  insertPart,
  noPermission,
  rejectionsOf,
  unknownError,
  type InsertOptions,
  type Loss,
  type PreparedPart,
} from './insert.ts';
import {
  findStoredTwice,
  isBeforeAcked,
  MissingPolicy,
  Reconciler,
  rejectRows,
  RowSearch,
  type NextSteps,
  type Settlement,
  type StoredTwice,
} from './reconcile.ts';

export interface BatchSize {
  /** Maximum number of rows in one batch. */
  readonly rows: number;
  /** Size in bytes at which a body is closed. */
  readonly bytes: number;
}
/**
 * The specification allows 1,000 records per request (section 8). Gateways reject larger bodies, and a lost one would
 * make more rows unknown.
 */
export const defaultBatch: BatchSize = { rows: 1000, bytes: 1 << 20 };
/** Minimum size of a body, in bytes. */
const minBytes = 4 << 10;

type Prepared = Awaited<ReturnType<CsvThread['calls']['prepare']>>;
type Body = Omit<PreparedPart, keyof PartOfBatch>;

interface BatchesOptions {
  readonly fileName: string;
  readonly rows: number;
  readonly thread: CsvThread;
  readonly ledger: UploadLedger;
  readonly note: (entry: UploadEntry, flush: boolean) => Promise<void>;
  /** False in a dry run, which only counts. */
  readonly needsBodies: boolean;
  readonly batch: BatchSize;
  /** The paths of well and index, if rows that share them are needed. */
  readonly key?: readonly (readonly string[])[];
}

/** The batches of a job. The worker thread prepares the next one meanwhile. */
export class Batches {
  readonly #options: BatchesOptions;
  #bytes: number;
  /** The batch after those that were read; null: there is none, or none was read. */
  #next: Promise<Prepared> | null = null;
  /** Those of batches of which rows weren't sent yet. */
  readonly #bodies = new Map<number, Body>();

  constructor(options: BatchesOptions) {
    this.#options = options;
    this.#bytes = options.batch.bytes;
  }

  /** Enters the next rows of the file in the ledger, unless it is at the end. @throws AppError of reading the file */
  async readNext(): Promise<void> {
    const { ledger, note, needsBodies } = this.#options;
    const next = await (this.#next ?? this.#prepareFrom(ledger.frontier));
    if (!next) return;
    this.#next = this.#prepareFrom({ byte: next.to, line: next.nextLine, row: next.row + next.rows });
    // It is awaited later; until then a rejection must not be unhandled.
    this.#next?.catch(() => undefined);
    const { batch } = ledger.frontier;
    const { body, lines, ...read } = next;
    if (needsBodies && body && next.records > 0)
      this.#bodies.set(batch, { body, lines, sha256: next.sha256, of: next.records });
    await note({ kind: 'batch', batch, ...read }, false);
  }

  /** Bodies of this many bytes were too large for the service: later ones are smaller. */
  noteTooLarge(bytes: number): void {
    this.#bytes = Math.max(minBytes, Math.min(this.#bytes, Math.floor(bytes / 2)));
  }

  /**
   * Rows to send, with the body of their batch.
   * @param isLast whether it is needed again only if rows are sent again
   * @throws AppError file_changed if the file has other rows than when they were read
   */
  async prepare({ entry, part }: PartOfBatch, isLast: boolean): Promise<PreparedPart> {
    const body = this.#bodies.get(entry.batch) ?? (await this.#prepareAgain(entry));
    if (isLast) this.#bodies.delete(entry.batch);
    else this.#bodies.set(entry.batch, body);
    return { entry, part, ...body };
  }

  async #prepareAgain({ from: byte, line, row, rows, skipped, to, sha256 }: BatchEntry): Promise<Body> {
    const { fileName, thread } = this.#options;
    const prepared = await thread.calls.prepare({ byte, line, row, rows, body: true, skipped });
    const { body, lines, records } = prepared;
    if (prepared.to !== to || prepared.sha256 !== sha256)
      throw new AppError('file_changed', { file: fileName });
    if (!body) throw new AppError('internal', { problem: 'rows were prepared without a body' });
    return { body, lines, sha256, of: records };
  }

  #prepareFrom({ byte, line, row }: Omit<Frontier, 'batch'>): Promise<Prepared> | null {
    const { thread, rows, batch, needsBodies, key } = this.#options;
    if (row >= rows) return null;
    const bytes = this.#bytes;
    return thread.calls.prepare({ byte, line, row, rows: batch.rows, bytes, body: needsBodies, key });
  }
}

/** How long a canceled upload waits for responses to sent requests, in milliseconds. */
const graceMs = 5000;

/** How sending stops: by a cancel, an error, or too many rejected rows; pending responses still count. */
class Stop {
  readonly #stop = new AbortController();
  readonly #giveUpController = new AbortController();
  readonly #endController = new AbortController();
  readonly #endCancel: () => void;
  readonly #clock: Clock;
  /** The first error. A cancel after another error is only its consequence. */
  failure: AppError | null = null;

  /** @param cancel of the job */
  constructor(cancel: AbortSignal, clock: Clock) {
    this.#clock = clock;
    this.#endCancel = onAbort(cancel, this.#onCancel);
  }

  /** Aborted when nothing new is to be sent. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Aborted when the upload stops waiting even for responses to sent requests. */
  get giveUpSignal(): AbortSignal {
    return this.#giveUpController.signal;
  }

  /** Stops without an error. */
  stop(): void {
    this.#stop.abort();
  }

  readonly fail = (cause: unknown): void => {
    const error = appErrorFrom(cause);
    if (!this.failure || (this.failure.is('cancelled') && !error.is('cancelled'))) this.failure = error;
    this.#stop.abort();
  };

  /** Call when no request is in flight. */
  end(): void {
    this.#endController.abort();
    this.#endCancel();
  }

  readonly #onCancel = (): void => {
    this.fail(new AppError('cancelled', {}));
    void this.#clock.wait(graceMs, this.#endController.signal).then(
      () => this.#giveUpController.abort(),
      () => undefined,
    );
  };
}

/** Number of rows in the first request of a job: rows that are acked early prove that reading works. */
const probeRows = 10;
/**
 * Number of rows that are spared until the end: unknown rows can be missing only if a later request was acked, and
 * splitting a rejected batch of 1,000 down to its bad row takes ten of those.
 */
const spareRows = 12;
/** Number of requests lost since rows were last reconciled after which that is done before more is sent. */
const maxLosses = { beforeFirstAck: 3, later: 8 } as const;
/** Number of single rows sent one after another, until one is acked, to prove that reads are fresh. */
const maxProofRows = { afterRefusals: 20, afterLosses: 3 } as const;
/** Number of parts that are reconciled at a time. */
const reconciledParts = 16;
/** By then all rows are stored, so few tries are enough. */
const readAtEnd = { maxTries: 2, timeoutMs: 15_000 };

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

type Unknown = readonly [UnknownPart, ...UnknownPart[]];
type Step =
  /** `isProof`: a single row, to prove that reads are fresh. */
  | { readonly kind: 'send'; readonly rows: PartOfBatch; readonly isProof?: true }
  | { readonly kind: 'read' }
  /** Until a request has its response. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'reconcile'; readonly unknown: Unknown }
  | { readonly kind: 'done' };

function firstRows({ entry, part }: PartOfBatch, rows: number): PartOfBatch {
  return { entry, part: rows < part.records ? partOf(part.batch, recordIndexes(part).slice(0, rows)) : part };
}

/** Errors of equal losses are equal. */
const nameOfLoss = ({ status, cause }: Pick<Loss, 'status' | 'cause'>): string => `${status} ${cause}`;

const isRefused = ({ status }: UnknownPart): boolean => status === 400 || status === 422;

/** Sends the remaining rows of a job: the ledger says what is next, until nothing is. */
class Sender {
  readonly #options: SendAllOptions;
  readonly #insertOptions: InsertOptions;
  readonly #stop: Stop;
  readonly #batches: Batches;
  readonly #search: RowSearch;
  readonly #reconciler: Reconciler;
  readonly #missing = new MissingPolicy();
  readonly #requests = new Set<Promise<void>>();
  /** Those of the losses of this run. */
  readonly #errors = new Map<string, AppError>();
  /** Requests lost since rows were last reconciled. */
  #losses = 0;
  #hasAcked = false;
  /** Since the last ack. */
  #proofRows = 0;
  /** Whether nothing happened since reconciling last settled nothing. */
  #isFruitless = false;

  constructor(options: SendAllOptions) {
    const { plan, thread, ledger, context, report, clock, random, batch } = options;
    const { fileName, rows, address } = plan;
    this.#options = options;
    this.#stop = new Stop(context.signal, clock);
    const { signal, giveUpSignal } = this.#stop;
    const note = this.#note;
    this.#batches = new Batches({ fileName, rows, thread, ledger, note, needsBodies: true, batch });
    this.#search = new RowSearch(plan, thread, context.services.data, { signal });
    this.#reconciler = new Reconciler(this.#search, ledger, plan.type, () =>
      clock.wait(plan.settleSeconds * 1000, signal),
    );
    this.#insertOptions = {
      context,
      address,
      note,
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
    ledger.startRun();
  }

  async run(): Promise<void> {
    try {
      while (await this.#takeStep());
    } catch (cause) {
      this.#stop.fail(cause);
    } finally {
      await Promise.all(this.#requests);
      this.#stop.end();
    }
  }

  /** @returns false: it was the last */
  async #takeStep(): Promise<boolean> {
    await this.#askAboutRefused();
    if (this.#stop.isStopped) return false;
    const step = this.#nextStep();
    switch (step.kind) {
      case 'send':
        if (step.isProof) this.#proofRows++;
        await this.#send(step.rows);
        return true;
      case 'read':
        await this.#batches.readNext();
        return true;
      case 'wait':
        await Promise.race(this.#requests);
        return true;
      case 'reconcile':
        await this.#reconcile(step.unknown);
        return true;
      case 'done':
      default:
        this.#failForUnknown();
        return false;
    }
  }

  #nextStep(): Step {
    const { ledger, plan, canReconcile } = this.#options;
    // One at first: its rows, once acked, prove reads. The limiter of `http` sets the actual concurrency.
    if (this.#requests.size >= (ledger.maxAcked ? plan.concurrency : 1)) return { kind: 'wait' };
    const { missing } = ledger;
    if (missing) return { kind: 'send', rows: firstRows(missing, missing.limit) };
    const most = this.#hasAcked ? maxLosses.later : maxLosses.beforeFirstAck;
    const isStuck = this.#isFruitless && ledger.unknownParts.some((part) => ledger.isOfThisRun(part));
    const step = this.#losses < most && !isStuck ? this.#stepToNewRows() : null;
    if (step) return step;
    if (this.#requests.size > 0) return { kind: 'wait' };
    const [first, ...others] = canReconcile ? ledger.unknownParts.slice(-reconciledParts) : [];
    if (first) {
      const unknown: Unknown = [first, ...others];
      const proof = this.#stepToProof(unknown);
      if (proof) return proof;
      if (!this.#isFruitless) return { kind: 'reconcile', unknown };
      if (isStuck) return { kind: 'done' };
    }
    const [spare] = ledger.prepared;
    // Half of them, so that another request is likely to be acked later even if this one is lost.
    const rows = spare && firstRows(spare, Math.min(spare.limit, Math.ceil(spare.part.records / 2)));
    return rows ? { kind: 'send', rows } : { kind: 'done' };
  }

  /** Rows that were never sent, other than the spared ones; null: there are none. */
  #stepToNewRows(): Step | null {
    const { ledger, plan, canReconcile } = this.#options;
    const { prepared } = ledger;
    const records = prepared.reduce((sum, { part }) => sum + part.records, 0);
    const isRead = ledger.frontier.row >= plan.rows;
    const isProven = ledger.maxAcked !== null;
    const spared = canReconcile && isProven ? spareRows : 0;
    // The rest of a large batch is spared for the end, and at the end whatever is left.
    const isSpared = ({ entry, part }: PartOfBatch): boolean =>
      part.records <= spared && (entry.records >= 2 * spareRows || (isRead && records <= spared));
    const rows = prepared.find((part) => !isSpared(part));
    if (!rows) return isRead ? null : { kind: 'read' };
    const { part, entry, limit } = rows;
    let most = part.records;
    if (canReconcile && !isProven) most = most > 2 * probeRows ? probeRows : 1;
    else if (isRead || entry.records >= 2 * spareRows)
      most -= Math.min(Math.max(0, spared - (records - most)), most >> 1);
    return { kind: 'send', rows: firstRows(rows, Math.min(limit, most)) };
  }

  /** A single row, if unknown rows are later than all that was acked: only one that is acked proves that reads are fresh. */
  #stepToProof(unknown: Unknown): Step | null {
    const { ledger, plan } = this.#options;
    const areRefused = unknown.every(isRefused);
    if (unknown.every((part) => isBeforeAcked(part, ledger.lastAcked))) return null;
    // The first request was one already.
    if (!ledger.lastAcked && !areRefused) return null;
    if (this.#proofRows >= (areRefused ? maxProofRows.afterRefusals : maxProofRows.afterLosses)) return null;
    const [rows] = ledger.prepared;
    if (rows) return { kind: 'send', rows: firstRows(rows, 1), isProof: true };
    return this.#isFruitless && ledger.frontier.row < plan.rows ? { kind: 'read' } : null;
  }

  readonly #note = async (entry: UploadEntry, flush: boolean): Promise<void> => {
    if (entry.kind === 'acked') {
      this.#hasAcked = true;
      this.#proofRows = 0;
    }
    if (entry.kind === 'acked' || entry.kind === 'unknown') this.#isFruitless = false;
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

  /** Starts a request. */
  async #send(rows: PartOfBatch): Promise<void> {
    const { ledger } = this.#options;
    ledger.take(rows.part);
    const isLast = !ledger.prepared.some(({ part }) => part.batch === rows.part.batch);
    const prepared = await this.#batches.prepare(rows, isLast);
    if (this.#stop.isStopped) return ledger.release(rows.part);
    const done = this.#insert(prepared)
      .catch(this.#stop.fail)
      .finally(() => {
        ledger.release(rows.part);
        this.#requests.delete(done);
      });
    this.#requests.add(done);
  }

  async #insert(prepared: PreparedPart): Promise<void> {
    const outcome = await insertPart(prepared, this.#insertOptions);
    if (outcome.kind === 'lost') return this.#lose(prepared, outcome.loss);
    if (outcome.kind !== 'too_large') return;
    this.#batches.noteTooLarge(outcome.bytes);
    const { part } = prepared;
    if (part.records > 1) return;
    const rejected = rejectionsOf(prepared, new Map([[part.first, problem('too_large', null)]]));
    await this.#note({ kind: 'acked', ...part, rejected, ids: [] }, true);
  }

  /**
   * A 403 depends on the sender, dataset, company, and well (specification, section 7): if these are the same for all
   * records, none was stored, and none will be.
   */
  async #lose({ entry, part }: PartOfBatch, loss: Loss): Promise<void> {
    const { plan, canReconcile } = this.#options;
    const { status, cause, answer, error } = loss;
    if (error?.is('forbidden') && (await this.#search.areOfOneWell(entry))) {
      await this.#note({ kind: 'returned', ...part, reason: '403' }, true);
      throw noPermission(plan.address, error, 'none of these rows was stored');
    }
    // Before anything is acked, a missing permission probably affects all rows.
    this.#losses += status === 403 && !this.#hasAcked ? maxLosses.beforeFirstAck : 1;
    if (error) this.#errors.set(nameOfLoss(loss), error);
    await this.#note({ kind: 'unknown', ...part, status, cause, ...(answer ? { answer } : {}) }, true);
    if (!canReconcile) throw unknownError(plan.address, part.records, loss);
  }

  #errorOf(loss: UnknownPart): AppError | null {
    return this.#errors.get(nameOfLoss(loss)) ?? null;
  }

  #failForUnknown(): void {
    const { ledger, plan } = this.#options;
    const unknown = ledger.unknownParts.filter((part) => ledger.isOfThisRun(part));
    const [first] = unknown;
    if (!first) return;
    const rows = unknown.reduce((sum, { part }) => sum + part.records, 0);
    this.#stop.fail(unknownError(plan.address, rows, { cause: first.cause, error: this.#errorOf(first) }));
  }

  /** Reads which unknown rows are stored. No request is in flight meanwhile. */
  async #reconcile(unknown: Unknown): Promise<void> {
    const { report } = this.#options;
    this.#losses = 0;
    this.#isFruitless = true;
    report({ isVerifying: true });
    try {
      for await (const settlement of this.#reconciler.settle(unknown)) {
        await this.#settle(settlement);
        this.#isFruitless = false;
      }
    } finally {
      report({ isVerifying: false });
    }
  }

  async #settle({ unknown, match, missing, verdict }: Settlement): Promise<void> {
    const { batch } = unknown.part;
    const { rejected, again, stop } = this.#stepsFor(unknown, missing, verdict);
    const stored = [...match.stored.keys()];
    const groups = stop ? [match.missing] : again;
    // One entry for each group that is sent again.
    for (const [at, places] of (groups.length > 0 ? groups : [[]]).entries()) {
      const isFirst = at === 0;
      const settled = isFirst ? [...stored, ...rejected.map((row) => row.at), ...places] : places;
      await this.#note(
        {
          kind: 'settled',
          ...partOf(batch, settled),
          stored: isFirst ? stored : [],
          ids: isFirst ? packIds([...match.stored.values()]) : [],
          missing: [...places],
          rejected: isFirst ? [...rejected] : [],
        },
        true,
      );
    }
    if (stop) this.#stop.fail(stop);
  }

  #stepsFor(unknown: UnknownPart, rows: Settlement['missing'], verdict: Settlement['verdict']): NextSteps {
    if (verdict === 'settled_by_answer' && unknown.answer)
      return { rejected: rejectRows(rows, unknown.answer.message), again: [], stop: null };
    return this.#missing.decide({ ...unknown, rows, error: this.#errorOf(unknown) });
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
  const sender = new Sender(options);
  await sender.run();
  if (sender.failure) throw sender.failure;
  return { stoppedByRejects: sender.tooManyRejected, storedTwice: await sender.storedTwice() };
}
