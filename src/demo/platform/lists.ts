import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { seesWell } from '../auth.ts';
import type { Params } from '../http/requests.ts';
import { compareSortValues } from '../mongo/pipeline.ts';
import { type Answer, type Call, Problem, invalid } from '../service.ts';
import type { Entity, World } from './world.ts';

const defaultPerPage = 100;
const maxPageSize = 10_000;

/** The test of a parameter; undefined if the parameter is absent. */
type Filter = (params: Params) => ((entity: Entity) => boolean) | undefined;

/** A list of the platform service (specification, sections 2.4 and 4.2). */
interface List {
  /** The `type` of the resource and the prefix of its sparse fields, for example `well`. */
  readonly type: string;
  /** The values by which the list can be sorted, other than its name and its company. */
  readonly sorts: readonly string[];
  readonly filters: readonly Filter[];
}

/** A value of a resource: of a relationship its id. */
const valueOf = ({ hidden, related, attributes }: Entity, name: string): JsonValue =>
  hidden[name] ?? related[name] ?? attributes[name] ?? null;

/** Selects by what a parameter asks for. */
const filter =
  <T>(read: (params: Params) => T | undefined, accepts: (entity: Entity, wanted: T) => boolean): Filter =>
  (params) => {
    const wanted = read(params);
    return wanted === undefined ? undefined : (entity) => accepts(entity, wanted);
  };

const setOf = <T>(values: readonly T[]): ReadonlySet<T> | undefined =>
  values.length > 0 ? new Set(values) : undefined;

/** Selects what has a requested value, or of several values one. */
const among = (read: (params: Params) => readonly JsonValue[], name: string): Filter =>
  filter(
    (params) => setOf(read(params)),
    (entity, wanted) => [valueOf(entity, name)].flat().some((value) => wanted.has(value)),
  );

const ids = (...names: readonly string[]): Filter[] =>
  names.map((name) => among((params) => params.integers(name), name));
const texts = (...names: readonly string[]): Filter[] =>
  names.map((name) => among((params) => params.texts(name), name));
const words = (parameter: string, allowed: readonly string[], name = parameter): Filter =>
  among((params) => params.words(parameter, allowed), name);

const flag = (parameter: string, name = parameter): Filter =>
  filter(
    (params) => params.flag(parameter),
    (entity, wanted) => valueOf(entity, name) === wanted,
  );

const isBefore = (value: number, end: number): boolean => value < end;
const isFrom = (value: number, start: number): boolean => value >= start;
function timeOf(entity: Entity, name: string): number {
  const time = valueOf(entity, name);
  return typeof time === 'string' ? Date.parse(time) : NaN;
}
/** A time in ISO 8601, before a limit or not. */
const instant = (parameter: string, name: string, accepts: typeof isBefore): Filter =>
  filter(
    (params) => params.instant(parameter),
    (entity, limit) => accepts(timeOf(entity, name), limit),
  );
const wellStart = (parameter: string, accepts: typeof isBefore): Filter =>
  filter(
    (params) => params.integer(parameter),
    (entity, limit) => accepts(Number(valueOf(entity, 'well_start')), limit),
  );

const includes = (whole: string, part: string): boolean => whole.toLowerCase().includes(part.toLowerCase());
const digits = (text: string): string => text.replaceAll('-', '');

const searched = (params: Params): string | undefined => params.text('search');
const byName = filter(searched, ({ attributes: { name } }, part) => includes(name, part));

/** By asset id, name, API number or the customer's own id of the well. */
const byAsset = filter(searched, ({ id, attributes: { name }, well }, part) => {
  if (String(id) === part.trim() || includes(name, part)) return true;
  const number = digits(part.trim());
  if (!well) return false;
  return (/^\d+$/.test(number) && digits(well.apiNumber).includes(number)) || includes(well.identifier, part);
});

const appKey = among((params) => params.texts('app_key'), 'app_keys');

const edges = ['lat_start', 'lat_end', 'long_start', 'long_end'] as const;
const isBetween = (value: number, a: number, b: number): boolean =>
  value >= Math.min(a, b) && value <= Math.max(a, b);

