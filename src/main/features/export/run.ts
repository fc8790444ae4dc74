import { basename, join } from 'node:path';
import {
  canBlankNulls,
  exportResult,
  manifestOf,
  type ExportResult,
  type Aggregation,
} from '../../../shared/export/export.ts';
import type { StartTableEngine } from '../../core/duckdb/duckdb.ts';
import { createFolder } from '../../core/files/disk.ts';
import { digestOf } from '../../core/files/move-file.ts';
import {
  checkFree,
  publishOutput,
  reservePartial,
  sizeOf,
  writeOutput,
} from '../../core/files/output-file.ts';
import { countInWords } from '../../../shared/lists.ts';
import { plainName } from '../../core/files/plain-name.ts';
import {
  removeSpools,
  type FinishedFile,
  lockFolder,
  RecordWriter,
  TableRun,
  type Finished,
  type Folder,
  type FolderPlan,
  type Reread,
  type TableState,
  type UpdatedTable,
  type WrittenRecords,
  durableCheckpoint,
  spoolBytesOf,
  type Checkpoint,
  type FolderTarget,
  type Spooled,
} from '../../core/write/write.ts';
import type { Engine, EngineContext, JobEvent, OpenJob } from '../../core/jobs/jobs.ts';
import { readDetails } from './details.ts';
import {
  exportEntry,
  exportFormatVersion,
  exportPlan,
  readProgress,
  type ExportEntry,
  type ExportPlan,
  type ExportProgress,
  createSpec,
  partialName,
  requestedFields,
  checkManifest,
  requestOf,
} from './export.ts';
import { rm } from '../../world/files.ts';
import { wallMs } from '../../world/time.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { type JsonObject, stringifyJson } from '../../../shared/json.ts';
import { withWriteErrors } from '../../core/files/file-errors.ts';
import {
  canBeWindowed,
  computedFrom,
  parseObject,
  wholeOperationOf,
  withBound,
} from '../../core/requests.ts';
import { readAll, type Survey } from '../../core/reading/reading.ts';
import type { DataService, RecordsResponse } from '../../core/wire/services/services.ts';

type ExportEvent = JobEvent<ExportEntry, ExportResult>;

/** Opens the engine that writes Parquet, and returns what starts it. */
type OpenTables = () => Promise<StartTableEngine>;

interface ExportRun {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  /** What earlier runs of the job did. */
  readonly earlier: ExportProgress & { readonly startedAt: string };
  readonly signal: AbortSignal;
  readonly services: EngineContext['services'];
  readonly openTables: OpenTables;
}

const entryEvent = (entry: ExportEntry, flush = true): ExportEvent => ({
  kind: 'entries',
  entries: [entry],
  flush,
});

const progressEvent = (progress: Extract<ExportEvent, { kind: 'progress' }>['progress']): ExportEvent => ({
  kind: 'progress',
  progress,
});

interface RecordTarget {
  /** Path of the partial file. */
  readonly partial: string;
  /** The folder to write instead of a file. */
  readonly folder?: FolderTarget;
}

interface ReadResult {
  readonly rows: number;
  readonly rule: Survey['rule'];
  /** Why `skip` was used although windows were planned. */
  readonly skipReason: string | null;
  /** The number of matching records at the start. */
  readonly counted: number | null;
  /** The number when all of them had been requested; null: it isn't known from reading. */
  readonly countAtEnd: Promise<number> | null;
}

interface WrittenFile extends ReadResult {
  readonly file: Finished;
}

/**
 * Reads all records of a plan, and writes them to the partial file or to the files of a folder, from the last durable
 * checkpoint of the journal.
 * @throws AppError of the services; `disk_full`, `file_unwritable`, `sql_unavailable`, `cancelled`
 */
async function* writeRecords(run: ExportRun, target: RecordTarget): AsyncGenerator<ExportEvent, WrittenFile> {
  const { job, signal, openTables } = run;
  const { aggregation, format, columnNames } = job.plan;
  const startTables = format === 'parquet' ? await openTables() : null;
  // It starts while the first page travels.
  const writer = new RecordWriter({ startTables, signal, columnNames, folder: target.folder });
  try {
    const { spooled, ...read } = yield* aggregation
      ? writeWhole(run, aggregation, target, writer)
      : writePages(run, target, writer);
    const file = await writer.finish(spooled);
    yield progressEvent({ bytes: file.bytes });
    return { ...read, file };
  } finally {
    await writer.close();
  }
}

