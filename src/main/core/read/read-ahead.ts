import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import type { PageCursor, RunCursor } from '../paging/cursor.ts';
import { fieldsToRequest, pageRequest, type PageQuery } from '../paging/request.ts';
import type { WindowField } from '../paging/rule.ts';
import type { FindArguments, RecordsResponse } from '../wire/services/services.ts';
import { mayFitInHalf, type PageLimit } from './page-limit.ts';
import type { ReadPage, WindowFallback } from './page-reader.ts';

/** Reads a page. `isValidated`: the response is parsed before it is returned. */
export type Find = (
  find: FindArguments,
  options: { readonly signal: AbortSignal; readonly isValidated?: boolean },
) => Promise<RecordsResponse['bytes']>;

/** What pages are requested, and how. */
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
  /** Expected number of records. */
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

export type ReadAhead = ReturnType<typeof createReadAhead>;

/**
 * Keeps several requests for pages running. A page is requested at the current cursor plus an offset (`skip`)
 * of the expected size of the pages before it; each starts a few records before the end of the previous page.
 * The writer detects whether it joins that page; if not, because records were deleted or pages were shorter,
 * prefetched requests are dropped and reading continues at the cursor.
 */
export function createReadAhead(source: PageRequests) {
  const { concurrency } = source;
  let cursor: PageCursor | null = null;
  let frame = '';
  /** Offset of the current cursor in the frame, in records. */
  let offset = 0;
  let overlap = minOverlap;
  let rows = source.rowsBefore;
  let total: number | null = null;
  let mayReadAhead = concurrency > 1;
  /** Current number of concurrent requests: one until a full page arrives, and again after a drop. */
  let depth = 1;
  /** Whether pages have joined so far; then no full page is required first. */
  let hasJoined = true;
  let hasRequestedAll = false;
  let prefetched: PageRequest[] = [];
  let head: { readonly start: number; readonly expected: number } = { start: 0, expected: 0 };
  void source.total.then((count) => {
    total = count;
    if (cursor) prefetch(cursor);
  });

  function dropPrefetched(): void {
    if (prefetched.length === 0) return;
    for (const { stop } of prefetched) stop.abort();
    prefetched = [];
    depth = 1;
    hasJoined = false;
  }

  function enterFrame(at: PageCursor): void {
    if (frameOf(at) !== frame) {
      dropPrefetched();
      depth = 1;
      frame = frameOf(at);
      offset = 0;
    }
    if (at.at === 'run') offset = at.skip;
  }

  function request(at: PageCursor, start: number): PageRequest {
    const stop = new AbortController();
    const { current: limit, expected } = source.limit;
    const response = fetchPage(source, at, { skip: start - offset, limit, stop: stop.signal });
    // Awaited in turn; without a listener an earlier rejection would be unhandled.
    response.catch(() => undefined);
    return { start, expected, response, stop };
  }

  const isUsable = (at: PageCursor, { start }: PageRequest): boolean =>
    at.at === 'window' ? start < offset : start === offset && canPrefetch(at);

  function prefetch(at: PageCursor): void {
    if (!mayReadAhead || (at.at === 'run' && at.step !== 'plain' && !canPrefetch(at))) return;
    const recordsLeft = total !== null && (at.at === 'window' || at.of === 'all') ? total - rows : null;
    if (hasJoined && recordsLeft !== null && recordsLeft > head.expected) depth = concurrency;
    while (prefetched.length + 1 < Math.min(depth, source.limit.concurrency)) {
      const previous = prefetched.at(-1) ?? head;
      const overlapRecords = at.at === 'window' ? Math.min(overlap, Math.max(1, previous.expected >> 1)) : 1;
      const start = previous.start + previous.expected - overlapRecords;
      if (recordsLeft !== null && start - offset >= recordsLeft) hasRequestedAll = true;
      if (start <= previous.start || (recordsLeft !== null && start - offset >= recordsLeft)) return;
      prefetched.push(request(at, start));
    }
  }

  /**
   * The response for a cursor: of a prefetched request if one fits, else of a new one. Further pages are
   * prefetched meanwhile.
   * @throws AppError of the data service; `cancelled`
   */
  async function fetchAt(at: PageCursor): Promise<PageResponse | WindowFallback> {
    enterFrame(at);
    if (prefetched[0] && !isUsable(at, prefetched[0])) dropPrefetched();
    const prefetchedRequest = prefetched.shift();
    const sentRequest = prefetchedRequest ?? request(at, offset);
    head = sentRequest;
    cursor = at;
    prefetch(at);
    try {
      const result = await sentRequest.response;
      if (!('fallbackReason' in result)) {
        head = { ...sentRequest, expected: Math.min(sentRequest.expected, result.limit) };
        if (prefetchedRequest) return { ...result, at, overlaps: at.at === 'window', endsAt: null };
        const left = source.endsAtCount === true && total !== null && at.at === 'window' ? total - rows : 0;
        return { ...result, overlaps: false, endsAt: left > 0 && left < result.limit ? left : null };
      }
      if (!prefetchedRequest) return result;
    } catch (error) {
      if (!prefetchedRequest || !isAppError(error, 'refused')) throw error;
    }
    // The service refuses what only a prefetched request contains.
    dropPrefetched();
    mayReadAhead = false;
    return fetchAt(at);
  }

  return {
    fetchAt,
    /** Whether all counted records have been requested. */
    get hasRequestedAll(): boolean {
      return hasRequestedAll;
    },
    /** Records the page that was read from the last response. */
    advance({ records, added, recordsBeforeNext }: ReadPage): void {
      rows += added;
      cursor = null;
      if (frame === 'window') offset = head.start + recordsBeforeNext;
      if (recordsBeforeNext > 0) overlap = Math.max(minOverlap, 2 * (records - recordsBeforeNext) + 1);
      if (records >= head.expected) depth = Math.min(concurrency, depth * 2);
    },
    /** Drops prefetched requests: the next page is requested at its cursor. */
    dropPrefetched,
  };
}
