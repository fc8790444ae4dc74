import { AppError } from '../../../shared/errors/errors.ts';
import type { Thread } from '../../../shared/threads.ts';
import type { EngineContext, OpenJob } from '../jobs/engine.ts';
import type { WindowRule } from '../paging/rule.ts';
import { wholeOperationOf } from '../paging/operations.ts';
import type { DataService, RecordsResponse } from '../wire/services/services.ts';
import { openPageThread } from '../processes/page-thread.ts';
import type { StartTableEngine, TableEngine } from '../duckdb/table-engine.ts';
import type { ExportCalls } from '../write/export-worker.ts';
import type { FolderTarget } from '../write/folder/folder-target.ts';
import type { Slice } from '../write/folder/slice.ts';
import type { ExportEntry, ExportPlan, ExportProgress } from '../write/plan.ts';
import { readRecords, transferable } from './read-records.ts';
import { durableCheckpoint } from '../write/places.ts';
import { writeSlice } from '../write/parquet/folder-rows.ts';
import { stageFolder } from '../write/parquet/write-folder.ts';
import { writeTable } from '../write/parquet/write-table.ts';
import { noMarks, noTable } from '../write/sink.ts';
import { aboutOf, createSpec, fieldsOf } from '../write/spec-of-plan.ts';
import type { FinishedFile, ProgressMarks } from '../write/spec.ts';

export interface ExportFileOptions {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  readonly report: EngineContext['report'];
  readonly data: DataService;
  readonly counts: ExportCounts;
  readonly signal: AbortSignal;
  /**
   * Creates the partial file, unless it exists.
   * @returns its path
   */
  readonly partial: () => Promise<string>;
  /** The folder to write instead of a file. */
  readonly folderTarget?: FolderTarget | undefined;
  /** Starts the engine of tables. */
  readonly startTables: StartTableEngine;
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
  setAtStart(count: number): Promise<void>;
  countAtEnd(): void;
}

/**
 * Reads all records into the partial file, from the last durable checkpoint of the journal.
 * @throws AppError of the services; `disk_full`, `file_unwritable`, `cancelled`
 */
export async function writeExportFile(
  options: ExportFileOptions,
  earlier: ExportProgress,
): Promise<ExportFile> {
  const thread = openPageThread<ExportCalls>('export');
  // Starts while the first page travels.
  thread.start();
  const tables = options.job.plan.format === 'parquet' ? openTables(options) : null;
  try {
    const writer = { thread, tables };
    return await (options.job.plan.answerTo ? writeWhole : writePages)(options, writer, earlier);
  } finally {
    await thread.calls.close().catch(() => undefined);
    thread.close();
    await tables?.engine.close();
  }
}

/** What writes an export: a thread for the pages, and the engine that makes a table of their records. */
interface Writer {
  readonly thread: Thread<ExportCalls>;
  readonly tables: ReturnType<typeof openTables> | null;
}

/** Starts the engine of tables: that its library is missing is known before anything is read. */
function openTables({ startTables, signal }: ExportFileOptions) {
  const engine = startTables(signal);
  const loaded = engine.load();
  // Awaited with the first page; without a listener an earlier rejection would be unhandled.
  loaded.catch(() => undefined);
  return { engine, loaded };
}

/** Reads and writes pages from the last durable checkpoint; each is recorded in the journal when it is written. */
async function writePages(
  options: ExportFileOptions,
  writer: Writer,
  earlier: ExportProgress,
): Promise<ExportFile> {
  const { calls } = writer.thread;
  const { job, data, signal, counts, report } = options;
  const { plan, folder, journal } = job;
  const { surveyResult, counted, checkpoints, startedAt } = earlier;
  const { sliceBytes = Number.POSITIVE_INFINITY } = plan.folder ?? {};
  const partial = options.partial();
  // Awaited after the survey; without a listener an earlier rejection would be unhandled.
  partial.catch(() => undefined);
  let from =
    checkpoints.length > 0
      ? await durableCheckpoint(earlier, plan, { folder, partial: await partial })
      : null;
  if (!from && checkpoints.length > 0) await journal.append({ kind: 'anew' }, { flush: true });
  let slices: readonly Slice[] = from ? earlier.slices.filter((slice) => slice !== null) : [];
  let slicedBytes = 0;
  let rule: WindowRule | null = null;
  let skipReason = surveyResult?.why ?? null;
  let rows = from?.rows ?? 0;
  let last = from;
  const pages = readRecords({
    data,
    request: plan,
    signal,
    earlier: { survey: surveyResult, counted, checkpoint: from },
    async open(usedRule) {
      rule = usedRule;
      await writer.tables?.loaded;
      const spec = createSpec({ plan, folder, folderTarget: options.folderTarget }, await partial, {
        rule,
        started: startedAt,
      });
      await calls.open({ spec, from });
      return (at, content, origin) =>
        calls.write({ at, content, origin }, { transfer: transferable(content) });
    },
    onSurvey: (survey) => journal.append({ kind: 'surveyed', ...survey }),
    onCount: counts.setAtStart,
    onLastRequest: counts.countAtEnd,
    endsAtCount: plan.folder?.verifies === true,
  });
  /** Makes the last checkpoint durable. */
  async function flushPages(): Promise<void> {
    if (!last || last.durable) return;
    await calls.flush();
    last = { ...last, durable: true };
    await journal.append({ kind: 'page', checkpoint: last }, { flush: true });
  }
  try {
    for await (const page of pages) {
      if ('fallbackReason' in page) {
        skipReason = page.fallbackReason;
        await journal.append({ kind: 'gaveUp', why: skipReason }, { flush: true });
        from = null;
        last = null;
        slices = [];
        continue;
      }
      const { checkpoint, addedRows } = page;
      if (addedRows > 0) await journal.append({ kind: 'page', checkpoint }, { flush: checkpoint.durable });
      last = checkpoint;
      ({ rows } = checkpoint);
      const { marks } = checkpoint;
      report({ rows, bytes: slicedBytes + Math.max(marks.partial, marks.spool) });
      if (marks.spool < sliceBytes || !writer.tables || !marks.table) continue;
      await calls.flush();
      const rowsOfFolder = { folder, name: plan.fileName, table: marks.table, slices };
      const slice = await writeSlice(writer.tables.engine, rowsOfFolder);
      slices = [...slices, slice];
      slicedBytes += marks.spool;
      last = { ...checkpoint, durable: true, marks: { ...marks, spool: 0 } };
      await journal.append({ kind: 'slice', checkpoint: last, slice }, { flush: true });
      await calls.restartSpool();
    }
  } catch (error) {
    // A resume after a cancel or a failed request reads no page again.
    await flushPages().catch(() => undefined);
    throw error;
  }
  // Finishing can replace what earlier checkpoints count.
  await flushPages();
  const spooled = { started: startedAt, slices, slicedBytes, marks: last };
  return { file: await finish(options, writer, spooled), rows, rule, skipReason };
}

