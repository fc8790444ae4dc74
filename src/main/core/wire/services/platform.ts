import * as z from 'zod';
import { invalidInput, AppError, isAppError, schemaIssues } from '../../../../shared/errors/errors.ts';
import { type JsonValue, isObject, isWithinDepth } from '../../../../shared/json.ts';
import { append } from '../../../../shared/lists.ts';
import {
  platformFilters,
  type PlatformFilter,
  type PlatformResource,
} from '../../../../shared/wells/platform-filters.ts';
import type { PlatformEntity } from '../../../../shared/wells/wells.ts';
import {
  maxResponseBytes,
  maxUrlLength,
  jsonOf,
  UnreadableResponse,
  get,
  parametersOf,
  type ParameterValues as Filter,
} from '../http/exchange.ts';
import type { Http } from '../http/http.ts';
import type { CallOptions, PlatformService } from './services.ts';
import { type ReadItems, maxDepth, looseInteger, looseText, readEach } from './tolerant.ts';

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

/** All pages, or the one that the filter names. */
async function* wantedPages(list: PlatformList): AsyncGenerator<PlatformEntity[]> {
  const seen = { keys: new Set<string>(), skipped: 0 };
  if (list.filter['page'] === undefined) yield* pagesInParts(list, seen);
  else {
    const { items, skipped } = await readOnePage(list);
    seen.skipped = skipped;
    yield items;
  }
  list.http.reportSkipped(listName(list.resource), seen.skipped);
}

/**
 * All pages; many ids are requested in parts, so that each address is short, unless that would lose a requested order.
 * @param seen keys of items that were yielded
 */
async function* pagesInParts(list: PlatformList, seen: Seen): AsyncGenerator<PlatformEntity[]> {
  const { http, resource, filter } = list;
  const isSorted = filter['sort'] !== undefined || filter['order'] === 'desc';
  const halves = splitFilter(filter);
  const { length } = http.describe(get(`/v2/${resource}`, parametersOf(filter))).address.href;
  if (!halves || isSorted || length <= maxUrlLength) {
    try {
      yield* pagesOfFilter(list, seen);
      return;
    } catch (error) {
      if (!halves || !isAppError(error, 'too_large')) throw error;
      if (isSorted)
        throw invalidInput('Too many IDs to sort. Remove sort and order, or request fewer IDs.', {
          field: filter['sort'] === undefined ? 'order' : 'sort',
        });
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

/** @throws AppError `invalid_input` with each filter or value that the resource doesn't support */
export function checkFilter(resource: PlatformResource, filter: unknown): PlatformFilter {
  const parsed = platformFilters[resource].safeParse(filter);
  if (!parsed.success) throw new AppError('invalid_input', { issues: schemaIssues(parsed.error.issues) });
  const values: Readonly<Record<string, unknown>> = parsed.data;
  const corners = ['lat_start', 'lat_end', 'long_start', 'long_end'].filter(
    (name) => values[name] !== undefined,
  );
  if (corners.length % 4 !== 0)
    throw invalidInput('A bounding box needs all four of lat_start, lat_end, long_start, and long_end.', {
      field: 'lat_start',
    });
  return parsed.data;
}

/** The platform service over a client (specification, section 4.2). */
export function platformService(http: Http): PlatformService {
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
