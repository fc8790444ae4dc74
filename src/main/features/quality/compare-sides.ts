import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import { stringifyJson } from '../../../shared/json.ts';
import { defaultSort } from '../../../shared/language/scope.ts';
import type { ComparedSide, Comparison, ComparisonReport } from '../../../shared/quality/comparison.ts';
import type { Thread } from '../../../shared/threads.ts';
import { windowsFor } from '../../core/paging/windows-for.ts';
import { parseObject, readRecords, transferable } from '../../core/read/read-records.ts';
import type { EngineContext } from '../../core/jobs/engine.ts';
import { exportOf } from '../../core/paging/operations.ts';
import type { SqlEngine } from '../../core/duckdb/sql-engine.ts';
import type { UploadPlan } from '../../core/tables/model/plan.ts';
import { placesOf, releaseSource, settleSource } from '../../core/mapping/source-file.ts';
import { extentQuery } from './pairing.ts';
import type { ComparisonPlan } from './plan.ts';
import type { QualityCalls } from './quality-worker.ts';
import { fieldsToRead } from './record-roles.ts';

interface ComparisonRun {
  readonly plan: ComparisonPlan;
  readonly context: Pick<EngineContext, 'services' | 'report'>;
  readonly calls: Thread<QualityCalls>['calls'];
  /** Sorts the rows of a file. */
  readonly engine: Pick<SqlEngine, 'runJob'>;
  readonly signal: AbortSignal;
  /** The folder of the job. */
  readonly folder: string;
}

/** The file of the places of the source's records in order; null: it is a query. */
type SourcePlaces = string | null;

/** The pages of a side. A page can show that the side can't be read by windows. */
type SidePages = AsyncGenerator<{ readonly isFallback: boolean }, void>;

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
export async function compareSides(run: ComparisonRun): Promise<ComparisonReport> {
  const { source, againstQuery } = run.plan;
  if ('query' in source)
    return compareQueries(run, { source: source.query, against: againstQuery ?? '{}' }, null);
  const removeFiles = async (): Promise<void> => {
    for (const file of Object.values(filesIn(run.folder))) await rm(file, { force: true });
  };
  // An interrupted run leaves some.
  await removeFiles();
  try {
    const { query, places } = await spoolFile(run, source.upload);
    const report = await compareQueries(run, { source: null, against: againstQuery ?? query }, places);
    await run.calls.closeFile();
    await releaseSource(run.folder);
    return report;
  } finally {
    // A thread that is ending can still have them open; the job's folder is removed later.
    await removeFiles().catch(() => undefined);
  }
}

/** Compares by windows, or if the records can't be read so, by `skip`. */
async function compareQueries(
  run: ComparisonRun,
  queries: ComparisonReport['queries'],
  places: SourcePlaces,
): Promise<ComparisonReport> {
  for (const isWindowed of [true, false]) {
    const stop = new AbortController();
    const signal = AbortSignal.any([run.signal, stop.signal]);
    try {
      const compared = await compareOnce({ ...run, signal }, queries, places, isWindowed);
      if (compared) return { ...compared, queries, tolerance: run.plan.tolerance };
    } finally {
      // Stops prefetched requests, however the comparison ends.
      stop.abort();
    }
  }
  throw new AppError('internal', { problem: 'the records can’t be read in pages' });
}

/**
 * Reads the rows of a file, and sorts their places by the index if they aren't in its order.
 * @returns the query for the records that they go to
 */
async function spoolFile(
  { plan, context, calls, engine, folder, signal }: ComparisonRun,
  upload: UploadPlan,
): Promise<{ readonly query: string; readonly places: string }> {
  const { fileName, layout, rules, rows } = upload;
  const path = await settleSource(upload, folder);
  const file = { path, places: placesOf(upload, folder), fileName, layout, rules, rows };
  const { spool, places: from, sortedPlaces: to } = filesIn(folder);
  const extent = await calls.spoolFile(
    { ...file, spec: plan.spec, spool, recordPlaces: from },
    { onEvent: (read) => context.report({ rows: read, totalRows: rows }) },
  );
  const query = stringifyJson(extentQuery(extent, plan.spec));
  if (extent.isOrdered) return { query, places: from };
  await engine.runJob(signal, async (sql, limits) => sql.sortPlaces({ from, to, ...limits }, { signal }));
  return { query, places: to };
}

