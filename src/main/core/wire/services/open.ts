import * as z from 'zod';
import { serviceUrl, type Credential } from '../../../../shared/connections/connections.ts';
import { invalidInput, AppError, isAppError } from '../../../../shared/errors/errors.ts';
import type { ClockNotice, RetryNotice, SkippedNotice } from '../../../../shared/workspace/workspace.ts';
import { systemClock, type Clock } from '../http/retry.ts';
import { type CredentialSource, openHttp, type Http } from '../http/http.ts';
import { openNetwork, type Network } from '../http/network.ts';
import type { OwnProxy, ResolveProxy } from '../http/routes.ts';
import type { ClientCertificate } from '../http/client-certificate.ts';
import {
  type Timeouts,
  maxResponseBytes,
  jsonOf,
  UnreadableResponse,
  type HttpResponse,
  get,
  parametersOf,
  type HttpRequest,
  type ParameterValues as Filter,
} from '../http/exchange.ts';
import { apiKeyCredential, parseApiKey } from './credentials.ts';
import { signIn, type SignInDetails, type Tokens } from './tokens.ts';
import type {
  Services,
  CallOptions,
  DataService,
  InsertOutcome,
  CompanyDataset,
  PlatformService,
} from './services.ts';
import { signInCredential } from './token.ts';
import { type JsonValue, isObject, isWithinDepth } from '../../../../shared/json.ts';
import { definitionPath, describeDataset, recordsPath, recordReads, maxUrlLength } from './records.ts';
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
import {
  platformFilters,
  type PlatformFilter,
  type PlatformResource,
} from '../../../../shared/wells/platform-filters.ts';
import type { PlatformEntity } from '../../../../shared/wells/wells.ts';
import { append } from '../../../../shared/lists.ts';

/** The default page size, and the one for a service that ignores `page`; a server may cap it. */
const defaultPageSize = 1000;
const maxPageSize = 10_000;
/** Maximum number of pages, and of entities: a longer list is endless. */
const maxPages = 5000;
const maxEntities = 1_000_000;

/** What was read of a list. */
interface Seen {
  /** Of entries that were yielded. */
  readonly keys: Set<string>;
  skipped: number;
}

/** The entities whose keys aren't there yet; the keys are added. */
const withoutKeys = (entities: readonly PlatformEntity[], keys: Set<string>): PlatformEntity[] =>
  entities.filter(({ type, id }) => {
    const key = `${type} ${id}`;
    return !keys.has(key) && keys.add(key);
  });

/** A list of the platform service, or a part of it. */
interface PlatformList {
  readonly http: Http;
  readonly resource: PlatformResource;
  readonly filter: Filter;
  readonly options: CallOptions | undefined;
}

const listName = (resource: PlatformResource): string => `the list of ${resource.replace('_', ' ')}`;

const readOnePage = ({ http, resource, filter, options }: PlatformList) =>
  http.read(get(`/v2/${resource}`, parametersOf(filter)), (response) => readPage(jsonOf(response)), {
    ...options,
    maxBytes: maxResponseBytes.list,
    what: listName(resource),
  });

async function readSinglePage(list: PlatformList): Promise<PlatformEntity[]> {
  const { items, skipped } = await readOnePage(list);
  list.http.reportSkipped(listName(list.resource), skipped);
  return items;
}

/** All pages, or the one that the filter names. */
async function* wantedPages(list: PlatformList): AsyncGenerator<PlatformEntity[]> {
  if (list.filter['page'] !== undefined) return yield await readSinglePage(list);
  const seen = { keys: new Set<string>(), skipped: 0 };
  yield* pagesInParts(list, seen);
  list.http.reportSkipped(listName(list.resource), seen.skipped);
}

/** All pages; many ids are requested in parts, so that each address is short. @param seen keys of items that were yielded */
async function* pagesInParts(list: PlatformList, seen: Seen): AsyncGenerator<PlatformEntity[]> {
  const { http, resource, filter } = list;
  const halves = splitFilter(filter);
  const { length } = http.describe(get(`/v2/${resource}`, parametersOf(filter))).address.href;
  if (!halves || length <= maxUrlLength) {
    try {
      yield* pagesOfFilter(list, seen);
      return;
    } catch (error) {
      if (!halves || !isAppError(error, 'too_large')) throw error;
    }
  }
  for (const half of halves) yield* pagesInParts({ ...list, filter: half }, seen);
}

