import { isAppError } from '../../../shared/errors/errors.ts';
import type { Cursor, PageCursor, ReadPosition } from '../paging/cursor.ts';
import type { RecordsResponse } from '../wire/services/services.ts';
import {
  createReadAhead,
  fetchPage,
  type PageRequests,
  type PageResponse,
  type ReadAhead,
} from './read-ahead.ts';
import type { ResponseOrigin, WindowFallback, PageOutcome, WrittenPage } from '../write/spec.ts';

/**
 * Writes the records of a response; its bytes are transferred.
 * @throws AppError `bad_answer`, `disk_full`, `file_unwritable`
 */
export type WritePage = (
  at: ReadPosition,
  content: RecordsResponse['bytes'],
  origin: ResponseOrigin,
) => Promise<PageOutcome>;

/** The source and the target of pages. */
export interface PageSource extends PageRequests {
  /** The writer, which may open while the first pages travel; or why windows can't be used. */
  readonly writer: Promise<WritePage | WindowFallback>;
}

/**
 * Reads all pages from a cursor and writes them in order, with several concurrent requests. The result is the
 * same as reading one page after another. A `WindowFallback` is the last value.
 * @throws AppError of the services; `disk_full`, `file_unwritable`, `cancelled`
 */
export async function* copyPages(
  source: PageSource,
  from: Cursor,
): AsyncGenerator<WrittenPage | WindowFallback, void> {
  const readAhead = createReadAhead(source);
  try {
    let at = from;
    while (at.at !== 'end') {
      const page = await copyPage(source, readAhead, at);
      yield page;
      if ('fallbackReason' in page) return;
      at = page.checkpoint.cursor;
    }
  } finally {
    readAhead.dropPrefetched();
  }
}

async function copyPage(
  source: PageSource,
  readAhead: ReadAhead,
  at: PageCursor,
): Promise<WrittenPage | WindowFallback> {
  for (;;) {
    const pendingResponse = readAhead.fetchAt(at);
    // Not awaited if the writer falls back; without a listener its rejection would be unhandled.
    pendingResponse.catch(() => undefined);
    const write = await source.writer;
    if ('fallbackReason' in write) return write;
    const response = await pendingResponse;
    if ('fallbackReason' in response) return response;
    const page = await writeResponse(source, write, response);
    if ('fallbackReason' in page) return page;
    if (!('isDetached' in page)) {
      readAhead.advance(page);
      return page;
    }
    readAhead.dropPrefetched();
  }
}

async function writeResponse(
  source: PageSource,
  write: WritePage,
  response: PageResponse,
): Promise<PageOutcome> {
  const { limit } = source;
  async function writeOnce({
    at,
    bytes,
    limit: requested,
    overlaps,
    endsAt,
  }: PageResponse): Promise<PageOutcome> {
    // The bytes are transferred to the thread, so their length is read before.
    const { length } = bytes;
    const page = await write(at, bytes, {
      overlaps,
      endsAt,
      endsBelow: limit.endsBelow({ requested, bytes: length }),
    });
    if ('records' in page) limit.record({ requested, records: page.records, bytes: length });
    return page;
  }
  try {
    return await writeOnce(response);
  } catch (error) {
    // The writer can't parse it: it is requested again, with validation.
    if (!isAppError(error, 'bad_answer')) throw error;
    const retried = await fetchPage(source, response.at, { limit: response.limit, isValidated: true });
    return 'fallbackReason' in retried ? retried : writeOnce({ ...retried, overlaps: false, endsAt: null });
  }
}
