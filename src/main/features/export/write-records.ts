import type { Aggregation, ExportResult } from '../../../shared/export/export.ts';
import type { StartTableEngine } from '../../core/duckdb/duckdb.ts';
import type { EngineContext, JobEvent, OpenJob } from '../../core/jobs/jobs.ts';
import { parseObject, wholeOperationOf } from '../../core/requests.ts';
import { type Survey, readAll } from '../../core/reading/reading.ts';
import { transferable } from '../../core/processes/page-thread.ts';
import {
  type ExportEntry,
  type ExportPlan,
  type ExportProgress,
  createSpec,
  requestedFields,
} from './export-plan.ts';
import {
  durableCheckpoint,
  RecordWriter,
  spoolBytesOf,
  type Checkpoint,
  type Finished,
  type FolderTarget,
  type Spooled,
} from '../../core/write/write.ts';
import { calculationFacts } from '../../core/records/calculator.ts';
import type { RecordsResponse } from '../../core/wire/services/services.ts';

export type ExportEvent = JobEvent<ExportEntry, ExportResult>;

/** Opens the engine that writes Parquet, and returns what starts it. */
export type OpenTables = () => Promise<StartTableEngine>;

export interface ExportRun {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  /** What earlier runs of the job did. */
  readonly earlier: ExportProgress & { readonly startedAt: string };
  readonly signal: AbortSignal;
  readonly services: EngineContext['services'];
  readonly openTables: OpenTables;
}

/** An entry of the journal, as an event. */
export const entryEvent = (entry: ExportEntry, flush = true): ExportEvent => ({
  kind: 'entries',
  entries: [entry],
  flush,
});

/** Progress, as an event. */
export const progressEvent = (
  progress: Extract<ExportEvent, { kind: 'progress' }>['progress'],
): ExportEvent => ({ kind: 'progress', progress });

/** Where the records of a run go. */
interface RecordTarget {
  /** Path of the partial file. */
  readonly partial: string;
  /** The folder to write instead of a file. */
  readonly folder?: FolderTarget;
}

/** The records of a run, how they were read, and what the service counted. */
export interface ReadResult {
  readonly rows: number;
  readonly rule: Survey['rule'];
  /** Why `skip` was used although windows were planned. */
  readonly skipReason: string | null;
  /** The number of matching records at the start. */
  readonly counted: number | null;
  /** The number when all of them had been requested; null: it isn't known from reading. */
  readonly countAtEnd: Promise<number> | null;
}

export interface WrittenFile extends ReadResult {
  readonly file: Finished;
}

/**
 * Reads all records of a plan, and writes them to the partial file or to the files of a folder, from the last durable
 * checkpoint of the journal.
 * @throws AppError of the services; `disk_full`, `file_unwritable`, `sql_unavailable`, `cancelled`
 */
export async function* writeRecords(
  run: ExportRun,
  target: RecordTarget,
): AsyncGenerator<ExportEvent, WrittenFile> {
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

/** What the writer needs to know. */
const specOf = ({ job, earlier }: ExportRun, { partial }: RecordTarget, rule: Survey['rule']) =>
  createSpec(job, partial, { rule, started: earlier.startedAt });

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
  let last =
    checkpoints.length > 0 ? await lastDurable(earlier, plan, { folder, partial: target.partial }) : null;
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
  const content = await fetchWhole(run, aggregation);
  const origin = { overlaps: false, endsBelow: 0 };
  await writer.read({ at: { at: 'whole' }, content, origin }, { transfer: transferable(content) });
  const marks = await writer.write();
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

/** The checkpoint from which a resumed run continues; null: everything must be read again. @throws AppError `file_unwritable` */
export const lastDurable = async (
  progress: ExportProgress,
  { format, calculation }: ExportPlan,
  places: { readonly folder: string; readonly partial: string },
): Promise<Checkpoint | null> =>
  // Values can need rows that were written before.
  calculation && calculationFacts(calculation).isOrdered
    ? null
    : durableCheckpoint(progress, { format, ...places });
