import { rm } from 'node:fs/promises';
import { isAppError } from '../../shared/errors/errors.ts';
import { exportResult, type ExportResult } from '../../shared/export/export.ts';
import type { Engine, EngineContext, OpenJob } from '../jobs/engine.ts';
import { wholeOperationOf } from '../query/operations.ts';
import { compareCounts, type CountComparison } from './counts.ts';
import { writeExportFile, parseObject, type ExportFile } from './make-file.ts';
import { checkManifest, manifestText, writeManifest } from './manifest.ts';
import {
  targetFilesOf,
  publish,
  type TargetFiles,
  findFinished,
  findPartial,
  removeSpools,
} from './places.ts';
import {
  exportEntry,
  exportFormatVersion,
  exportPlan,
  readProgress,
  type ExportEntry,
  type ExportPlan,
  type ExportProgress,
} from './plan.ts';

/**
 * Exports all matching records once, in order. Pages are windows on the dataset's index field, or use `skip`;
 * a thread writes them to `<file>.partial`, which is renamed when complete. The journal has a checkpoint for
 * each page; with an unchanged dataset, a resumed export has the same bytes.
 */
export const exportEngine: Engine<ExportPlan, ExportEntry, ExportResult> = {
  kind: 'export',
  format: exportFormatVersion,
  plan: exportPlan,
  entry: exportEntry,
  result: exportResult,
  async run(job, context) {
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    try {
      return await runExport({ job, context, signal });
    } finally {
      // Stops prefetched requests, however the job ends.
      stop.abort();
    }
  },
  async discard({ journal }) {
    const { partial } = readProgress(journal.entries);
    if (partial?.endsWith('.partial')) await rm(partial, { force: true });
  },
};

/** A pipeline has no count to compare with. */
const noComparison: CountComparison = { expected: null, atEnd: null, warnings: [], notes: [] };

interface RunningExport {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  readonly context: EngineContext<ExportResult>;
  readonly signal: AbortSignal;
}

async function runExport(runningExport: RunningExport): Promise<ExportResult> {
  const { job, context, signal } = runningExport;
  const { plan, journal } = job;
  const progress = readProgress(journal.entries);
  const earlier = { ...progress, startedAt: progress.startedAt ?? new Date().toISOString() };
  const places = await targetFilesOf(plan, job.folder);
  await checkManifest(places.manifest, places.file);
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
  const warnings = [...file.warnings, ...comparison.warnings];
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
  await writeManifest(places.manifest, text);
  await context.addArtifact('manifest', places.manifest);
  context.report({ rows, bytes: file.bytes });
  await removeSpools(job.folder);
  return { rows, bytes: file.bytes, sha256: file.sha256, expected, warnings };
}

type RunCounts = ReturnType<typeof createCounts>;

/**
 * The count at the start, for the time left and the manifest, and the count at the end, which is compared
 * with the rows.
 */
function createCounts({ job, context, signal }: RunningExport, earlier: ExportProgress) {
  const query = parseObject(job.plan.query);
  const count = (by: typeof query) => context.services.data.count(job.plan.address, by, { signal });
  const { promise: atStart, resolve } = Promise.withResolvers<number>();
  let current = earlier.counted;
  let atEnd: Promise<number> | null = null;
  function setCurrent(counted: number): void {
    current = counted;
    context.report({ totalRows: counted });
    resolve(counted);
  }
  async function setAtStart(counted: number): Promise<void> {
    setCurrent(counted);
    await job.journal.append({ kind: 'counted', count: counted });
  }
  if (current !== null) setCurrent(current);
  return {
    get current() {
      return current;
    },
    atStart,
    setAtStart,
    countAtStart() {
      if (current === null)
        count(query)
          .then(setAtStart)
          .catch(() => undefined);
    },
    countAtEnd() {
      atEnd ??= count(query);
      atEnd.catch(() => undefined);
    },
    /**
     * Compares the written rows with the count at the end, or a later count if they differ.
     * @throws AppError `cancelled`
     */
    async compare({ rows, rule }: ExportFile): Promise<CountComparison> {
      if ((await atEnd?.catch(() => null)) === rows)
        return { expected: rows, atEnd: rows, warnings: [], notes: [] };
      return compareCounts(count, { rows, atStart: current, query, rule });
    },
  };
}

async function writeAndPublish(
  { job, context, signal }: RunningExport,
  earlier: ExportProgress & { readonly startedAt: string },
  places: TargetFiles,
  counts: RunCounts,
): Promise<ExportFile> {
  const { journal, plan } = job;
  const { data } = context.services;
  const { address } = plan;
  let path = '';
  const exported = await writeExportFile(
    {
      job,
      signal,
      counts,
      report: (progress) => context.report(progress),
      async partial() {
        path ||= await findPartial(places, earlier, (entry, options) => journal.append(entry, options));
        return path;
      },
      // A pipeline has its own order, and its results have no key field for pages.
      async fetchWhole(relaxedOperation) {
        const question = wholeOperationOf(relaxedOperation);
        const { bytes } =
          question.kind === 'pipeline'
            ? await data.pipeline(address, question.stages, { signal })
            : await data.aggregate(address, question.aggregate, { signal });
        return bytes;
      },
      async findFirst({ includeCount, ...first }) {
        const find = (includeTotal: boolean) =>
          data.find(address, { ...first, limit: 1, includeCount: includeTotal }, { signal });
        if (!includeCount) return find(false);
        return find(true).catch((error: unknown) => {
          // A count can exceed the timeout; the record alone is found quickly.
          if (isAppError(error, 'timed_out')) return find(false);
          throw error;
        });
      },
      async find(find, { signal: findSignal, isValidated = false }) {
        const options = { signal: findSignal };
        if (!isValidated) return data.findUnchecked(address, find, options);
        return (await data.find(address, find, options)).bytes;
      },
    },
    earlier,
  );
  await journal.append({ kind: 'finished', file: exported.file, rows: exported.rows }, { flush: true });
  await publish(path, places.file);
  return exported;
}
