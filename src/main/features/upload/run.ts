import { onAbort } from '../../../shared/abort.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { uploadResult, type UploadResult } from '../../../shared/upload/result.ts';
import type { JobProgress } from '../../../shared/jobs/jobs.ts';
import { appErrorFrom } from '../../core/files/file-errors.ts';
import { systemClock, type Clock } from '../../core/wire/http/retry.ts';
import {
  mergeEvents,
  type Engine,
  type EngineContext,
  type JobEvent,
  type OpenJob,
} from '../../core/jobs/jobs.ts';
import {
  openCsvThread,
  type CsvThread,
  comparisonOf,
  firstUsed,
  uploadPlan,
  type UploadPlan,
  releaseSource,
  settleSource,
} from '../../core/mapping/mapping.ts';
import { uploadEntry, UploadLedger, type UploadEntry } from './ledger.ts';
import { forgetExisting, isExistingRead, manyRecords, readExisting } from './sending/existing.ts';
import { Batches, defaultBatch, sendAll, type BatchSize } from './sending/send.ts';
import { checkOwnOutput, copyToOwnOutput, isOwnOutput } from '../../core/files/own-output.ts';
import { randomNumber } from '../../world/random.ts';
import { join } from 'node:path';
import { renameFile } from '../../core/files/disk.ts';
import { rm } from '../../world/files.ts';
import { countInWords } from '../../../shared/lists.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import type { StoredTwice } from './sending/reconcile.ts';

/** Version of plan and journal. */
const format = 1;

/** What a run tells besides the ledger. */
export interface ResultNotes {
  readonly stoppedByRejects: boolean;
  readonly isExistingUnread: boolean;
  /** Null: not known. */
  readonly storedTwice: StoredTwice | null;
}

/** The result of an upload so far, with its warnings. */
export function resultOf(
  plan: UploadPlan,
  ledger: UploadLedger,
  { stoppedByRejects, isExistingUnread, storedTwice }: ResultNotes,
): UploadResult {
  const warnings: FileWarning[] = [];
  const warn = (code: FileWarning['code'], count: number, message: string, line: number | null = null) =>
    warnings.push({ code, count, message, line });
  const { ambiguousTimes, differing, repeated } = ledger;
  const counts = ledger.read();
  if (ambiguousTimes > 0) warn('time_twice', ambiguousTimes, firstUsed(ambiguousTimes));
  if (differing > 0)
    warn(
      'existing_differ',
      differing,
      `${countInWords(differing, 'row has', 'rows have')} the well and the time or depth of an existing record, but other values; ${differing === 1 ? 'it isn’t' : 'they aren’t'} skipped.`,
    );
  if (repeated.count > 0)
    warn(
      'repeated_rows',
      repeated.count,
      `${countInWords(repeated.count, 'row repeats', 'rows repeat')} the well and the ${plan.type === 'depth' ? 'depth' : 'time'} of an earlier row of the file.`,
      repeated.line,
    );
  if (isExistingUnread)
    warn(
      'existing_unread',
      counts.rows,
      'Wellbench couldn’t read the dataset, so it couldn’t find existing records.',
    );
  if (storedTwice && storedTwice.twice > 0)
    warn(
      'stored_twice',
      storedTwice.twice,
      `${storedTwice.twice} of ${countInWords(storedTwice.compared, 'row', 'rows')} that were compared afterwards ${storedTwice.twice === 1 ? 'is' : 'are'} stored twice. Another computer may have uploaded the same rows at the same time. To see the records of one row, query ${storedTwice.filter}. To count all repeated records, check the quality of the dataset.`,
    );
  if (stoppedByRejects && plan.maxRejected !== null)
    warn(
      'max_rejected',
      counts.rejected,
      `Stopped, because more than ${countInWords(plan.maxRejected, 'row was', 'rows were')} rejected. The remaining rows weren’t sent. Correct the file, then upload it again with existing rows skipped.`,
    );
  return {
    ledger: counts,
    dryRun: plan.dryRun,
    footerRows: plan.footerRows,
    problems: ledger.problems,
    warnings: [...plan.warnings, ...warnings],
    ...(plan.records && !plan.dryRun ? { records: plan.records } : {}),
    ...(plan.rules.fold ? { fileRows: plan.rules.fold.rows } : {}),
    ...(plan.conversion ? { places: plan.conversion.places } : {}),
  };
}

