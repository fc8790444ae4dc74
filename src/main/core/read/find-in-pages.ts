import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { skipSpace, startOfText } from '../records/json-text.ts';
import { tooLongProblem } from '../wire/http/failures.ts';
import { maxResponseBytes } from '../wire/http/limits.ts';
import type { CallOptions, DataService, FindArguments, RecordsResponse } from '../wire/services/services.ts';
import { createPageLimit, halvable, mayFitInHalf } from './page-limit.ts';

/**
 * Finds records with one request, or in several if the response doesn't arrive: pages that fit the link, joined. Later
 * finds of the dataset begin with the size that fitted.
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
  const pageLimit = createPageLimit(Math.min(limit, data.pageSizes.get(key) ?? limit));
  const pages: RecordsResponse[] = [];
  let count = 0;
  let size = 0;
  for (let isEnd = false; count < limit && !isEnd;) {
    const requested = Math.min(pageLimit.current, limit - count);
    const isWhole = requested === limit;
    const request = isWhole
      ? find
      : {
          ...find,
          // Without a tiebreaker, records with the same values may change their order between pages.
          sort: { ...sort, ...('_id' in sort ? {} : { _id: 1 }) },
          limit: requested,
          skip: skip + count,
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
    if (isWhole) return page;
    checkPage(page, pages.at(-1), (size += page.bytes.length));
    pageLimit.record({ requested, records: page.count, bytes: page.bytes.length });
    pages.push(page);
    count += page.count;
    isEnd = page.count === 0;
  }
  data.pageSizes.set(key, pageLimit.current);
  return joinPages(pages);
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
