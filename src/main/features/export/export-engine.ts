import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exportResult, type ExportResult } from '../../../shared/export/export.ts';
import { tableEngines, type StartTableEngine } from '../../core/duckdb/table-engine.ts';
import type { Engine, EngineContext, OpenJob } from '../../core/jobs/engine.ts';
import { computedFrom } from '../../core/read/computed-from.ts';
import { wholeOperationOf } from '../../core/paging/operations.ts';
import { compareCounts, type CountComparison } from '../../core/read/counts.ts';
import { readDetails } from '../../core/write/details.ts';
import { lockFolder, stagingName } from '../../core/write/folder/commit.ts';
import { runFolder } from './update/run-folder.ts';
import { isFree, publishOutput } from '../../core/files/output-file.ts';
import { writeExportFile, type ExportFile } from '../../core/read/make-file.ts';
import { parseObject } from '../../core/read/read-records.ts';
import { checkManifest, manifestText, writeManifest } from '../../core/write/manifest.ts';
import {
  targetFilesOf,
  type TargetFiles,
  findFinished,
  findPartial,
  removeSpools,
} from '../../core/write/places.ts';
import {
  exportEntry,
  exportFormatVersion,
  exportPlan,
  readProgress,
  type ExportEntry,
  type ExportPlan,
  type ExportProgress,
} from '../../core/write/plan.ts';

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
  async run(job, context) {
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    try {
      return await runExport({ job: await withDetails(job, context, signal), context, signal, startTables });
    } finally {
      // Stops prefetched requests, however the job ends.
      stop.abort();
    }
  },
  async discard({ journal, plan: { folder, target } }) {
    if (folder && target.place === 'path') return discardStaging(target.path);
    const { partial } = readProgress(journal.entries);
    if (partial?.endsWith('.partial')) await rm(partial, { force: true });
  },
});

/** The job with its plan completed by what is read before the first record. */
async function withDetails(
  job: OpenExport,
  { services }: EngineContext<ExportResult>,
  signal: AbortSignal,
): Promise<OpenExport> {
  const { plan, journal } = job;
  if (!plan.details) return job;
  let { details } = readProgress(journal.entries);
  if (!details) {
    details = await readDetails(services, { ...plan, details: plan.details }, signal);
    await journal.append({ kind: 'details', details }, { flush: true });
  }
  return { ...job, plan: { ...plan, ...details } };
}

/** Removes what a run left in a folder, unless another run writes it. A folder that is gone stays so. */
async function discardStaging(folder: string): Promise<void> {
  if (await isFree(folder)) return;
  const lock = await lockFolder(folder);
  await rm(join(folder, stagingName), { recursive: true, force: true }).finally(() => lock.release());
}

/** A pipeline has no count to compare with. */
const noComparison: CountComparison = { expected: null, atEnd: null, warnings: [], notes: [] };

type OpenExport = OpenJob<ExportPlan, ExportEntry>;

interface RunningExport {
  readonly job: OpenExport;
  readonly context: EngineContext<ExportResult>;
  readonly signal: AbortSignal;
  readonly startTables: StartTableEngine;
}

async function runExport(runningExport: RunningExport): Promise<ExportResult> {
  const { job, context, signal } = runningExport;
  const { plan, journal } = job;
  const progress = readProgress(journal.entries);
  const earlier = { ...progress, startedAt: progress.startedAt ?? new Date().toISOString() };
  if (plan.folder)
    return runFolder(runningExport, earlier, plan.folder, createCounts(runningExport, earlier));
  const places = await targetFilesOf(plan, job.folder);
  const { replaces, file: path } = places;
  const owner = { file: path, replaces, startedAt: earlier.startedAt, sha256: earlier.finished?.file.sha256 };
  await checkManifest(places.manifest, owner);
  const counts = createCounts(runningExport, earlier);
  const finishedFile = await findFinished(places, earlier, signal);
  const exported: ExportFile = finishedFile
    ? {
        ...finishedFile,
        rule: earlier.surveyResult?.rule ?? null,
        skipReason: earlier.surveyResult?.why ?? null,
      }
    : await writeAndPublish(runningExport, earlier, places, counts);
  const { file, rows, skipReason } = exported;
  const comparison = plan.answerTo ? noComparison : await counts.compare(exported);
  const { expected, atEnd } = comparison;
  const part = plan.answerTo ? computedFrom(wholeOperationOf(plan.answerTo)) : undefined;
  const warnings = [
    ...(part === undefined ? [] : [`The results are computed from ${part}.`]),
    ...file.warnings,
    ...comparison.warnings,
  ];
  await context.addArtifact('result', places.file);
  const text = manifestText(places.file, {
    plan,
    rows,
    ...file,
    counted: { atStart: counts.current, atEnd },
    started: earlier.startedAt,
    finished: new Date().toISOString(),
    warnings,
    notes: [
      ...(skipReason === null ? [] : [`The records were read by skip: ${skipReason}.`]),
      ...comparison.notes,
    ],
  });
  await writeManifest(places.manifest, text, { ...owner, sha256: file.sha256 });
  await context.addArtifact('manifest', places.manifest);
  context.report({ rows, bytes: file.bytes });
  await removeSpools(job.folder);
  return { rows, bytes: file.bytes, sha256: file.sha256, expected, warnings };
}

type RunCounts = ReturnType<typeof createCounts>;

const fileOptions = ({ job, context, signal, startTables }: RunningExport, counts: RunCounts) => ({
  job,
  startTables,
  data: context.services.data,
  report: context.report,
  signal,
  counts,
});

/**
 * The count at the start, for the time left and the manifest, and the count at the end, which is compared
 * with the rows.
 */
function createCounts({ job, context, signal }: RunningExport, earlier: ExportProgress) {
  const query = parseObject(job.plan.query);
  const count = (by: typeof query) => context.services.data.count(job.plan.address, by, { signal });
  let current = earlier.counted;
  let atEnd: Promise<number> | null = null;
  if (current !== null) context.report({ totalRows: current });
  return {
    get current() {
      return current;
    },
    async setAtStart(counted: number): Promise<void> {
      current = counted;
      context.report({ totalRows: counted });
      await job.journal.append({ kind: 'counted', count: counted });
    },
    countAtEnd() {
      // A mirror is compared by the comparison that follows.
      if (job.plan.folder?.verifies === true) return;
      atEnd ??= count(query);
      atEnd.catch(() => undefined);
    },
    /**
     * Compares the written rows with the count at the end, or a later count if they differ.
     * @throws AppError `cancelled`
     */
    async compare({ rows, rule }: ExportFile): Promise<CountComparison> {
      // Records that a mirror lacks because they came while it was read come with its next update.
      const isComplete = job.plan.folder?.verifies === true && current !== null && rows >= current;
      if (isComplete || (await atEnd?.catch(() => null)) === rows)
        return { expected: rows, atEnd: rows, warnings: [], notes: [] };
      return compareCounts(count, { rows, atStart: current, query, rule });
    },
  };
}

async function writeAndPublish(
  running: RunningExport,
  earlier: ExportProgress & { readonly startedAt: string },
  places: TargetFiles,
  counts: RunCounts,
): Promise<ExportFile> {
  const { journal } = running.job;
  let path = '';
  const options = {
    ...fileOptions(running, counts),
    async partial() {
      path ||= await findPartial(places, earlier, (entry, options) => journal.append(entry, options));
      return path;
    },
  };
  const exported = await writeExportFile(options, earlier);
  await journal.append({ kind: 'finished', file: exported.file, rows: exported.rows }, { flush: true });
  await publishOutput(path, { path: places.file, replaces: places.replaces });
  return exported;
}
