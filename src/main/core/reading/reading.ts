import { AppError, isAppError, type ErrorCode } from '../../../shared/errors/errors.ts';
import {
  type PageCursor,
  type RunCursor,
  type WindowField,
  firstRun,
  firstWindow,
  type Cursor,
  surveyWindow,
  type Survey,
  fieldsToRequest,
  pageRequest,
  type PageQuery,
} from './cursor.ts';
import { parseObject } from '../requests.ts';
import type { FindArguments, RecordsResponse, DataService } from '../wire/services/services.ts';
import {
  mayFitInHalf,
  type PageLimit,
  type ReadPage,
  type WindowFallback,
  createPageLimit,
  halvable,
  type ReadInThread,
  type PageOutcome,
} from './pages.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { createRepeatCheck, maxRecordsFor } from './runs.ts';
import { createKeyReader } from '../records/scan.ts';
import { transferable } from '../processes/page-thread.ts';

export { cursor, fieldsToRequest, survey, windowField, type Survey } from './cursor.ts';
export { idsFile, SeenIds } from './runs.ts';
export { findInPages, PageReader, type PageToRead, type ReadInThread } from './pages.ts';
export { createRepeatCheck } from './runs.ts';
export { windowsFor } from './windows.ts';

/** Reads a page. `isValidated`: the response is parsed before it is returned. */
export type Find = (
  find: FindArguments,
  options: { readonly signal: AbortSignal; readonly isValidated?: boolean },
) => Promise<RecordsResponse['bytes']>;

export interface PageRequests {
  readonly find: Find;
  readonly pageQuery: PageQuery;
  /** The key field of pages; null: pages use `skip`. */
  readonly window: WindowField | null;
  readonly limit: PageLimit;
  /** The number of matching records; pending until it is known. */
  readonly total: Promise<number>;
  readonly rowsBefore: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Whether a page with all counted records is the last one. */
  readonly endsAtCount?: boolean;
}

/** A response to a request for a page. `overlaps`: it was requested from before the cursor. */
export interface PageResponse {
  readonly at: PageCursor;
  readonly bytes: RecordsResponse['bytes'];
  /** Number of requested records. */
  readonly limit: number;
  readonly overlaps: boolean;
  /** A page with so many records is the last one; null: unknown. */
  readonly endsAt: number | null;
}

interface FetchOptions {
  /** Records after the cursor to skip; default 0. */
  readonly skip?: number;
  readonly limit: number;
  readonly isValidated?: boolean;
  /** Aborts this request only. */
  readonly stop?: AbortSignal;
}

type FetchResult = Omit<PageResponse, 'overlaps' | 'endsAt'> | WindowFallback;

/**
 * Requests the page at an offset from a cursor, with half as many records if a response doesn't arrive.
 * @throws AppError of the data service; `cancelled`
 */
export async function fetchPage(
  source: PageRequests,
  at: PageCursor,
  options: FetchOptions,
): Promise<FetchResult> {
  const { pageQuery, window } = source;
  const { skip = 0, limit, isValidated = false, stop } = options;
  const signal = stop ? AbortSignal.any([source.signal, stop]) : source.signal;
  if (signal.aborted) throw new AppError('cancelled', {});
  try {
    const page = pageRequest(pageQuery, window, at);
    const fields = fieldsToRequest(pageQuery.fields, window?.field ?? null);
    const request = { ...page, skip: (page.skip ?? 0) + skip, fields, limit };
    return { at, bytes: await source.find(request, { signal, isValidated }), limit };
  } catch (error) {
    if (mayFitInHalf(error) && source.limit.halve(limit, error))
      return fetchPage(source, at, { ...options, limit: source.limit.current });
    const alternative = isAppError(error, 'refused') ? alternativeAfterRefusal(window, at) : null;
    if (!alternative) throw error;
    return 'fallbackReason' in alternative ? alternative : fetchPage(source, alternative, options);
  }
}

/** An alternative when the service refuses a request that this module composed. */
function alternativeAfterRefusal(
  window: WindowField | null,
  at: PageCursor,
): PageCursor | WindowFallback | null {
  if (at.at === 'run' && at.tie && at.skip === 0) return { ...at, tie: false };
  if (window === null || (at.at === 'window' && at.bound === null)) return null;
  return { fallbackReason: `the service refuses a query with limits of ${window.field}` };
}

interface PageRequest {
  /** Offset of the page in its frame, in records. */
  readonly start: number;
  readonly expected: number;
  readonly response: Promise<FetchResult>;
  readonly stop: AbortController;
}

/** Minimum number of records that neighboring pages share. */
const minOverlap = 4;

