import * as z from 'zod';
import { join } from 'node:path';
import type { Synonyms } from '../../../shared/channels/channels.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { stringifyJson } from '../../../shared/json.ts';
import { defaultSort } from '../../../shared/language/scope.ts';
import { recordShapeOf } from '../../../shared/quality/record-shape.ts';
import { comparisonReport, type ComparisonRequest, toleranceOf } from '../../../shared/quality/comparison.ts';
import { qualityReport, type QualityReport } from '../../../shared/quality/quality-report.ts';
import type { Thread } from '../../../shared/threads.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { exportOf } from '../../core/requests.ts';
import { windowsFor } from '../../core/reading/reading.ts';
import type { Files } from '../../core/files/files.ts';
import type { ModuleHandlers, CallContext } from '../../core/handlers.ts';
import type { JobRunner, JobStore } from '../../core/jobs/jobs.ts';
import type { OpenedEngines } from '../../core/engines.ts';
import { countRepeats } from '../../core/duckdb/duckdb.ts';
import { scanWarnings, type Scan } from '../../core/tables/tables.ts';
import { zoneOfColumns } from '../../core/records/zone-names.ts';
import { planUpload, type PlanDependencies } from '../../core/mapping/mapping.ts';
import type { FileCheckRequest } from './check-file.ts';
import { qualityPlan, type CheckPlan, type ComparisonPlan, type RecordShape } from './quality-plan.ts';
import { openQualityThread } from './quality-thread.ts';
import type { QualityCalls } from './quality-worker.ts';
import { rangeOf, stepOf, wellsOf } from './query-bounds.ts';
import { wellKey } from './record-places.ts';
import { mkdir, rm } from '../../world/files.ts';
import { randomUUID } from '../../world/random.ts';
import { uploadRequest, type FileWarning } from '../../../shared/upload/upload.ts';
import { pairingOf } from './pairing.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { unitsByPath } from '../../../shared/datasets/fields.ts';
import { fieldsOrNone } from '../../core/datasets/fields/fields.ts';
import { getDataset } from '../../core/datasets/definitions.ts';
import type { Services } from '../../core/wire/services/services.ts';

/** Where the records of a dataset have their index, their well, and their units. @throws AppError `cancelled` */
export async function shapeOf(
  data: Services['data'],
  definition: Dataset,
  signal: AbortSignal | undefined,
): Promise<RecordShape> {
  const { provider, dataset, type } = definition;
  const units = Object.fromEntries(
    unitsByPath(await fieldsOrNone(data, { provider, dataset, definition }, signal)),
  );
  return { ...recordShapeOf(type, (path) => units[path]), units };
}

/** The warnings about a checked file. The zone of its dates can be named by the times of day that complete them. */
function warningsOf(
  scan: Scan,
  { index: { field } }: QualityReport,
  times: FileCheckRequest['times'],
): FileWarning[] {
  const [date = '', ...clocks] = (field ?? '').split(' + ');
  const named = scan.layout.columns.filter(({ key }) => clocks.includes(key));
  const isZoneMissing = zoneOfColumns(named) === undefined;
  return scanWarnings(scan).flatMap((warning) => {
    if (warning.column !== date) return [warning];
    if (warning.code === 'zone_missing' && !isZoneMissing) return [];
    if (warning.code !== 'ambiguous_dates') return [warning];
    if (times[date]?.format !== undefined) return [];
    const message = `Column “${date}” has dates whose order of day and month isn’t clear. All are of one day, which is shown as if the day came first.`;
    return [{ ...warning, message }];
  });
}

export interface CompareDependencies extends PlanDependencies {
  readonly connections: Pick<Connections, 'services' | 'get'>;
  readonly runner: Pick<JobRunner, 'start'>;
}

const parseQuery = (query: string) => exportOf({ query, sort: '{}' }).query;

/** What the plans of both kinds have. */
async function targetOf(
  connections: CompareDependencies['connections'],
  request: Omit<ComparisonRequest, 'query' | 'againstQuery'>,
  signal: CallContext['signal'],
): Promise<Omit<ComparisonPlan, 'source' | 'againstQuery' | 'fileName'>> {
  const { connection: id, provider, dataset, fields, tolerance, concurrency } = request;
  const { name, dataUrl } = connections.get(id);
  const { data } = connections.services(id);
  const address = { provider, dataset };
  const definition = await getDataset(data, address, { signal });
  const { index, ...shape } = await shapeOf(data, definition, signal);
  if (index === null)
    throw invalidInput(
      `The records of ${provider}/${dataset} have no time or depth to compare them by. Select a dataset of time or depth.`,
      { field: 'dataset' },
    );
  return {
    connection: { id, name, dataUrl },
    address,
    concurrency,
    type: definition.type,
    tolerance,
    spec: {
      ...shape,
      index,
      fields,
      tolerance: toleranceOf(tolerance) ?? { amount: 0, isShare: false },
      ignoresWell: false,
      ignoresLog: false,
      shift: 0,
    },
  };
}

/** Handlers that compare records, as jobs of quality. */
export function createCompare(
  dependencies: CompareDependencies,
): Pick<ModuleHandlers<(typeof calls)['quality']>, 'compare' | 'compareFile'> {
  const { connections, runner } = dependencies;
  const startJob = async (plan: ComparisonPlan, signal: CallContext['signal']) => ({
    job: (await runner.start('quality', plan, signal)).id,
  });

  return {
    async compare(request, { signal }) {
      // Errors of the queries come before any request.
      const [source, against] = [parseQuery(request.query), parseQuery(request.againstQuery)];
      const target = await targetOf(connections, request, signal);
      const plan: ComparisonPlan = {
        ...target,
        fileName: `${request.provider}/${request.dataset}`,
        source: { query: stringifyJson(source) },
        againstQuery: stringifyJson(against),
        spec: { ...target.spec, ...pairingOf(source, against, target.spec) },
      };
      return startJob(plan, signal);
    },
    async compareFile({ source, reading, mapping, againstQuery, ...request }, { signal }) {
      const against = againstQuery === undefined ? null : stringifyJson(parseQuery(againstQuery));
      const target = await targetOf(connections, request, signal);
      const { connection, provider, dataset } = request;
      const checked = { connection, provider, dataset, source, reading, mapping, dryRun: true };
      const upload = await planUpload(uploadRequest.parse(checked), dependencies, { signal });
      const plan = { ...target, fileName: upload.fileName, source: { upload }, againstQuery: against };
      return startJob(plan, signal);
    },
  };
}

interface QualityDependencies extends Pick<OpenedEngines, 'startTables' | 'folder'> {
  readonly connections: Pick<Connections, 'services' | 'get'>;
  readonly files: Pick<Files, 'source' | 'target' | 'endTarget'>;
  readonly runner: Pick<JobRunner, 'start' | 'show'>;
  readonly store: Pick<JobStore, 'plan' | 'file' | 'related'>;
  readonly scans: PlanDependencies['scans'];
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
  startTables,
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
      const repeatsOf = await countRepeats({ startTables, signal }, from);
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
      const definition = await getDataset(data, address, { signal });
      const { type } = definition;
      const { query, sort } = exportOf({ query: request.query, sort: defaultSort(type) });
      const shape = await shapeOf(data, definition, signal);
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
        throw new AppError('job_state', { job: id, state: job.state, wanted: 'a finished quality check' });
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
        return {
          ...complete,
          warnings: [...file.warnings, ...warningsOf(scan, complete, request.times)],
          places: facts.places,
        };
      } finally {
        quality.close();
      }
    },
  };
}
