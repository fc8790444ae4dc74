import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { isAppError, invalidInput } from '../../../../shared/errors/errors.ts';
import { isObject, stringifyJson, type JsonObject } from '../../../../shared/json.ts';
import {
  maxResponseBytes,
  jsonOf,
  notJsonError,
  UnreadableResponse,
  type HttpResponse,
  outlineJson,
  checkUtf8,
  get,
  parametersOf,
  post,
  type HttpRequest,
  type Parameters,
  encodeText,
} from '../http/exchange.ts';
import type { Http } from '../http/http.ts';
import { writingStages } from '../../../../shared/language/catalogue.ts';
import type {
  AggregateArguments,
  CallOptions,
  DataService,
  FindArguments,
  RecordsResponse,
  RecordsOperation,
} from './services.ts';

/**
 * `/api/v1/data/{provider}/{dataset}/` and the rest of a path (specification, section 4.1).
 * @throws AppError `invalid_input` when a part isn't a valid name
 */
export function recordsPath({ provider, dataset }: DatasetAddress, rest = ''): string {
  return `/api/v1/data/${segment(provider, 'provider')}/${segment(dataset, 'dataset')}/${rest}`;
}

/**
 * The path of a dataset definition.
 * @throws AppError `invalid_input` when a part isn't a valid name
 */
export function definitionPath({ provider, dataset }: DatasetAddress): string {
  return `/api/v1/dataset/${segment(provider, 'provider')}/${segment(dataset, 'dataset')}/`;
}

/** The dataset in words, for errors: "the dataset demo/wits". */
export function describeDataset({ provider, dataset }: DatasetAddress): string {
  return `the dataset ${provider}/${dataset}`;
}

// A segment of dots would change the path, encoded or not.
function segment(text: string, field: string): string {
  if (text === '' || /^\.{1,2}$/.test(text)) throw invalidInput(`“${text}” isn't a valid name.`, { field });
  return encodeText(text, field);
}

/** Why a page with more records than requested can't be used. */
export const tooManyRecords = (records: number, requested: number): string =>
  `it has ${records.toLocaleString('en')} records instead of at most ${requested.toLocaleString('en')}, as from a proxy that caches without the query of an address`;

/**
 * The last guard before a pipeline is sent (specification, section 4.1); its other rules are checked in its text.
 * @throws AppError `invalid_input` if a stage writes
 */
export function refuseWrites(stages: readonly JsonObject[]): void {
  const writing = stages.flatMap(Object.keys).find((name) => writingStages.has(name));
  if (writing !== undefined)
    throw invalidInput(`${writing} writes data. Only stages that read are allowed.`, { field: 'stages' });
}

/** In characters. Strict proxies refuse a longer one (414), so a read with a longer one is sent as a body if possible. */
export const maxUrlLength = 2000;

type Reads = Pick<DataService, 'find' | 'findUnchecked' | 'count' | 'aggregate' | 'pipeline' | 'describe'>;

/** The reads of records (specification, section 4.1). */
export function recordReads(http: Http): Reads {
  const read = async <T>(
    address: DatasetAddress,
    operation: RecordsOperation,
    decode: (response: HttpResponse) => T,
    options: CallOptions | undefined,
  ): Promise<T> => {
    const [request, alternative] = requestsFor(http, address, operation);
    const maxBytes =
      operation.kind === 'count' ? maxResponseBytes.small : (options?.maxBytes ?? maxResponseBytes.records);
    const readOptions = { ...options, maxBytes, what: describeDataset(address) };
    try {
      return await http.read(request, decode, readOptions);
    } catch (error) {
      if (!alternative || !canUseAlternative(request, error)) throw error;
      return http.read(alternative, decode, readOptions);
    }
  };
  const readRecords = (
    address: DatasetAddress,
    operation: RecordsOperation,
    options: CallOptions | undefined,
  ) => read(address, operation, recordsOf, options);
  return {
    find: async (address, find, options) =>
      read(address, { kind: 'find', find }, (response) => atMost(find.limit, recordsOf(response)), options),
    findUnchecked: async (address, find, options) =>
      read(address, { kind: 'find', find }, uncheckedBytesOf, options),
    count: async (address, query, options) => read(address, { kind: 'count', query }, countOf, options),
    aggregate: async (address, aggregate, options) =>
      readRecords(address, { kind: 'aggregate', aggregate }, options),
    pipeline: async (address, stages, options) => readRecords(address, { kind: 'pipeline', stages }, options),
    describe(address, operation) {
      const [request] = requestsFor(http, address, operation);
      const { address: url, headers } = http.describe(request);
      const body = request.body ? Buffer.from(request.body).toString() : null;
      return { method: request.method, url: url.href, headers, body };
    },
  };
}

/**
 * The request of a read, as it is sent and as it is described, and an alternative if a service refuses it for its size. It
 * has a body if the URL would be long.
 * @throws AppError `invalid_input`
 */
