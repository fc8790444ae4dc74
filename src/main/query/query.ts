import type { calls } from '../../shared/contract.ts';
import { parseRelaxedArray, parseRelaxedObject } from '../../shared/language/relaxed.ts';
import type { RecordPage } from '../../shared/query.ts';
import type { RoomHandlers } from '../handlers.ts';
import { checkSort, checkStages } from '../services/checks.ts';
import type { RecordsAnswer, Services } from '../services/services.ts';

export interface QueryDependencies {
  readonly services: (connectionId: string) => Services;
}

/**
 * The questions a person asks of a dataset (specification, section 4.1). Relaxed JSON comes in, strict JSON
 * goes out; what is wrong is said with line and column, before anything is sent.
 */
export function createQuery({ services }: QueryDependencies): RoomHandlers<(typeof calls)['query']> {
  return {
    async find({ connection, provider, dataset, timeoutMs, ...request }, { signal }) {
      const { limit, skip, fields, includeCount } = request;
      const query = objectIn(request.query, 'query');
      const sort = sortIn(request.sort);
      const { data } = services(connection);
      const find = { query, sort, limit, skip, fields, includeCount };
      return pageOf(() => data.find({ provider, dataset }, find, { signal, timeoutMs }));
    },
    async count({ connection, provider, dataset, timeoutMs, query }, { signal }) {
      const { data } = services(connection);
      const matching = objectIn(query, 'query');
      const began = performance.now();
      const count = await data.count({ provider, dataset }, matching, { signal, timeoutMs });
      return { count, ms: since(began) };
    },
    async aggregate({ connection, provider, dataset, timeoutMs, ...request }, { signal }) {
      const { limit, skip } = request;
      const aggregate = {
        match: objectIn(request.match, 'match'),
        sort: sortIn(request.sort),
        limit,
        skip,
        group: optionalObjectIn(request.group, 'group'),
        project: optionalObjectIn(request.project, 'project'),
      };
      const { data } = services(connection);
      return pageOf(() => data.aggregate({ provider, dataset }, aggregate, { signal, timeoutMs }));
    },
    async pipeline({ connection, provider, dataset, timeoutMs, stages: text }, { signal }) {
      const stages = parseRelaxedArray(text.trim() === '' ? '[]' : text, 'stages');
      checkStages(stages);
      const { data } = services(connection);
      return pageOf(() => data.pipeline({ provider, dataset }, stages, { signal, timeoutMs }));
    },
  };
}

function objectIn(text: string, field: string) {
  return parseRelaxedObject(text.trim() === '' ? '{}' : text, field);
}

function optionalObjectIn(text: string | undefined, field: string) {
  return text === undefined || text.trim() === '' ? undefined : parseRelaxedObject(text, field);
}

function sortIn(text: string) {
  const sort = objectIn(text, 'sort');
  checkSort(sort);
  return sort;
}

async function pageOf(ask: () => Promise<RecordsAnswer>): Promise<RecordPage> {
  const began = performance.now();
  const { text, count, total } = await ask();
  return { records: text, count, total, ms: since(began), bytes: Buffer.byteLength(text) };
}

function since(began: number): number {
  return Math.round(performance.now() - began);
}
