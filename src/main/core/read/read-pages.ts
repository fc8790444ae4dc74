import { AppError, isAppError } from '../../../shared/errors/errors.ts';
import type { Cursor } from '../paging/cursor.ts';
import type { PageOutcome, PageToRead, ReadPage } from './page-reader.ts';
import { fetchPage, type PageRequests, type PageResponse, type ReadAhead } from './read-ahead.ts';

/**
 * Reads a page in the thread that has the {@link PageReader}, where its records stay until they are used.
 * @throws AppError `bad_answer`
 */
export type ReadInThread = (
  page: PageToRead,
  options: { readonly transfer: readonly ArrayBuffer[] },
) => Promise<PageOutcome>;

export interface PageSource extends PageRequests {
  readonly read: ReadInThread;
}

/** The buffer of a page, which moves to a thread; a shared buffer is copied. */
export const transferable = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer[] =>
  buffer.byteLength === byteLength ? [buffer] : [];

/** A page whose new records can be used, until the next one. */
export interface PageEvent extends ReadPage {
  readonly kind: 'page';
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
    readAhead.advance(outcome);
    yield { kind: 'page', ...outcome };
    if (source.signal.aborted) throw new AppError('cancelled', {});
    at = outcome.cursor;
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
    const origin = { overlaps, endsAt, endsBelow: limit.endsBelow({ requested, bytes: length }) };
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