/** Whether a rejects file is useful after this error: not after a cancel, without the file, or if the journal may lack its rows. */
const leavesRejects = (error: AppError): boolean =>
  !error.is('cancelled') &&
  !error.is('file_changed') &&
  !error.is('file_unreadable') &&
  !error.is('disk_full') &&
  !error.is('file_unwritable') &&
  !error.is('internal');

/** The record of the rejects file that a job wrote to a path of the user. */
export const rejectsRecord = (folder: string): string => join(folder, 'rejects.json');

/**
 * Writes the rejects file from plan and journal, completely or not at all.
 * @returns its path; null if no row was rejected
 * @throws AppError disk_full, file_exists, file_unwritable, file_changed
 */
export async function makeRejects(
  thread: CsvThread,
  plan: UploadPlan,
  ledger: UploadLedger,
  folder: string,
): Promise<string | null> {
  const batches = ledger.rejectedBatches;
  const { rejects } = plan;
  const spool = join(folder, rejects.place === 'job' ? rejects.name : 'rejects');
  if (batches.length === 0) {
    // An earlier run made it of rows whose rejection the journal has lost; they are stored since.
    if (rejects.place === 'job') await rm(spool, { force: true });
    else if (await isOwnOutput(rejects.path, rejectsRecord(folder))) await rm(rejects.path, { force: true });
    return null;
  }
  const beside = `${spool}.partial`;
  const ranges = batches.map(({ entry, rejections }) => ({
    from: entry.from,
    line: entry.line,
    rows: entry.rows,
    skipped: new Set(entry.skipped),
    refused: new Map(rejections.map(({ at, code, message }) => [at, { code, message }])),
  }));
  try {
    const table = plan.conversion?.places.table ?? null;
    const written = await thread.calls.rejects({ to: beside, newline: plan.newline, ranges, table });
    if (written !== ledger.rejectedRows)
      throw new AppError('internal', {
        problem: `${written} rejected rows were written, but ${ledger.rejectedRows} counted`,
      });
    if (rejects.place === 'job') {
      await renameFile(beside, spool);
      return spool;
    }
    await copyToOwnOutput(beside, rejects, rejectsRecord(folder));
    return rejects.path;
  } finally {
    await rm(beside, { force: true });
  }
}

export interface UploadEngineOptions {
  readonly clock?: Clock;
  /** From 0 to 1; for jitter. */
  readonly random?: () => number;
  readonly batch?: BatchSize;
  readonly openThread?: typeof openCsvThread;
  /** Number of existing records from which on only those are kept that can match a row. */
  readonly manyRecords?: number;
}

/** Resolves when the run may continue. */
type Send = (event: JobEvent<UploadEntry, UploadResult>) => Promise<void>;

/** One run of one job: its ledger, and what every step needs. */
class UploadRun {
  readonly plan: UploadPlan;
  readonly ledger: UploadLedger;
  readonly #job: OpenJob<UploadPlan, UploadEntry>;
  readonly #context: EngineContext;
  readonly #send: Send;
  readonly #many: number;
  #notes: ResultNotes = { stoppedByRejects: false, isExistingUnread: false, storedTwice: null };
  /** Whether requests can be in flight: then a cancel waits for their responses; before, it ends the thread at once. */
  isSending = false;

  constructor(job: OpenJob<UploadPlan, UploadEntry>, context: EngineContext, send: Send, many: number) {
    this.#many = many;
    this.#job = job;
    this.#context = context;
    this.#send = send;
    this.plan = job.plan;
    const { rows, layout, dryRun } = job.plan;
    this.ledger = new UploadLedger(rows, { byte: layout.dataStart, line: layout.dataLine }, !dryRun);
    for (const entry of job.entries) this.ledger.apply(entry);
  }

  /** Keeps ledger and journal in step. A dry run has no journal: it starts from the beginning. */
  readonly note = async (entry: UploadEntry, flush: boolean): Promise<void> => {
    this.ledger.apply(entry);
    this.#sendState();
    if (!this.plan.dryRun) await this.#send({ kind: 'entries', entries: [entry], flush });
  };

