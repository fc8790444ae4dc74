import { valueUnder, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { seesWell } from '../auth.ts';
import { compareSortValues, predicate } from '../mongo.ts';
import { type Answer, type Call, type Params, Problem, forms, invalid } from '../service.ts';
import type { Entity, World } from './world.ts';

const defaultPerPage = 100;
const maxPageSize = 10_000;

/** The condition that a parameter sets on the values of a resource; null if it is absent. */
type Filter = (params: Params, parameter: string) => JsonObject | null;

/** A list of the platform service (specification, sections 2.4 and 4.2). */
interface List {
  /** The values that are shown as relationships beside the company, and those that aren't shown. */
  readonly related: readonly string[];
  readonly hidden?: readonly string[];
  /** The values by which the list can be sorted, other than its name and its company. */
  readonly sorts: readonly string[];
  readonly filters: Readonly<Record<string, Filter>>;
}

/** A condition on the value of a parameter. */
const where =
  <T>(
    form: (text: string, parameter: string) => T,
    condition: (value: T, parameter: string) => JsonObject,
  ): Filter =>
  (params, parameter) => {
    const value = params.read(parameter, form);
    return value === undefined ? null : condition(value, parameter);
  };

/** Of several requested values, a resource has one. */
const among = (path: string, values: readonly JsonValue[]): JsonObject | null =>
  values.length > 0 ? { [path]: { $in: [...values] } } : null;
const ids: Filter = (params, path) => among(path, params.integers(path));
/** Some texts, of which only some may be allowed. */
const texts =
  (allowed?: readonly string[], path?: string): Filter =>
  (params, parameter) =>
    among(path ?? parameter, params.texts(parameter, allowed));
const flag = where(forms.flag, (is, path) => ({ [path]: is }));

/** A time as resources have it; the last one for later ones, which have another form. */
const iso = (time: number): string =>
  new Date(Math.min(Math.max(time, 0), Date.UTC(9999, 11, 31))).toISOString();
/** A time in ISO 8601, before a limit or not. */
const instant = (path: string, operator: '$lt' | '$gte'): Filter =>
  where(forms.instant, (limit) => ({ [path]: { [operator]: iso(limit) } }));

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
const contains = (text: string): JsonObject => ({ $regex: escaped(text), $options: 'i' });
/** A pattern of an API number, whose dashes are ignored. */
const dashless = (text: string): string => text.replaceAll('-', '').split('').map(escaped).join('-?');

const byName = where(forms.text, (part) => ({ name: contains(part) }));
/** By asset id, name, API number or the customer's own id of the well. */
const byAsset = where(forms.text, (part) => {
  const isNumber = /^[\d-]*\d[\d-]*$/.test(part.trim());
  return {
    $or: [
      { id: Number(part) || null },
      { name: contains(part) },
      { customer_well_id: contains(part) },
      ...(isNumber ? [{ api_number: { $regex: dashless(part.trim()) } }] : []),
    ],
  };
});
const byApiNumber: Filter = (params, path) => {
  const numbers = params.list(path);
  const conditions = numbers.map((number) => ({ [path]: { $regex: `^${dashless(number)}$` } }));
  return numbers.length > 0 ? { $or: conditions } : null;
};

const edges = ['lat_start', 'lat_end', 'long_start', 'long_end'] as const;
const boundingBox: Filter = (params) => {
  const limits = edges.flatMap((edge) => params.read(edge, forms.number) ?? []);
  if (limits.length === 0) return null;
  const [south, north, west, east] = limits;
  if (south === undefined || north === undefined || west === undefined || east === undefined)
    throw invalid(`a bounding box needs all of ${edges.join(', ')}`);
  const between = (a: number, b: number): JsonObject => ({ $gte: Math.min(a, b), $lte: Math.max(a, b) });
  return { 'lon_lat.0': between(west, east), 'lon_lat.1': between(south, north) };
};

const sharedFilters: List['filters'] = {
  ids: (params, parameter) => among('id', params.integers(parameter)),
  company: ids,
  active_before: instant('last_active_at', '$lt'),
  active_after: instant('last_active_at', '$gte'),
  lat_start: boundingBox,
};
const ofCrew = { program: ids, active: flag, search: byName, app_key: texts(undefined, 'app_keys') };

/** One filter by each of several parameters, which are the names of values. */
const filterBy = (filter: Filter, ...names: readonly string[]): List['filters'] =>
  Object.fromEntries(names.map((name) => [name, filter]));

/** The lists by their names in the path. */
const lists: Readonly<Record<string, List>> = {
  wells: {
    related: ['program', 'pad', 'rig', 'frac_fleet', 'drillout_unit', 'asset'],
    hidden: ['index', 'shared', 'createdAt', 'startAt', 'endAt', 'lastDrillingAt', 'lastActiveAt'],
    sorts: ['rig', 'program', 'status', 'visibility', 'identifier', 'last_active_at'],
    filters: {
      ...filterBy(ids, 'asset_id', 'program', 'pad', 'drillout_unit', 'frac_fleet'),
      ...filterBy(texts(), 'status', 'state', 'identifier', 'area', 'visibility'),
      search: byName,
      last_active_drilling_before: instant('last_drilling_at', '$lt'),
      last_active_drilling_after: instant('last_drilling_at', '$gte'),
      well_start_before: where(forms.integer, (limit) => ({ well_start: { $lt: limit } })),
      well_start_after: where(forms.integer, (limit) => ({ well_start: { $gt: limit } })),
    },
  },
  assets: {
    related: ['parent', 'program'],
    hidden: ['rig', 'well'],
    sorts: ['last_active_at', 'status', 'rig', 'program', 'well', 'well_end'],
    filters: {
      types: texts(['program', 'rig', 'well'], 'asset_type'),
      status: texts(['active', 'idle', 'paused', 'complete', 'deleting']),
      visibility: texts(['visible', 'visible_to_admin', 'deleted']),
      ...filterBy(ids, 'program', 'parent_asset_id', 'company_id'),
      api_number: byApiNumber,
      search: byAsset,
      start: where(forms.integer, (start) => {
        const isAfter = { $gte: iso(start * 1000) };
        return { $or: [{ well_end: isAfter }, { well_end: null, last_active_at: isAfter }] };
      }),
      end: where(forms.integer, (end) => ({
        $or: [{ well_start: null }, { well_start: { $lte: iso(end * 1000) } }],
      })),
    },
  },
  programs: { related: [], sorts: [], filters: { name: texts() } },
  pads: {
    related: ['program', 'current_frac_fleet', 'drillout_unit'],
    hidden: ['frac_fleet', 'current'],
    sorts: ['last_active_at', 'program', 'drillout_unit'],
    filters: {
      ...filterBy(ids, 'program', 'frac_fleet', 'current_frac_fleet', 'drillout_unit', 'well_ids'),
      ...filterBy(flag, 'active', 'current'),
      search: byName,
    },
  },
  rigs: {
    related: ['program', 'active_well'],
    hidden: ['active'],
    sorts: ['last_active_at', 'program'],
    filters: {
      ...ofCrew,
      active_well: ids,
      has_active_well: where(forms.flag, (active) => ({ active })),
    },
  },
  drillout_units: {
    related: ['program', 'pad', 'well'],
    hidden: ['active'],
    sorts: ['last_active_at', 'program', 'pad', 'well'],
    filters: { ...ofCrew, pad: ids, well: ids },
  },
  frac_fleets: {
    related: ['current_pad'],
    hidden: ['program', 'pad', 'active'],
    sorts: ['last_active_at'],
    filters: { ...ofCrew, pad: ids, current_pad: ids },
  },
};

/** The types of relationships that have another name. */
const types: Partial<Record<string, string>> = {
  parent: 'asset',
  active_well: 'well',
  current_pad: 'pad',
  current_frac_fleet: 'frac_fleet',
};

/** A path that isn't one of the service's. */
export const noRoute = (): Problem =>
  new Problem(404, 'Route Not Found', { body: { status: 'Route Not Found' } });

/** The list of a path, and of its resources those that the sender may see. @throws Problem 404 if there is none */
function listOf({ service: { world }, identity }: Call, plural: string) {
  const list = valueUnder(lists, plural);
  if (!list) throw noRoute();
  const entities = (world.lists[plural] ?? []).filter(({ well }) => !well || seesWell(identity, well));
  return { ...list, type: plural.slice(0, -1), entities };
}

/** `GET /v2/{resources}`. @throws Problem 404 for another list; 422 for an invalid parameter */
export function listResources(call: Call, plural = ''): Answer {
  const list = listOf(call, plural);
  const { params } = call;
  const filters = Object.entries({ ...sharedFilters, ...list.filters });
  const conditions = filters.flatMap(([parameter, filter]) => filter(params, parameter) ?? []);
  const isSelected = predicate({ $and: conditions });
  const areAllShown = params.read('visibility', forms.text) !== undefined;
  const selected = list.entities.filter(
    ({ values, well }) => (areAllShown || well?.visibility !== 'deleted') && isSelected(values),
  );
  return shown(call, list, pageOf(sorted(selected, list.sorts, call), call));
}

/** `GET /v2/{resources}/{id}`. @throws Problem 404 if there is no such resource, or none that the sender may see */
export function singleResource(call: Call, plural = '', id = ''): Answer {
  const list = listOf(call, plural);
  const entity = list.entities.find(({ values }) => String(values.id) === id);
  if (!entity) throw new Problem(404, `there is no ${list.type} ${id}`);
  return shown(call, list, entity);
}

/** A response with resources in the JSON:API form, with the requested fields or with all. */
function shown(
  { service, params }: Call,
  { type, related, hidden = [] }: ReturnType<typeof listOf>,
  resources: Entity | readonly Entity[],
): Answer {
  // `fields[]=well.name`; names of other resources are ignored, and no names means all fields.
  const fields = params.list('fields').filter((field) => field.startsWith(`${type}.`));
  const areAllShown = fields.length === 0 || fields.includes(`${type}.all`);
  const idOf = (id: JsonValue): JsonValue => (service.faults.string_ids ? JSON.stringify(id) : id);
  const links = ['company', ...related];
  const pick = (values: [string, JsonValue][]): JsonObject =>
    Object.fromEntries(values.filter(([name]) => areAllShown || fields.includes(`${type}.${name}`)));
  const show = ({ values: { id, ...values } }: Entity) => {
    const attributes = Object.entries(values).filter(
      ([name]) => !links.includes(name) && !hidden.includes(name),
    );
    const relationships = links.map((name): [string, JsonValue] => {
      const to = values[name] ?? null;
      return [name, { data: to === null ? null : { id: idOf(to), type: types[name] ?? name } }];
    });
    const shownLinks = pick(relationships);
    return {
      id: idOf(id),
      type,
      attributes: pick(attributes),
      relationships: Object.keys(shownLinks).length > 0 ? shownLinks : undefined,
    };
  };
  const data = 'well' in resources ? show(resources) : resources.map(show);
  return { status: 200, body: JSON.stringify({ data }) };
}

/** Sorts by values or, for a relationship, by the name of the related resource. Case doesn't matter. */
function sorted(entities: readonly Entity[], sorts: readonly string[], { params, service }: Call): Entity[] {
  const allowed = [...sorts, 'name', 'company'];
  const isDescending = params.texts('order', ['asc', 'desc']).at(-1) === 'desc';
  const fields = (params.read('sort', forms.text) ?? 'name').split(',').map((field) => {
    const name = field.trim().replace(/^-/, '');
    if (!allowed.includes(name)) throw invalid(`sort must be among ${allowed.join(', ')}`);
    const isReversed = field.trim().startsWith('-') !== isDescending;
    return [name, isReversed ? -1 : 1] as const;
  });
  const valuesOf = fields.map(([name]) => sortValue(name, service.world));
  const keyed = entities.map((entity) => ({ entity, values: valuesOf.map((value) => value(entity)) }));
  keyed.sort(
    (a, b) => compareSortValues(fields, a.values, b.values) || a.entity.values.id - b.entity.values.id,
  );
  return keyed.map(({ entity }) => entity);
}

function sortValue(name: string, { companies, lists: all }: World): (entity: Entity) => JsonValue {
  const related = name === 'company' ? companies : all[`${name}s`]?.map(({ values }) => values);
  const names = new Map(related?.map((resource) => [resource.id, resource.name]));
  return ({ values }) => {
    const value = values[name] ?? null;
    const sortedBy = related && typeof value === 'number' ? (names.get(value) ?? null) : value;
    return typeof sortedBy === 'string' ? sortedBy.toLowerCase() : sortedBy;
  };
}

function pageOf<E>(entities: readonly E[], { params, service: { faults } }: Call): readonly E[] {
  const requestedSize = params.read('per_page', forms.integer) ?? defaultPerPage;
  const page = params.read('page', forms.integer) ?? 1;
  if (requestedSize < 1) throw invalid('per_page must be 1 or more');
  if (page < 1) throw invalid('page must be 1 or more');
  const perPage = Math.min(requestedSize, faults.cap_per_page > 0 ? faults.cap_per_page : maxPageSize);
  const from = faults.ignore_page ? 0 : (page - 1) * perPage;
  return entities.slice(from, from + perPage);
}
