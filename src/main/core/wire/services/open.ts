import * as z from 'zod';
import { serviceUrl, type Credential } from '../../../../shared/connections/connections.ts';
import { invalidInput, AppError, isAppError } from '../../../../shared/errors/errors.ts';
import type { ClockNotice } from '../../../../shared/workspace/workspace.ts';
import { systemClock } from '../http/retry.ts';
import { type ClientOptions, type CredentialSource, openHttp, type Http } from '../http/http.ts';
import { openNetwork, type Network, type NetworkOptions } from '../http/network.ts';
import {
  maxResponseBytes,
  jsonOf,
  UnreadableResponse,
  type HttpResponse,
  get,
  parametersOf,
  type HttpRequest,
  notJsonError,
  outlineJson,
  checkUtf8,
  post,
  encodeText,
  maxUrlLength,
} from '../http/exchange.ts';
import { apiKeyCredential, parseApiKey } from './credentials.ts';
import { signIn, type SignInDetails, type Tokens } from './tokens.ts';
import { platformService } from './platform.ts';
import {
  aggregateStages,
  argumentsOf,
  argumentTexts,
  tooManyRecords,
  type Services,
  type CallOptions,
  type DataService,
  type InsertOutcome,
  type CompanyDataset,
  type RecordsResponse,
  type RecordsOperation,
} from './services.ts';
import { SignInCredential } from './token.ts';
import { type JsonValue, isObject, isWithinDepth, type JsonObject } from '../../../../shared/json.ts';
import {
  type ReadItems,
  maxDepth,
  looseBoolean,
  looseInteger,
  looseNumber,
  looseText,
  readBy,
  readEach,
} from './tolerant.ts';
import {
  type DatasetAddress,
  dataset as datasetSchema,
  datasetType,
  type Dataset,
} from '../../../../shared/datasets/datasets.ts';
import { writingStages } from '../../../../shared/language/catalogue.ts';

/**
 * `/api/v1/data/{provider}/{dataset}/` and the rest of a path (specification, section 4.1).
 * @throws AppError `invalid_input` when a part isn't a valid name
 */
function recordsPath({ provider, dataset }: DatasetAddress, rest = ''): string {
  return `/api/v1/data/${segment(provider, 'provider')}/${segment(dataset, 'dataset')}/${rest}`;
}

/** @throws AppError `invalid_input` when a part isn't a valid name */
function definitionPath({ provider, dataset }: DatasetAddress): string {
  return `/api/v1/dataset/${segment(provider, 'provider')}/${segment(dataset, 'dataset')}/`;
}

/** The dataset in words, for errors: "the dataset demo/wits". */
function describeDataset({ provider, dataset }: DatasetAddress): string {
  return `the dataset ${provider}/${dataset}`;
}

// A segment of dots would change the path, encoded or not.
function segment(text: string, field: string): string {
  if (text === '' || /^\.{1,2}$/.test(text)) throw invalidInput(`“${text}” isn’t a valid name.`, { field });
  return encodeText(text, field);
}

/**
 * The last guard before a pipeline is sent (specification, section 4.1); its other rules are checked in its text.
 * @throws AppError `invalid_input` if a stage writes
 */
function refuseWrites(stages: readonly JsonObject[]): void {
  const writing = stages.flatMap(Object.keys).find((name) => writingStages.has(name));
  if (writing !== undefined)
    throw invalidInput(`${writing} writes data. Only stages that read are allowed.`, { field: 'stages' });
}

type Reads = Pick<DataService, 'find' | 'findUnchecked' | 'count' | 'aggregate' | 'pipeline' | 'describe'>;

