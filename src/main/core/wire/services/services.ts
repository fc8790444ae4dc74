import type { DatasetAddress, Dataset } from '../../../../shared/datasets/datasets.ts';
import { invalidInput, type AppError } from '../../../../shared/errors/errors.ts';
import { stringifyJson, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import type { DescribedRequest } from '../../../../shared/query/query.ts';
import type { RememberedUnits } from '../../../../shared/settings/settings.ts';
import type { PlatformEntity } from '../../../../shared/wells/wells.ts';
import type { PlatformFilter, PlatformResource } from '../../../../shared/wells/platform-filters.ts';
import type { Parameters } from '../http/exchange.ts';
import type { CallOptions } from '../http/http.ts';

export type { CallOptions } from '../http/http.ts';

/** Records as the service sent them: a complete JSON array, not parsed. */
export interface RecordsResponse {
  /** UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The bytes as text, decoded on demand. */
  readonly text: string;
  readonly count: number;
  /** The `Total` header, if requested and present. */
  readonly total: number | null;
}

export interface FindArguments {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  /** From 1 to 10,000. */
  readonly limit: number;
  readonly skip?: number | undefined;
  /** Field paths to return; empty or absent: all. */
  readonly fields?: readonly string[] | undefined;
  readonly includeCount?: boolean | undefined;
}

export interface AggregateArguments {
  readonly match: JsonObject;
  readonly sort: JsonObject;
  /** Applied before grouping; undefined: no limit. */
  readonly limit?: number | undefined;
  readonly skip?: number | undefined;
  readonly group?: JsonObject | undefined;
  readonly project?: JsonObject | undefined;
}

/** A read of the records of a dataset, with its arguments. */
export type RecordsOperation =
  | { readonly kind: 'find'; readonly find: FindArguments }
  | { readonly kind: 'count'; readonly query: JsonObject }
  | { readonly kind: 'aggregate'; readonly aggregate: AggregateArguments }
  | { readonly kind: 'pipeline'; readonly stages: readonly JsonObject[] };

/** The arguments of a read by their names in requests, without those that say nothing. */
export function argumentsOf(operation: RecordsOperation): JsonObject {
  switch (operation.kind) {
    case 'find': {
      const { query, sort, limit, skip, fields, includeCount } = operation.find;
      return {
        query,
        sort,
        limit,
        ...(skip ? { skip } : {}),
        ...(fields?.length ? { fields: fields.join(',') } : {}),
        ...(includeCount ? { include_count: true } : {}),
      };
    }
    case 'count':
      return { query: operation.query };
    case 'aggregate': {
      const { match, sort, limit, skip, group, project } = operation.aggregate;
      return {
        match,
        sort,
        ...(limit === undefined ? {} : { limit }),
        ...(skip ? { skip } : {}),
        ...(group ? { group } : {}),
        ...(project ? { project } : {}),
      };
    }
    case 'pipeline':
      return { stages: [...operation.stages] };
  }
}

/** The arguments of a read as texts, as an address and the command line have them. */
export const argumentTexts = (operation: RecordsOperation): Parameters =>
  Object.entries(argumentsOf(operation)).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : stringifyJson(value),
  ]);

/** An item of the company listing (specification, section 2.2). */
export interface CompanyDataset {
  readonly company: string;
  readonly id: number | null;
  readonly provider: string;
  readonly name: string;
  readonly type: string;
}

/** A request without its Authorization header. */
export type RequestDescription = Readonly<Omit<DescribedRequest, 'copies'>>;

/** The outcome of one insert, which this layer never sends twice. */
export type InsertOutcome =
  /** 200 and readable. */
  | { kind: 'answered'; insertedIds: string[]; failedCount: number; messages: JsonValue[] }
  /** The request failed before its body left this computer: name, connection, or TLS. Nothing was stored. */
  | { kind: 'not_sent'; error: AppError }
  /** 401, 413, or 429: the service reports that it stored nothing. */
  | { kind: 'not_stored'; status: 401 | 413 | 429; retryAfterMs: number | null; error: AppError }
  /** Any other failure, other 4xx included: the response doesn't tell what was stored. */
  | { kind: 'unknown'; status: number | null; error: AppError };

/**
 * The data service (specification, section 4.1). Reads are retried (section 7).
 * @throws AppError from every call: `invalid_input` before anything is sent, `not_authenticated`,
 *   `forbidden`, `not_found`, `refused`, `too_many_requests`, `too_large`, `service_failed`, `bad_answer`,
 *   `unreachable`, `timed_out`, and `cancelled` when the signal aborts
 */
