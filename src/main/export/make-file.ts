import { Worker } from 'node:worker_threads';
import type { Aggregation } from '../../shared/export/export.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { isObject, parseJson, stringifyJson, type JsonObject } from '../../shared/json.ts';
import { nodePort, openThread, type Thread } from '../../shared/threads.ts';
import type { EngineContext, OpenJob } from '../jobs/engine.ts';
import { firstRun, firstWindow } from '../paging/cursor.ts';
import { fieldsToRequest } from '../paging/request.ts';
import { type WindowRule, surveyWindow } from '../paging/rule.ts';
import type { FindArguments, RecordsResponse } from '../services/services.ts';
import { workerUrl } from '../workers.ts';
import type { ExportCalls } from './export-worker.ts';
import type { FolderTarget } from './folder/folder-target.ts';
import { requestOf } from './manifest.ts';
import { createPageLimit } from './page-limit.ts';
import type { ExportEntry, ExportPlan, ExportProgress } from './plan.ts';
import { copyPages, type Find, type PageSource, type WritePage } from './read-pages.ts';
import { createKeyReader } from './records/scan.ts';
import { withNameFields } from './records/well-names.ts';
import { lastUsableCheckpoint } from './places.ts';
import type { About } from './writing/about.ts';
import type { Checkpoint, FinishedFile, WindowFallback, WriterSpec } from './writing/spec.ts';

export interface ExportFileOptions {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  readonly report: EngineContext['report'];
  readonly find: Find;
  /** Requests the first record by a sort, and the number of matches if `includeCount`. */
  readonly findFirst: (
    find: Pick<FindArguments, 'query' | 'sort' | 'fields' | 'includeCount'>,
  ) => Promise<Pick<RecordsResponse, 'bytes' | 'total'>>;
  /** Runs the plan's aggregation, which responds with all records at once. */
  readonly fetchWhole: (question: Aggregation) => Promise<RecordsResponse['bytes']>;
  readonly counts: ExportCounts;
  readonly signal: AbortSignal;
  /**
   * Creates the partial file, unless it exists.
   * @returns its path
   */
  readonly partial: () => Promise<string>;
  /** The folder to write instead of a file. */
  readonly folderTarget?: FolderTarget | undefined;
}

export interface ExportFile {
  readonly file: FinishedFile;
  readonly rows: number;
  readonly rule: WindowRule | null;
  /** Why `skip` was used although windows were planned. */
  readonly skipReason: string | null;
}

/** The number of matching records. */
export interface ExportCounts {
  /** The count at the start; stays pending if the service can't count. */
  readonly atStart: Promise<number>;
  setAtStart(count: number): Promise<void>;
  /** Counts while pages are read, if not counted yet. A failure is ignored. */
  countAtStart(): void;
  countAtEnd(): void;
}

/**
 * Parses strict JSON of the plan.
 * @throws AppError `internal` when it isn't an object
 */
export function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new AppError('internal', { problem: 'the plan of the export is damaged' });
  return value;
}

// Pages become garbage as soon as they are written: a larger young generation would cost memory and save no
// time.
const youngGenerationMb = 12;

/**
 * Reads all records into the partial file, from the last checkpoint of the journal.
 * @throws AppError of the services; `disk_full`, `file_unwritable`, `cancelled`
 */
export async function writeExportFile(
  options: ExportFileOptions,
  earlier: ExportProgress,
): Promise<ExportFile> {
  const resourceLimits = { maxYoungGenerationSizeMb: youngGenerationMb };
  const thread = openThread<ExportCalls>(() => nodePort(new Worker(workerUrl('export'), { resourceLimits })));
  // Starts while the first page travels.
  thread.start();
  try {
    const { answerTo } = options.job.plan;
    if (answerTo)
      return await writeWhole(options, thread, { question: answerTo, started: earlier.startedAt });
    const exported = await readAll(options, thread, earlier);
    if (!('fallbackReason' in exported)) return exported;
    await options.job.journal.append({ kind: 'gaveUp', why: exported.fallbackReason }, { flush: true });
    const surveyResult = { rule: null, why: exported.fallbackReason };
    const secondAttempt = await readAll(options, thread, { ...earlier, surveyResult, checkpoints: [] });
    if ('fallbackReason' in secondAttempt)
      throw new AppError('internal', { problem: secondAttempt.fallbackReason });
    return secondAttempt;
  } finally {
    thread.close();
  }
}

/** The buffer of a page, which moves to the thread; a shared buffer is copied. */
const transferable = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer[] =>
  buffer.byteLength === byteLength ? [buffer] : [];

/**
 * Reads and writes pages from the last usable checkpoint. The survey and the first page are requested
 * together.
 */
