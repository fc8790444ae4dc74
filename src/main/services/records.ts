import { isUtf8 } from 'node:buffer';
import type { DatasetAddress } from '../../shared/datasets/datasets.ts';
import { isAppError } from '../../shared/errors/errors.ts';
import { isObject, stringifyJson, type JsonObject } from '../../shared/json.ts';
import { maxAnswerBytes } from '../http/limits.ts';
import { jsonOf, notJson, UnreadableAnswer, type Answer, shapeOf } from '../http/answer.ts';
import type { Http } from '../http/http.ts';
import { get, post, type HttpRequest, type Parameters } from '../http/request.ts';
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

/** In characters. Strict proxies refuse a longer one (414): then a read goes by body, where it can. */
export const maxAddressLength = 2000;

type Reads = Pick<DataService, 'find' | 'findUnread' | 'count' | 'aggregate' | 'pipeline' | 'describe'>;

/** The reads of records (specification, section 4.1). */
export function recordReads(http: Http): Reads {
  const read = async <T>(
    address: DatasetAddress,
    question: RecordsQuestion,
    decode: (answer: Answer) => T,
    options: CallOptions | undefined,
  ): Promise<T> => {
    const [request, other] = requestsFor(http, address, question);
    const maxBytes = question.kind === 'count' ? maxAnswerBytes.small : maxAnswerBytes.records;
    const reading = { ...options, maxBytes, what: inWords(address) };
    try {
      return await http.read(request, decode, reading);
    } catch (error) {
      if (!other || !canGoOtherwise(request, error)) throw error;
      return http.read(other, decode, reading);
    }
  };
  const readRecords = (
    address: DatasetAddress,
    question: RecordsQuestion,
    options: CallOptions | undefined,
  ) => read(address, question, recordsOf, options);
  return {
    find: async (address, find, options) => readRecords(address, { kind: 'find', find }, options),
    findUnread: async (address, find, options) => read(address, { kind: 'find', find }, bytesOf, options),
    count: async (address, query, options) => read(address, { kind: 'count', query }, countOf, options),
    aggregate: async (address, aggregate, options) =>
      readRecords(address, { kind: 'aggregate', aggregate }, options),
    pipeline: async (address, stages, options) => readRecords(address, { kind: 'pipeline', stages }, options),
    describe(address, question) {
      const [request] = requestsFor(http, address, question);
      const { address: url, headers } = http.outgoing(request);
      const body = request.body ? Buffer.from(request.body).toString() : null;
      return { method: request.method, url: url.href, headers, body };
    },
  };
}

/**
 * The request of a read (what is sent and what is described are the same), and the one to send instead where that is
 * refused for its size. By body if the address would be long.
 * @throws AppError `invalid_input`
 */
function requestsFor(
  http: Http,
  address: DatasetAddress,
  question: RecordsQuestion,
): readonly [HttpRequest, HttpRequest?] {
  const shortFirst = (byQuery: HttpRequest, byBody: HttpRequest): readonly [HttpRequest, HttpRequest] =>
    http.outgoing(byQuery).address.href.length <= maxAddressLength ? [byQuery, byBody] : [byBody, byQuery];
  switch (question.kind) {
    case 'find': {
      const { find } = question;
      checkFind(find);
      const byQuery = get(recordsPath(address), findParameters(find));
      return shortFirst(byQuery, post(recordsPath(address, 'list/'), findBody(find)));
    }
    case 'count': {
      const { query } = question;
      const byQuery = get(recordsPath(address, 'count/'), [['query', stringifyJson(query)]]);
      // A count has no body form: a find of one record with its `Total` header says the same.
      const one = findBody({ query, sort: {}, limit: 1, fields: ['_id'], includeCount: true });
      return shortFirst(byQuery, post(recordsPath(address, 'list/'), one));
    }
    case 'aggregate': {
      const { aggregate } = question;
      checkLimit(aggregate.limit);
      checkSkip(aggregate.skip);
      checkSort(aggregate.sort);
      const byQuery = get(recordsPath(address, 'aggregate/'), aggregateParameters(aggregate));
      const byBody = post(recordsPath(address, 'aggregate/pipeline/'), { stages: stagesOf(aggregate) });
      return shortFirst(byQuery, byBody);
    }
    case 'pipeline':
      checkStages(question.stages);
      return [post(recordsPath(address, 'aggregate/pipeline/'), { stages: [...question.stages] })];
  }
}

/** Whether the other form of a request may succeed where this one failed. */
function canGoOtherwise({ method }: HttpRequest, error: unknown): boolean {
  if (method === 'GET') return isAppError(error, 'too_large');
  // A service may leave out `Total`, or the body form: then the long address is tried.
  return isAppError(error, 'bad_answer') || isAppError(error, 'not_found');
}

/** The pipeline of a simple aggregation, whose limit is applied before grouping. */
function stagesOf({ match, sort, limit, skip, group, project }: AggregateArguments): JsonObject[] {
  return [
    { $match: match },
    ...(Object.keys(sort).length > 0 ? [{ $sort: sort }] : []),
    ...(skip ? [{ $skip: skip }] : []),
    { $limit: limit },
    ...(group ? [{ $group: group }] : []),
    ...(project ? [{ $project: project }] : []),
  ];
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

/** The records as bytes, counted but not parsed: whoever wants the values parses them where they are needed. */
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
  const said = Array.isArray(value)
    ? totalOf(answer.header('total'))
    : isObject(value)
      ? value['count']
      : value;
  const count = typeof said === 'string' && /^\d+$/.test(said) ? Number(said) : said;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
    throw new UnreadableAnswer('it has no count');
  }
  return count;
}
