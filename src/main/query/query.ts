import type { Connection } from '../../shared/connections.ts';
import type { calls } from '../../shared/contract.ts';
import type { JsonObject } from '../../shared/json.ts';
import { endAfter } from '../../shared/next-number.ts';
import type { PageRequest, RecordPage, RecordsRequest } from '../../shared/query.ts';
import { canBeWindowed, withBound } from '../paging/condition.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { CallOptions, RecordsAnswer, Services } from '../services/services.ts';
import { copiesOf } from './copies/copies.ts';
import { createLive } from './live/live.ts';
import { partsOf } from './parts.ts';
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
  /** @throws AppError `invalid_input` before anything is sent, and what reading throws */
  async function answerTo(
    asked: RecordsRequest,
    { signal }: Pick<CallOptions, 'signal'>,
  ): Promise<RecordsAnswer> {
    const { connection: id, timeoutMs } = asked.request;
    const [address, options] = [addressOf(asked.request), { signal, timeoutMs }];
    switch (asked.kind) {
      case 'find': {
        const find = findOf(asked.request);
        return services(id).data.find(address, find, options);
      }
      case 'aggregate': {
        const aggregate = aggregateOf(asked.request);
        return services(id).data.aggregate(address, aggregate, options);
      }
      case 'pipeline': {
        const stages = stagesOf(asked.request);
        return services(id).data.pipeline(address, stages, options);
      }
    }
  }

  return {
    find: (request, context) => pageOf(() => answerTo({ kind: 'find', request }, context)),
    async parts(asked, context) {
      const began = performance.now();
      const answer = await answerTo(asked, context);
      return partsOf(answer, since(began));
    },
    async page({ timeoutMs, upTo, ...request }, { signal }) {
      const find = findOf(request);
      const { data } = services(request.connection);
      const query = upTo ? notBeyond(find.query, upTo) : find.query;
      const page = { ...find, query, sort: withTiebreaker(find.sort) };
      return pageOf(() => data.find(addressOf(request), page, { signal, timeoutMs }));
    },
    async count({ timeoutMs, ...request }, { signal }) {
      const matching = countOf(request);
      const { data } = services(request.connection);
      const began = performance.now();
      const count = await data.count(addressOf(request), matching, { signal, timeoutMs });
      return { count, ms: since(began) };
    },
    aggregate: (request, context) => pageOf(() => answerTo({ kind: 'aggregate', request }, context)),
    live: createLive({ services }),
    pipeline: (request, context) => pageOf(() => answerTo({ kind: 'pipeline', request }, context)),
    async describe(asked) {
      const { request } = asked;
      const question = questionOf(asked);
      const described = services(request.connection).data.describe(addressOf(request), question);
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

async function pageOf(ask: () => Promise<RecordsAnswer>): Promise<RecordPage> {
  const began = performance.now();
  const { text, count, total } = await ask();
  return { records: text, count, total, ms: since(began), bytes: Buffer.byteLength(text) };
}

function since(began: number): number {
  return Math.round(performance.now() - began);
}