async function readAll(
  options: ExportFileOptions,
  { calls }: Thread<ExportCalls>,
  earlier: ExportProgress,
): Promise<ExportFile | WindowFallback> {
  const { job, find, signal, counts } = options;
  const { plan, folder } = job;
  // Pages by `skip` need no survey.
  const earlierSurvey = plan.windows === null ? { rule: null, why: null } : earlier.surveyResult;
  const survey = earlierSurvey ? Promise.resolve(earlierSurvey) : surveyDataset(options);
  survey.then(counts.countAtStart, () => undefined);
  const partial = options.partial();
  // Awaited after the survey; without a listener an earlier rejection would be unhandled.
  partial.catch(() => undefined);
  const from =
    earlier.checkpoints.length > 0
      ? await lastUsableCheckpoint(earlier, plan, { folder, partial: await partial })
      : null;
  if (!from && earlier.checkpoints.length > 0) await job.journal.append({ kind: 'anew' }, { flush: true });
  const window = earlierSurvey ? earlierSurvey.rule : plan.windows;
  async function open(): Promise<WritePage | WindowFallback> {
    const { rule, why } = await survey;
    if (window && !rule) return { fallbackReason: why ?? 'there is no field to cut windows by' };
    await calls.open({
      spec: createSpec(options, await partial, { rule, started: earlier.startedAt }),
      from,
    });
    return (at, content, origin) => calls.write({ at, content, origin }, { transfer: transferable(content) });
  }
  const writer = open();
  // Awaited with the first page; without a listener an earlier rejection would be unhandled.
  writer.catch(() => undefined);
  try {
    const source: PageSource = {
      find,
      signal,
      window,
      writer,
      pageQuery: { query: parseObject(plan.query), sort: parseObject(plan.sort), fields: plan.fields },
      limit: createPageLimit(),
      total: counts.atStart,
      rowsBefore: from?.rows ?? 0,
      concurrency: plan.concurrency,
      onLastRequest: counts.countAtEnd,
    };
    const copyResult = await copyAll(options, source, from);
    if ('fallbackReason' in copyResult) return copyResult;
    const { rule, why } = await survey;
    return { file: await finish(options, calls), rows: copyResult.rows, rule, skipReason: why };
  } finally {
    await writer.then(() => calls.close()).catch(() => undefined);
  }
}

/** Reads both ends of the dataset: whether windows are possible, and their upper bound. */
async function surveyDataset({
  job,
  findFirst,
  counts,
}: ExportFileOptions): Promise<{ rule: WindowRule | null; why: string | null }> {
  const { windows } = job.plan;
  if (windows === null) return { rule: null, why: null };
  const keyIn = createKeyReader(windows.field);
  const query = parseObject(job.plan.query);
  const fields = fieldsToRequest(['_id'], windows.field);
  const result = await surveyWindow(windows, async (sort) => {
    // Every survey reads the highest record, so its request includes the count.
    const first = await findFirst({ query, sort, fields, includeCount: sort[windows.field] === -1 });
    if (first.total !== null) await counts.setAtStart(first.total);
    return keyIn(first.bytes);
  });
  const surveyResult = { rule: result.rule, why: result.rule === null ? result.reason : null };
  await job.journal.append({ kind: 'surveyed', ...surveyResult });
  return surveyResult;
}

function createSpec(
  { job: { plan, folder }, folderTarget }: Pick<ExportFileOptions, 'job' | 'folderTarget'>,
  partial: string,
  { rule, started }: { readonly rule: WindowRule | null; readonly started: string | null },
): WriterSpec {
  const { format, csv, layout, columnNames, unitChanges, timeZone, wellNames, fileName } = plan;
  const omittedFields = fieldsToRequest(plan.fields, rule?.field ?? null).filter(
    (field) => !plan.fields.includes(field),
  );
  const fields = wellNames ? withNameFields(plan.fields) : plan.fields;
  const written = {
    format,
    csv,
    layout,
    columnNames,
    unitChanges,
    fields,
    omittedFields,
    timeZone,
    wellNames,
  };
  return {
    ...written,
    folder,
    folderTarget,
    partial,
    name: fileName,
    about: { ...aboutOf(plan), started: started ?? '' },
    rule,
  };
}

const aboutOf = (plan: ExportPlan): Omit<About, 'started'> => ({
  version: plan.version,
  dataUrl: plan.connection.dataUrl,
  dataset: `${plan.address.provider}/${plan.address.dataset}`,
  // The same for every run of a folder, whose updates have a limit of their own.
  request: plan.folder?.request ?? stringifyJson(requestOf(plan)),
  timeZone: plan.timeZone ?? 'UTC',
  columns: plan.columns,
  well: plan.well,
});

/** Copies pages; each is recorded in the journal when it is written. */
async function copyAll(
  { job, signal, report }: ExportFileOptions,
  source: PageSource,
  from: Checkpoint | null,
): Promise<{ readonly rows: number } | WindowFallback> {
  let rows = source.rowsBefore;
  const first = from?.cursor ?? (source.window ? firstWindow : firstRun('all', 0));
  for await (const page of copyPages(source, first)) {
    if ('fallbackReason' in page) return page;
    const { checkpoint, isDurable, addedRows } = page;
    if (addedRows > 0) await job.journal.append({ kind: 'page', checkpoint }, { flush: isDurable });
    ({ rows } = checkpoint);
    report({ rows, bytes: Math.max(checkpoint.marks.partial, checkpoint.marks.spool) });
    if (signal.aborted) throw new AppError('cancelled', {});
  }
  return { rows };
}

/** Writes a response with all records, from the start even in a resumed export. */
async function writeWhole(
  options: ExportFileOptions,
  { calls }: Thread<ExportCalls>,
  { question, started }: { readonly question: Aggregation; readonly started: string | null },
): Promise<ExportFile> {
  await calls.open({
    spec: createSpec(options, await options.partial(), { rule: null, started }),
    from: null,
  });
  try {
    const content = await options.fetchWhole(question);
    const origin = { overlaps: false, endsBelow: 0 };
    const page = await calls.write(
      { at: { at: 'whole' }, content, origin },
      { transfer: transferable(content) },
    );
    if (!('checkpoint' in page))
      throw new AppError('internal', { problem: 'a whole answer was not written' });
    const { rows } = page.checkpoint;
    options.report({ rows, totalRows: rows });
    return { file: await finish(options, calls), rows, rule: null, skipReason: null };
  } finally {
    await calls.close().catch(() => undefined);
  }
}

async function finish(
  { signal, report }: ExportFileOptions,
  calls: Thread<ExportCalls>['calls'],
): Promise<FinishedFile> {
  for (;;) {
    if (signal.aborted) throw new AppError('cancelled', {});
    const step = await calls.finishMore();
    if (!('sha256' in step)) continue;
    report({ bytes: step.bytes });
    return step;
  }
}