/** The reads of records (specification, section 4.1). */
function recordReads(http: Http): Reads {
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
  return {
    find: async (address, find, options) =>
      read(address, { kind: 'find', find }, (response) => atMost(find.limit, recordsOf(response)), options),
    findUnchecked: async (address, find, options) =>
      read(address, { kind: 'find', find }, uncheckedBytesOf, options),
    count: async (address, query, options) => read(address, { kind: 'count', query }, countOf, options),
    aggregate: async (address, aggregate, options) =>
      read(address, { kind: 'aggregate', aggregate }, recordsOf, options),
    pipeline: async (address, stages, options) =>
      read(address, { kind: 'pipeline', stages }, recordsOf, options),
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
  const byQuery = (rest?: string) => get(recordsPath(address, rest), argumentTexts(operation));
  const byBody = (rest: string, read: RecordsOperation) =>
    post(recordsPath(address, rest), argumentsOf(read));
  switch (operation.kind) {
    case 'find':
      return preferShortUrl(byQuery(), byBody('list/', operation));
    case 'count': {
      // A count has no body form: a find of one record with its `Total` header says the same.
      const find = { query: operation.query, sort: {}, limit: 1, fields: ['_id'], includeCount: true };
      return preferShortUrl(byQuery('count/'), byBody('list/', { kind: 'find', find }));
    }
    case 'aggregate': {
      const { aggregate } = operation;
      const asPipeline = byBody('aggregate/pipeline/', {
        kind: 'pipeline',
        stages: aggregateStages(aggregate),
      });
      // A simple aggregation requires a limit, which is applied before grouping (specification, section 4.1).
      return aggregate.limit === undefined ? [asPipeline] : preferShortUrl(byQuery('aggregate/'), asPipeline);
    }
    case 'pipeline':
      refuseWrites(operation.stages);
      return [byBody('aggregate/pipeline/', operation)];
  }
}

/** Whether the other form of a request may succeed where this one failed. */
function canUseAlternative({ method }: HttpRequest, error: unknown): boolean {
  if (method === 'GET') return isAppError(error, 'too_large');
  // A service may leave out `Total`, or the body form: then the long address is tried.
  return isAppError(error, 'bad_answer') || isAppError(error, 'not_found');
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

/** A number of records, also as a text of digits; null: it is none. */
function countIn(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function countOf(response: HttpResponse): number {
  const value = jsonOf(response);
  const rawCount = Array.isArray(value)
    ? totalOf(response.header('total'))
    : isObject(value)
      ? value['count']
      : value;
  const count = countIn(rawCount);
  if (count === null) throw new UnreadableResponse('it has no count');
  return count;
}

const objectOrEmpty = z
  .record(z.string(), z.unknown())
  .refine((object) => isWithinDepth(object, maxDepth))
  .catch({});

const definition = z.looseObject({
  id: looseInteger.optional(),
  company_id: looseInteger.optional(),
  provider: looseText.optional(),
  name: z.string().min(1),
  friendly_name: looseText.optional(),
  description: looseText.optional(),
  schema: objectOrEmpty.optional(),
  data_type: looseText.optional(),
  plottable: looseBoolean.optional(),
  temporary: looseBoolean.optional(),
  permission_workflow: z.record(z.string(), looseText).catch({}).optional(),
  indexes: z.array(z.unknown()).catch([]).optional(),
  statistics: z
    .looseObject({
      size: looseNumber.optional(),
      count: looseNumber.optional(),
      storage_size: looseNumber.optional(),
      index_size: looseNumber.optional(),
    })
    .catch({})
    .optional(),
});

const indexItem = z.looseObject({
  name: z.string(),
  fields: z
    .array(z.record(z.string(), z.union([z.literal(1), z.literal(-1)])))
    .min(1)
    .transform((fields) => fields.flatMap((field) => Object.entries(field)))
    .transform((fields) => fields.map(([path, direction]) => ({ path, direction }))),
  unique: looseBoolean.optional(),
});

/**
 * Parses a dataset definition (specification, section 2.2). Missing and unknown keys and ids as digits are
 * accepted.
 * @throws UnreadableResponse when it isn't an object with a name
 */
export function readDefinition(value: unknown): Dataset {
  const raw = readBy(definition, value, 'the definition of a dataset');
  const { provider, dataset } = parseAddress(raw.provider ?? '', raw.name);
  const typeName = raw.data_type ?? '';
  const statistics = raw.statistics ?? {};
  return {
    provider,
    dataset,
    id: raw.id ?? null,
    companyId: raw.company_id ?? null,
    friendlyName: raw.friendly_name || dataset,
    description: raw.description ?? '',
    type: datasetType.safeParse(typeName).data ?? null,
    typeSaid: typeName,
    plottable: raw.plottable ?? false,
    temporary: raw.temporary ?? false,
    permissions: raw.permission_workflow ?? {},
    indexes: (raw.indexes ?? []).flatMap(readIndex),
    statistics: {
      size: statistics.size ?? null,
      count: statistics.count ?? null,
      storageSize: statistics.storage_size ?? null,
      indexSize: statistics.index_size ?? null,
    },
    schema: raw.schema ?? {},
  };
}

/** Items of another shape are skipped. */
function readIndex(item: unknown): Dataset['indexes'] {
  const { data } = indexItem.safeParse(item);
  return data ? [{ name: data.name, fields: data.fields, unique: data.unique ?? false }] : [];
}

/** The address in a name such as `demo#wits`; a name without a separator is the dataset. */
export function parseAddress(provider: string, name: string): DatasetAddress {
  const mark = name.indexOf('#');
  if (mark > 0 && mark < name.length - 1) {
    return { provider: provider || name.slice(0, mark), dataset: name.slice(mark + 1) };
  }
  const ownName = provider !== '' && name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : '';
  return { provider, dataset: ownName || name };
}

/**
 * Parses a list of definitions. Invalid items, and those without a valid address, are skipped.
 * @throws UnreadableResponse when it isn't a list
 */
export function readDefinitions(value: JsonValue): ReadItems<Dataset> {
  const items = readBy(z.array(z.unknown()), unwrapData(value), 'a list of datasets');
  return readEach(items, (item) => {
    const { data } = datasetSchema.safeParse(readDefinition(item));
    return data ? withUncountedStatistics(data) : null;
  });
}

/** Lists have zero for all statistics (notes beside the specification): it means "not counted". */
function withUncountedStatistics(dataset: Dataset): Dataset {
  const isCounted = Object.values(dataset.statistics).some((value) => value !== null && value > 0);
  if (isCounted) return dataset;
  return { ...dataset, statistics: { size: null, count: null, storageSize: null, indexSize: null } };
}

function unwrapData(value: JsonValue): JsonValue {
  return isObject(value) && Array.isArray(value['data']) ? value['data'] : value;
}

const companyItem = z.looseObject({
  id: looseInteger.optional(),
  provider: looseText.optional(),
  name: z.string().min(1),
  type: looseText.optional(),
});

const companyEntry = z.object({ company: z.string(), item: companyItem });

/**
 * Parses the company listing: an object of company names to items. A name such as `demo#wits` is split. Invalid items
 * are skipped.
 * @throws UnreadableResponse when it isn't an object
 */
export function readCompanyListing(value: JsonValue): ReadItems<CompanyDataset> {
  const companies = readBy(z.record(z.string(), z.unknown()), value, 'a list of companies');
  const entries = Object.entries(companies).flatMap(([company, items]) =>
    (Array.isArray(items) ? items : [items]).map((item: unknown) => ({ company, item })),
  );
  return readEach(entries, (entry) => {
    const { company, item } = companyEntry.parse(entry);
    const { provider, dataset } = parseAddress(item.provider ?? '', item.name);
    return { company, id: item.id ?? null, provider, name: dataset, type: item.type ?? '' };
  });
}

/** Limit for the response that has the service's time, in milliseconds: the local clock may do. */
const clockTimeoutMs = 10_000;

/** The data service over a client: one function for each endpoint (specification, section 4.1). */
function dataService(http: Http): DataService {
  async function readList<T>(
    what: string,
    request: HttpRequest,
    decode: (value: JsonValue) => ReadItems<T>,
    options: CallOptions | undefined,
  ): Promise<T[]> {
    const readOptions = { ...options, maxBytes: maxResponseBytes.list, what };
    const { items, skipped } = await http.read(request, (response) => decode(jsonOf(response)), readOptions);
    http.reportSkipped(what, skipped);
    return items;
  }

  return {
    ...recordReads(http),
    now: () => http.serviceNow(),
    async askNow(address, options) {
      if (!http.hasServiceTime)
        await http
          .read(get(definitionPath(address)), () => null, {
            timeoutMs: clockTimeoutMs,
            ...options,
            maxTries: 1,
          })
          .catch((error: unknown) => {
            if (isAppError(error, 'cancelled')) throw error;
          });
      return http.serviceNow();
    },
    pageSizes: new Map(),
    insert: (address, body, rows, options) => insertRecords(http, address, body, rows, options),
    async datasets({ search, plottable, temporary }, options) {
      const request = get('/api/v1/dataset/', parametersOf({ search, plottable, temporary }));
      return readList('the list of datasets', request, readDefinitions, options);
    },
    async companyDatasets(options) {
      const request = get('/api/v1/dataset/company/');
      return readList('the list of companies’ datasets', request, readCompanyListing, options);
    },
    async dataset(address, options) {
      return http.read(get(definitionPath(address)), (response) => readDefinition(jsonOf(response)), {
        ...options,
        maxBytes: maxResponseBytes.list,
        what: describeDataset(address),
      });
    },
  };
}

/** Maximum number of records per insert (specification, section 8). */
const maxInsertRows = 1000;

/**
 * Sends one batch exactly once.
 * @param body JSON text of an array of records
 * @param rows number of records, 1 to 1,000
 * @returns what is certain about the batch
 * @throws AppError `cancelled` before anything was sent, `invalid_input` for another number of rows or an
 *   invalid address
 */
async function insertRecords(
  http: Http,
  address: DatasetAddress,
  body: Uint8Array,
  rows: number,
  options: CallOptions = {},
): Promise<InsertOutcome> {
  if (!Number.isInteger(rows) || rows < 1 || rows > maxInsertRows) {
    throw invalidInput(`An insert takes 1 to ${maxInsertRows} records.`, { field: 'records' });
  }
  const request = { method: 'POST', path: recordsPath(address), body } as const;
  const outcome = await http.send(request, { ...options, what: describeDataset(address) });
  if (outcome.kind === 'not_sent') return outcome;
  if (outcome.kind === 'lost') return { kind: 'unknown', status: null, error: outcome.error };
  return outcome.error
    ? outcomeOfRefusal(outcome.response.status, outcome.retryAfterMs, outcome.error)
    : outcomeOfResponse(outcome.response);
}

function outcomeOfRefusal(status: number, retryAfterMs: number | null, error: AppError): InsertOutcome {
  if (status === 401 || status === 413 || status === 429)
    return { kind: 'not_stored', status, retryAfterMs, error };
  return { kind: 'unknown', status, error };
}

/** Only a 200 promises the three fields; with any other body the outcome is unknown. */
function outcomeOfResponse(response: HttpResponse): InsertOutcome {
  try {
    const { insertedIds, failedCount, messages } = readInsert(jsonOf(response));
    return { kind: 'answered', insertedIds, failedCount, messages };
  } catch (error) {
    const problem = error instanceof UnreadableResponse ? error.problem : 'it can’t be read';
    return {
      kind: 'unknown',
      status: response.status,
      error: new AppError('bad_answer', { service: 'data', problem }),
    };
  }
}

/** @throws UnreadableResponse when it isn’t the response to an insert */
export function readInsert(value: JsonValue): {
  insertedIds: string[];
  failedCount: number;
  messages: JsonValue[];
} {
  if (!isObject(value)) throw new UnreadableResponse('it isn’t a response to an insert');
  const ids = value['inserted_ids'];
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw new UnreadableResponse('it doesn’t list the inserted records');
  }
  const failedCount = countIn(value['failed_count'] ?? 0);
  if (failedCount === null) throw new UnreadableResponse('it doesn’t report the number of failed records');
  const messages = value['messages'];
  return {
    insertedIds: ids,
    failedCount,
    messages: (Array.isArray(messages) ? messages : messages ? [messages] : []).map((message) =>
      isWithinDepth(message, maxDepth) ? message : 'This message is nested too deep.',
    ),
  };
}

/** Options of a connection to services, without its credentials. `onClock` is called once. */
export interface ServiceNetworkOptions extends Omit<NetworkOptions, 'tls'>, ClientOptions {
  readonly dataUrl: string;
  readonly platformUrl: string;
}

/**
 * The source of credentials that aren't stored: entered ones, or those of the environment.
 * @param platform a client of the platform without a credential, to sign in
 * @throws AppError `invalid_input` for an API key that a header can't hold
 */
export function credentialSource(credential: Credential, platform: Http): CredentialSource {
  if (credential.method === 'login') return new SignInCredential({ http: platform, login: credential });
  const key = parseApiKey(credential.apiKey);
  return apiKeyCredential({ read: async () => key, wasAccepted: false });
}

/** @param platform a client of the platform without a credential, to sign in */
export type CredentialFactory = (platform: Http) => CredentialSource;

/**
 * Opens both services of a connection. Nothing is sent yet: the first request signs in.
 * @param createCredential as a {@link CredentialFactory}; null: requests have none
 * @throws AppError `invalid_input` for an address that is neither https nor on this computer, or a malformed proxy variable
 */
export function openServices<C extends CredentialSource | null>(
  options: ServiceNetworkOptions,
  createCredential: (platform: Http) => C,
): { services: Services; credential: C; signInHttp: Http } {
  const { dataUrl, platformUrl, network, common } = openShared(options);
  // With a limiter of its own: a request that waits for a token must not delay the request for the token.
  const signInHttp = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential: null });
  const credential = createCredential(signInHttp);
  const data = openHttp({ ...common, service: 'data', baseUrl: dataUrl, credential });
  const platform = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential });
  const services = {
    dataUrl: options.dataUrl,
    data: dataService(data),
    platform: platformService(platform),
    close: () => network.close(),
  };
  return { services, credential, signInHttp };
}

