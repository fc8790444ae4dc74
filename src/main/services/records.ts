import { isUtf8 } from 'node:buffer';
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
  RecordsQuestion,
} from './services.ts';

/** A longer address does not get through every proxy: then the query goes by body. */
export const longestAddress = 6000;

type Reads = Pick<DataService, 'find' | 'findUnread' | 'count' | 'aggregate' | 'pipeline' | 'describe'>;

/** The reads of records (specification, section 4.1). */
export function recordReads(http: Http): Reads {
  const readRecords = (
    address: DatasetAddress,
    question: RecordsQuestion,
    options: CallOptions | undefined,
  ) => http.read(requestFor(http, address, question), recordsOf, { ...options, what: inWords(address) });
  return {
    find: async (address, find, options) => readRecords(address, { kind: 'find', find }, options),
    async findUnread(address, find, options) {
      const request = requestFor(http, address, { kind: 'find', find });
      return http.read(request, bytesOf, { ...options, what: inWords(address) });
    },
    async count(address, query, options) {
      const request = requestFor(http, address, { kind: 'count', query });
      return http.read(request, countOf, { ...options, what: inWords(address) });
    },
    aggregate: async (address, aggregate, options) =>
      readRecords(address, { kind: 'aggregate', aggregate }, options),
    pipeline: async (address, stages, options) => readRecords(address, { kind: 'pipeline', stages }, options),
    describe(address, question) {
      const request = requestFor(http, address, question);
      const { address: url, headers } = http.outgoing(request);
      const body = request.body ? Buffer.from(request.body).toString() : null;
      return { method: request.method, url: url.href, headers, body };
    },
  };
}

/** The request of a read: what is sent and what is described are the same. @throws AppError `invalid_input` */
function requestFor(http: Http, address: DatasetAddress, question: RecordsQuestion): HttpRequest {
  switch (question.kind) {
    case 'find': {
      checkFind(question.find);
      const byQuery = get(recordsPath(address), findParameters(question.find));
      const short = http.outgoing(byQuery).address.href.length <= longestAddress;
      return short ? byQuery : post(recordsPath(address, 'list/'), findBody(question.find));
    }
    case 'count':
      return get(recordsPath(address, 'count/'), [['query', stringifyJson(question.query)]]);
    case 'aggregate': {
      const { aggregate } = question;
      checkLimit(aggregate.limit);
      checkSkip(aggregate.skip);
      checkSort(aggregate.sort);
      return get(recordsPath(address, 'aggregate/'), aggregateParameters(aggregate));
    }
    case 'pipeline':
      checkStages(question.stages);
      return post(recordsPath(address, 'aggregate/pipeline/'), { stages: [...question.stages] });
  }
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
  return {
    // What is no UTF-8 is written as what it is shown as.
    bytes: isUtf8(answer.bytes) ? answer.bytes : Buffer.from(answer.text()),
    get text() {
      return answer.text();
    },
    count: shape.items,
    total: totalOf(answer.header('total')),
  };
}

/** Looking over megabytes takes milliseconds of the core's own thread; where an answer was cut off shows at its end. */
function bytesOf(answer: Answer): RecordsAnswer['bytes'] {
  const { bytes } = answer;
  const seemsWhole =
    /^\s*\[/.test(bytes.toString('latin1', 0, 100)) &&
    /\]\s*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - 100)));
  return seemsWhole && isUtf8(bytes) ? bytes : recordsOf(answer).bytes;
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
