import * as z from 'zod';
import { join } from 'node:path';
import type { Synonyms } from '../../../shared/channels/channels.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { stringifyJson } from '../../../shared/json.ts';
import { defaultSort } from '../../../shared/language/scope.ts';
import { comparisonReport } from '../../../shared/quality/comparison.ts';
import { qualityReport, type QualityReport } from '../../../shared/quality/report.ts';
import type { Thread } from '../../../shared/threads.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { windowsFor } from '../../core/reading/windows.ts';
import type { Files } from '../../core/files/files.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import type { JobRunner, JobStore } from '../../core/jobs/jobs.ts';
import { exportOf } from '../../core/reading/requests.ts';
import type { OpenedEngines } from '../../core/duckdb/open-engine.ts';
import { fileWarnings } from '../../core/tables/reading/warnings.ts';
import type { FileScans } from '../../core/mapping/file-scans.ts';
import type { FileCheckRequest } from './check-file.ts';
import { createCompare } from './compare-datasets.ts';
import { qualityPlan, type CheckPlan } from './plan.ts';
import { openQualityThread } from './quality-thread.ts';
import type { QualityCalls } from './quality-worker.ts';
import { rangeOf, stepOf, wellsOf } from './query-bounds.ts';
import { wellKey } from './record-places.ts';
import { shapeOf } from './shape.ts';
import { mkdir, rm } from '../../world/files.ts';
import { randomUUID } from '../../world/random.ts';

interface QualityDependencies extends Pick<OpenedEngines, 'engine' | 'folder'> {
  readonly connections: Pick<Connections, 'services' | 'get'>;
  readonly files: Pick<Files, 'source' | 'target' | 'endTarget'>;
  readonly runner: Pick<JobRunner, 'start' | 'show'>;
  readonly store: Pick<JobStore, 'plan' | 'file' | 'related'>;
  readonly scans: FileScans;
  /** The names of channels that the user has added. */
  readonly synonyms: () => Promise<Synonyms>;
}

/** Handlers that check the quality of records. */
export function createQuality({
  connections,
  files,
  runner,
  store,
  scans,
  synonyms,
  engine,
  folder,
}: QualityDependencies): ModuleHandlers<(typeof calls)['quality']> {
  /**
   * Counts the repeated records of a file whose rows aren't in order: one pass finds only those that follow each other.
   * @throws AppError of the file; `disk_full`, `sql_unavailable`, `cancelled`
   */
  async function withAllRepeats(
    report: QualityReport,
    check: FileCheckRequest,
    thread: Thread<QualityCalls>['calls'],
    signal: AbortSignal | undefined,
  ): Promise<QualityReport> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const from = join(folder, `${randomUUID()}.places`);
    try {
      await thread.file({ ...check, placesFile: from });
      const counts = await engine.runJob(signal, async (sql, limits) =>
        sql.countRepeats({ from, ...limits }, { signal }),
      );
      const repeatsOf = new Map(counts.map(({ well, repeats }) => [well, repeats]));
      const wells = report.wells.map((wellReport) => ({
        ...wellReport,
        duplicates: repeatsOf.get(wellKey(wellReport.well)) ?? 0,
      }));
      return { ...report, wells, duplicates: wells.reduce((sum, { duplicates }) => sum + duplicates, 0) };
    } finally {
      await rm(from, { force: true }).catch(() => undefined);
    }
  }

  return {
    async start({ connection: id, provider, dataset, concurrency, ...request }, { signal }) {
      const { name, dataUrl } = connections.get(id);
      const { data } = connections.services(id);
      const address = { provider, dataset };
      // Errors of the query come before any request.
      exportOf({ query: request.query, sort: '{}' });
      const { type } = await data.dataset(address, { signal });
      const { query, sort } = exportOf({ query: request.query, sort: defaultSort(type) });
      const shape = await shapeOf(data, address, type, signal);
      const plan: CheckPlan = {
        connection: { id, name, dataUrl },
        address,
        fileName: `${provider}/${dataset}`,
        query: stringifyJson(query),
        sort: stringifyJson(sort),
        concurrency,
        windows: windowsFor(type, query, sort),
        spec: {
          ...shape,
          fields: request.fields,
          range: rangeOf(query, shape.index),
          wells: wellsOf(query, shape.wellFields),
          step: stepOf(request.step, shape.index),
          spikeThreshold: request.spikeThreshold,
          minFlatRecords: request.minFlatRecords,
          synonyms: [...(await synonyms())],
        },
      };
      const job = await runner.start('quality', plan, signal);
      return { job: job.id };
    },
    async report({ job: id }) {
      const job = await runner.show(id);
      const file = job.artifacts.find(({ kind }) => kind === 'result');
      if (job.kind !== 'quality' || !file)
        throw new AppError('job_state', { job: id, state: job.state, wanted: 'a finished check of quality' });
      const { path } = files.source(file.token);
      const { plan } = await store.file(id, 'plan.json', z.object({ plan: qualityPlan }));
      return 'source' in plan
        ? { kind: 'comparison', report: await store.file(id, path, comparisonReport) }
        : { kind: 'check', query: plan.query, report: await store.file(id, path, qualityReport) };
    },
    ...createCompare({ connections, files, store, scans, runner }),
    async file({ source, reading, ...request }, { signal }) {
      const choices = { nulls: nullsOf({}), distinct: [] };
      const { file, scan } = await scans.read(files.source(source), reading, choices, signal);
      const { path, fileName, places, facts } = file;
      const check = { path, fileName, places, ...request, scan, facts, synonyms: await synonyms() };
      const quality = openQualityThread(signal);
      try {
        const report = await quality.calls.file(check);
        const complete =
          report.disorder === 0 ? report : await withAllRepeats(report, check, quality.calls, signal);
        return { ...complete, warnings: fileWarnings(file, scan), places: facts.places };
      } finally {
        quality.close();
      }
    },
  };
}
