import type { FindRequest, PageRequest } from '../../../shared/query/query.ts';
import { isObject, type JsonValue } from '../../../shared/json.ts';
import { parseRecords, type RecordsApi } from './request.ts';
import { shareTask } from './share-task.ts';

type UpperBound = NonNullable<PageRequest['upTo']>;

function numberOf(record: JsonValue | undefined, field: string): number | null {
  const value = record !== undefined && isObject(record) ? record[field] : undefined;
  return typeof value === 'number' ? value : null;
}

/**
 * The upper bound of pages after the first, so that new records don't move them. Records without a number would be
 * beyond any bound, so a query that matches some has none: the service sorts them last, which one request shows.
 * @param query the calls of the data service
 * @param request the find whose pages are read
 * @param along the field along which records grow, which the find sorts by, descending
 * @param first its first record
 * @returns reads the bound once; null: there is none
 */
export function createUpperBound(
  query: Pick<RecordsApi['query'], 'page'>,
  request: FindRequest,
  along: string,
  first: JsonValue | undefined,
): (signal: AbortSignal) => Promise<UpperBound | null> {
  const highest = numberOf(first, along);
  let bound: UpperBound | null | undefined = highest === null ? null : undefined;
  const readLowest = shareTask(async (value: number, signal) => {
    const sort = JSON.stringify({ [along]: 1 });
    const lowest = await query.page(
      { ...request, sort, skip: 0, limit: 1, fields: [along], includeCount: false },
      { signal },
    );
    bound = numberOf(parseRecords(lowest.records)[0], along) === null ? null : { field: along, value };
  });
  return async (signal) => {
    if (bound === undefined && highest !== null) await readLowest('', highest, signal);
    return bound ?? null;
  };
}
