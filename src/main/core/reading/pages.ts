import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import {
  tooManyRecords,
  type CallOptions,
  type DataService,
  type FindArguments,
  type RecordsResponse,
} from '../wire/services/services.ts';
import {
  type Cursor,
  type ReadPosition,
  endCursor,
  type WindowRule,
  type PageOrigin,
  type PageStep,
} from './cursor.ts';
import { idKey, SeenIds, advanceRun } from './runs.ts';
import {
  type PathTree,
  RecordScanner,
  idOf,
  keysOf,
  type PageKeys,
  type ScannedPage,
} from '../records/scan.ts';
import { advanceWindow } from './windows.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { skipSpace, startOfText } from '../records/json-text.ts';
import { countRepeated, maxRepeats } from '../../../shared/lists.ts';
import { isObject, jsonOrNull } from '../../../shared/json.ts';
import { tooLongProblem } from '../wire/http/failures.ts';
import { maxResponseBytes } from '../wire/http/exchange.ts';

/** Target size of a page, in bytes: large enough for the link, small enough for memory. */
const targetBytes = 8_000_000;
/** Pages that can be halved are abandoned beyond this size, in bytes, as are concurrent pages of more together. */
const maxBytes = 64_000_000;
/**
 * Records of a page. `first`: the size of records isn't known yet. `wanted`: pages overlap, so those of fewer records
 * read many of them twice.
 */
const limits = { min: 2, wanted: 4, first: 100, max: 10_000 };
/** A full page needs at least this many records to serve as evidence of the service's page size. */
const minTellingRecords = 1000;
/** Number of good pages after which a size that was halved is doubled; twice as many when that fails. */
const goodPages = { min: 8, max: 1024 };

/** Whether a response may arrive if fewer records are requested: it took too long, was cut off, or is too large. */
export const mayFitInHalf = (error: unknown): boolean =>
  isAppError(error, 'timed_out') ||
  ((isAppError(error, 'unreachable') || isAppError(error, 'bad_answer')) &&
    error.details.partial !== undefined) ||
  (isAppError(error, 'service_failed') && error.details.status === 504);

/** Options of a request that is halved instead of retried, if it has enough records. */
export const halvable = (limit: number): Pick<CallOptions, 'isFinal' | 'maxBytes'> =>
  limit > limits.min ? { isFinal: (error: AppError) => mayFitInHalf(error), maxBytes } : {};

/** The result of a request for a page. */
export interface PageSize {
  readonly requested: number;
  readonly records: number;
  readonly bytes: number;
}

/** The number of records to request, by the size of earlier records; fewer where responses don't arrive. */
export type PageLimit = ReturnType<typeof createPageLimit>;

/**
 * @param known the size that an earlier read ended with; absent: the first page is small, because of large records
 */
