import type { Synonyms } from '../../shared/channels/channels.ts';
import type { calls } from '../../shared/contract/contract.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { stringifyJson } from '../../shared/json.ts';
import { defaultSort } from '../../shared/language/scope.ts';
import { comparisonReport } from '../../shared/quality/comparison.ts';
import { qualityReport } from '../../shared/quality/report.ts';
import { nullsOf } from '../../shared/upload/null-tokens.ts';
import type { Connections } from '../connections/connections.ts';
import { windowsFor } from '../export/export.ts';
import type { Files } from '../files/files.ts';
import { readOwnText } from '../files/regular-file.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { JobStore } from '../jobs/store.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { exportOf } from '../query/operations.ts';
import type { Conversions } from '../upload/conversion/conversions.ts';
import { scannedFile } from '../upload/readable-file.ts';
import { openCsvThread } from '../upload/thread/csv-thread.ts';
import { withThread } from '../upload/validation.ts';
import { createCompare } from './compare-datasets.ts';
import { qualityPlan, type CheckPlan } from './plan.ts';
import { withQualityThread } from './quality-thread.ts';
import { rangeOf, stepOf, wellsOf } from './query-bounds.ts';
import { shapeOf } from './shape.ts';

interface QualityDependencies {
  readonly connections: Pick<Connections, 'services' | 'get'>;
  readonly files: Pick<Files, 'source' | 'target' | 'endTarget'>;
  readonly runner: Pick<JobRunner, 'start' | 'show'>;
  readonly store: Pick<JobStore, 'plan' | 'list'>;
  readonly conversions: Conversions;
  /** The names of channels that the user has added. */
  readonly synonyms: () => Promise<Synonyms>;
}

/** Handlers that check the quality of records. */
export function createQuality({
  connections,
  files,
  runner,
  store,
  conversions,
  synonyms,
}: QualityDependencies): ModuleHandlers<(typeof calls)['quality']> {
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
      const job = await runner.start('quality', plan);
      return { job: job.id };
    },
    async report({ job: id }) {
      const job = await runner.show(id);
      const file = job.artifacts.find(({ kind }) => kind === 'result');
      if (job.kind !== 'quality' || !file)
        throw new AppError('job_state', { job: id, state: job.state, wanted: 'a finished check of quality' });
      const report: unknown = JSON.parse((await readOwnText(files.source(file.token).path, file.name)) ?? '');
      const plan = qualityPlan.parse(await store.plan(id));
      return 'source' in plan
        ? { kind: 'comparison', report: comparisonReport.parse(report) }
        : { kind: 'check', query: plan.query, report: qualityReport.parse(report) };
    },
    ...createCompare({ connections, files, store, conversions, runner }),
    file: ({ source, reading, ...request }, { signal }) =>
      withThread(openCsvThread, signal, async (thread) => {
        const choices = { nulls: nullsOf({}), distinct: [] };
        const place = files.source(source);
        const { file, scan } = await scannedFile(place, reading, conversions, thread, signal, choices);
        const { path, fileName, places, facts } = file;
        const named = { path, fileName, places };
        const names = await synonyms();
        return withQualityThread(signal, (calls) =>
          calls.file({ ...named, ...request, scan, facts, synonyms: names }),
        );
      }),
  };
}