async function* pagesOfFilter(list: PlatformList, seen: Seen): AsyncGenerator<PlatformEntity[]> {
  const { filter } = list;
  let pageSize = typeof filter['per_page'] === 'number' ? filter['per_page'] : defaultPageSize;
  let isPageSizeHonored = false;
  const skippedBefore = seen.skipped;
  const keys = new Set<string>();
  for (let page = 1; page <= maxPages && keys.size <= maxEntities; page += 1) {
    const paged = { ...filter, per_page: pageSize, page };
    const { items, skipped } = await readOnePage({ ...list, filter: paged });
    seen.skipped += skipped;
    const newItems = withoutKeys(items, keys);
    const length = items.length + skipped;
    // Nothing new: an empty page, or a repeated one from a service that ignores `page`.
    if (newItems.length === 0) {
      if (page !== 2 || length < pageSize) return;
      // The first page was full, so more may follow.
      if (pageSize >= maxPageSize)
        throw new AppError('bad_answer', { service: 'platform', problem: 'its pages repeat entries' });
      pageSize = maxPageSize;
      page = 0;
      seen.skipped = skippedBefore;
      continue;
    }
    // A pad can have wells of several parts of a filter.
    const unseenItems = withoutKeys(newItems, seen.keys);
    if (unseenItems.length > 0) yield unseenItems;
    // A short page is the last one only after a full one; otherwise `per_page` may be capped.
    isPageSizeHonored ||= length >= pageSize;
    if (isPageSizeHonored && length < pageSize) return;
  }
  throw new AppError('bad_answer', { service: 'platform', problem: 'its pages don’t end' });
}

/**
 * Checks the filter of a platform resource.
 * @throws AppError `invalid_input` with each filter or value that the resource doesn't support
 */
export function checkFilter(resource: PlatformResource, filter: unknown): PlatformFilter {
  const parsed = platformFilters[resource].safeParse(filter);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ message, path }) => ({
      message,
      place: { field: path.join('.') },
    }));
    throw new AppError('invalid_input', { issues });
  }
  const values: Readonly<Record<string, unknown>> = parsed.data;
  const corners = ['lat_start', 'lat_end', 'long_start', 'long_end'].filter(
    (name) => values[name] !== undefined,
  );
  if (corners.length % 4 !== 0)
    throw invalidInput('A box needs all four of lat_start, lat_end, long_start and long_end.', {
      field: 'lat_start',
    });
  return parsed.data;
}

/** The platform service over a client (specification, section 4.2). */
function platformService(http: Http): PlatformService {
  const listOf = (
    resource: PlatformResource,
    filter: Filter,
    options: CallOptions | undefined,
  ): PlatformList => ({ http, resource, filter: checkFilter(resource, filter), options });
  return {
    async list(resource, filter, options) {
      const entities: PlatformEntity[] = [];
      for await (const page of wantedPages(listOf(resource, filter, options))) append(entities, page);
      return entities;
    },
    pages: (resource, filter, options) => wantedPages(listOf(resource, filter, options)),
    page: async (resource, filter, options) => readSinglePage(listOf(resource, filter, options)),
  };
}

/** Filters that match any one of their values, so they can be requested in parts. */
const splittableFilters = ['ids', 'asset_id', 'api_number', 'well_ids'];

/** The same filter in two parts; null: it has at most one value. */
function splitFilter(filter: Filter): readonly Filter[] | null {
  for (const name of splittableFilters) {
    const value = filter[name];
    if (!Array.isArray(value) || value.length < 2) continue;
    const middle = value.length >>> 1;
    return [value.slice(0, middle), value.slice(middle)].map((part) => ({ ...filter, [name]: part }));
  }
  return null;
}

