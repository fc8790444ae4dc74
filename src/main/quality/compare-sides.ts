import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared/errors/errors.ts';
import { stringifyJson } from '../../shared/json.ts';
import { defaultSort } from '../../shared/language/scope.ts';
import type { ComparedSide, Comparison, ComparisonReport } from '../../shared/quality/comparison.ts';
import type { Thread } from '../../shared/threads.ts';
import { windowsFor } from '../export/export.ts';
import { parseObject, readRecords, transferable } from '../export/read-records.ts';
import type { EngineContext } from '../jobs/engine.ts';
import { exportOf } from '../query/operations.ts';
import type { UploadPlan } from '../upload/model/plan.ts';
import { placesOf, releaseSource, settleSource } from '../upload/sending/source-file.ts';
import { extentQuery } from './pairing.ts';
import type { ComparisonPlan } from './plan.ts';
import type { QualityCalls } from './quality-worker.ts';
import { fieldsToRead } from './record-roles.ts';

interface ComparisonRun {
  readonly plan: ComparisonPlan;
  readonly context: Pick<EngineContext, 'services' | 'report'>;
  readonly calls: Thread<QualityCalls>['calls'];
  readonly signal: AbortSignal;
  /** The folder of the job. */
  readonly folder: string;
}

/** The pages of a side. A page can show that the side can't be read by windows. */
type SidePages = AsyncGenerator<{ readonly isFallback: boolean }, void>;

/**
 * Compares the two sides of a plan, each read as its records are needed.
 * @throws AppError of the services; `cancelled`, `disk_full`, `file_changed`, `file_unreadable`, `file_unwritable`
 */
export async function compareSides(run: ComparisonRun): Promise<ComparisonReport> {
  const { source, againstQuery } = run.plan;
  if ('query' in source) return compareQueries(run, { source: source.query, against: againstQuery ?? '{}' });
  const spool = join(run.folder, 'rows');
  // An interrupted run leaves one.
  await rm(spool, { force: true });
  try {
    const query = await sortFile(run, source.upload, spool);
    const report = await compareQueries(run, { source: null, against: againstQuery ?? query });
    await run.calls.closeFile();
    await releaseSource(run.folder);
    return report;
  } finally {
    // A thread that is ending can still have it open; the job's folder is removed later.
    await rm(spool, { force: true }).catch(() => undefined);
  }
}

/** Compares by windows, or if the records can't be read so, by `skip`. */
async function compareQueries(
  run: ComparisonRun,
  queries: ComparisonReport['queries'],
): Promise<ComparisonReport> {
  for (const isWindowed of [true, false]) {
    const stop = new AbortController();
    const signal = AbortSignal.any([run.signal, stop.signal]);
    try {
      const compared = await compareOnce({ ...run, signal }, queries, isWindowed);
      if (compared) return { ...compared, queries, tolerance: run.plan.tolerance };
    } finally {
      // Stops prefetched requests, however the comparison ends.
      stop.abort();
    }
  }
  throw new AppError('internal', { problem: 'the records can’t be read in pages' });
}

/**
 * Sorts the rows of a file by their index.
 * @returns the query for the records that they go to
 */
async function sortFile(
  { plan, context, calls, folder }: ComparisonRun,
  upload: UploadPlan,
  spool: string,
): Promise<string> {
  const { fileName, layout, rules, rows } = upload;
  const path = await settleSource(upload, folder);
  const file = { path, places: placesOf(upload, folder), fileName, layout, rules, rows };
  const extent = await calls.sortFile(
    { ...file, spec: plan.spec, spool },
    { onEvent: (sorted) => context.report({ rows: sorted, totalRows: rows }) },
  );
  return stringifyJson(extentQuery(extent, plan.spec));
}

/** @returns null if they must be read without windows */
async function compareOnce(
  run: ComparisonRun,
  queries: ComparisonReport['queries'],
  isWindowed: boolean,
): Promise<Comparison | null> {
  const { plan, calls } = run;
  const onProgress = progressOf(run);
  const pagesOf = (side: ComparedSide, query: string | null): SidePages =>
    query === null
      ? readFileSide(calls)
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

/** Reads the records of the sorted file into the source. */
async function* readFileSide(calls: ComparisonRun['calls']): SidePages {
  await calls.openFile();
  while (await calls.addFromFile()) yield { isFallback: false };
}