  result(): UploadResult {
    return resultOf(this.plan, this.ledger, this.#notes);
  }

  /** Rows in flight when the process ended may or may not be stored: they are unknown from now on. */
  async closeUnanswered(): Promise<void> {
    const cause = 'Wellbench stopped before the response arrived';
    for (const part of this.ledger.unansweredParts)
      await this.note({ kind: 'unknown', ...part, status: null, cause }, true);
  }

  async dryRun(thread: CsvThread, batch: BatchSize): Promise<void> {
    const { fileName, rows, rules, type, existing } = this.plan;
    const { key } = comparisonOf(rules, type);
    // Existing records are found as in the upload itself; if that isn't possible, the rest is still validated.
    if (existing === 'skip') {
      const isExistingUnread = !(await this.findExisting(thread).catch(continueUnread));
      this.#notes = { ...this.#notes, isExistingUnread };
    }
    const batches = new Batches({
      fileName,
      rows,
      thread,
      ledger: this.ledger,
      note: this.note,
      needsBodies: false,
      batch,
      ...(key.length > 0 ? { key } : {}),
    });
    while (this.ledger.frontier.row < rows) await batches.readNext();
  }

  async send(
    thread: CsvThread,
    options: Required<Omit<UploadEngineOptions, 'openThread' | 'manyRecords'>>,
  ): Promise<void> {
    const { plan, ledger, note } = this;
    const canReconcile = (await this.findExisting(thread)) && ledger.isAccounted;
    this.isSending = true;
    const { stoppedByRejects, storedTwice } = await sendAll({
      plan,
      thread,
      ledger,
      note,
      context: this.#context,
      report: (progress) => void this.#send({ kind: 'progress', progress }),
      canReconcile,
      ...options,
    });
    this.#notes = { ...this.#notes, stoppedByRejects, storedTwice };
    const { pending } = ledger.read();
    if (pending > 0 && !stoppedByRejects)
      throw new AppError('internal', { problem: `${pending} rows were not sent` });
  }

  /**
   * Determines the existing records of the dataset, and which of them earlier runs matched with rows.
   * @returns whether all of them are accounted for, so that rows without a response can be found by reading. If all
   * rows are to be inserted, this isn't required.
   */
  async findExisting(thread: CsvThread): Promise<boolean> {
    const { plan, ledger } = this;
    const { folder } = this.#job;
    const { services, signal } = this.#context;
    const { pending, unknown } = ledger.read();
    // Nothing is left to send, and those that an earlier run read tell what others stored since.
    if (pending + unknown === 0 && !(await isExistingRead(folder))) return false;
    const request = {
      plan,
      thread,
      data: services.data,
      folder,
      options: { signal },
      many: this.#many,
      report: (existing: JobProgress['existing']) =>
        void this.#send({ kind: 'progress', progress: { existing } }),
    };
    // Those of an earlier run that stored nothing lack what others stored since.
    if (!ledger.hasSent) await forgetExisting(folder);
    if (plan.existing === 'insert') {
      // Rows sent before the existing records were read can't be distinguished from existing records.
      if (ledger.hasSent && !(await isExistingRead(folder))) return false;
      return readExisting(request).catch(continueUnread);
    }
    const hasOldBatches = ledger.frontier.batch > 0 && !ledger.hasSent;
    if (hasOldBatches && !(await isExistingRead(folder))) await this.note({ kind: 'restarted' }, true);
    await readExisting(request);
    for (const { from: byte, line, row, rows } of ledger.skippedBatches)
      await thread.calls.prepare({ byte, line, row, rows, body: false });
    return true;
  }

  async rejects(thread: CsvThread): Promise<void> {
    const path = await makeRejects(thread, this.plan, this.ledger, this.#job.folder);
    if (path !== null) await this.#send({ kind: 'artifact', artifact: { kind: 'rejects', path } });
  }

  #sendState(): void {
    const { frontier, settledRows } = this.ledger;
    const rows = this.plan.dryRun ? frontier.row : settledRows;
    const progress = { rows, totalRows: this.plan.rows, bytes: frontier.byte };
    void this.#send({ kind: 'progress', progress });
    void this.#send({ kind: 'result', result: this.result() });
  }
}

/** A dataset that can't be read is sent to anyway; rows that become unknown then stay unknown. */
function continueUnread(cause: unknown): false {
  const error = appErrorFrom(cause);
  const isOurs = error.is('cancelled') || error.is('disk_full') || error.is('file_unwritable');
  if (isOurs || error.is('file_changed') || error.is('file_unreadable') || error.is('internal')) throw error;
  return false;
}

/**
 * The upload as a job: a worker thread reads, converts, and batches rows, several batches are sent at a time, and every
 * step is in the journal before the next one. The result of a batch without a response is determined by reading. If
 * that isn't possible, the job stops with `outcome_unknown`; those rows are never resent automatically, and a resume
 * checks them once more and continues after them.
 */
export const createUploadEngine = ({
  clock = systemClock,
  random = randomNumber,
  batch = defaultBatch,
  openThread = openCsvThread,
  manyRecords: many = manyRecords,
}: UploadEngineOptions = {}): Engine<UploadPlan, UploadEntry, UploadResult> => ({
  kind: 'upload',
  format,
  plan: uploadPlan,
  entry: uploadEntry,
  result: uploadResult,
  run: (job, context) =>
    mergeEvents((send) =>
      runUpload(job, context, send, { clock, random, batch, openThread, manyRecords: many }),
    ),
  async release(folder) {
    await releaseSource(folder);
    await forgetExisting(folder);
  },
});

async function runUpload(
  job: OpenJob<UploadPlan, UploadEntry>,
  context: EngineContext,
  send: Send,
  { openThread, manyRecords: many, ...options }: Required<UploadEngineOptions>,
): Promise<UploadResult> {
  const run = new UploadRun(job, context, send, many);
  const { plan } = run;
  // Every row is accounted for from the start, however soon the job is stopped.
  await send({ kind: 'result', result: run.result() });
  // Whatever the file is now.
  await run.closeUnanswered();
  // Before anything is sent: a resumed job may find a file there that isn't its own.
  if (plan.rejects.place === 'path') await checkOwnOutput(plan.rejects, rejectsRecord(job.folder));
  const { path, places } = await settleSource(plan, job.folder);
  const release = plan.dryRun ? null : await claimUpload(plan, job.folder, context.claim);
  const thread = openThread();
  const stop = onAbort(context.signal, () => void (!run.isSending && thread.close()));
  try {
    const { fileName, layout, rules, rows } = plan;
    await thread.calls.open({ path, fileName, places, layout, rules, rows });
    // After opening, which notes the file's time: a change between the check and the first row is found, too.
    await checkSource(thread, plan, path, context.isResumed);
    try {
      await (plan.dryRun ? run.dryRun(thread, options.batch) : run.send(thread, options));
    } catch (cause) {
      const error = appErrorFrom(cause);
      await send({ kind: 'result', result: run.result() });
      // Stopped by the user's answer, not by a cancel: the user wants to see the rejected rows.
      const isStopped = error.is('cancelled') && !context.signal.aborted;
      // Why it stopped matters more than a file that another program has open; the journal has the rows.
      if (leavesRejects(error) || isStopped) await run.rejects(thread).catch(() => undefined);
      throw error;
    }
    await run.rejects(thread);
    return run.result();
  } finally {
    stop();
    thread.close();
    if (!run.ledger.hasSent) await release?.();
  }
}

/**
 * @throws AppError file_changed if the file, or the one that it was converted from, differs from the one in the plan
 */
async function checkSource(
  thread: CsvThread,
  { fileName, source, conversion }: UploadPlan,
  path: string,
  isResumed: boolean,
): Promise<void> {
  async function check(at: string, { bytes, mtimeMs, sha256 }: Omit<UploadPlan['source'], 'place'>) {
    const stats = await thread.calls.stat({ path: at, fileName });
    if (stats.bytes === bytes && stats.mtimeMs === mtimeMs && !isResumed) return;
    const same = stats.bytes === bytes && (await thread.calls.hash({ path: at, fileName })).sha256 === sha256;
    if (!same) throw new AppError('file_changed', { file: fileName });
  }
  await check(path, source);
  // Wellbench's own copy doesn't change.
  if (conversion?.original.place === 'path') await check(conversion.original.path, conversion.original);
}

export const uploadEngine = createUploadEngine();

/** What uploads of one file into one dataset have in common. */
export const uploadClaim = ({ connection, address, source }: UploadPlan): string =>
  JSON.stringify([
    new URL(connection.dataUrl).href.replace(/\/$/, ''),
    address.provider,
    address.dataset,
    source.sha256,
  ]);

/**
 * Claims the rows of a file for one job: an upload skips the rows that exist, but not those that another has in flight.
 * The rows that others sent since are no longer those of a stopped job.
 * @param folder the folder of the job, whose lock this process holds
 * @returns ends the claim of an upload that sent nothing
 * @throws AppError upload_repeated
 */
async function claimUpload(
  plan: UploadPlan,
  folder: string,
  claim: EngineContext['claim'],
): Promise<() => Promise<void>> {
  const { fileName: file, existing } = plan;
  const release = await claim(uploadClaim(plan), ({ job, isRunning, isLater, hasBegun }) => {
    // The existing records were read when this job began: they lack those of the other job.
    const isInsertedAgain = isLater && (hasBegun || existing === 'insert');
    if (isRunning || isInsertedAgain) throw new AppError('upload_repeated', { file, job, isRunning });
  });
  return async () => {
    await forgetExisting(folder);
    await release();
  };
}
