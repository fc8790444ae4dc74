import { AppError, invalidInput, isAppError } from '../../shared/errors/errors.ts';
import type { PlatformResource } from '../../shared/wells/platform-filters.ts';
import type { PlatformEntity } from '../../shared/wells/wells.ts';
import { maxAnswerBytes } from '../http/limits.ts';
import { jsonOf } from '../http/answer.ts';
import type { Http } from '../http/http.ts';
import { get, type Parameters } from '../http/request.ts';
import { checkFilter } from './checks.ts';
import { readPage, readSingle } from './entities.ts';
import { resourcePath } from './paths.ts';
import { maxAddressLength } from './records.ts';
import type { CallOptions, PlatformService } from './services.ts';

/** Asked for unless the person says otherwise; a server may cap it. */
const perPage = 1000;
/** More pages than any company has: a list that goes on beyond them does not end. */
const mostPages = 5000;

type Value = string | number | boolean;
type Filter = Readonly<Record<string, Value | readonly Value[] | undefined>>;

/** The platform service over a client (specification, section 4.2). */
export function platformService(http: Http): PlatformService {
  const readOne = (resource: PlatformResource, filter: Filter, options: CallOptions | undefined) =>
    http.read(get(resourcePath(resource), parametersOf(filter)), (answer) => readPage(jsonOf(answer)), {
      ...options,
      maxBytes: maxAnswerBytes.list,
      what: `the list of ${resource.replace('_', ' ')}`,
    });

  async function* everyPage(
    resource: PlatformResource,
    filter: Filter,
    options: CallOptions | undefined,
  ): AsyncGenerator<PlatformEntity[]> {
    yield* pagesOf(resource, filter, new Set(), options);
  }

  /** All pages, of many ids in parts: each part's address is short. @param found keys of what was given already */
  async function* pagesOf(
    resource: PlatformResource,
    filter: Filter,
    found: Set<string>,
    options: CallOptions | undefined,
  ): AsyncGenerator<PlatformEntity[]> {
    const halves = halvesOf(filter);
    const { length } = http.outgoing(get(resourcePath(resource), parametersOf(filter))).address.href;
    if (!halves || length <= maxAddressLength) {
      try {
        yield* pagesOfPart(resource, filter, found, options);
        return;
      } catch (error) {
        if (!halves || !isAppError(error, 'too_large')) throw error;
      }
    }
    for (const half of halves) yield* pagesOf(resource, half, found, options);
  }

  async function* pagesOfPart(
    resource: PlatformResource,
    filter: Filter,
    found: Set<string>,
    options: CallOptions | undefined,
  ): AsyncGenerator<PlatformEntity[]> {
    const asked = typeof filter['per_page'] === 'number' ? filter['per_page'] : perPage;
    let honoured = false;
    for (let page = 1; page <= mostPages; page += 1) {
      const { entities, items } = await readOne(resource, { ...filter, per_page: asked, page }, options);
      const fresh = entities.filter(({ type, id }) => {
        const key = `${type} ${id}`;
        return !found.has(key) && found.add(key);
      });
      // Nothing new: an empty page, or one that came before because `page` is ignored.
      if (fresh.length === 0) return;
      yield fresh;
      // A short page is the last one only where a full one was seen: else `per_page` may be capped.
      honoured ||= items >= asked;
      if (honoured && items < asked) return;
    }
    throw new AppError('bad_answer', { service: 'platform', problem: 'the list does not end' });
  }

  return {
    async list(resource, filter, options) {
      const wanted = checked(resource, filter);
      if (wanted['page'] !== undefined) return (await readOne(resource, wanted, options)).entities;
      const found: PlatformEntity[] = [];
      for await (const page of everyPage(resource, wanted, options)) found.push(...page);
      return found;
    },
    async *pages(resource, filter, options) {
      yield* everyPage(resource, checked(resource, filter), options);
    },
    async page(resource, filter, options) {
      return (await readOne(resource, checked(resource, filter), options)).entities;
    },
    async get(resource, id, options) {
      return http.read(get(resourcePath(resource, id)), (answer) => readSingle(jsonOf(answer)), {
        ...options,
        what: `${id} of the ${resource.replace('_', ' ')}`,
      });
    },
  };
}

/** @throws AppError `invalid_input` that names a filter the resource does not have, or a value it does not take */
function checked(resource: PlatformResource, filter: Filter): Filter {
  const found: Filter = checkFilter(resource, filter);
  const corners = ['lat_start', 'lat_end', 'long_start', 'long_end'].map((name) => found[name]);
  const given = corners.filter((corner) => corner !== undefined).length;
  if (given !== 0 && given !== 4) {
    throw invalidInput('A box needs all four of lat_start, lat_end, long_start and long_end.', {
      field: 'lat_start',
    });
  }
  return found;
}

/** Filters that a resource meets with any one of their values: asked for in parts, they give the same together. */
const anyOf = ['ids', 'asset_id', 'api_number', 'well_ids'];

/** The same filter in two parts; null: it names one thing at most. */
function halvesOf(filter: Filter): readonly Filter[] | null {
  for (const name of anyOf) {
    const value = filter[name];
    if (!Array.isArray(value) || value.length < 2) continue;
    const middle = value.length >>> 1;
    return [value.slice(0, middle), value.slice(middle)].map((part) => ({ ...filter, [name]: part }));
  }
  return null;
}

/** Arrays go out as `name[]`, repeated (specification, section 2.4). */
function parametersOf(filter: Filter): Parameters {
  return Object.entries(filter).flatMap(([name, value]) => {
    if (value === undefined || value === '') return [];
    if (Array.isArray(value))
      return value.map((item): readonly [string, string] => [`${name}[]`, String(item)]);
    return [[name, String(value)] as const];
  });
}