/** @returns null if they must be read without windows */
async function compareOnce(
  run: ComparisonRun,
  queries: ComparisonReport['queries'],
  places: SourcePlaces,
  isWindowed: boolean,
): Promise<Comparison | null> {
  const { plan, calls } = run;
  const onProgress = progressOf(run);
  const pagesOf = (side: ComparedSide, query: string | null): SidePages =>
    query === null
      ? readFileSide(calls, places ?? '')
      : readSide(run, side, orderOf(plan, parseObject(query), isWindowed), onProgress);
  await calls.compare(plan.spec);
  const pages = { source: pagesOf('source', queries.source), against: pagesOf('against', queries.against) };
  for (let side = await calls.advance(); side; side = await calls.advance()) {
    const { done, value } = await pages[side].next();
    if (done) await calls.endSide({ side });
    else if (value.isFallback) return null;
  }
  return calls.comparison();
}

/** What is known of a side while it is read. */
interface SideCounts {
  readonly rows?: number;
  readonly totalRows?: number;
}

/** Reports the records of both sides together; the rows of a file were read before. */
function progressOf({ plan: { source }, context }: ComparisonRun) {
  const ofFile = 'upload' in source ? source.upload.rows : undefined;
  const rows = { source: ofFile ?? 0, against: 0 };
  const totals: Partial<Record<ComparedSide, number>> = ofFile === undefined ? {} : { source: ofFile };
  return (side: ComparedSide, counts: SideCounts): void => {
    rows[side] = counts.rows ?? rows[side];
    if (counts.totalRows !== undefined) totals[side] = counts.totalRows;
    const { source: ofSource, against: ofOther } = totals;
    const totalRows = ofSource === undefined || ofOther === undefined ? null : ofSource + ofOther;
    context.report({ rows: rows.source + rows.against, totalRows });
  };
}

function orderOf(
  { type }: ComparisonPlan,
  query: ReturnType<typeof parseObject>,
  isWindowed: boolean,
): Pick<Parameters<typeof readRecords>[0]['request'], 'query' | 'sort' | 'windows'> {
  const { sort } = exportOf({ query: '{}', sort: defaultSort(type) });
  const windows = isWindowed ? windowsFor(type, query, sort) : null;
  return { query: stringifyJson(query), sort: stringifyJson(sort), windows };
}

/** Reads the records of a dataset into a side. */
async function* readSide(
  { plan, context, calls, signal }: ComparisonRun,
  side: ComparedSide,
  order: ReturnType<typeof orderOf>,
  onProgress: ReturnType<typeof progressOf>,
): SidePages {
  const { address, spec, concurrency } = plan;
  const pages = readRecords({
    data: context.services.data,
    request: {
      address,
      fields: fieldsToRead(spec),
      concurrency: Math.max(1, Math.floor(concurrency / 2)),
      ...order,
    },
    signal,
    async open(rule) {
      await calls.openSide({ side, rule });
      return (at, content, origin) =>
        calls.addToSide({ side, at, content, origin }, { transfer: transferable(content) });
    },
    onCount: (totalRows) => onProgress(side, { totalRows }),
  });
  for await (const page of pages) {
    const isFallback = 'fallbackReason' in page;
    if (!isFallback) onProgress(side, { rows: page.checkpoint.rows });
    yield { isFallback };
  }
}

/** Reads the records of the file into the source. */
async function* readFileSide(calls: ComparisonRun['calls'], places: string): SidePages {
  await calls.openFile({ places });
  while (await calls.addFromFile()) yield { isFallback: false };
}