function requestsFor(
  http: Http,
  address: DatasetAddress,
  operation: RecordsOperation,
): readonly [HttpRequest, HttpRequest?] {
  const preferShortUrl = (byQuery: HttpRequest, byBody: HttpRequest): readonly [HttpRequest, HttpRequest] =>
    http.describe(byQuery).address.href.length <= maxUrlLength ? [byQuery, byBody] : [byBody, byQuery];
  switch (operation.kind) {
    case 'find': {
      const { find } = operation;
      const byQuery = get(recordsPath(address), findParameters(find));
      return preferShortUrl(byQuery, post(recordsPath(address, 'list/'), findBody(find)));
    }
    case 'count': {
      const { query } = operation;
      const byQuery = get(recordsPath(address, 'count/'), parametersOf({ query: stringifyJson(query) }));
      // A count has no body form: a find of one record with its `Total` header says the same.
      const oneRecord = findBody({ query, sort: {}, limit: 1, fields: ['_id'], includeCount: true });
      return preferShortUrl(byQuery, post(recordsPath(address, 'list/'), oneRecord));
    }
    case 'aggregate': {
      const { aggregate } = operation;
      const { limit } = aggregate;
      const byBody = post(recordsPath(address, 'aggregate/pipeline/'), {
        stages: aggregateStages(aggregate),
      });
      // A simple aggregation requires a limit, which is applied before grouping (specification, section 4.1).
      if (limit === undefined) return [byBody];
      const byQuery = get(recordsPath(address, 'aggregate/'), aggregateParameters(aggregate, limit));
      return preferShortUrl(byQuery, byBody);
    }
    case 'pipeline':
      refuseWrites(operation.stages);
      return [post(recordsPath(address, 'aggregate/pipeline/'), { stages: [...operation.stages] })];
  }
}

/** Whether the other form of a request may succeed where this one failed. */
function canUseAlternative({ method }: HttpRequest, error: unknown): boolean {
  if (method === 'GET') return isAppError(error, 'too_large');
  // A service may leave out `Total`, or the body form: then the long address is tried.
  return isAppError(error, 'bad_answer') || isAppError(error, 'not_found');
}

/** The pipeline of a simple aggregation, whose limit is applied before grouping. */
export function aggregateStages({
  match,
  sort,
  limit,
  skip,
  group,
  project,
}: AggregateArguments): JsonObject[] {
  return [
    { $match: match },
    ...(Object.keys(sort).length > 0 ? [{ $sort: sort }] : []),
    ...(skip ? [{ $skip: skip }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(group ? [{ $group: group }] : []),
    ...(project ? [{ $project: project }] : []),
  ];
}

function findParameters({ query, sort, limit, skip, fields, includeCount }: FindArguments): Parameters {
  return parametersOf({
    query: stringifyJson(query),
    sort: stringifyJson(sort),
    limit,
    skip: skip || undefined,
    fields: fields?.join(','),
    include_count: includeCount || undefined,
  });
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

function aggregateParameters(
  { match, sort, skip, group, project }: AggregateArguments,
  limit: number,
): Parameters {
  return parametersOf({
    match: stringifyJson(match),
    sort: stringifyJson(sort),
    limit,
    skip: skip || undefined,
    group: group && stringifyJson(group),
    project: project && stringifyJson(project),
  });
}

/** The records as bytes, counted but not parsed: they are parsed where their values are needed. */
function recordsOf(response: HttpResponse): RecordsResponse {
  const outline = outlineJson(response.bytes);
  if (!outline.isComplete || outline.hasInvalidCharacter) throw notJsonError(response);
  if (outline.kind !== 'array') throw new UnreadableResponse('it is not a list of records');
  checkUtf8(response.bytes);
  return {
    bytes: response.bytes,
    get text() {
      return response.text();
    },
    count: outline.items,
    total: totalOf(response.header('total')),
  };
}

/** @throws UnreadableResponse for more records than requested */
function atMost(limit: number, records: RecordsResponse): RecordsResponse {
  if (records.count > limit) throw new UnreadableResponse(tooManyRecords(records.count, limit));
  return records;
}

/** Only the ends are checked: a scan of megabytes takes milliseconds of the main thread, and a truncated response lacks its end. */
function uncheckedBytesOf(response: HttpResponse): RecordsResponse['bytes'] {
  const { bytes } = response;
  const isProbablyComplete =
    /^\s*\[/.test(bytes.toString('latin1', 0, 100)) &&
    /\]\s*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - 100)));
  if (!isProbablyComplete) return recordsOf(response).bytes;
  checkUtf8(bytes);
  return bytes;
}

function totalOf(header: string | null): number | null {
  return header !== null && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null;
}

function countOf(response: HttpResponse): number {
  const value = jsonOf(response);
  const rawCount = Array.isArray(value)
    ? totalOf(response.header('total'))
    : isObject(value)
      ? value['count']
      : value;
  const count = typeof rawCount === 'string' && /^\d+$/.test(rawCount) ? Number(rawCount) : rawCount;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
    throw new UnreadableResponse('it has no count');
  }
  return count;
}