type Written = ReadResult & { readonly spooled: Spooled };

const specOf = ({ job, earlier }: ExportRun, { partial }: RecordTarget, rule: Survey['rule']) =>
  createSpec(job.plan, { folder: job.folder, partial, rule }, earlier.startedAt);

/** Writes pages from the last durable checkpoint; each is recorded in the journal when it is written. */
async function* writePages(
  run: ExportRun,
  target: RecordTarget,
  writer: RecordWriter,
): AsyncGenerator<ExportEvent, Written> {
  const { job, earlier, services, signal } = run;
  const { plan, folder } = job;
  const { data } = services;
  const { sliceBytes = Number.POSITIVE_INFINITY, verifies = false } = plan.folder ?? {};
  const { surveyResult, checkpoints } = earlier;
  let { counted } = earlier;
  let countAtEnd: Promise<number> | null = null;
  if (counted !== null) yield progressEvent({ totalRows: counted });
  // Calculated values can need rows that were written before.
  let last = plan.calculation?.isOrdered
    ? null
    : await durableCheckpoint(earlier, { format: plan.format, folder, partial: target.partial });
  if (!last && checkpoints.length > 0) yield entryEvent({ kind: 'restarted' });
  let readRows = last?.rows ?? 0;
  let slices = last ? earlier.slices : [];
  let rule: Survey['rule'] = null;
  let skipReason = surveyResult?.reason ?? null;

  /** Makes the last checkpoint durable. */
  async function* flush(): AsyncGenerator<ExportEvent, void> {
    if (!last || last.durable) return;
    await writer.flush();
    last = { ...last, durable: true };
    yield entryEvent({ kind: 'page', checkpoint: last });
  }

  /** Writes the spooled rows as a slice, and begins the spool again. */
  async function* writeSlice(checkpoint: Checkpoint): AsyncGenerator<ExportEvent, void> {
    const { marks } = checkpoint;
    if (marks.spool < sliceBytes || !marks.table) return;
    const slice = { ...(await writer.writeSlice(marks.table, slices)), spoolBytes: marks.spool };
    slices = [...slices, slice];
    last = { ...checkpoint, durable: true, marks: { ...marks, spool: 0 } };
    yield entryEvent({ kind: 'slice', checkpoint: last, slice });
    await writer.restartSpool();
  }

  try {
    const events = readAll({
      data,
      request: { ...plan, fields: requestedFields(plan) },
      signal,
      earlier: { survey: surveyResult, counted, checkpoint: last },
      read: writer.read,
      endsAtCount: verifies,
    });
    for await (const event of events) {
      switch (event.kind) {
        case 'start':
          if (event.restartReason !== null) {
            yield entryEvent({ kind: 'windowsRefused', reason: event.restartReason });
            [last, slices, readRows] = [null, [], 0];
          } else if (plan.windows && !surveyResult)
            yield entryEvent({ kind: 'surveyed', rule: event.rule, reason: event.reason }, false);
          ({ rule, reason: skipReason } = event);
          await writer.open(specOf(run, target, rule), last);
          break;
        case 'count':
          counted = event.count;
          yield progressEvent({ totalRows: counted });
          yield entryEvent({ kind: 'counted', count: counted }, false);
          break;
        case 'requested':
          // A mirror is compared by the comparison that follows.
          if (verifies) break;
          countAtEnd = data.count(plan.address, parseObject(plan.query), { signal });
          // Awaited later; until then a rejection must not be unhandled.
          void Promise.allSettled([countAtEnd]);
          break;
        case 'page': {
          const { cursor, pageSize } = event;
          const checkpoint: Checkpoint = { cursor, pageSize, ...(await writer.write()) };
          last = checkpoint;
          readRows = checkpoint.rows;
          const { rows, durable, marks } = checkpoint;
          if (event.added > 0) yield entryEvent({ kind: 'page', checkpoint }, durable);
          yield progressEvent({ rows, bytes: spoolBytesOf(slices) + Math.max(marks.partial, marks.spool) });
          yield* writeSlice(checkpoint);
        }
      }
    }
  } catch (error) {
    // A resume after a cancel or a failed request reads no page again.
    try {
      yield* flush();
    } catch {
      // The first error is the reason.
    }
    throw error;
  }
  // Finishing can replace what earlier checkpoints count.
  yield* flush();
  const spooled = { marks: last, slices };
  return { rows: readRows, rule, skipReason, counted, countAtEnd, spooled };
}

