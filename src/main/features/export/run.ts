import { join } from 'node:path';
import { exportResult, manifestOf, type ExportResult } from '../../../shared/export/export.ts';
import { type StartTableEngine, tableEngines } from '../../core/duckdb/duckdb.ts';
import { createFolder } from '../../core/files/flush.ts';
import { digestOf } from '../../core/files/move-file.ts';
import { checkFree, publishOutput, reservePartial, sizeOf } from '../../core/files/output-file.ts';
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
  type WrittenRecords,
} from '../../core/write/write.ts';
import type { Engine } from '../../core/jobs/jobs.ts';
import { readDetails } from './details.ts';
import { checkManifest, manifestText, writeManifest, compareCounts, reportOf } from './manifest.ts';
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
} from './export-plan.ts';
import {
  entryEvent,
  progressEvent,
  writeRecords,
  type ExportEvent,
  type ExportRun,
  type WrittenFile,
} from './write-records.ts';
import { rm } from '../../world/files.ts';
import { wallMs } from '../../world/time.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { stringifyJson } from '../../../shared/json.ts';
import { writeError } from '../../core/files/file-errors.ts';
import { canBeWindowed } from '../../core/requests.ts';
import { readAll, type Survey } from '../../core/reading/reading.ts';

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

/** Updates a table, and compares a mirror with the service. */
async function* runTable(run: ExportRun, folder: Folder, partial: string): FolderEvents {
  const { job, services, signal, startTables } = run;
  const { plan } = job;
  const readAgain = (reread: Reread, table: TableState) => replace(reread, run, folder, table);
  const place = { startTables, signal, folder: join(job.folder, 'log') };
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

function tableOf(finished: Finished): Finished & { readonly table: TableState } {
  const { table } = finished;
  if (!table) throw new AppError('internal', { problem: 'a folder is a table' });
  return { ...finished, table };
}

/**
 * Reads partitions as a whole, and replaces what a table has of them.
 * @returns the table after it, and what was written
 * @throws AppError of the data service and of the writer; `cancelled`
 */
async function* replace(
  { queries, partitions, maxTimeMs }: Reread,
  { job, services, signal, startTables }: ExportRun,
  target: Folder,
  table: TableState,
): AsyncGenerator<ExportEvent, Finished & { readonly table: TableState }> {
  const { plan } = job;
  const { windows, format, columnNames } = plan;
  const folder = join(job.folder, 'reread');
  await rm(folder, { recursive: true, force: true });
  await createFolder(folder).catch((error: unknown) => {
    throw writeError(error, plan.fileName, 0);
  });
  const folderTarget = { ...target, maxTimeMs, replaces: false, cutMs: null, table, replaced: partitions };
  const specOf = (rule: Survey['rule']) =>
    createSpec({ plan, folder }, join(folder, partialName), { rule, started: null });
  const writer = new RecordWriter({ format, startTables, signal, columnNames, folder: folderTarget });
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
 * @param startTables starts the engine that writes Parquet
 */
export const createExportEngine = (
  startTables: StartTableEngine = tableEngines(),
): Engine<ExportPlan, ExportEntry, ExportResult> => ({
  kind: 'export',
  format: exportFormatVersion,
  plan: exportPlan,
  entry: exportEntry,
  result: exportResult,
  async *run(job, { signal, services }) {
    const progress = readProgress(job.entries);
    const earlier = { ...progress, startedAt: progress.startedAt ?? new Date(wallMs()).toISOString() };
    const run = yield* withDetails({ job, earlier, signal, services, startTables });
    return yield* job.plan.folder ? runFolder(run, job.plan.folder) : runFile(run);
  },
  async discard({ entries, plan: { folder } }) {
    // Its files are of no version of the table; a later run removes them.
    if (folder) return;
    const { partial } = readProgress(entries);
    if (partial?.endsWith('.partial')) await rm(partial, { force: true });
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
  const text = manifestText(path, {
    plan,
    rows,
    ...file,
    counted: { atStart: written.counted, atEnd: comparison.atEnd },
    started: earlier.startedAt,
    finished: new Date(wallMs()).toISOString(),
    warnings,
    notes,
  });
  await writeManifest(places.manifest, text, { ...owner, sha256: file.sha256 });
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
  /** Whether the file may replace another. */
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