/** Cursors of one frame have positions with the same origin. */
const frameOf = (at: PageCursor): string =>
  at.at === 'window' ? 'window' : JSON.stringify([at.of, at.by, at.value, at.bound, at.tie]);

/** Only a run page that starts with a known record can be prefetched. */
const canPrefetch = ({ step }: RunCursor): boolean => step === 'overlap';

/**
 * Keeps several requests for pages running. A page is requested at the current cursor plus an offset (`skip`)
 * of the expected size of the pages before it; each starts a few records before the end of the previous page.
 * The writer detects whether it joins that page; if not, because records were deleted or pages were shorter,
 * prefetched requests are dropped and reading continues at the cursor.
 */
export class ReadAhead {
  readonly #source: PageRequests;
  #cursor: PageCursor | null = null;
  #frame = '';
  /** Offset of the current cursor in the frame, in records. */
  #offset = 0;
  #overlap = minOverlap;
  #rows: number;
  #total: number | null = null;
  #mayReadAhead: boolean;
  /** Current number of concurrent requests: one until a full page arrives, and again after a drop. */
  #depth = 1;
  /** Whether pages have joined so far; then no full page is required first. */
  #arePagesContiguous = true;
  /** Whether all counted records have been requested. */
  hasRequestedAll = false;
  #prefetched: PageRequest[] = [];
  #head: { readonly start: number; readonly expected: number } = { start: 0, expected: 0 };

