import type { LiveEvent, LiveRequest } from '../../../shared/tabs/live.ts';
import {
  addressOf,
  type Dataset,
  type DatasetAddress,
  datasetShapes,
} from '../../../shared/datasets/datasets.ts';
import { clockToleranceMs } from '../../../shared/instants.ts';
import type { PipelineRequest, RecordPage, RecordsRequest } from '../../../shared/query/query.ts';
import type { SqlAnswer } from '../../../shared/sql/sql.ts';
import type { Api } from '../../api/api.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';

/**
 * The records of a response. `hasMore`: it ended at a limit other than that of the request. `columns`: those of a table, in
 * its order; absent: those of the records.
 */
export type FirstPage = RecordPage & {
  readonly hasMore?: boolean;
  readonly columns?: SqlAnswer['columns'];
};

export interface RecordsApi {
  readonly query: Pick<Api['query'], 'page' | 'find' | 'aggregate' | 'pipeline'> & {
    readonly live: (
      request: LiveRequest,
      options: { readonly signal: AbortSignal },
    ) => Promise<AsyncIterable<LiveEvent>>;
  };
  readonly sql: Pick<Api['sql'], 'run'>;
}

/** Sends a query. @throws AppError */
export function sendRequest(
  { query, sql }: RecordsApi,
  request: RecordsRequest,
  options: { readonly signal: AbortSignal },
): Promise<FirstPage> {
  switch (request.kind) {
    case 'find':
      return query.find(request.request, options);
    case 'aggregate':
      return query.aggregate(request.request, options);
    case 'pipeline':
      return query.pipeline(request.request, options);
    case 'sql':
      return sql.run(request.request, options);
  }
}

/** The maximum number of records; null: no limit. */
export const limitOf = (request: RecordsRequest): number | null =>
  request.kind === 'pipeline' ? null : (request.request.limit ?? null);

/**
 * The records of a page.
 * @param json text, or UTF-8 bytes
 * @throws SyntaxError
 * @throws AppError `internal` if it is not an array
 */
export function parseRecords(json: string | Uint8Array): JsonValue[] {
  const records = parseJson(typeof json === 'string' ? json : new TextDecoder().decode(json));
  if (!Array.isArray(records))
    throw new AppError('internal', { problem: 'the answer is not an array of records' });
  return records;
}

/** The service's clock in Unix milliseconds, or else that of this computer. Never rejects. */
export const serviceNow = (
  { now }: Pick<Api['query'], 'now'>,
  connection: string,
  dataset: DatasetAddress,
  localNow: () => number = Date.now,
): Promise<number> => now({ connection, ...addressOf(dataset) }).then(({ ms }) => ms, localNow);

/**
 * A request for records of wells over time, each from a time on. Times in the future are those of wrong clocks.
 * @param starts conditions on the times of wells, by asset id
 * @param now by the service's clock, in Unix milliseconds
 * @param stages what is computed of the records
 */
export function newRecordsRequest(
  {
    connection,
    dataset,
    now,
  }: { readonly connection: string; readonly dataset: Dataset; readonly now: number },
  starts: readonly { readonly assetId: number; readonly timestamp: JsonObject }[],
  stages: readonly JsonObject[],
): PipelineRequest {
  const { scopeField } = datasetShapes.time;
  const $match = {
    // Some services refuse queries whose wells aren't at the top.
    [scopeField]: { $in: starts.map(({ assetId }) => assetId) },
    timestamp: { $lte: now + clockToleranceMs },
    $or: starts.map(({ assetId, timestamp }) => ({ [scopeField]: assetId, timestamp })),
  };
  const all = JSON.stringify([{ $match }, ...stages]);
  return { connection, ...addressOf(dataset), stages: all, timeoutMs: 20_000 };
}
