import type { calls } from '../../../shared/contract/contract.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { stringifyJson } from '../../../shared/json.ts';
import type { ComparisonRequest } from '../../../shared/quality/comparison.ts';
import { toleranceOf } from '../../../shared/quality/tolerance.ts';
import { uploadRequest } from '../../../shared/upload/upload.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { CallContext, ModuleHandlers } from '../../core/handlers.ts';
import type { JobRunner } from '../../core/jobs/jobs.ts';
import { exportOf } from '../../core/reading/requests.ts';
import { planUpload, type PlanDependencies } from '../../core/mapping/plan-upload.ts';
import { pairingOf } from './pairing.ts';
import type { ComparisonPlan } from './plan.ts';
import { shapeOf } from './shape.ts';

export interface CompareDependencies extends PlanDependencies {
  readonly connections: Pick<Connections, 'services' | 'get'>;
  readonly runner: Pick<JobRunner, 'start'>;
}

const parseQuery = (query: string) => exportOf({ query, sort: '{}' }).query;

/** Handlers that compare records, as jobs of quality. */
export function createCompare(
  dependencies: CompareDependencies,
): Pick<ModuleHandlers<(typeof calls)['quality']>, 'compare' | 'compareFile'> {
  const { connections, runner } = dependencies;
  const startJob = async (plan: ComparisonPlan, signal: CallContext['signal']) => ({
    job: (await runner.start('quality', plan, signal)).id,
  });

  /** What the plans of both kinds have. */
  async function targetOf(
    {
      connection: id,
      provider,
      dataset,
      fields,
      tolerance,
      concurrency,
    }: Omit<ComparisonRequest, 'query' | 'againstQuery'>,
    signal: CallContext['signal'],
  ): Promise<Omit<ComparisonPlan, 'source' | 'againstQuery' | 'fileName'>> {
    const { name, dataUrl } = connections.get(id);
    const { data } = connections.services(id);
    const address = { provider, dataset };
    const { type } = await data.dataset(address, { signal });
    const { index, ...shape } = await shapeOf(data, address, type, signal);
    if (index === null)
      throw invalidInput(
        `The records of ${provider}/${dataset} have no time or depth to compare them by. Select a dataset of time or depth.`,
        { field: 'dataset' },
      );
    return {
      connection: { id, name, dataUrl },
      address,
      concurrency,
      type,
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

  return {
    async compare(request, { signal }) {
      // Errors of the queries come before any request.
      const [source, against] = [parseQuery(request.query), parseQuery(request.againstQuery)];
      const target = await targetOf(request, signal);
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
      const target = await targetOf(request, signal);
      const { connection, provider, dataset } = request;
      const checked = { connection, provider, dataset, source, reading, mapping, dryRun: true };
      const upload = await planUpload(uploadRequest.parse(checked), dependencies, { signal });
      const plan = { ...target, fileName: upload.fileName, source: { upload }, againstQuery: against };
      return startJob(plan, signal);
    },
  };
}