/**
 * Signs in once for a pair of tokens to store. Up to two tries, because a person waits.
 * @throws AppError `not_authenticated` for a wrong email or password; otherwise the failure of the request
 */
export async function signInOnce(
  options: ServiceNetworkOptions,
  login: SignInDetails,
  signal?: AbortSignal,
): Promise<Tokens> {
  const { platformUrl, network, common } = openShared(options);
  const http = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential: null });
  try {
    return await signIn({ http, login, clock: options.clock ?? systemClock, signal, maxTries: 2 });
  } finally {
    await network.close();
  }
}

function openShared(options: ServiceNetworkOptions) {
  const { onRetry, onSkipped, clock, random } = options;
  const dataUrl = checkUrl(options.dataUrl, 'dataUrl');
  const platformUrl = checkUrl(options.platformUrl, 'platformUrl');
  const network = openServicesNetwork(options);
  let isReported = false;
  const onClock = (notice: ClockNotice): void => {
    if (!isReported) options.onClock?.(notice);
    isReported = true;
  };
  return { dataUrl, platformUrl, network, common: { network, onRetry, onSkipped, onClock, clock, random } };
}

/** Opens the network access to both services. @throws AppError `invalid_input` when a proxy variable is malformed */
export function openServicesNetwork(options: ServiceNetworkOptions): Network {
  const tls = [options.dataUrl, options.platformUrl].some((url) => url.startsWith('https:'));
  return openNetwork({ ...options, tls });
}

/** Credentials are sent over https only, or to this computer, whatever the source of the address. */
function checkUrl(url: string, field: string): string {
  const parsed = serviceUrl.safeParse(url);
  if (!parsed.success)
    throw invalidInput(parsed.error.issues[0]?.message ?? 'This isn’t a valid address.', { field });
  return parsed.data;
}
