import type { Connection } from '../../shared/connections/connections.ts';
import type { calls } from '../../shared/contract/contract.ts';
import type { JsonObject } from '../../shared/json.ts';
import { endAfter } from '../../shared/next-number.ts';
import type { PageRequest, RecordPage } from '../../shared/query/query.ts';
import { canBeWindowed, withBound } from '../paging/request.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { CallOptions, RecordsResponse, Services } from '../services/services.ts';
import { copiesOf } from './copies/copies.ts';
import { createLive } from './live/live.ts';
import { aggregateOf, countOf, findOf, questionOf, stagesOf } from './questions.ts';

export interface QueryDependencies {
  readonly services: (connectionId: string) => Services;
  /** @throws AppError `connection_unknown` */
  readonly connection: (connectionId: string) => Connection;
}

/**
 * The questions a person asks of a dataset (specification, section 4.1). Relaxed JSON comes in, strict JSON
 * goes out; what is wrong is said with line and column, before anything is sent.
 */
export function createQuery({
  services,
  connection,
}: QueryDependencies): RoomHandlers<(typeof calls)['query']> {
  const dataOf = (request: { readonly connection: string }) => services(request.connection).data;
  return {
    find: (request, { signal }) =>
      pageOf(() => dataOf(request).find(addressOf(request), findOf(request), optionsOf(request, signal))),
    async page({ upTo, ...request }, { signal }) {
      const find = findOf(request);
      const query = upTo ? notBeyond(find.query, upTo) : find.query;
      const page = { ...find, query, sort: withTiebreaker(find.sort) };
      return pageOf(() => dataOf(request).find(addressOf(request), page, optionsOf(request, signal)));
    },
    async count(request, { signal }) {
      const matching = countOf(request);
      const began = performance.now();
      const count = await dataOf(request).count(addressOf(request), matching, optionsOf(request, signal));
      return { count, ms: since(began) };
    },
    aggregate: (request, { signal }) =>
      pageOf(() =>
        dataOf(request).aggregate(addressOf(request), aggregateOf(request), optionsOf(request, signal)),
      ),
    live: createLive({ services }),
    pipeline: (request, { signal }) =>
      pageOf(() =>
        dataOf(request).pipeline(addressOf(request), stagesOf(request), optionsOf(request, signal)),
      ),
    async describe(asked) {
      const { request } = asked;
      const question = questionOf(asked);
      const described = dataOf(request).describe(addressOf(request), question);
      const asking = { connection: connection(request.connection), address: addressOf(request) };
      const copies = copiesOf({ ...asking, described, question, timeoutMs: request.timeoutMs });
      return { ...described, copies };
    },
  };
}

/**
 * The query for what is not above a value, by `$lt`, because `$lte` need not be known (specification, 4.1). A
 * condition of a form that can't stand beside it is left as it is.
 */
function notBeyond(query: JsonObject, { field, value }: NonNullable<PageRequest['upTo']>): JsonObject {
  if (!canBeWindowed(query, field)) return query;
  return withBound(query, field, { op: '$lt', value: String(endAfter(field, value)) });
}

/** The same order, made complete by `_id` (specification, 4.1, paging rules). */
const withTiebreaker = (sort: JsonObject): JsonObject => ('_id' in sort ? sort : { ...sort, _id: 1 });

const addressOf = ({ provider, dataset }: { provider: string; dataset: string }) => ({ provider, dataset });

const optionsOf = (
  { timeoutMs }: { readonly timeoutMs?: number | undefined },
  signal: AbortSignal | undefined,
): CallOptions => ({ signal, timeoutMs });

async function pageOf(ask: () => Promise<RecordsResponse>): Promise<RecordPage> {
  const began = performance.now();
  const { bytes, count, total } = await ask();
  return { records: ownBytes(bytes), count, total, ms: since(began) };
}

/** Bytes that share their memory with nothing: what is cloned to another process is all of the memory behind them. */
const ownBytes = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  length === buffer.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(buffer.slice(byteOffset, byteOffset + length));

function since(began: number): number {
  return Math.round(performance.now() - began);
}