const boundingBox: Filter = (params) => {
  const [south, north, west, east] = edges.map((edge) => params.number(edge));
  if ([south, north, west, east].every((edge) => edge === undefined)) return undefined;
  if (south === undefined || north === undefined || west === undefined || east === undefined)
    throw invalid(`a bounding box needs all of ${edges.join(', ')}`);
  return ({
    attributes: {
      lon_lat: [lon = NaN, lat = NaN],
    },
  }) => isBetween(lat, south, north) && isBetween(lon, west, east);
};

const sharedFilters: readonly Filter[] = [
  filter(
    (params) => setOf(params.integers('ids')),
    ({ id }, wanted) => wanted.has(id),
  ),
  ...ids('company'),
  instant('active_before', 'last_active_at', isBefore),
  instant('active_after', 'last_active_at', isFrom),
  boundingBox,
];

/** The lists by their names in the path. */
const lists: Readonly<Record<string, List>> = {
  wells: {
    type: 'well',
    sorts: ['rig', 'program', 'status', 'visibility', 'identifier', 'last_active_at'],
    filters: [
      ...ids('asset_id', 'program', 'pad', 'drillout_unit', 'frac_fleet'),
      ...texts('status', 'state', 'identifier', 'area', 'visibility'),
      byName,
      instant('last_active_drilling_before', 'last_drilling_at', isBefore),
      instant('last_active_drilling_after', 'last_drilling_at', isFrom),
      wellStart('well_start_before', isBefore),
      wellStart('well_start_after', (start, limit) => start > limit),
    ],
  },
  assets: {
    type: 'asset',
    sorts: ['last_active_at', 'status', 'rig', 'program', 'well', 'well_end'],
    filters: [
      words('types', ['program', 'rig', 'well'], 'asset_type'),
      words('status', ['active', 'idle', 'paused', 'complete', 'deleting']),
      words('visibility', ['visible', 'visible_to_admin', 'deleted']),
      ...ids('program', 'parent_asset_id', 'company_id'),
      filter(
        (params) => setOf(params.texts('api_number').flatMap((list) => digits(list).split(','))),
        ({ well }, wanted) => well !== null && wanted.has(digits(well.apiNumber)),
      ),
      byAsset,
      filter(
        (params) => params.integer('start'),
        (entity, start) => (timeOf(entity, 'well_end') || timeOf(entity, 'last_active_at')) >= start * 1000,
      ),
      filter(
        (params) => params.integer('end'),
        ({ well }, end) => (well?.startAt ?? -Infinity) <= end * 1000,
      ),
    ],
  },
  programs: { type: 'program', sorts: [], filters: texts('name') },
  pads: {
    type: 'pad',
    sorts: ['last_active_at', 'program', 'drillout_unit'],
    filters: [
      ...ids('program', 'frac_fleet', 'current_frac_fleet', 'drillout_unit', 'well_ids'),
      byName,
      flag('active'),
      flag('current'),
    ],
  },
  rigs: {
    type: 'rig',
    sorts: ['last_active_at', 'program'],
    filters: [
      ...ids('program', 'active_well'),
      flag('has_active_well', 'active'),
      flag('active'),
      byName,
      appKey,
    ],
  },
  drillout_units: {
    type: 'drillout_unit',
    sorts: ['last_active_at', 'program', 'pad', 'well'],
    filters: [...ids('program', 'pad', 'well'), flag('active'), byName, appKey],
  },
  frac_fleets: {
    type: 'frac_fleet',
    sorts: ['last_active_at'],
    filters: [...ids('program', 'pad', 'current_pad'), flag('active'), byName, appKey],
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
  const list = Object.hasOwn(lists, plural) ? lists[plural] : undefined;
  if (!list) throw noRoute();
  const entities = (world.lists[plural] ?? []).filter(({ well }) => !well || seesWell(identity, well));
  return { ...list, entities };
}

/** `GET /v2/{resources}`. @throws Problem 404 for another list; 422 for an invalid parameter */
export function listResources(call: Call, plural = ''): Answer {
  const { type, sorts, filters, entities } = listOf(call, plural);
  const { params } = call;
  const tests = [...sharedFilters, ...filters].flatMap((filter) => filter(params) ?? []);
  if (params.text('visibility') === undefined) tests.push(({ well }) => well?.visibility !== 'deleted');
  const selected = entities.filter((entity) => tests.every((test) => test(entity)));
  return shown(call, type, pageOf(sorted(selected, sorts, call), call));
}

/** `GET /v2/{resources}/{id}`. @throws Problem 404 if there is no such resource, or none that the sender may see */
export function singleResource(call: Call, plural = '', id = ''): Answer {
  const { type, entities } = listOf(call, plural);
  const entity = entities.find((candidate) => String(candidate.id) === id);
  if (!entity) throw new Problem(404, `there is no ${type} ${id}`);
  return shown(call, type, entity);
}

/** A response with resources in the JSON:API form, with the requested fields or with all. */
function shown(call: Call, type: string, resources: Entity | readonly Entity[]): Answer {
  const { service, params } = call;
  const fields = sparseFields(type, params);
  const idOf = (id: number): JsonValue => (service.faults.string_ids ? String(id) : id);
  const pick = (from: JsonObject): JsonObject =>
    fields ? Object.fromEntries(Object.entries(from).filter(([name]) => fields.has(name))) : from;
  const show = ({ id, attributes, related }: Entity): JsonObject => {
    const links = Object.entries(related).map(([name, to]): [string, JsonValue] => [
      name,
      { data: to === null ? null : { id: idOf(to), type: types[name] ?? name } },
    ]);
    const relationships = pick(Object.fromEntries(links));
    return {
      id: idOf(id),
      type,
      attributes: pick(attributes),
      ...(Object.keys(relationships).length > 0 ? { relationships } : {}),
    };
  };
  const data = 'id' in resources ? show(resources) : resources.map(show);
  return { status: 200, body: JSON.stringify({ data }) };
}

// `fields[]=well.name`; names of other resources are ignored, and no names means all fields.
function sparseFields(type: string, params: Params): ReadonlySet<string> | null {
  const fields = params
    .texts('fields')
    .flatMap((list) => list.split(','))
    .map((field) => field.trim())
    .filter((field) => field.startsWith(`${type}.`))
    .map((field) => field.slice(type.length + 1));
  return fields.length === 0 || fields.includes('all') ? null : new Set(fields);
}

/** Sorts by values or, for a relationship, by the name of the related resource. Case doesn't matter. */
function sorted(entities: readonly Entity[], sorts: readonly string[], { params, service }: Call): Entity[] {
  const allowed = [...sorts, 'name', 'company'];
  const isDescending = params.words('order', ['asc', 'desc']).at(-1) === 'desc';
  const fields = (params.text('sort') ?? 'name').split(',').map((field) => {
    const name = field.trim().replace(/^-/, '');
    if (!allowed.includes(name)) throw invalid(`sort must be among ${allowed.join(', ')}`);
    const isReversed = field.trim().startsWith('-') !== isDescending;
    return [name, isReversed ? -1 : 1] as const;
  });
  const valuesOf = fields.map(([name]) => sortValue(name, service.world));
  const keyed = entities.map((entity) => ({ entity, values: valuesOf.map((value) => value(entity)) }));
  keyed.sort((a, b) => compareSortValues(fields, a.values, b.values) || a.entity.id - b.entity.id);
  return keyed.map(({ entity }) => entity);
}

function sortValue(name: string, { companies, lists: all }: World): (entity: Entity) => JsonValue {
  const listed = all[`${name}s`]?.map(({ id, attributes }) => ({ id, name: attributes.name }));
  const related = name === 'company' ? companies : listed;
  const names = new Map(related?.map((resource) => [resource.id, resource.name]));
  return (entity) => {
    const value = valueOf(entity, name);
    const sortedBy = related && typeof value === 'number' ? (names.get(value) ?? null) : value;
    return typeof sortedBy === 'string' ? sortedBy.toLowerCase() : sortedBy;
  };
}

function pageOf<E>(entities: readonly E[], { params, service: { faults } }: Call): readonly E[] {
  const requestedSize = params.integer('per_page') ?? defaultPerPage;
  const page = params.integer('page') ?? 1;
  if (requestedSize < 1) throw invalid('per_page must be 1 or more');
  if (page < 1) throw invalid('page must be 1 or more');
  const perPage = Math.min(requestedSize, faults.cap_per_page > 0 ? faults.cap_per_page : maxPageSize);
  const from = faults.ignore_page ? 0 : (page - 1) * perPage;
  return entities.slice(from, from + perPage);
}
