import type { DatasetAddress, Dataset, DatasetType } from '../../shared/datasets/datasets.ts';
import type { AppError } from '../../shared/errors/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { PlatformEntity } from '../../shared/wells/wells.ts';
import type { PlatformFilter, PlatformResource } from '../../shared/wells/platform-filters.ts';
import type { RetryNotice } from '../../shared/workspace/workspace.ts';

/** What every call to a service takes beside its own arguments. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long the answer may take, in milliseconds; default 60,000 for reads. */
  readonly timeoutMs?: number | undefined;
  /** Told before each wait for another try. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** How often a read is tried at most; default 10. */
  readonly tries?: number | undefined;
  /** Says of which failures a read is not tried again, although that might help: whoever asks waits in its own way. */
  readonly isFinal?: ((error: AppError) => boolean) | undefined;
}

/** Records as the service sent them: a JSON array, checked to be whole, not yet parsed for the caller. */
export interface RecordsAnswer {
  /** UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same as text, made when it is asked for. */
  readonly text: string;
  readonly count: number;
  /** The `Total` header, when it was asked for and given. */
  readonly total: number | null;
}

export interface FindArguments {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  /** 1 to 10,000. */
  readonly limit: number;
  readonly skip?: number | undefined;
  /** Paths to return; empty or absent: all. */
  readonly fields?: readonly string[] | undefined;
  readonly includeCount?: boolean | undefined;
}

export interface AggregateArguments {
  readonly match: JsonObject;
  readonly sort: JsonObject;
  readonly limit: number;
  readonly skip?: number | undefined;
  readonly group?: JsonObject | undefined;
  readonly project?: JsonObject | undefined;
}

/** What is asked of the records of a dataset: each of the reads with its arguments. */
export type RecordsQuestion =
  | { readonly kind: 'find'; readonly find: FindArguments }
  | { readonly kind: 'count'; readonly query: JsonObject }
  | { readonly kind: 'aggregate'; readonly aggregate: AggregateArguments }
  | { readonly kind: 'pipeline'; readonly stages: readonly JsonObject[] };

/** A request as it goes out, but for what proves who asks. */
export interface RequestDescription {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What became of one insert. An insert is never sent twice by this layer. */
export type InsertOutcome =
  /** 200 and readable. */
  | { kind: 'answered'; insertedIds: string[]; failedCount: number; messages: JsonValue[] }
  /** It failed before the body left this machine: name, connect, TLS. Nothing was stored. */
  | { kind: 'not_sent'; error: AppError }
  /** 401, 413 or 429: the service says that it stored nothing. */
  | { kind: 'not_stored'; status: 401 | 413 | 429; retryAfterMs: number | null; error: AppError }
  /** Anything else, 4xx included: what was stored can't be known from the answer. */
  | { kind: 'unknown'; status: number | null; error: AppError };

/** The data service (specification, section 4.1). All calls throw AppError; reads are retried as section 7 says. */
export interface DataService {
  find(address: DatasetAddress, find: FindArguments, options?: CallOptions): Promise<RecordsAnswer>;
  /**
   * The bytes of a find, looked at only where they begin and end: for whoever reads all of them elsewhere, and asks by
   * `find` again when they turn out not to be whole.
   */
  findUnread(
    address: DatasetAddress,
    find: FindArguments,
    options?: CallOptions,
  ): Promise<RecordsAnswer['bytes']>;
  count(address: DatasetAddress, query: JsonObject, options?: CallOptions): Promise<number>;
  aggregate(
    address: DatasetAddress,
    aggregate: AggregateArguments,
    options?: CallOptions,
  ): Promise<RecordsAnswer>;
  pipeline(
    address: DatasetAddress,
    stages: readonly JsonObject[],
    options?: CallOptions,
  ): Promise<RecordsAnswer>;
  /** The request that a read makes; nothing is sent. @throws AppError `invalid_input` as the read would */
  describe(address: DatasetAddress, question: RecordsQuestion): RequestDescription;
  /** `body` is the JSON text of an array of `rows` records, 1 to 1,000. Never throws but for a cancel before sending. */
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
  companyDatasets(
    filter: { plottable?: boolean | undefined; type?: DatasetType | undefined },
    options?: CallOptions,
  ): Promise<{ company: string; id: number | null; provider: string; name: string; type: string }[]>;
  dataset(address: DatasetAddress, options?: CallOptions): Promise<Dataset>;
}

/** The platform service (specification, section 4.2). `list` pages until done and never loops. */
export interface PlatformService {
  list<R extends PlatformResource>(
    resource: R,
    filter: PlatformFilter<R>,
    options?: CallOptions,
  ): Promise<PlatformEntity[]>;
  /** As `list`, page by page as they come; each resource comes once. */
  pages<R extends PlatformResource>(
    resource: R,
    filter: PlatformFilter<R>,
    options?: CallOptions,
  ): AsyncIterable<PlatformEntity[]>;
  /** What one request gives: at most `per_page` entities of the first page, or of `page`. */
  page<R extends PlatformResource>(
    resource: R,
    filter: PlatformFilter<R>,
    options?: CallOptions,
  ): Promise<PlatformEntity[]>;
  get(resource: PlatformResource, id: number, options?: CallOptions): Promise<PlatformEntity>;
}

/** Both services of one connection, with its login. */
export interface Services {
  readonly data: DataService;
  readonly platform: PlatformService;
  /**
   * Resolves when another key or login is given to the connection, so that a job which was answered
   * `not_authenticated` can go on. Absent: nobody can give one here.
   * @throws AppError `cancelled` as soon as the signal aborts
   */
  readonly untilAuthenticated?: ((signal?: AbortSignal) => Promise<void>) | undefined;
  close(): Promise<void>;
}