// The keys aren't validated: for 50,000 wells that would take half of the time.
const attributeMap = z.custom<Record<string, unknown>>(isObject);
const entity = z.looseObject({
  id: looseInteger,
  type: looseText.optional(),
  attributes: attributeMap.catch({}).optional(),
  relationships: attributeMap.optional().catch(undefined),
});

/** Parses a platform resource (specification, section 2.3); null if it has no id or is nested too deep. */
function readEntity(value: unknown): PlatformEntity | null {
  if (!isWithinDepth(value, maxDepth)) return null;
  const parsed = entity.safeParse(value);
  if (!parsed.success || parsed.data.id === null) return null;
  const { id, type, attributes, relationships } = parsed.data;
  const common = { id, type: type ?? '', attributes: attributes ?? {} };
  return relationships ? { ...common, relationships } : common;
}

/**
 * Parses a page of a list: the items under `data`, or a bare array. Invalid ones are skipped.
 * @throws UnreadableResponse for anything else
 */
function readPage(value: JsonValue): ReadItems<PlatformEntity> {
  const items = isObject(value) ? value['data'] : value;
  if (!Array.isArray(items)) throw new UnreadableResponse('it is not a list');
  return readEach(items, readEntity);
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
export function dataService(http: Http): DataService {
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
export async function insertRecords(
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
  const failed = value['failed_count'] ?? 0;
  const failedCount = typeof failed === 'string' && /^\d+$/.test(failed) ? Number(failed) : failed;
  if (typeof failedCount !== 'number' || !Number.isSafeInteger(failedCount) || failedCount < 0) {
    throw new UnreadableResponse('it doesn’t report the number of failed records');
  }
  const messages = value['messages'];
  return {
    insertedIds: ids,
    failedCount,
    messages: (Array.isArray(messages) ? messages : messages ? [messages] : []).map((message) =>
      isWithinDepth(message, maxDepth) ? message : 'This message is nested too deep.',
    ),
  };
}

/** Options of a connection to services, without its credentials. */
export interface ServiceNetworkOptions {
  readonly dataUrl: string;
  readonly platformUrl: string;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  readonly onSkipped?: ((notice: SkippedNotice) => void) | undefined;
  /** Called once if a service's clock differs from this computer's by more than a minute. */
  readonly onClock?: ((notice: ClockNotice) => void) | undefined;
  /** Source of the proxy variables; default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeouts?: Timeouts | undefined;
  /** Further trusted authorities, in PEM. */
  readonly authorities?: readonly string[] | undefined;
  /** Shown to the services if they require one. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** The system's proxy resolution. */
  readonly resolveProxy?: ResolveProxy | undefined;
  /** The connection's own proxy, which replaces the system's. */
  readonly proxy?: OwnProxy | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/**
 * The source of credentials that aren't stored: entered ones, or those of the environment.
 * @param platform a client of the platform without a credential, to sign in
 * @throws AppError `invalid_input` for an API key that a header can't hold
 */
export function credentialSource(credential: Credential, platform: Http): CredentialSource {
  if (credential.method === 'login') return signInCredential({ http: platform, login: credential });
  const key = parseApiKey(credential.apiKey);
  return apiKeyCredential({ read: async () => key, wasAccepted: false });
}

/**
 * Opens both services of a connection. Nothing is sent yet: the first request signs in.
 * @param createCredential receives a client of the platform without a credential, to sign in; null: requests have none
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
export function openServicesNetwork({
  env,
  timeouts,
  authorities = [],
  clientCertificate,
  resolveProxy,
  proxy,
  ...urls
}: ServiceNetworkOptions): Network {
  const tls = [urls.dataUrl, urls.platformUrl].some((url) => url.startsWith('https:'));
  return openNetwork({
    tls,
    clientCertificate,
    resolveProxy,
    proxy,
    authorities,
    ...(env ? { env } : {}),
    ...(timeouts ? { timeouts } : {}),
  });
}

/** Credentials are sent over https only, or to this computer, whatever the source of the address. */
function checkUrl(url: string, field: string): string {
  const parsed = serviceUrl.safeParse(url);
  if (!parsed.success)
    throw invalidInput(parsed.error.issues[0]?.message ?? 'This isn’t a valid address.', { field });
  return parsed.data;
}