export function createPageLimit(known?: number) {
  let current = Math.max(limits.min, known ?? limits.first);
  let ceiling = known === undefined ? limits.max : current;
  let pagesAtCeiling = 0;
  // Until a size fails, each good page doubles it.
  let pagesToGrow = 1;
  let hasGrown = false;
  /** Maximum number of records that the service returns. */
  let cap = limits.max;
  let fullPageBytes = 0;
  let recordBytes = 0;
  return {
    get current(): number {
      return current;
    },
    /** Expected number of records in a page: a service may return fewer than requested. */
    get expected(): number {
      return Math.min(current, cap);
    },
    /** Maximum number of concurrent requests, so that memory is bounded. */
    get concurrency(): number {
      // The first page, which is small, tells how large records are.
      if (known === undefined && recordBytes === 0) return 1;
      return Math.max(1, Math.floor(maxBytes / Math.max(1, recordBytes * Math.min(current, cap))));
    },
    record({ requested, records, bytes }: PageSize): void {
      if (records === 0) return;
      recordBytes = bytes / records;
      const isFull = records === requested;
      if (isFull && records >= minTellingRecords) fullPageBytes = Math.max(fullPageBytes, bytes);
      const fittingRecords = Math.floor((targetBytes * records) / Math.max(1, bytes));
      cap = isFull ? Math.max(cap, records) : records;
      if (requested >= ceiling) pagesAtCeiling += 1;
      if (pagesAtCeiling >= pagesToGrow) {
        ceiling = Math.min(limits.max, ceiling * 2);
        pagesAtCeiling = 0;
        hasGrown = true;
      }
      current = Math.max(limits.min, Math.min(Math.max(limits.wanted, fittingRecords), ceiling));
    },
    /**
     * Halves the limit after a response that didn't arrive.
     * @param requested the limit of the request
     * @param error one that {@link mayFitInHalf}
     * @returns false if the limit is at its minimum
     */
    halve(requested: number, error: unknown): boolean {
      if (requested <= limits.min) return false;
      // Several requests can fail at once; together they halve the limit once.
      if (requested > current) return true;
      const isTooLarge = isAppError(error, 'bad_answer') && error.details.partial === 'too_large';
      const parts = isTooLarge ? maxBytes / targetBytes : 2;
      ceiling = Math.max(limits.min, Math.floor(requested / parts));
      current = ceiling;
      pagesAtCeiling = 0;
      pagesToGrow = Math.max(
        goodPages.min,
        Math.min(goodPages.max, hasGrown ? pagesToGrow * 2 : pagesToGrow),
      );
      hasGrown = false;
      return true;
    },
    /**
     * A page with fewer records than this is the last one. 0 until the service has returned a full page of at
     * least twice the bytes: before that, the service itself may cut pages.
     */
    endsBelow: ({ requested, bytes }: Pick<PageSize, 'requested' | 'bytes'>): number =>
      bytes * 2 <= fullPageBytes ? requested : 0,
  };
}

export interface PageToRead {
  readonly at: ReadPosition;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly origin: ResponseOrigin;
}

/**
 * The origin of a response. `requested`: the limit of the request; absent: it had none. `overlaps`: it was requested
 * from before the cursor. `endsBelow`: a page with fewer records than this is the last one. `endsAt`: a page with
 * exactly this many is the last one, too.
 */
export interface ResponseOrigin {
  readonly requested?: number;
  readonly overlaps: boolean;
  readonly endsBelow: number;
  readonly endsAt?: number | null;
}

/** A page that was read, and where the next one starts. */
export interface ReadPage {
  readonly cursor: Cursor;
  /** Number of its records that are new. */
  readonly added: number;
  readonly records: number;
  readonly recordsBeforeNext: number;
}

/** Why windows don't work. */
export interface WindowFallback {
  readonly fallbackReason: string;
}

/** The result of a page: read, or nothing of it is used. */
export type PageOutcome = ReadPage | WindowFallback | { readonly isDetached: true };

/**
 * Reads a page in the thread that has the {@link PageReader}, where its records stay until they are used.
 * @throws AppError `bad_answer`
 */
export type ReadInThread = (
  page: PageToRead,
  options: { readonly transfer: readonly ArrayBuffer[] },
) => Promise<PageOutcome>;

/** Records in the memory of the page that has them. */
export interface Batch {
  readonly page: ScannedPage;
  readonly records: readonly number[];
}

interface PageReaderOptions {
  readonly rule: WindowRule | null;
  readonly tree: PathTree;
  /** Ids of runs; absent: in memory only. */
  readonly ids?: SeenIds;
}

/**
 * Finds the records of a dataset in its pages, each once and in order. It is synchronous, and runs in the thread that
 * uses the records.
 */
export class PageReader {
  readonly #scanner: RecordScanner;
  readonly #options: PageReaderOptions;
  readonly #ids: SeenIds;
  #page: ScannedPage | null = null;
  /** What is new in the page; null: nothing. */
  #batch: Batch | null = null;

  constructor(options: PageReaderOptions) {
    this.#options = options;
    this.#ids = options.ids ?? new SeenIds();
    this.#scanner = new RecordScanner({ tree: options.tree, keyField: options.rule?.field ?? null });
  }

