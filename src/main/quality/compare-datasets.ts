import { invalidInput } from '../../shared/errors/errors.ts';
import type { DatasetType } from '../../shared/datasets/datasets.ts';
import { stringifyJson, type JsonObject } from '../../shared/json.ts';
import { defaultSort } from '../../shared/language/scope.ts';
import {
  toleranceOf,
  type Comparison,
  type ComparisonRequest,
  type FileComparisonRequest,
} from '../../shared/quality/comparison.ts';
import { uploadRequest } from '../../shared/upload/upload.ts';
import type { Connections } from '../connections/connections.ts';
import { windowsFor } from '../export/export.ts';
import type { RecordsRequest } from '../export/read-records.ts';
import type { CallContext } from '../handlers.ts';
import { exportOf } from '../query/operations.ts';
import type { DataService } from '../services/services.ts';
import { planUpload, type PlanDependencies } from '../upload/upload.ts';
import { extentQuery, pairingOf, type ComparisonSpec } from './comparison-spec.ts';
import { compareSides, readFileSide, readSide } from './compare-sides.ts';
import { withQualityThread } from './quality-thread.ts';
import { fieldsToRead } from './record-roles.ts';
import { shapeOf } from './shape.ts';
import { withSpool } from './spool.ts';

export interface CompareDependencies extends PlanDependencies {
  readonly connections: Pick<Connections, 'services' | 'get'>;
}

type HowCompared = Pick<ComparisonRequest, 'provider' | 'dataset' | 'fields' | 'tolerance' | 'concurrency'>;

const parseQuery = (query: string): JsonObject => exportOf({ query, sort: '{}' }).query;

/** Handlers that compare records. */
export function createCompare(dependencies: CompareDependencies) {
  const dataOf = (connection: string): DataService => dependencies.connections.services(connection).data;
  return {
    /** Compares the records of two queries of a dataset. */
    async compare(
      { connection, query, againstQuery, ...request }: ComparisonRequest,
      { signal }: CallContext,
    ): Promise<Comparison> {
      // Errors of the queries come before any request.
      const queries = { source: parseQuery(query), against: parseQuery(againstQuery) };
      const target = await targetOf(dataOf(connection), request, signal);
      const spec = { ...target.spec, ...pairingOf(queries.source, queries.against, target.spec) };
      return withQualityThread(signal, (calls) =>
        compareSides(calls, spec, signal, (isWindowed) => ({
          source: (stop) => readSide(calls, 'source', target.read(queries.source, isWindowed, stop)),
          against: (stop) => readSide(calls, 'against', target.read(queries.against, isWindowed, stop)),
        })),
      );
    },
    /** Compares the rows of a file, as an upload would send them, with the records of a dataset. */
    async compareFile(
      { connection, source, reading, mapping, againstQuery, ...request }: FileComparisonRequest,
      { signal }: CallContext,
    ): Promise<Comparison> {
      const ownQuery = againstQuery === undefined ? null : parseQuery(againstQuery);
      const { provider, dataset } = request;
      const upload = { connection, provider, dataset, source, reading, mapping, dryRun: true };
      const plan = await planUpload(uploadRequest.parse(upload), dependencies, { signal });
      const { spec, read } = await targetOf(dataOf(connection), request, signal);
      const { fileName, layout, rules, rows } = plan;
      const { path } = plan.source;
      return withSpool((spool) =>
        withQualityThread(signal, async (calls) => {
          const extent = await calls.sortFile({ path, fileName, layout, rules, rows, spec, spool });
          const query = ownQuery ?? extentQuery(extent, spec);
          return compareSides(calls, spec, signal, (isWindowed) => ({
            source: () => readFileSide(calls),
            against: (stop) => readSide(calls, 'against', read(query, isWindowed, stop)),
          }));
        }),
      );
    },
  };
}

/** How the records of a dataset are compared, and read. */
async function targetOf(
  data: DataService,
  { provider, dataset, ...request }: HowCompared,
  signal: AbortSignal | undefined,
) {
  const address = { provider, dataset };
  const { type } = await data.dataset(address, { signal });
  const { index, ...shape } = await shapeOf(data, address, type, signal);
  if (index === null)
    throw invalidInput(
      `The records of ${provider}/${dataset} have no time or depth to compare them by. Choose a dataset of time or depth.`,
      { field: 'dataset' },
    );
  const spec: ComparisonSpec = {
    ...shape,
    index,
    tolerance: toleranceOf(request.tolerance) ?? { amount: 0, isShare: false },
    fields: request.fields,
    ignoresWell: false,
    ignoresLog: false,
    shift: 0,
  };
  return {
    spec,
    read: (query: JsonObject, isWindowed: boolean, stop: AbortSignal): Parameters<typeof readSide>[2] => ({
      data,
      signal: stop,
      request: {
        address,
        fields: fieldsToRead(spec),
        concurrency: Math.max(1, Math.floor(request.concurrency / 2)),
        ...orderOf(type, query, isWindowed),
      },
    }),
  };
}

function orderOf(
  type: DatasetType | null,
  query: JsonObject,
  isWindowed: boolean,
): Pick<RecordsRequest, 'query' | 'sort' | 'windows'> {
  const { sort } = exportOf({ query: '{}', sort: defaultSort(type) });
  const windows = isWindowed ? windowsFor(type, query, sort) : null;
  return { query: stringifyJson(query), sort: stringifyJson(sort), windows };
}