/** Writes the response to the plan's aggregation, which has all records, from the start even in a resumed export. */
async function* writeWhole(
  run: ExportRun,
  aggregation: Aggregation,
  target: RecordTarget,
  writer: RecordWriter,
): AsyncGenerator<ExportEvent, Written> {
  await writer.open(specOf(run, target, null), null);
  const marks = await writer.writeWhole(await fetchWhole(run, aggregation));
  const { rows } = marks;
  yield progressEvent({ rows, totalRows: rows });
  return { rows, rule: null, skipReason: null, counted: null, countAtEnd: null, spooled: { marks } };
}

/** A pipeline has its own order, and its results have no key field for pages. */
async function fetchWhole(
  { job, services, signal }: ExportRun,
  aggregation: Aggregation,
): Promise<RecordsResponse['bytes']> {
  const { address } = job.plan;
  const { data } = services;
  const operation = wholeOperationOf(aggregation);
  const { bytes } = await (operation.kind === 'pipeline'
    ? data.pipeline(address, operation.stages, { signal })
    : data.aggregate(address, operation.aggregate, { signal }));
  return bytes;
}

type FolderEvents = AsyncGenerator<ExportEvent, ExportResult>;

/**
 * Writes a table of Delta, or what is new in one, and compares a mirror with the service. The records are spooled in the
 * job's folder, so that a resumed run continues there; its files become those of the table at the end.
 * @throws AppError of the services and of the writer; `invalid_input`, `file_unreadable`, `file_unwritable`
 */
async function* runFolder(run: ExportRun, plan: FolderPlan): FolderEvents {
  const { job, earlier } = run;
  const { target } = job.plan;
  if (target.place !== 'path') throw new AppError('internal', { problem: 'a folder needs a path' });
  const { path } = target;
  const partial = join(job.folder, partialName);
  const lock = await lockFolder(path);
  try {
    if (earlier.partial === null) yield entryEvent({ kind: 'began', at: earlier.startedAt, partial }, false);
    const result = yield* runTable(run, { ...plan, path, job: job.id }, partial);
    await removeSpools(job.folder);
    await rm(partial, { force: true }).catch(() => undefined);
    yield progressEvent({ rows: result.rows, bytes: result.bytes });
    return result;
  } finally {
    lock.release();
  }
}

async function* runTable(run: ExportRun, folder: Folder, partial: string): FolderEvents {
  const { job, services, signal, openTables } = run;
  const { plan } = job;
  const readAgain = (reread: Reread, table: TableState) => replace(reread, run, folder, table);
  const place = { startTables: await openTables(), signal, folder: join(job.folder, 'log') };
  const table = await TableRun.open(folder, plan.fileName, place);
  if (plan.details && plan.details.units !== 'stored') table.checkUnits(plan.columns, plan.unitChanges);
  yield* table.readLost(readAgain);
  const target = { ...folder, table: table.current, replaced: null };
  const written = yield* writeRecords(run, { partial, folder: target });
  const comparison = await compareCounts(services.data, plan, written, signal);
  table.wrote(tableOf(written.file));
  const { address } = plan;
  // The comparison of counts was before the differences were read again.
  const isVerified =
    folder.verifies && (yield* table.verify({ data: services.data, address, signal, readAgain }));
  const { lastCommit, ...end } = await table.finish(plan.version, isVerified ? [] : comparison.warnings);
  yield { kind: 'artifact', artifact: { kind: 'manifest', path: lastCommit } };
  const expected = comparison.expected === null ? null : end.rows + comparison.expected - written.rows;
  return { ...end, expected: isVerified ? end.rows : expected };
}

function tableOf(finished: Finished): UpdatedTable {
  if (!('table' in finished)) throw new AppError('internal', { problem: 'a folder is a table' });
  return finished;
}

/**
 * Reads partitions as a whole, and replaces what a table has of them.
 * @returns the table after it, and what was written
 * @throws AppError of the data service and of the writer; `cancelled`
 */
