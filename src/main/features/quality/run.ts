import { join } from 'node:path';
import { qualityJobResult, type QualityJobResult } from '../../../shared/jobs/jobs.ts';
import {
  summarizeComparison,
  type ComparedSide,
  type Comparison,
  type ComparisonReport,
} from '../../../shared/quality/comparison.ts';
import { summarize } from '../../../shared/quality/quality.ts';
import type { QualityReport } from '../../../shared/quality/quality-report.ts';
import type { Thread } from '../../../shared/threads.ts';
import { writeText } from '../../core/files/shared-file.ts';
import { type Engine, mergeEvents, type ProgressReport } from '../../core/jobs/jobs.ts';
import { exportOf, parseObject } from '../../core/requests.ts';
import { type ReadInThread, readAll, windowsFor } from '../../core/reading/reading.ts';
import type { DataService } from '../../core/wire/services/services.ts';
import { sortPlaces, type StartTableEngine } from '../../core/duckdb/duckdb.ts';
import {
  qualityEntry,
  qualityFormatVersion,
  qualityPlan,
  type CheckPlan,
  type QualityEntry,
  type QualityEvent,
  type QualityPlan,
  type ComparisonPlan,
} from './quality-plan.ts';
import { openQualityThread } from './quality-thread.ts';
import type { QualityCalls } from './quality-worker.ts';
import { fieldsToRead } from './record-roles.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { stringifyJson } from '../../../shared/json.ts';
import { defaultSort } from '../../../shared/language/scope.ts';
import { type UploadPlan, releaseSource, settleSource } from '../../core/mapping/mapping.ts';
import { extentQuery } from './pairing.ts';
import type { FileExtent } from './spooled-file.ts';
import { rm } from '../../world/files.ts';

interface ComparisonRun {
  readonly plan: ComparisonPlan;
  readonly data: DataService;
  readonly calls: Thread<QualityCalls>['calls'];
  /** Sorts the rows of a file. */
  readonly startTables: StartTableEngine;
  readonly signal: AbortSignal;
  readonly folder: string;
}

/** The file of the places of the source's records in order; null: it is a query. */
type SourcePlaces = string | null;

/** What happens while a side is read. A restart shows that it can't be read by windows. */
type SideEvent =
  | { readonly kind: 'page'; readonly added: number }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'restart' };
type SideEvents = AsyncGenerator<SideEvent, void>;

/** The files of a comparison in the folder of its job. */
const filesIn = (folder: string) => ({
  spool: join(folder, 'rows'),
  places: join(folder, 'row-places'),
  sortedPlaces: join(folder, 'row-places-in-order'),
});

/**
 * Compares the two sides of a plan, each read as its records are needed.
 * @throws AppError of the services; `cancelled`, `disk_full`, `file_changed`, `file_unreadable`, `file_unwritable`,
 * `sql_unavailable`
 */
export async function* compareSides(run: ComparisonRun): AsyncGenerator<QualityEvent, ComparisonReport> {
  const { source, againstQuery } = run.plan;
  if ('query' in source)
    return yield* compareQueries(run, { source: source.query, against: againstQuery ?? '{}' }, null);
  const removeFiles = async (): Promise<void> => {
    for (const file of Object.values(filesIn(run.folder))) await rm(file, { force: true });
  };
  // An interrupted run leaves some.
  await removeFiles();
  try {
    const { query, places } = yield* spoolFile(run, source.upload);
    const report = yield* compareQueries(run, { source: null, against: againstQuery ?? query }, places);
    await run.calls.close();
    await releaseSource(run.folder);
    return report;
  } finally {
    // A thread that is ending can still have them open; the job's folder is removed later.
    await removeFiles().catch(() => undefined);
  }
}

/** Compares by windows, or if the records can't be read so, by `skip`. */
async function* compareQueries(
  run: ComparisonRun,
  queries: ComparisonReport['queries'],
  places: SourcePlaces,
): AsyncGenerator<QualityEvent, ComparisonReport> {
  for (const isWindowed of [true, false]) {
    const compared = yield* compareOnce(run, queries, places, isWindowed);
    if (compared) return { ...compared, queries, tolerance: run.plan.tolerance };
  }
  throw new AppError('internal', { problem: 'the records can’t be read in pages' });
}

/**
 * Reads the rows of a file, and sorts their places by the index if they aren't in its order.
 * @returns the query for the records that they go to
 */
async function* spoolFile(
  { plan, calls, startTables, folder, signal }: ComparisonRun,
  upload: UploadPlan,
): AsyncGenerator<QualityEvent, { readonly query: string; readonly places: string }> {
  const { fileName, source, layout, rules, rows } = upload;
  const file = {
    ...(await settleSource(upload, folder)),
    planned: source,
    fileName,
    layout,
    rules,
    rows,
  };
  const { spool, places: from, sortedPlaces: to } = filesIn(folder);
  const request = { ...file, spec: plan.spec, spool, recordPlaces: from };
  const extent = yield* mergeEvents<QualityEntry, QualityJobResult, FileExtent>((send) =>
    calls.spoolFile(request, {
      onEvent: (read) => void send({ kind: 'progress', progress: { rows: read, totalRows: rows } }),
    }),
  );
  const query = stringifyJson(extentQuery(extent, plan.spec));
  if (extent.isOrdered) return { query, places: from };
  await sortPlaces({ startTables, signal }, from, to);
  return { query, places: to };
}

