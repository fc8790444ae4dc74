import { AppError, invalidInput, isAppError } from '../../../../shared/errors/errors.ts';
import type { PlatformResource } from '../../../../shared/wells/platform-filters.ts';
import type { PlatformEntity } from '../../../../shared/wells/wells.ts';
import { maxResponseBytes } from '../http/limits.ts';
import { jsonOf, UnreadableResponse } from '../http/response.ts';
import type { Http } from '../http/http.ts';
import { get, parametersOf, type ParameterValues as Filter } from '../http/request.ts';
import { checkFilter } from './checks.ts';
import { maxUrlLength } from './records.ts';
import type { CallOptions, PlatformService } from './services.ts';
import { append } from '../../../../shared/lists.ts';
import * as z from 'zod';
import { isObject, isWithinDepth, type JsonValue } from '../../../../shared/json.ts';
import { looseInteger, looseText, maxDepth, readEach, type ReadItems } from './tolerant.ts';

/** The default page size; a server may cap it. */
const defaultPageSize = 1000;
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

/** The platform service over a client (specification, section 4.2). */
export function platformService(http: Http): PlatformService {
  const nameOf = (resource: PlatformResource): string => `the list of ${resource.replace('_', ' ')}`;
  const readOnePage = (resource: PlatformResource, filter: Filter, options: CallOptions | undefined) =>
    http.read(get(`/v2/${resource}`, parametersOf(filter)), (response) => readPage(jsonOf(response)), {
      ...options,
      maxBytes: maxResponseBytes.list,
      what: nameOf(resource),
    });

  async function readSinglePage(
    resource: PlatformResource,
    filter: Filter,
    options: CallOptions | undefined,
  ): Promise<PlatformEntity[]> {
    const { items, skipped } = await readOnePage(resource, filter, options);
    http.reportSkipped(nameOf(resource), skipped);
    return items;
  }

  /** All pages, or the one that the filter names. */
  async function* wantedPages(
    resource: PlatformResource,
    filter: Filter,
    options: CallOptions | undefined,
  ): AsyncGenerator<PlatformEntity[]> {
    if (filter['page'] !== undefined) return yield await readSinglePage(resource, filter, options);
    const seen = { keys: new Set<string>(), skipped: 0 };
    yield* pagesInParts(resource, filter, seen, options);
    http.reportSkipped(nameOf(resource), seen.skipped);
  }

  /** All pages; many ids are requested in parts, so that each address is short. @param seen keys of items that were yielded */
  async function* pagesInParts(
    resource: PlatformResource,
    filter: Filter,
    seen: Seen,
    options: CallOptions | undefined,
  ): AsyncGenerator<PlatformEntity[]> {
    const halves = splitFilter(filter);
    const { length } = http.describe(get(`/v2/${resource}`, parametersOf(filter))).address.href;
    if (!halves || length <= maxUrlLength) {
      try {
        yield* pagesOfFilter(resource, filter, seen, options);
        return;
      } catch (error) {
        if (!halves || !isAppError(error, 'too_large')) throw error;
      }
    }
    for (const half of halves) yield* pagesInParts(resource, half, seen, options);
  }

  async function* pagesOfFilter(
    resource: PlatformResource,
    filter: Filter,
    seen: Seen,
    options: CallOptions | undefined,
  ): AsyncGenerator<PlatformEntity[]> {
    const pageSize = typeof filter['per_page'] === 'number' ? filter['per_page'] : defaultPageSize;
    let isPageSizeHonored = false;
    const keys = new Set<string>();
    for (let page = 1; page <= maxPages && keys.size <= maxEntities; page += 1) {
      const paged = { ...filter, per_page: pageSize, page };
      const { items, skipped } = await readOnePage(resource, paged, options);
      seen.skipped += skipped;
      const newItems = withoutKeys(items, keys);
      // Nothing new: an empty page, or a repeated one from a service that ignores `page`.
      if (newItems.length === 0) return;
      // A pad can have wells of several parts of a filter.
      const unseenItems = withoutKeys(newItems, seen.keys);
      if (unseenItems.length > 0) yield unseenItems;
      // A short page is the last one only after a full one; otherwise `per_page` may be capped.
      const length = items.length + skipped;
      isPageSizeHonored ||= length >= pageSize;
      if (isPageSizeHonored && length < pageSize) return;
    }
    throw new AppError('bad_answer', { service: 'platform', problem: 'its pages don’t end' });
  }

  return {
    async list(resource, filter, options) {
      const entities: PlatformEntity[] = [];
      for await (const page of wantedPages(resource, checkFilterAndBox(resource, filter), options))
        append(entities, page);
      return entities;
    },
    pages: (resource, filter, options) => wantedPages(resource, checkFilterAndBox(resource, filter), options),
    async page(resource, filter, options) {
      return readSinglePage(resource, checkFilterAndBox(resource, filter), options);
    },
  };
}

/** @throws AppError `invalid_input` that names an unknown filter or an invalid value */
function checkFilterAndBox(resource: PlatformResource, filter: Filter): Filter {
  const checkedFilter: Filter = checkFilter(resource, filter);
  const corners = ['lat_start', 'lat_end', 'long_start', 'long_end'].map((name) => checkedFilter[name]);
  const givenCorners = corners.filter((corner) => corner !== undefined).length;
  if (givenCorners !== 0 && givenCorners !== 4) {
    throw invalidInput('A box needs all four of lat_start, lat_end, long_start and long_end.', {
      field: 'lat_start',
    });
  }
  return checkedFilter;
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
export function readPage(value: JsonValue): ReadItems<PlatformEntity> {
  const items = isObject(value) ? value['data'] : value;
  if (!Array.isArray(items)) throw new UnreadableResponse('it is not a list');
  return readEach(items, readEntity);
}
