import type { DatasetAddress } from '../../shared/datasets.ts';
import { stringifyJson, type JsonObject } from '../../shared/json.ts';
import { jsonOf, notJson, UnreadableAnswer, type Answer } from '../http/answer.ts';
import type { Http } from '../http/http.ts';
import { get, post, type HttpRequest, type Parameters } from '../http/request.ts';
import { shapeOf } from '../http/whole-json.ts';
import { checkFields, checkLimit, checkSkip, checkSort, checkStages } from './checks.ts';
import { inWords, recordsPath } from './paths.ts';
import type {
  AggregateArguments,
  CallOptions,
  DataService,
  FindArguments,
  RecordsAnswer,
} from './services.ts';

/** A longer address does not get through every proxy: then the query goes by body. */
export const longestAddress = 6000;

type Reads = Pick<DataService, 'find' | 'count' | 'aggregate' | 'pipeline'>;

/** The reads of records (specification, section 4.1). */
export function recordReads(http: Http): Reads {
  const readRecords = (address: DatasetAddress, request: HttpRequest, options: CallOptions | undefined) =>
    http.read(request, recordsOf, { ...options, what: inWords(address) });
  return {
    async find(address, find, options) {
      checkFind(find);
      const byQuery = get(recordsPath(address), findParameters(find));
      const short = http.addressLength(byQuery) <= longestAddress;
      return readRecords(
        address,
        short ? byQuery : post(recordsPath(address, 'list/'), findBody(find)),
        options,
      );
    },
    async count(address, query, options) {
      const request = get(recordsPath(address, 'count/'), [['query', stringifyJson(query)]]);
      return http.read(request, countOf, { ...options, what: inWords(address) });
    },
    async aggregate(address, aggregate, options) {
      checkLimit(aggregate.limit);
      checkSkip(aggregate.skip);
      checkSort(aggregate.sort);
      return readRecords(
        address,
        get(recordsPath(address, 'aggregate/'), aggregateParameters(aggregate)),
        options,
      );
    },
    async pipeline(address, stages, options) {
      checkStages(stages);
      return readRecords(
        address,
        post(recordsPath(address, 'aggregate/pipeline/'), { stages: [...stages] }),
        options,
      );
    },
  };
}

function checkFind({ limit, skip, sort, fields }: FindArguments): void {
  checkLimit(limit);
  checkSkip(skip);
  checkSort(sort);
  checkFields(fields);
}

function findParameters({ query, sort, limit, skip, fields, includeCount }: FindArguments): Parameters {
  return [
    ['query', stringifyJson(query)],
    ['sort', stringifyJson(sort)],
    ['limit', String(limit)],
    ...optional('skip', skip ? String(skip) : undefined),
    ...optional('fields', fields?.length ? fields.join(',') : undefined),
    ...optional('include_count', includeCount ? 'true' : undefined),
  ];
}

function findBody({ query, sort, limit, skip, fields, includeCount }: FindArguments): JsonObject {
  return {
    query,
    sort,
    limit,
    ...(skip ? { skip } : {}),
    ...(fields?.length ? { fields: fields.join(',') } : {}),
    ...(includeCount ? { include_count: true } : {}),
  };
}

function aggregateParameters({ match, sort, limit, skip, group, project }: AggregateArguments): Parameters {
  return [
    ['match', stringifyJson(match)],
    ['sort', stringifyJson(sort)],
    ['limit', String(limit)],
    ...optional('skip', skip ? String(skip) : undefined),
    ...optional('group', group && stringifyJson(group)),
    ...optional('project', project && stringifyJson(project)),
  ];
}

function optional(name: string, value: string | undefined): Parameters {
  return value === undefined ? [] : [[name, value]];
}

/** The records as text, counted but not parsed: whoever wants the values parses them where they are needed. */
function recordsOf(answer: Answer): RecordsAnswer {
  const shape = shapeOf(answer.bytes);
  if (!shape.whole || shape.strange) throw notJson(answer);
  if (shape.kind !== 'array') throw new UnreadableAnswer('it is not a list of records');
  return { text: answer.text(), count: shape.items, total: totalOf(answer.header('total')) };
}

function totalOf(header: string | null): number | null {
  return header !== null && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null;
}

function countOf(answer: Answer): number {
  const value = jsonOf(answer);
  const said = typeof value === 'object' && value !== null && !Array.isArray(value) ? value['count'] : value;
  const count = typeof said === 'string' && /^\d+$/.test(said) ? Number(said) : said;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
    throw new UnreadableAnswer('it does not say a count');
  }
  return count;
}