export interface DataService {
  find(address: DatasetAddress, find: FindArguments, options?: CallOptions): Promise<RecordsResponse>;
  /**
   * The bytes of a find, checked only at both ends. A caller that finds them incomplete repeats the read with
   * `find`.
   */
  findUnchecked(
    address: DatasetAddress,
    find: FindArguments,
    options?: CallOptions,
  ): Promise<RecordsResponse['bytes']>;
  count(address: DatasetAddress, query: JsonObject, options?: CallOptions): Promise<number>;
  aggregate(
    address: DatasetAddress,
    aggregate: AggregateArguments,
    options?: CallOptions,
  ): Promise<RecordsResponse>;
  pipeline(
    address: DatasetAddress,
    stages: readonly JsonObject[],
    options?: CallOptions,
  ): Promise<RecordsResponse>;
  /** The request of a read, without sending it. @throws AppError `invalid_input` as the read */
  describe(address: DatasetAddress, operation: RecordsOperation): RequestDescription;
  /**
   * @param body JSON text of an array of records
   * @param rows number of records, 1 to 1,000
   * @throws AppError `cancelled` before sending, `invalid_input`; all other failures are outcomes
   */
  insert(
    address: DatasetAddress,
    body: Uint8Array,
    rows: number,
    options?: CallOptions,
  ): Promise<InsertOutcome>;
  datasets(
    filter: { search?: string | undefined; plottable?: boolean | undefined; temporary?: boolean | undefined },
    options?: CallOptions,
  ): Promise<Dataset[]>;
  companyDatasets(options?: CallOptions): Promise<CompanyDataset[]>;
  dataset(address: DatasetAddress, options?: CallOptions): Promise<Dataset>;
  /** Units of fields that this application remembers. Absent: none. */
  readonly fieldUnits?: (address: DatasetAddress) => Promise<RememberedUnits>;
  /** The service's clock in Unix milliseconds; this computer's before its first response. */
  now(): number;
  /**
   * As `now`, after a request for the dataset's definition if there was no response lately. This computer's clock if
   * the service names no time.
   * @throws AppError `cancelled`; other errors of the request don't matter
   */
  askNow(address: DatasetAddress, options?: CallOptions): Promise<number>;
  /**
   * The numbers of records that pages of datasets had last, by the dataset and its fields; by those with `\nmax`, the most
   * that the service sends at once.
   */
  readonly pageSizes: Map<string, number>;
}

/**
 * The platform service (specification, section 4.2). `list` reads all pages, up to 5,000, or the one that `page` of the filter names.
 * @throws AppError from every call, as {@link DataService}
 */
export interface PlatformService {
  list<R extends PlatformResource>(
    resource: R,
    filter: PlatformFilter<R>,
    options?: CallOptions,
  ): Promise<PlatformEntity[]>;
  /** As `list`, page by page; each is requested only when it is read; each resource is yielded once. */
  pages<R extends PlatformResource>(
    resource: R,
    filter: PlatformFilter<R>,
    options?: CallOptions,
  ): AsyncGenerator<PlatformEntity[]>;
}

/** Both services of a connection, with its credentials. */
export interface Services {
  readonly dataUrl: string;
  readonly data: DataService;
  readonly platform: PlatformService;
  /**
   * Resolves when the connection gets other credentials, or those it has are accepted, so that a job that failed with
   * `not_authenticated` can resume. Absent if they can't be replaced.
   * @returns whether they are other ones
   * @throws AppError `cancelled` when the signal aborts
   */
  readonly waitForSignIn?: ((signal?: AbortSignal) => Promise<boolean>) | undefined;
  close(): Promise<void>;
}

/**
 * The services that earlier records are from. Others may have different records.
 * @param dataUrl undefined: there are no earlier records
 * @throws AppError `invalid_input` if the connection has another address now
 */
export function servicesAt(dataUrl: string | undefined, services: Services): Services {
  if (dataUrl === undefined || services.dataUrl === dataUrl) return services;
  throw invalidInput(
    `The earlier records are from ${dataUrl}, but the connection now has the address ${services.dataUrl}. Correct the connection, or start again.`,
  );
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

/** Why a page with more records than requested can't be used. */
export const tooManyRecords = (records: number, requested: number): string =>
  `it contains ${records.toLocaleString('en')} records instead of at most ${requested.toLocaleString('en')}, as if a proxy ignored the query string in its cache`;