/** Writes the response to the plan's aggregation, which has all records, from the start even in a resumed export. */
async function writeWhole(
  options: ExportFileOptions,
  writer: Writer,
  { startedAt }: ExportProgress,
): Promise<ExportFile> {
  const { calls } = writer.thread;
  await writer.tables?.loaded;
  const { job, folderTarget } = options;
  const spec = createSpec({ ...job, folderTarget }, await options.partial(), {
    rule: null,
    started: startedAt,
  });
  await calls.open({ spec, from: null });
  const content = await fetchWhole(options);
  const origin = { overlaps: false, endsBelow: 0 };
  const page = await calls.write(
    { at: { at: 'whole' }, content, origin },
    { transfer: transferable(content) },
  );
  if (!('checkpoint' in page)) throw new AppError('internal', { problem: 'a whole answer was not written' });
  const { rows } = page.checkpoint;
  options.report({ rows, totalRows: rows });
  const spooled = { started: startedAt, slices: [], slicedBytes: 0, marks: page.checkpoint };
  return { file: await finish(options, writer, spooled), rows, rule: null, skipReason: null };
}

/** A pipeline has its own order, and its results have no key field for pages. */
async function fetchWhole({ job, data, signal }: ExportFileOptions): Promise<RecordsResponse['bytes']> {
  const { address, answerTo } = job.plan;
  if (!answerTo) throw new AppError('internal', { problem: 'the plan of the export has no aggregation' });
  const question = wholeOperationOf(answerTo);
  const { bytes } =
    question.kind === 'pipeline'
      ? await data.pipeline(address, question.stages, { signal })
      : await data.aggregate(address, question.aggregate, { signal });
  return bytes;
}

/** What was written before the end. */
interface Spooled {
  readonly started: string | null;
  readonly slices: readonly Slice[];
  /** Bytes of the spools that became slices. */
  readonly slicedBytes: number;
  /** Null: there were no pages. */
  readonly marks: ProgressMarks | null;
}

async function finish(
  options: ExportFileOptions,
  { thread, tables }: Writer,
  spooled: Spooled,
): Promise<FinishedFile> {
  const { signal, report } = options;
  if (!tables) {
    const file = await lastStep(() => thread.calls.finishMore(), 'sha256', signal);
    report({ bytes: file.bytes });
    return file;
  }
  await thread.calls.flush();
  await thread.calls.close();
  // The engine needs the memory.
  thread.close();
  const file = await finishTable(options, tables.engine, spooled);
  report({ bytes: file.bytes });
  return file;
}

/**
 * Writes the spooled rows as a Parquet file, or as the files of a folder.
 * @throws AppError `disk_full`, `file_unwritable`, `file_unreadable` for an earlier file, `sql_unavailable`, `cancelled`
 */
export async function finishTable(
  {
    job: { plan, folder },
    partial,
    folderTarget,
  }: Pick<ExportFileOptions, 'job' | 'partial' | 'folderTarget'>,
  engine: TableEngine,
  { started, slices, slicedBytes, marks }: Spooled,
): Promise<FinishedFile> {
  const name = plan.fileName;
  const shape = { fields: fieldsOf(plan), names: plan.columnNames };
  const about = { ...aboutOf(plan), started: started ?? '' };
  const spooled = marks ?? { rows: 0, ids: 0, marks: noMarks };
  if (!folderTarget)
    return writeTable(engine, { ...shape, folder, partial: await partial(), name, about, spooled });
  const table = spooled.marks.table ?? { ...noTable, columns: folderTarget.base?.columns ?? [] };
  return stageFolder(engine, {
    ...shape,
    rows: { folder, name, table, slices },
    target: folderTarget,
    about,
    rowBytes: (slicedBytes + spooled.marks.spool) / Math.max(1, spooled.rows),
  });
}

/**
 * Repeats a step until its result has a member of the last one.
 * @throws AppError `cancelled`, and errors of the step
 */
export async function lastStep<Step extends object, Key extends string>(
  next: () => Promise<Step>,
  key: Key,
  signal: AbortSignal | undefined,
): Promise<Extract<Step, Record<Key, unknown>>> {
  const isLast = (step: Step): step is Extract<Step, Record<Key, unknown>> => key in step;
  for (;;) {
    if (signal?.aborted) throw new AppError('cancelled', {});
    const step = await next();
    if (isLast(step)) return step;
  }
}
