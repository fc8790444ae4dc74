import type { Connection } from '../../../shared/connections/connections.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { endAfter } from '../../../shared/next-number.ts';
import type { FindRequest, PageRequest, RecordPage, ServiceRequest } from '../../../shared/query/query.ts';
import {
  aggregateOf,
  canBeWindowed,
  computedFrom,
  countOf,
  findOf,
  operationOf,
  stagesOf,
  withBound,
} from '../../core/requests.ts';
import { findInPages } from '../../core/reading/reading.ts';
import type { CallContext, ModuleHandlers } from '../../core/handlers.ts';
import {
  servicesAt,
  type CallOptions,
  type FindArguments,
  type RecordsOperation,
  type RecordsResponse,
  type Services,
} from '../../core/wire/services/services.ts';
import { formatCopies } from './copies/copies.ts';
import { createLive } from './live/live.ts';
import { elapsedMs } from '../../world/time.ts';

export interface QueryDependencies {
  readonly services: (connectionId: string) => Services;
  /** @throws AppError `connection_unknown` */
  readonly connection: (connectionId: string) => Connection;
}

/**
 * Handlers for reads of a dataset (specification, section 4.1). Relaxed JSON is parsed to strict JSON; errors
 * have line and column, and nothing is sent then.
 * @throws AppError from each call: `invalid_input`, and those of the data service
 */
export function createQuery({
  services,
  connection,
}: QueryDependencies): ModuleHandlers<(typeof calls)['query']> {
  const servicesOf = ({ dataUrl, connection: id }: Pick<FindRequest, 'connection' | 'dataUrl'>) =>
    servicesAt(dataUrl, services(id));
  const dataOf = (request: Pick<FindRequest, 'connection' | 'dataUrl'>) => servicesOf(request).data;
  const findPage = async (request: FindRequest, find: FindArguments, signal: AbortSignal | undefined) => {
    const { data, dataUrl } = servicesOf(request);
    const read = () => findInPages(data, addressOf(request), find, optionsOf(request, signal));
    return { ...(await pageOf(read)), dataUrl };
  };
  return {
    find: async (request, { signal }) => findPage(request, findOf(request), signal),
    async page({ upTo, ...request }, { signal }) {
      const find = findOf(request);
      const query = upTo ? queryUpTo(find.query, upTo) : find.query;
      return findPage(request, { ...find, query, sort: withTiebreaker(find.sort) }, signal);
    },
    now: async (target, { signal }) => ({
      ms: await dataOf(target).askNow(addressOf(target), optionsOf(target, signal)),
    }),
    async count(request, { signal }) {
      const matching = countOf(request);
      const startedAt = elapsedMs();
      const count = await dataOf(request).count(addressOf(request), matching, optionsOf(request, signal));
      return { count, ms: msSince(startedAt) };
    },
    async aggregate(request, { signal }) {
      const aggregate = aggregateOf(request);
      const read = () => dataOf(request).aggregate(addressOf(request), aggregate, optionsOf(request, signal));
      return computedPage({ kind: 'aggregate', aggregate }, read);
    },
    live: createLive({ services }),
    async pipeline(request, { signal }) {
      const stages = stagesOf(request);
      const read = () => dataOf(request).pipeline(addressOf(request), stages, optionsOf(request, signal));
      return computedPage({ kind: 'pipeline', stages }, read);
    },
    async describe(input) {
      const { request } = input;
      const question = operationOf(input);
      const described = dataOf(request).describe(addressOf(request), question);
      const origin = { connection: connection(request.connection), address: addressOf(request) };
      const { typed } = input;
      const copies = formatCopies({ ...origin, described, question, typed, timeoutMs: request.timeoutMs });
      return { ...described, copies };
    },
  };
}

/** Reads the answer of a request for records. */
export function readRecords(
  { find, aggregate, pipeline }: Pick<ModuleHandlers<(typeof calls)['query']>, ServiceRequest['kind']>,
  request: ServiceRequest,
  context: CallContext,
): Promise<RecordPage> {
  switch (request.kind) {
    case 'find':
      return find(request.request, context);
    case 'aggregate':
      return aggregate(request.request, context);
    case 'pipeline':
      return pipeline(request.request, context);
  }
}

/**
 * Excludes values above a limit, by `$lt`, because services need not support `$lte` (specification, section
 * 4.1). A condition that can't be combined remains unchanged.
 */
function queryUpTo(query: JsonObject, { field, value }: NonNullable<PageRequest['upTo']>): JsonObject {
  if (!canBeWindowed(query, field)) return query;
  return withBound(query, field, { op: '$lt', value: String(endAfter(field, value)) });
}

/** Adds `_id` to the sort as the tiebreaker (specification, section 4.1, paging rules). */
const withTiebreaker = (sort: JsonObject): JsonObject => ('_id' in sort ? sort : { ...sort, _id: 1 });

const addressOf = ({ provider, dataset }: { provider: string; dataset: string }) => ({ provider, dataset });

const optionsOf = (
  { timeoutMs }: { readonly timeoutMs?: number | undefined },
  signal: AbortSignal | undefined,
): CallOptions => ({ signal, timeoutMs });

async function pageOf(runRead: () => Promise<RecordsResponse>): Promise<RecordPage> {
  const startedAt = elapsedMs();
  const { bytes, count, total } = await runRead();
  return { records: ownBytes(bytes), count, total, ms: msSince(startedAt) };
}

async function computedPage(
  operation: RecordsOperation,
  runRead: () => Promise<RecordsResponse>,
): Promise<RecordPage> {
  const part = computedFrom(operation);
  return { ...(await pageOf(runRead)), ...(part === undefined ? {} : { computedFrom: part }) };
}

/** Bytes in a buffer of their own: structured clone copies the whole buffer. */
const ownBytes = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  length === buffer.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(buffer.slice(byteOffset, byteOffset + length));

function msSince(startedAt: number): number {
  return Math.round(elapsedMs() - startedAt);
}