  constructor(source: PageRequests) {
    this.#source = source;
    this.#rows = source.rowsBefore;
    this.#mayReadAhead = source.concurrency > 1;
    void source.total.then((count) => {
      this.#total = count;
      if (this.#cursor) this.#prefetch(this.#cursor);
    });
  }

  /** Drops prefetched requests: the next page is requested at its cursor. */
  dropPrefetched(): void {
    if (this.#prefetched.length === 0) return;
    for (const { stop } of this.#prefetched) stop.abort();
    this.#prefetched = [];
    this.#depth = 1;
    this.#arePagesContiguous = false;
  }

  #enterFrame(at: PageCursor): void {
    if (frameOf(at) !== this.#frame) {
      this.dropPrefetched();
      this.#depth = 1;
      this.#frame = frameOf(at);
      this.#offset = 0;
    }
    if (at.at === 'run') this.#offset = at.skip;
  }

  #request(at: PageCursor, start: number): PageRequest {
    const stop = new AbortController();
    const { current: limit, expected } = this.#source.limit;
    const response = fetchPage(this.#source, at, { skip: start - this.#offset, limit, stop: stop.signal });
    // Awaited in turn; without a listener an earlier rejection would be unhandled.
    response.catch(() => undefined);
    return { start, expected, response, stop };
  }

  #isUsable(at: PageCursor, { start }: PageRequest): boolean {
    return at.at === 'window' ? start < this.#offset : start === this.#offset && canPrefetch(at);
  }

  #prefetch(at: PageCursor): void {
    if (!this.#mayReadAhead || (at.at === 'run' && at.step !== 'plain' && !canPrefetch(at))) return;
    const recordsLeft =
      this.#total !== null && (at.at === 'window' || at.of === 'all') ? this.#total - this.#rows : null;
    if (this.#arePagesContiguous && recordsLeft !== null && recordsLeft > this.#head.expected)
      this.#depth = this.#source.concurrency;
    while (this.#prefetched.length + 1 < Math.min(this.#depth, this.#source.limit.concurrency)) {
      const previous = this.#prefetched.at(-1) ?? this.#head;
      const overlapRecords =
        at.at === 'window' ? Math.min(this.#overlap, Math.max(1, previous.expected >> 1)) : 1;
      const start = previous.start + previous.expected - overlapRecords;
      if (recordsLeft !== null && start - this.#offset >= recordsLeft) this.hasRequestedAll = true;
      if (start <= previous.start || (recordsLeft !== null && start - this.#offset >= recordsLeft)) return;
      this.#prefetched.push(this.#request(at, start));
    }
  }

  /**
   * The response for a cursor: of a prefetched request if one fits, else of a new one. Further pages are
   * prefetched meanwhile.
   * @throws AppError of the data service; `cancelled`
   */
  async fetchAt(at: PageCursor): Promise<PageResponse | WindowFallback> {
    this.#enterFrame(at);
    if (this.#prefetched[0] && !this.#isUsable(at, this.#prefetched[0])) this.dropPrefetched();
    const prefetchedRequest = this.#prefetched.shift();
    const sentRequest = prefetchedRequest ?? this.#request(at, this.#offset);
    this.#head = sentRequest;
    this.#cursor = at;
    this.#prefetch(at);
    try {
      const result = await sentRequest.response;
      if (!('fallbackReason' in result)) {
        this.#head = { ...sentRequest, expected: Math.min(sentRequest.expected, result.limit) };
        if (prefetchedRequest) return { ...result, at, overlaps: at.at === 'window', endsAt: null };
        const left =
          this.#source.endsAtCount === true && this.#total !== null && at.at === 'window'
            ? this.#total - this.#rows
            : 0;
        return { ...result, overlaps: false, endsAt: left > 0 && left < result.limit ? left : null };
      }
      if (!prefetchedRequest) return result;
    } catch (error) {
      if (!prefetchedRequest || !isAppError(error, 'refused')) throw error;
    }
    // The service refuses what only a prefetched request contains.
    this.dropPrefetched();
    this.#mayReadAhead = false;
    return this.fetchAt(at);
  }

  /** Records the page that was read from the last response. */
  advance({ records, added, recordsBeforeNext }: ReadPage): void {
    this.#rows += added;
    this.#cursor = null;
    if (this.#frame === 'window') this.#offset = this.#head.start + recordsBeforeNext;
    if (recordsBeforeNext > 0) this.#overlap = Math.max(minOverlap, 2 * (records - recordsBeforeNext) + 1);
    if (records >= this.#head.expected) this.#depth = Math.min(this.#source.concurrency, this.#depth * 2);
  }
}

export interface PageSource extends PageRequests {
  readonly read: ReadInThread;
}

/** A page whose new records can be used, until the next one. */
export interface PageEvent extends ReadPage {
  readonly kind: 'page';
  /** Number of records that the next page can have. */
  readonly pageSize: number;
}

/** All counted records have been requested. */
interface RequestedEvent {
  readonly kind: 'requested';
}

/**
 * Reads all pages from a cursor in order, with several concurrent requests. The result is the same as reading one page
 * after another.
 * @param readAhead requests the pages
 * @param first the response for `from`, if it is on its way
 * @returns why windows don't work; null: all pages were read
 * @throws AppError of the services and of the reader; `cancelled`
 */
export async function* readPages(
  source: PageSource,
  from: Cursor,
  {
    readAhead,
    first = null,
  }: { readonly readAhead: ReadAhead; readonly first?: ReturnType<ReadAhead['fetchAt']> | null },
): AsyncGenerator<PageEvent | RequestedEvent, string | null> {
  let isRequested = false;
  let pending = first;
  const checkRepeats = createRepeatCheck(source.rowsBefore);
  function* requested(): Generator<RequestedEvent, void> {
    if (isRequested || !readAhead.hasRequestedAll) return;
    isRequested = true;
    yield { kind: 'requested' };
  }
  for (let at = from; at.at !== 'end';) {
    pending ??= readAhead.fetchAt(at);
    yield* requested();
    const response = await pending;
    pending = null;
    yield* requested();
    const outcome = 'fallbackReason' in response ? response : await readResponse(source, response);
    if ('fallbackReason' in outcome) return outcome.fallbackReason;
    if ('isDetached' in outcome) {
      readAhead.dropPrefetched();
      continue;
    }
    const { cursor: next } = outcome;
    checkRepeats({ ...outcome, isReread: next.at === 'run' && next.skip < next.seen });
    readAhead.advance(outcome);
    yield { kind: 'page', ...outcome, pageSize: source.limit.current };
    if (source.signal.aborted) throw new AppError('cancelled', {});
    at = next;
  }
  return null;
}

async function readResponse(source: PageSource, response: PageResponse): Promise<PageOutcome> {
  const { limit } = source;
  async function readOnce({
    at,
    bytes,
    limit: requested,
    overlaps,
    endsAt,
  }: PageResponse): Promise<PageOutcome> {
    // The bytes are transferred to the thread, so their length is read before.
    const { length } = bytes;
    const endsBelow = limit.endsBelow({ requested, bytes: length });
    const origin = { requested, overlaps, endsAt, endsBelow };
    const page = await source.read({ at, content: bytes, origin }, { transfer: transferable(bytes) });
    if ('records' in page) limit.record({ requested, records: page.records, bytes: length });
    return page;
  }
  try {
    return await readOnce(response);
  } catch (error) {
    // The reader can't parse it: it is requested again, with validation.
    if (!isAppError(error, 'bad_answer')) throw error;
    const retried = await fetchPage(source, response.at, { limit: response.limit, isValidated: true });
    return 'fallbackReason' in retried ? retried : readOnce({ ...retried, overlaps: false, endsAt: null });
  }
}

/** The records of a dataset that a job reads, by its plan. */
interface RecordsRequest {
  readonly address: DatasetAddress;
  /** Strict JSON. */
  readonly query: string;
  readonly sort: string;
  /** Field paths; empty: all. */
  readonly fields: readonly string[];
  /** The planned key field of pages; null: pages use `skip`. */
  readonly windows: WindowField | null;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
}

interface Checkpoint {
  readonly cursor: Cursor;
  /** Number of records that were read before. */
  readonly rows: number;
  /** Number of records of the next page. */
  readonly pageSize?: number | undefined;
}

export interface ReadOptions {
  readonly data: Pick<DataService, 'find' | 'findUnchecked' | 'count' | 'pageSizes'>;
  readonly request: RecordsRequest;
  readonly signal: AbortSignal;
  /** What an earlier run of the job knew; absent: nothing. */
  readonly earlier?: {
    readonly survey: Survey | undefined;
    /** The number of matching records. */
    readonly counted: number | null;
    readonly checkpoint: Checkpoint | null;
  };
  readonly read: ReadInThread;
  /** Whether reading ends when all counted records have come, because the result is compared with the service later. */
  readonly endsAtCount?: boolean;
  /**
   * For results that would be wrong without a word if records were missing: a stale or cut answer can look like the end.
   */
  readonly requiresAll?: boolean;
}

/**
 * What happens while records are read. At `start` the reader of the thread is opened with the rule, and again if windows
 * didn't work: `restartReason` says why, and everything is read again by `skip`.
 */
export type ReadEvent =
  | ({ readonly kind: 'start'; readonly restartReason: string | null } & Survey)
  | { readonly kind: 'count'; readonly count: number }
  | PageEvent
  | RequestedEvent;

/** The number of matching records, which several requests return. */
class MatchCount {
  /** Settled when the number is known. */
  readonly arrival = Promise.withResolvers<number>();
  value: number | null;
  #isNew = false;

  constructor(value: number | null) {
    this.value = value;
    if (value !== null) this.arrival.resolve(value);
  }

  set(value: number): void {
    this.value = value;
    this.#isNew = true;
    this.arrival.resolve(value);
  }

  /** The number once it has arrived, and no second time. */
  *events(): Generator<Extract<ReadEvent, { kind: 'count' }>, void> {
    if (!this.#isNew || this.value === null) return;
    this.#isNew = false;
    yield { kind: 'count', count: this.value };
  }
}

/**
 * Reads all matching records in pages, in order. The survey, the count, and the first page are requested together.
 * Requests that are under way when the reading ends are aborted.
 * @throws AppError of the services and of the reader; `cancelled`; with `requiresAll` `bad_answer` if fewer records came
 *   than the service counts before and after
 */
export async function* readAll(options: ReadOptions): AsyncGenerator<ReadEvent, void> {
  const { earlier, requiresAll = false } = options;
  let rows = earlier?.checkpoint?.rows ?? 0;
  let counted = earlier?.counted ?? null;
  let latest: number | null = null;
  for await (const event of readEvents(options)) {
    if (event.kind === 'start' && event.restartReason !== null) rows = 0;
    else if (event.kind === 'count') counted = event.count;
    else if (event.kind === 'page') {
      rows += event.added;
      latest ??= counted;
      if (latest !== null && rows > maxRecordsFor(latest)) latest = await countAgain(options, rows);
    }
    yield event;
  }
  if (!requiresAll || counted === null || rows >= counted) return;
  // Fewer may have been left by those who removed some meanwhile.
  const expected = Math.min(counted, await countRecords(options));
  if (rows >= expected) return;
  const [sent, all] = [rows.toLocaleString('en'), expected.toLocaleString('en')];
  throw new AppError('bad_answer', { service: 'data', problem: `it has sent ${sent} of ${all} records` });
}

async function* readEvents(options: ReadOptions): AsyncGenerator<ReadEvent, void> {
  const { request, earlier } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const stoppable = { ...options, signal };
  const count = new MatchCount(earlier?.counted ?? null);
  const { windows } = request;
  let survey: Promise<Survey>;
  let window = windows;
  if (windows && !earlier?.survey) survey = surveyDataset(stoppable, windows, count);
  else {
    // Pages by `skip` need no survey.
    const known = (windows && earlier?.survey) ?? { rule: null, reason: null };
    survey = Promise.resolve(known);
    window = known.rule;
  }
  survey.then(async () => count.value ?? count.set(await countRecords(stoppable))).catch(() => undefined);
  const from = earlier?.checkpoint ?? null;
  try {
    const skipReason = yield* readBy(stoppable, { window, survey, from, count, restartReason: null });
    if (skipReason === null) return;
    const bySkip = { window: null, survey: Promise.resolve({ rule: null, reason: skipReason }), from: null };
    const problem = yield* readBy(stoppable, { ...bySkip, count, restartReason: skipReason });
    if (problem !== null) throw new AppError('internal', { problem });
  } finally {
    stop.abort();
  }
}

interface Attempt {
  readonly window: WindowField | null;
  readonly survey: Promise<Survey>;
  readonly from: Checkpoint | null;
  readonly count: MatchCount;
  readonly restartReason: string | null;
}

/** @returns why windows don't work; null: all records were read */
async function* readBy(
  { data, request, signal, read, endsAtCount = false }: ReadOptions,
  { window, survey, from, count, restartReason }: Attempt,
): AsyncGenerator<ReadEvent, string | null> {
  const { address, query, sort, fields, concurrency } = request;
  const { pageSizes } = data;
  const sizeKey = [address.provider, address.dataset, ...fields].join('\n');
  const limit = createPageLimit(from?.pageSize ?? pageSizes.get(sizeKey));
  const source: PageSource = {
    async find(find, { signal: findSignal, isValidated = false }) {
      const callOptions = { signal: findSignal, ...halvable(find.limit) };
      if (!isValidated) return data.findUnchecked(address, find, callOptions);
      return (await data.find(address, find, callOptions)).bytes;
    },
    signal,
    window,
    read,
    pageQuery: { query: parseObject(query), sort: parseObject(sort), fields },
    limit,
    total: count.arrival.promise,
    rowsBefore: from?.rows ?? 0,
    concurrency,
    endsAtCount,
  };
  const readAhead = new ReadAhead(source);
  const cursor = from?.cursor ?? (window ? firstWindow : firstRun('all', 0));
  const first = cursor.at === 'end' ? null : readAhead.fetchAt(cursor);
  // Awaited after the survey; without a listener an earlier rejection would be unhandled.
  first?.catch(() => undefined);
  try {
    const { rule, reason } = await survey;
    if (window && reason !== null) return reason;
    yield { kind: 'start', rule, reason, restartReason };
    yield* count.events();
    const pages = readPages(source, cursor, { readAhead, first });
    for (;;) {
      const { done, value } = await pages.next();
      yield* count.events();
      if (done) return value;
      if (value.kind === 'page' && value.records > 0) pageSizes.set(sizeKey, limit.current);
      yield value;
    }
  } finally {
    readAhead.dropPrefetched();
  }
}

/** Errors of a read with a count after which a read without it can succeed. */
const noCount: readonly ErrorCode[] = ['timed_out', 'refused', 'forbidden', 'not_found'];

/** Reads both ends of the dataset: whether windows are possible, and their upper bound. */
async function surveyDataset(
  { data, request: { address, ...request }, signal }: ReadOptions,
  window: WindowField,
  count: MatchCount,
): Promise<Survey> {
  const keyIn = createKeyReader(window.field);
  const query = parseObject(request.query);
  const fields = fieldsToRequest(['_id'], window.field);
  const findFirst = (sort: JsonObject, includeCount: boolean): Promise<RecordsResponse> =>
    data.find(address, { query, sort, fields, limit: 1, includeCount }, { signal });
  return surveyWindow(window, async (sort) => {
    // Every survey reads the highest record, so its request includes the count.
    const includeCount = sort[window.field] === -1;
    const first = await findFirst(sort, includeCount).catch((error: unknown) => {
      // A count can exceed the timeout or be forbidden; the record alone can still be read.
      if (includeCount && noCount.some((code) => isAppError(error, code))) return findFirst(sort, false);
      throw error;
    });
    if (first.total !== null) count.set(first.total);
    return keyIn(first.bytes);
  });
}

/**
 * Counts again, because far more records have come than match: a service may send new ones for ever.
 * @throws AppError `bad_answer`; errors of the data service
 */
async function countAgain(options: ReadOptions, rows: number): Promise<number> {
  const latest = await countRecords(options).catch((error: unknown) => {
    if (noCount.some((code) => isAppError(error, code))) return rows;
    throw error;
  });
  if (rows <= maxRecordsFor(latest)) return latest;
  const [sent, counted] = [rows.toLocaleString('en'), latest.toLocaleString('en')];
  const problem = `it has sent ${sent} records, but counts only ${counted}`;
  throw new AppError('bad_answer', { service: 'data', problem });
}

const countRecords = ({ data, request, signal }: ReadOptions): Promise<number> =>
  data.count(request.address, parseObject(request.query), { signal });