/** @returns null if they must be read without windows */
async function* compareOnce(
  run: ComparisonRun,
  queries: ComparisonReport['queries'],
  places: SourcePlaces,
  isWindowed: boolean,
): AsyncGenerator<QualityEvent, Comparison | null> {
  const { plan, calls } = run;
  const progressWith = createProgress(plan);
  const open = (side: ComparedSide, query: string | null): SideEvents =>
    query === null
      ? readFileSide(calls, places ?? '')
      : readSide(run, side, orderOf(plan, parseObject(query), isWindowed));
  await calls.compare(plan.spec);
  const sides = { source: open('source', queries.source), against: open('against', queries.against) };
  try {
    for (let side = await calls.advance(); side; side = await calls.advance()) {
      const { done, value } = await sides[side].next();
      if (done) await calls.endSide({ side });
      else if (value.kind === 'restart') return null;
      else yield { kind: 'progress', progress: progressWith(side, value) };
    }
    return await calls.comparison();
  } finally {
    // Stops prefetched requests, however the comparison ends.
    for (const side of Object.values(sides)) await side.return();
  }
}

/** The progress of both sides together; the rows of a file were read before. */
function createProgress({ source }: ComparisonPlan) {
  const ofFile = 'upload' in source ? source.upload.rows : undefined;
  const rows = { source: ofFile ?? 0, against: 0 };
  const totals: Partial<Record<ComparedSide, number>> = ofFile === undefined ? {} : { source: ofFile };
  return (side: ComparedSide, event: SideEvent): ProgressReport => {
    if (event.kind === 'page') rows[side] += event.added;
    if (event.kind === 'count') totals[side] = event.count;
    const { source: ofSource, against: ofOther } = totals;
    const totalRows = ofSource === undefined || ofOther === undefined ? null : ofSource + ofOther;
    return { rows: rows.source + rows.against, totalRows };
  };
}

function orderOf({ type }: ComparisonPlan, query: ReturnType<typeof parseObject>, isWindowed: boolean) {
  const { sort } = exportOf({ query: '{}', sort: defaultSort(type) });
  const windows = isWindowed ? windowsFor(type, query, sort) : null;
  return { query: stringifyJson(query), sort: stringifyJson(sort), windows };
}

/** Reads the records of a dataset into a side. */
async function* readSide(
  { plan, data, calls, signal }: ComparisonRun,
  side: ComparedSide,
  order: ReturnType<typeof orderOf>,
): SideEvents {
  const { address, spec } = plan;
  const concurrency = Math.max(1, Math.floor(plan.concurrency / 2));
  const request = { address, fields: fieldsToRead(spec), concurrency, ...order };
  const read: ReadInThread = (page, options) => calls.readSide({ side, ...page }, options);
  for await (const event of readAll({ data, request, signal, read, requiresAll: true })) {
    if (event.kind === 'start') {
      if (event.restartReason !== null && order.windows) yield { kind: 'restart' };
      await calls.openSide({ side, rule: event.rule, isOfFile: plan.againstQuery === null });
    } else if (event.kind === 'count') yield event;
    else if (event.kind === 'page') {
      await calls.addToSide({ side });
      yield { kind: 'page', added: event.added };
    }
  }
}

async function* readFileSide(calls: ComparisonRun['calls'], places: string): SideEvents {
  await calls.openFile({ places });
  // Its rows were counted before.
  while (await calls.addFromFile()) yield { kind: 'page', added: 0 };
}

const reportName = 'quality.json';

/**
 * Checks or compares all matching records, read once by the pages of an export. The report is a file of the job. A
 * resumed job reads all records again: what was found so far is only in memory, and reading is fast.
 */
export const createQualityEngine = (
  startTables: StartTableEngine,
): Engine<QualityPlan, QualityEntry, QualityJobResult> => ({
  kind: 'quality',
  format: qualityFormatVersion,
  plan: qualityPlan,
  entry: qualityEntry,
  result: qualityJobResult,
  async *run({ plan, folder }, { services, signal }) {
    yield { kind: 'progress', progress: { rows: 0 } };
    const quality = openQualityThread(signal);
    try {
      const { calls } = quality;
      const read = { folder, data: services.data, calls, startTables, signal };
      let report: object;
      let result: QualityJobResult;
      if ('source' in plan) {
        const compared = yield* compareSides({ ...read, plan });
        [report, result] = [compared, summarizeComparison(compared)];
      } else {
        const checked = yield* checkDataset({ ...read, plan });
        [report, result] = [checked, summarize(checked)];
      }
      const path = join(folder, reportName);
      await writeText(path, JSON.stringify(report));
      yield { kind: 'artifact', artifact: { kind: 'result', path } };
      yield { kind: 'entries', entries: [{ kind: 'finished', rows: result.rows }], flush: true };
      return result;
    } finally {
      quality.close();
    }
  },
});

interface DatasetCheck {
  readonly plan: CheckPlan;
  readonly data: DataService;
  readonly calls: Thread<QualityCalls>['calls'];
  readonly signal: AbortSignal;
}

/** @throws AppError of the services; `cancelled` */
async function* checkDataset({
  plan,
  data,
  calls,
  signal,
}: DatasetCheck): AsyncGenerator<QualityEvent, QualityReport> {
  const { spec } = plan;
  const request = { ...plan, fields: fieldsToRead(spec) };
  let rows = 0;
  for await (const event of readAll({ data, request, signal, read: calls.read, requiresAll: true })) {
    if (event.kind === 'start') {
      rows = 0;
      await calls.open({ spec, rule: event.rule });
    } else if (event.kind === 'count') yield { kind: 'progress', progress: { totalRows: event.count } };
    else if (event.kind === 'page') {
      await calls.check();
      rows += event.added;
      yield { kind: 'progress', progress: { rows } };
    }
  }
  const report = await calls.report();
  yield { kind: 'progress', progress: { rows: report.rows, totalRows: report.rows } };
  return report;
}