async function* replace(
  { queries, partitions, maxTimeMs }: Reread,
  { job, services, signal, openTables }: ExportRun,
  target: Folder,
  table: TableState,
): AsyncGenerator<ExportEvent, UpdatedTable> {
  const { plan } = job;
  const { windows, columnNames } = plan;
  const folder = join(job.folder, 'reread');
  await rm(folder, { recursive: true, force: true });
  await withWriteErrors(plan.fileName, async () => createFolder(folder));
  const folderTarget = { ...target, maxTimeMs, replaces: false, cutMs: null, table, replaced: partitions };
  const specOf = (rule: Survey['rule']) =>
    createSpec(plan, { folder, partial: join(folder, partialName), rule }, '');
  const startTables = await openTables();
  const writer = new RecordWriter({ startTables, signal, columnNames, folder: folderTarget });
  /** The records of the queries so far. */
  let marks: WrittenRecords | null = null;
  try {
    if (queries.length === 0) await writer.open(specOf(null), null);
    for (const query of queries) {
      const earlier: WrittenRecords | null = marks && { ...marks, ids: 0 };
      const request = {
        ...plan,
        query: stringifyJson(query),
        windows: windows && canBeWindowed(query, windows.field) ? windows : null,
      };
      const events = readAll({
        data: services.data,
        request,
        signal,
        read: writer.read,
        endsAtCount: true,
      });
      for await (const event of events) {
        if (event.kind === 'start') await writer.open(specOf(event.rule), earlier);
        if (event.kind !== 'page') continue;
        marks = await writer.write();
        yield progressEvent({ rows: marks.rows });
      }
    }
    return tableOf(await writer.finish({ marks }));
  } finally {
    await writer.close();
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Exports all matching records once, in order. Pages are windows on the dataset's index field, or use `skip`;
 * a thread writes them to `<file>.partial`, which is renamed when complete. The journal has a checkpoint for
 * each page; with an unchanged dataset, a resumed export has the same bytes, or as Parquet the same rows.
 */
export const createExportEngine = (
  openTables: OpenTables,
): Engine<ExportPlan, ExportEntry, ExportResult> => ({
  kind: 'export',
  format: exportFormatVersion,
  plan: exportPlan,
  entry: exportEntry,
  result: exportResult,
  async *run(job, { signal, services }) {
    const progress = readProgress(job.entries);
    const earlier = { ...progress, startedAt: progress.startedAt ?? new Date(wallMs()).toISOString() };
    const run = yield* withDetails({ job, earlier, signal, services, openTables });
    return yield* job.plan.folder ? runFolder(run, job.plan.folder) : runFile(run);
  },
  async discard({ entries, plan: { folder } }) {
    // Its files are of no version of the table; a later run removes them.
    if (folder) return;
    const { partial, finished } = readProgress(entries);
    // A finished file has its final name, or is the only copy; the partial name may belong to another export now.
    if (!finished && partial?.endsWith('.partial')) await rm(partial, { force: true });
  },
});

/** The run with its plan completed by what is read before the first record. */
async function* withDetails(run: ExportRun): AsyncGenerator<ExportEvent, ExportRun> {
  const { job, services, signal } = run;
  const { plan } = job;
  if (!plan.details) return run;
  let { details } = run.earlier;
  if (!details) {
    details = await readDetails(services, { ...plan, details: plan.details }, signal);
    yield entryEvent({ kind: 'details', details });
  }
  return { ...run, job: { ...job, plan: { ...plan, ...details } } };
}

interface CountComparison {
  /** Expected number of rows; null without a count. */
  readonly expected: number | null;
  readonly atEnd: number | null;
  readonly warnings: readonly string[];
  /** Changes during the export that need no attention. */
  readonly notes: readonly string[];
}

const recordsInWords = (count: number): string => countInWords(count, 'record', 'records');

/**
 * Compares the written rows with counts of the service. A difference explained by records above the upper
 * bound is a note; any other is a warning.
 * @throws AppError `cancelled`; any other failure to count becomes a warning
 */
async function compareCounts(
  data: Pick<DataService, 'count'>,
  { address, query: text, aggregation, folder }: ExportPlan,
  { rows, rule, counted, countAtEnd }: ReadResult,
  signal: AbortSignal,
): Promise<CountComparison> {
  const uncompared = { expected: null, atEnd: null, warnings: [], notes: [] };
  if (aggregation) return uncompared;
  const asCounted = { ...uncompared, expected: rows, atEnd: rows };
  // Records that a mirror lacks because they came while it was read come with its next update.
  const isComplete = folder?.verifies === true && counted !== null && rows >= counted;
  if (isComplete || (await countAtEnd?.catch(() => null)) === rows) return asCounted;
  const query = parseObject(text);
  const count = (by: JsonObject): Promise<number> => data.count(address, by, { signal });
  try {
    const atEnd = await count(query);
    if (atEnd === rows) return asCounted;
    // Added above the highest value of the start: they aren't in the file.
    const recordsAbove = rule
      ? await count(withBound(query, rule.field, { op: '$gt', value: rule.upper }))
      : 0;
    const expected = atEnd - recordsAbove;
    if (expected === rows) {
      const note = `The file omits ${recordsInWords(recordsAbove)} added during the export above the highest value at its start.`;
      return { ...uncompared, expected, atEnd, notes: [note] };
    }
    const before = counted === null ? '' : ` (${counted} at the start)`;
    const warning = `The file has ${recordsInWords(rows)}, but the service counts ${expected}${before}: records were added, changed, or deleted during the export. If every record matters, export again when the dataset doesn't change.`;
    return { ...uncompared, expected, atEnd, warnings: [warning] };
  } catch (error) {
    if (!(error instanceof AppError) || error.is('cancelled')) throw error;
    const warning = `The rows couldn't be compared with the service's count: ${error.message}`;
    return { ...uncompared, warnings: [warning] };
  }
}

/** What a person should know of an exported file. @throws AppError `invalid_input` for an operation of the plan */
function reportOf(
  { aggregation }: ExportPlan,
  { file, skipReason }: WrittenFile,
  { warnings, notes }: CountComparison,
): { readonly warnings: string[]; readonly notes: string[] } {
  const part = aggregation ? computedFrom(wholeOperationOf(aggregation)) : undefined;
  const ofPart = part === undefined ? [] : [`The results are computed from ${part}.`];
  const ofSkip = skipReason === null ? [] : [`The records were read by skip: ${skipReason}.`];
  return { warnings: [...ofPart, ...file.warnings, ...warnings], notes: [...ofSkip, ...notes] };
}

/**
 * The text of the manifest. It has the query, never credentials.
 * @param file path of the exported file
 * @param facts of the file and of how it was written
 * @throws SyntaxError if the query of the plan isn’t JSON
 */
function manifestText(file: string, plan: ExportPlan, facts: JsonObject): string {
  const { connection, address, format, fields, timeZone, columns, unitChanges } = plan;
  const manifest: JsonObject = {
    wellbenchExport: 1,
    file: basename(file),
    format,
    connection: { name: connection.name, dataUrl: connection.dataUrl },
    dataset: `${address.provider}/${address.dataset}`,
    ...requestOf(plan),
    fields: [...fields],
    timeZone,
    ...(canBlankNulls(format) && { nullValues: plan.nullValues }),
    units: Object.fromEntries(
      Object.entries(columns).flatMap(([path, { unit }]) => (unit === undefined ? [] : [[path, unit]])),
    ),
    converted: Object.fromEntries(
      Object.entries(unitChanges).map(([path, { from, to }]) => [path, { from, to }]),
    ),
    ...facts,
  };
  return `${stringifyJson(manifest, 2)}\n`;
}

/**
 * Writes a file and its manifest.
 * @throws AppError of the services and of the writer; `file_exists`, `file_unreadable`
 */
async function* runFile(run: ExportRun): AsyncGenerator<ExportEvent, ExportResult> {
  const { job, earlier, services, signal } = run;
  const { plan } = job;
  const places = await targetFilesOf(plan, job.folder);
  const { replaces, file: path } = places;
  const owner = { file: path, replaces, startedAt: earlier.startedAt, sha256: earlier.finished?.file.sha256 };
  await checkManifest(places.manifest, owner);
  const finished = await findFinished(places, earlier, signal);
  const { surveyResult, counted } = earlier;
  const written: WrittenFile = finished
    ? {
        ...finished,
        rule: surveyResult?.rule ?? null,
        skipReason: surveyResult?.reason ?? null,
        counted,
        countAtEnd: null,
      }
    : yield* writeAndPublish(run, places);
  const { file, rows } = written;
  const comparison = await compareCounts(services.data, plan, written, signal);
  const { warnings, notes } = reportOf(plan, written, comparison);
  yield { kind: 'artifact', artifact: { kind: 'result', path } };
  const text = manifestText(path, plan, {
    rows,
    bytes: file.bytes,
    sha256: file.sha256,
    columns: file.columns,
    counted: { atStart: written.counted, atEnd: comparison.atEnd },
    started: earlier.startedAt,
    finished: new Date(wallMs()).toISOString(),
    warnings,
    notes,
  });
  const ofFile = { ...owner, sha256: file.sha256 };
  const isReplaced = await checkManifest(places.manifest, ofFile);
  await writeOutput({ path: places.manifest, replaces: isReplaced }, text);
  yield { kind: 'artifact', artifact: { kind: 'manifest', path: places.manifest } };
  yield progressEvent({ rows, bytes: file.bytes });
  await removeSpools(job.folder);
  return { rows, bytes: file.bytes, sha256: file.sha256, expected: comparison.expected, warnings };
}

async function* writeAndPublish(
  run: ExportRun,
  places: TargetFiles,
): AsyncGenerator<ExportEvent, WrittenFile> {
  const { startedAt } = run.earlier;
  const { partial, isNew } = await findPartial(places, run.earlier);
  if (isNew) yield entryEvent({ kind: 'began', at: startedAt, partial });
  const written = yield* writeRecords(run, { partial });
  yield entryEvent({ kind: 'finished', file: written.file, rows: written.rows });
  await publishOutput(partial, { path: places.file, replaces: places.replaces });
  return written;
}

interface TargetFiles {
  readonly file: string;
  readonly replaces: boolean;
  readonly manifest: string;
}

/**
 * The files of a plan's target; creates the folder of a target inside the job.
 * @param jobFolder absolute path
 * @throws Error of the file system
 */
async function targetFilesOf(
  { target }: Pick<ExportPlan, 'target'>,
  jobFolder: string,
): Promise<TargetFiles> {
  if (target.place === 'path')
    return { file: target.path, manifest: manifestOf(target.path), replaces: target.replaces };
  const folder = join(jobFolder, 'result');
  await createFolder(folder);
  const file = join(folder, plainName(target.name));
  return { file, manifest: manifestOf(file), replaces: false };
}

/**
 * The path of the partial file: the earlier one if it exists, else a new one.
 * @throws AppError `file_exists` if the name of the result is taken in the meantime; `file_unwritable`,
 *   `disk_full`
 */
async function findPartial(
  { file, replaces }: TargetFiles,
  { partial }: ExportProgress,
): Promise<{ readonly partial: string; readonly isNew: boolean }> {
  await checkFree({ path: file, replaces });
  if (partial !== null && (await sizeOf(partial)) !== null) return { partial, isNew: false };
  return { partial: await reservePartial(file), isNew: true };
}

async function isIntact(
  path: string,
  { bytes, sha256 }: FinishedFile,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await sizeOf(path)) !== bytes) return false;
  return (await digestOf(path, signal)).sha256 === sha256;
}

/**
 * The finished file of an earlier run, published if necessary.
 * @returns null if it wasn't finished or has changed
 * @throws AppError `file_exists`, `file_unwritable`, `cancelled`
 */
async function findFinished(
  { file, replaces }: TargetFiles,
  { finished, partial }: ExportProgress,
  signal: AbortSignal,
): Promise<ExportProgress['finished']> {
  if (!finished) return null;
  if (await isIntact(file, finished.file, signal)) {
    // A process that ends while it publishes leaves the file with both names.
    if (partial !== null) await rm(partial, { force: true }).catch(() => undefined);
    return finished;
  }
  // Its name was given: the permission to replace a file was for that, not for what the person has changed since.
  if (partial === null || (await sizeOf(partial)) === null) {
    await checkFree({ path: file, replaces: false });
    return null;
  }
  if (!(await isIntact(partial, finished.file, signal))) return null;
  await publishOutput(partial, { path: file, replaces });
  return finished;
}