  /**
   * Reads a page; its records stay until they are used.
   * @param hasValues whether the positions of all values are needed, or only those of records
   * @throws AppError `bad_answer` when the content isn't an array of records, or has more than requested
   */
  read({ at, content, origin }: PageToRead, hasValues = true): PageOutcome {
    this.#release();
    const { rule } = this.#options;
    const ids = this.#ids;
    this.#scanner.withLeaves = hasValues;
    const page = this.#scanner.scanArray(content);
    this.#page = page;
    const { requested, overlaps, endsBelow, endsAt = null } = origin;
    if (requested !== undefined && page.count > requested)
      throw new AppError('bad_answer', { service: 'data', problem: tooManyRecords(page.count, requested) });
    const isLastPage = page.count < endsBelow || page.count === endsAt;
    const step = advancePage(rule, at, keysOf(page), { overlaps, isLastPage, ids });
    if (!('emit' in step)) {
      this.#release();
      return step;
    }
    const { emit, next, recordsBeforeNext = 0 } = step;
    if (at.at === 'run') ids.append(emit.map((record) => idKey(idOf(page, record))));
    if (emit.length > 0) this.#batch = { page, records: emit };
    return { cursor: next, added: emit.length, records: page.count, recordsBeforeNext };
  }

  /** Uses the new records of the page that was read last, if it has any; its memory is reused then. */
  use(take: (batch: Batch) => void): void {
    if (this.#batch) take(this.#batch);
    this.#release();
  }

  /** Frees the memory of a page at once: left to the garbage collector, dozens would accumulate. */
  #release(): void {
    const page = this.#page;
    this.#page = null;
    this.#batch = null;
    if (!page) return;
    this.#scanner.release(page);
    const { buffer, byteLength } = page.bytes;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  }
}

function advancePage(
  rule: WindowRule | null,
  at: ReadPosition,
  keys: PageKeys,
  { ids, ...origin }: PageOrigin & { readonly ids: SeenIds },
): PageStep<Cursor> {
  if (at.at === 'whole') return { emit: [...Array(keys.count).keys()], next: endCursor };
  if (at.at === 'run') return advanceRun(rule, at, keys, ids.idsOf(at), origin);
  if (rule === null) return { fallbackReason: 'no field can divide the records into ranges' };
  return advanceWindow(rule, at, keys, { ids: ids.count, ...origin });
}

/**
 * Finds records with one request, or in several if the response doesn't arrive, or contains fewer records than match:
 * pages that fit the link and the service, joined. Later finds of the dataset begin with the size that fitted.
 * @throws AppError as `find` of the data service
 */
export async function findInPages(
  data: Pick<DataService, 'find' | 'pageSizes'>,
  address: DatasetAddress,
  find: FindArguments,
  options: CallOptions,
): Promise<RecordsResponse> {
  const { limit, skip = 0, sort } = find;
  const key = ['find', address.provider, address.dataset, ...(find.fields ?? [])].join('\n');
  const capKey = `${key}\nmax`;
  const pageLimit = createPageLimit(Math.min(limit, data.pageSizes.get(key) ?? limit));
  const pages: RecordsResponse[] = [];
  let count = 0;
  let size = 0;
  /** The most records that the service sends at once. */
  let cap = data.pageSizes.get(capKey) ?? limit;
  let idsBefore: readonly unknown[] = [];
  /** The number of records known to have been inserted before the next page. */
  let shifted = 0;
  let attempts = 0;
  for (let isEnd = false; count < limit && !isEnd;) {
    const requested = Math.min(pageLimit.current, cap, limit - count);
    const isWhole = requested === limit;
    const request = isWhole
      ? find
      : {
          ...find,
          // Without a tiebreaker, records with the same values may change their order between pages.
          sort: { ...sort, ...('_id' in sort ? {} : { _id: 1 }) },
          limit: requested,
          skip: skip + count + shifted,
          includeCount: find.includeCount && count === 0,
        };
    const { isFinal } = halvable(requested);
    let page: RecordsResponse;
    try {
      page = await data.find(address, request, { ...options, ...(isFinal ? { isFinal } : {}) });
    } catch (error) {
      if (mayFitInHalf(error) && pageLimit.halve(requested, error)) continue;
      throw error;
    }
    if (isWhole && !(await isCut(data, address, find, page, options))) return page;
    if (isWhole) {
      // Without a tiebreaker, the records of this page may not be those before the next one.
      cap = page.count;
      continue;
    }
    checkPage(page, pages.at(-1), size + page.bytes.length);
    const ids = idsOf(page);
    const again = countRepeated(idsBefore, ids);
    if (again > 0 && (attempts += 1) <= maxRepeats) {
      shifted += again;
      continue;
    }
    attempts = 0;
    // A few records that were inserted meanwhile look like a maximum, too; a full page behind the first one doesn't.
    const isFull = page.count === requested && requested > maxGrowth;
    if (pages[0]?.count === cap && isFull) data.pageSizes.set(capKey, cap);
    size += page.bytes.length;
    pageLimit.record({ requested, records: page.count, bytes: page.bytes.length });
    pages.push(page);
    idsBefore = ids;
    count += page.count;
    isEnd = page.count === 0;
  }
  data.pageSizes.set(key, pageLimit.current);
  return joinPages(pages);
}

/** A total that is larger by no more than this may have grown since the records were read. */
const maxGrowth = 10;

/**
 * Whether a service sent fewer records than requested and match. Without a total, one more record is requested after a
 * round number of them, as limits of services are.
 */
async function isCut(
  data: Pick<DataService, 'find'>,
  address: DatasetAddress,
  find: FindArguments,
  page: RecordsResponse,
  options: CallOptions,
): Promise<boolean> {
  if (page.count === 0 || page.count >= find.limit) return false;
  const skip = (find.skip ?? 0) + page.count;
  const total = find.includeCount ? page.total : null;
  if (total !== null && total > skip + maxGrowth) return true;
  if (total === skip || page.count % 100 !== 0) return false;
  try {
    const next = await data.find(address, { ...find, skip, limit: 1, includeCount: false }, options);
    return next.count > 0 && countRepeated(idsOf(page), idsOf(next)) === 0;
  } catch (error) {
    if (isAppError(error, 'cancelled')) throw error;
    return false;
  }
}

/** The ids of the records of a page, which may have none. */
function idsOf({ text }: RecordsResponse): readonly unknown[] {
  const records = jsonOrNull(text);
  return Array.isArray(records) ? records.map((record) => isObject(record) && record['_id']) : [];
}

function checkPage(page: RecordsResponse, before: RecordsResponse | undefined, size: number): void {
  const service = 'data';
  if (size > maxResponseBytes.records)
    throw new AppError('bad_answer', { service, problem: tooLongProblem(maxResponseBytes.records) });
  // A service that ignores `skip` would repeat its first page.
  if (before && page.count > 0 && Buffer.from(before.bytes).equals(page.bytes))
    throw new AppError('bad_answer', { service, problem: 'its pages repeat records instead of continuing' });
}

function joinPages(pages: readonly RecordsResponse[]): RecordsResponse {
  const comma = Buffer.from(',');
  const contents = pages.filter(({ count }) => count > 0).map(({ bytes }) => contentOf(bytes));
  const parts = contents.flatMap((content, at) => (at === 0 ? [content] : [comma, content]));
  const bytes = Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
  const count = pages.reduce((sum, page) => sum + page.count, 0);
  return {
    bytes,
    get text() {
      return bytes.toString();
    },
    count,
    total: pages[0]?.total ?? null,
  };
}

/** What is between the brackets of an array. */
const contentOf = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(skipSpace(bytes, startOfText(bytes)) + 1, bytes.lastIndexOf(0x5d));
