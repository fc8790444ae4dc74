import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { type Identity, seesWell } from '../auth.ts';
import type { Params } from '../http/requests.ts';
import { compareValues } from '../mongo/values.ts';
import { type Answer, type Call, Problem, invalid } from '../service.ts';
import type { DrilloutUnit, Entity, FracFleet, Pad, Program, Rig, Visibility, Well, World } from './world.ts';

const defaultPerPage = 100;
const maxPageSize = 10_000;
const assetTypes = ['program', 'rig', 'well'] as const;
const assetStatuses = ['active', 'idle', 'paused', 'complete', 'deleting'] as const;
const visibilities = ['visible', 'visible_to_admin', 'deleted'] as const;

/** A list of the platform service (specification, sections 2.4 and 4.2). */
interface Resource<E extends Entity> {
  /** The `type` of the resource and the prefix of its sparse fields, for example `well`. */
  readonly type: string;
  readonly all: (world: World) => readonly E[];
  /** The well of an entity, which decides who sees it; absent: both companies see all, as of a joint venture. */
  readonly wellOf?: (entity: E) => Well | null;
  readonly attributes: (entity: E) => JsonObject;
  /** Ids of related resources by the name of the relationship, which is the type too unless it is in {@link types}. */
  readonly related: (entity: E) => Readonly<Record<string, number | null>>;
  /** The fields by which the list can be sorted, other than its name and its company. */
  readonly sorts: Readonly<Record<string, (entity: E, world: World) => string | number | null>>;
  readonly filters: readonly FilterOf<E>[];
}

/** The types of relationships that have another name. */
const types: Partial<Record<string, string>> = {
  parent: 'asset',
  active_well: 'well',
  current_pad: 'pad',
  current_frac_fleet: 'frac_fleet',
};

/** The test of a parameter; undefined if the parameter is absent. */
type FilterOf<E> = (params: Params) => ((entity: E) => boolean) | undefined;

function filter<E, T>(
  read: (params: Params) => T | undefined,
  test: (entity: E, value: T) => boolean,
): FilterOf<E> {
  return (params) => {
    const value = read(params);
    return value === undefined ? undefined : (entity) => test(entity, value);
  };
}

type Get<E, T> = (entity: E) => T | null;

function oneOf<E, T>(read: (params: Params) => readonly T[], get: Get<E, T>): FilterOf<E> {
  const wanted = (params: Params): ReadonlySet<T> | undefined => {
    const values = read(params);
    return values.length === 0 ? undefined : new Set(values);
  };
  return filter(wanted, (entity, set) => {
    const value = get(entity);
    return value !== null && set.has(value);
  });
}

const ids = <E>(name: string, get: Get<E, number>): FilterOf<E> =>
  oneOf((params) => params.integers(name), get);
const texts = <E>(name: string, get: Get<E, string>): FilterOf<E> =>
  oneOf((params) => params.texts(name), get);
const id = <E>(name: string, get: Get<E, number>): FilterOf<E> =>
  filter((params) => params.integer(name), (entity, value) => get(entity) === value); // oxfmt-ignore
const idAmong = <E>(name: string, get: (entity: E) => readonly number[]): FilterOf<E> =>
  filter((params) => params.integer(name), (entity, value) => get(entity).includes(value)); // oxfmt-ignore
const text = <E>(name: string, get: Get<E, string>): FilterOf<E> =>
  filter((params) => params.text(name), (entity, value) => get(entity) === value); // oxfmt-ignore
const flag = <E>(name: string, get: (entity: E) => boolean): FilterOf<E> =>
  filter((params) => params.flag(name), (entity, value) => get(entity) === value); // oxfmt-ignore
const instant = <E>(name: string, get: Get<E, number>, accepts: (time: number, limit: number) => boolean): FilterOf<E> =>
  filter((params) => params.instant(name), (entity, limit) => accepts(get(entity) ?? NaN, limit)); // oxfmt-ignore
const seconds = <E>(name: string, test: (entity: E, ms: number) => boolean): FilterOf<E> =>
  filter((params) => params.integer(name), (entity, value) => test(entity, value * 1000)); // oxfmt-ignore

const isBefore = (time: number, limit: number): boolean => time < limit;
const isFrom = (time: number, limit: number): boolean => time >= limit;
const includes = (whole: string, part: string): boolean => whole.toLowerCase().includes(part.toLowerCase());
const search: FilterOf<Entity> = filter((params) => params.text('search'), ({ name }, part) => includes(name, part)); // oxfmt-ignore
const appKey: FilterOf<{ readonly appKeys: readonly string[] }> = filter(
  (params) => params.text('app_key'),
  ({ appKeys }, key) => appKeys.includes(key),
);

const edges = ['lat_start', 'lat_end', 'long_start', 'long_end'] as const;
const isBetween = (value: number, a: number, b: number): boolean =>
  value >= Math.min(a, b) && value <= Math.max(a, b);

const boundingBox: FilterOf<Entity> = (params) => {
  const [south, north, west, east] = edges.map((edge) => params.number(edge));
  if ([south, north, west, east].every((edge) => edge === undefined)) return undefined;
  if (south === undefined || north === undefined || west === undefined || east === undefined)
    throw invalid(`a bounding box needs all of ${edges.join(', ')}`);
  return ({ lonLat: [lon, lat] }) => isBetween(lat, south, north) && isBetween(lon, west, east);
};

const sharedFilters: readonly FilterOf<Entity>[] = [
  ids('ids', (entity) => entity.id),
  ids('company', (entity) => entity.companyId),
  instant('active_before', (entity) => entity.lastActiveAt, isBefore),
  instant('active_after', (entity) => entity.lastActiveAt, isFrom),
  boundingBox,
];

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const nameIn = (entities: readonly { readonly id: number; readonly name: string }[], wanted: number | null) =>
  entities.find((entity) => entity.id === wanted)?.name ?? null;
const programName = ({ programId }: { readonly programId: number }, world: World): string | null =>
  nameIn(world.programs, programId);

const lastActive = ({ lastActiveAt }: Entity): number | null => lastActiveAt;

/** The name of a company. */
export const companyName = (world: World, company: number): string => nameIn(world.companies, company) ?? '';

const wells: Resource<Well> = {
  type: 'well',
  all: (world) => world.wells,
  wellOf: (well) => well,
  attributes: (well) => ({
    asset_id: well.assetId,
    identifier: well.identifier,
    status: well.status,
    state: well.state,
    visibility: well.visibility,
    area: well.area,
    country: well.country,
    settings: { basin: well.basin, county: well.county, api_number: well.apiNumber, timezone: well.timezone },
    well_start: Math.floor(well.startAt / 1000),
    well_end: well.endAt === null ? null : Math.floor(well.endAt / 1000),
    last_drilling_at: iso(well.lastDrillingAt),
    created_at: iso(well.createdAt),
  }),
  related: (well) => ({
    company: well.companyId,
    program: well.programId,
    pad: well.padId,
    rig: well.rigId,
    frac_fleet: well.fleetId,
    drillout_unit: well.unitId,
    asset: well.assetId,
  }),
  sorts: {
    rig: (well, world) => nameIn(world.rigs, well.rigId),
    program: programName,
    status: (well) => well.status,
    visibility: (well) => well.visibility,
    identifier: (well) => well.identifier,
    last_active_at: lastActive,
  },
  filters: [
    ids('asset_id', (well) => well.assetId),
    ids('program', (well) => well.programId),
    ids('pad', (well) => well.padId),
    ids('drillout_unit', (well) => well.unitId),
    ids('frac_fleet', (well) => well.fleetId),
    texts('status', (well) => well.status),
    texts('state', (well) => well.state),
    text('identifier', (well) => well.identifier),
    text('area', (well) => well.area),
    text('visibility', (well) => well.visibility),
    search,
    instant('last_active_drilling_before', (well) => well.lastDrillingAt, isBefore),
    instant('last_active_drilling_after', (well) => well.lastDrillingAt, isFrom),
    seconds('well_start_before', (well, ms) => well.startAt < ms),
    seconds('well_start_after', (well, ms) => well.startAt > ms),
  ],
};

const programs: Resource<Program> = {
  type: 'program',
  all: (world) => world.programs,
  attributes: ({ assetId }) => ({ asset_id: assetId }),
  related: ({ companyId }) => ({ company: companyId }),
  sorts: {},
  filters: [text('name', ({ name }) => name)],
};

const pads: Resource<Pad> = {
  type: 'pad',
  all: (world) => world.pads,
  attributes: (pad) => ({ well_ids: [...pad.wellIds], active: pad.active }),
  related: (pad) => ({
    company: pad.companyId,
    program: pad.programId,
    current_frac_fleet: pad.currentFleetId,
    drillout_unit: pad.unitId,
  }),
  sorts: {
    last_active_at: lastActive,
    program: programName,
    drillout_unit: (pad, world) => nameIn(world.units, pad.unitId),
  },
  filters: [
    ids('program', (pad) => pad.programId),
    idAmong('frac_fleet', (pad) => pad.fleetIds),
    id('current_frac_fleet', (pad) => pad.currentFleetId),
    id('drillout_unit', (pad) => pad.unitId),
    (params) => {
      const wanted = params.integers('well_ids');
      return wanted.length === 0 ? undefined : (pad) => pad.wellIds.some((well) => wanted.includes(well));
    },
    search,
    flag('active', (pad) => pad.active),
    flag('current', (pad) => pad.currentFleetId !== null),
  ],
};

const rigs: Resource<Rig> = {
  type: 'rig',
  all: (world) => world.rigs,
  attributes: (rig) => ({ asset_id: rig.assetId, app_keys: [...rig.appKeys] }),
  related: (rig) => ({ company: rig.companyId, program: rig.programId, active_well: rig.activeWellId }),
  sorts: { last_active_at: lastActive, program: programName },
  filters: [
    ids('program', (rig) => rig.programId),
    id('active_well', (rig) => rig.activeWellId),
    flag('has_active_well', (rig) => rig.activeWellId !== null),
    flag('active', (rig) => rig.activeWellId !== null),
    search,
    appKey,
  ],
};

const drilloutUnits: Resource<DrilloutUnit> = {
  type: 'drillout_unit',
  all: (world) => world.units,
  attributes: (unit) => ({ app_keys: [...unit.appKeys] }),
  related: (unit) => ({
    company: unit.companyId,
    program: unit.programId,
    pad: unit.padId,
    well: unit.wellId,
  }),
  sorts: {
    last_active_at: lastActive,
    program: programName,
    pad: (unit, world) => nameIn(world.pads, unit.padId),
    well: (unit, world) => nameIn(world.wells, unit.wellId),
  },
  filters: [
    ids('program', (unit) => unit.programId),
    ids('pad', (unit) => unit.padId),
    ids('well', (unit) => unit.wellId),
    flag('active', (unit) => unit.wellId !== null),
    search,
    appKey,
  ],
};

const fracFleets: Resource<FracFleet> = {
  type: 'frac_fleet',
  all: (world) => world.fleets,
  attributes: (fleet) => ({ app_keys: [...fleet.appKeys] }),
  related: (fleet) => ({ company: fleet.companyId, current_pad: fleet.currentPadId }),
  sorts: { last_active_at: lastActive },
  filters: [
    idAmong('program', (fleet) => fleet.programIds),
    idAmong('pad', (fleet) => fleet.padIds),
    id('current_pad', (fleet) => fleet.currentPadId),
    flag('active', (fleet) => fleet.currentPadId !== null),
    search,
    appKey,
  ],
};

/** A well, rig or program under its asset id, the one that scopes dataset records. */
interface Asset extends Entity {
  readonly assetType: (typeof assetTypes)[number];
  readonly status: string;
  readonly visibility: Visibility;
  readonly parentAssetId: number | null;
  readonly programId: number;
  readonly programName: string;
  readonly rigName: string | null;
  readonly well: Well | null;
}

const assetLists = new WeakMap<World, readonly Asset[]>();

/** All assets of the world: programs, their rigs, and the rigs' wells. */
function allAssets(world: World): readonly Asset[] {
  const list = assetLists.get(world) ?? makeAssets(world);
  assetLists.set(world, list);
  return list;
}

function makeAssets({ programs: all, rigs: allRigs, wells: allWells }: World): Asset[] {
  const programById = new Map(all.map((program) => [program.id, program]));
  const rigById = new Map(allRigs.map((rig) => [rig.id, rig]));
  const plain = {
    status: 'active',
    visibility: 'visible',
    parentAssetId: null,
    rigName: null,
    well: null,
  } as const;
  const inProgram = (programId: number) => ({
    programId,
    programName: programById.get(programId)?.name ?? '',
  });
  return [
    ...all.map((program): Asset => ({
      ...program,
      ...plain,
      id: program.assetId,
      assetType: 'program',
      ...inProgram(program.id),
    })),
    ...allRigs.map((rig): Asset => ({
      ...rig,
      ...plain,
      id: rig.assetId,
      assetType: 'rig',
      status: rig.activeWellId === null ? 'idle' : 'active',
      parentAssetId: programById.get(rig.programId)?.assetId ?? null,
      ...inProgram(rig.programId),
      rigName: rig.name,
    })),
    ...allWells.map((well): Asset => {
      const rig = well.rigId === null ? undefined : rigById.get(well.rigId);
      const parentAssetId = (rig ?? programById.get(well.programId))?.assetId ?? null;
      const rigName = rig?.name ?? null;
      return {
        ...well,
        id: well.assetId,
        assetType: 'well',
        parentAssetId,
        ...inProgram(well.programId),
        rigName,
        well,
      };
    }),
  ];
}

const digits = (number: string): string => number.replaceAll('-', '');

const assets: Resource<Asset> = {
  type: 'asset',
  all: allAssets,
  wellOf: (asset) => asset.well,
  attributes: ({ well, ...asset }) => ({
    asset_type: asset.assetType,
    status: asset.status,
    visibility: asset.visibility,
    parent_asset_id: asset.parentAssetId,
    api_number: well?.apiNumber ?? null,
    customer_well_id: well?.identifier ?? null,
    well_start: iso(well?.startAt ?? null),
    well_end: iso(well?.endAt ?? null),
  }),
  related: (asset) => ({ company: asset.companyId, parent: asset.parentAssetId, program: asset.programId }),
  sorts: {
    last_active_at: lastActive,
    status: (asset) => asset.status,
    rig: (asset) => asset.rigName,
    program: (asset) => asset.programName,
    well: (asset) => asset.well && asset.name,
    well_end: (asset) => asset.well && asset.well.endAt,
  },
  filters: [
    (params) => {
      const wanted = params.texts('types');
      if (wanted.some((type) => !assetTypes.some((assetType) => assetType === type)))
        throw invalid(`types must be among ${assetTypes.join(', ')}`);
      return wanted.length === 0 ? undefined : ({ assetType }) => wanted.includes(assetType);
    },
    filter((params) => params.word('status', assetStatuses), ({ status }, value) => status === value),
    filter((params) => params.word('visibility', visibilities), ({ visibility }, value) => visibility === value),
    ids('program', (asset) => asset.programId),
    ids('parent_asset_id', (asset) => asset.parentAssetId),
    ids('company_id', (asset) => asset.companyId),
    oneOf((params) => params.texts('api_number').flatMap((list) => list.split(',')).map(digits), ({ well }) => well && digits(well.apiNumber)),
    filter((params) => params.text('search'), isFoundBy),
    seconds('start', ({ well, lastActiveAt }, ms) => (well?.endAt ?? lastActiveAt ?? -Infinity) >= ms),
    seconds('end', ({ well }, ms) => !well || well.startAt <= ms),
  ], // oxfmt-ignore
};

/** By asset id, name, API number or the customer's own id of the well. */
function isFoundBy({ id: assetId, name, well }: Asset, part: string): boolean {
  if (String(assetId) === part.trim() || includes(name, part)) return true;
  const number = digits(part.trim());
  if (!well) return false;
  return (/^\d+$/.test(number) && digits(well.apiNumber).includes(number)) || includes(well.identifier, part);
}

interface Endpoint {
  readonly list: (call: Call) => Answer;
  readonly single: (call: Call, id: number) => Answer;
}

function endpoint<E extends Entity & { readonly visibility?: Visibility }>(resource: Resource<E>): Endpoint {
  const { type, all, wellOf, filters } = resource;
  const isVisible = (entity: E, identity: Identity): boolean => {
    if (entity.visibility === 'visible_to_admin' && identity.level !== 'admin') return false;
    const well = wellOf?.(entity);
    return !well || seesWell(identity, well);
  };
  const answer = (data: JsonValue): Answer => ({ status: 200, body: JSON.stringify({ data }) });
  const show = ({ service: { faults }, params }: Call): ((entity: E) => JsonObject) => {
    const fields = sparseFields(type, params);
    return (entity) => present(resource, entity, fields, faults.string_ids);
  };
  return {
    list(call) {
      const { service, identity, params } = call;
      const tests = [...sharedFilters, ...filters].flatMap((make) => make(params) ?? []);
      const isDeletedShown = params.text('visibility') !== undefined;
      const entities = all(service.world)
        .filter(
          (entity) => isVisible(entity, identity) && (isDeletedShown || entity.visibility !== 'deleted'),
        )
        .filter((entity) => tests.every((test) => test(entity)));
      return answer(pageOf(sorted(entities, resource, call), call).map(show(call)));
    },
    single(call, wanted) {
      const entity = all(call.service.world).find((candidate) => candidate.id === wanted);
      if (!entity || !isVisible(entity, call.identity))
        throw new Problem(404, `there is no ${type} ${String(wanted)}`);
      return answer(show(call)(entity));
    },
  };
}

/** The lists of the platform service by the name in their path. */
export const resources: Readonly<Record<string, Endpoint>> = {
  wells: endpoint(wells),
  assets: endpoint(assets),
  programs: endpoint(programs),
  pads: endpoint(pads),
  rigs: endpoint(rigs),
  drillout_units: endpoint(drilloutUnits),
  frac_fleets: endpoint(fracFleets),
};

/** The JSON:API form of an entity; `fields` are the requested names, or null for all. */
function present<E extends Entity>(
  { type, attributes, related }: Resource<E>,
  entity: E,
  fields: ReadonlySet<string> | null,
  isIdText: boolean,
): JsonObject {
  const idOf = (value: number): JsonValue => (isIdText ? String(value) : value);
  const pick = (from: JsonObject): JsonObject =>
    fields ? Object.fromEntries(Object.entries(from).filter(([name]) => fields.has(name))) : from;
  const links = Object.entries(related(entity)).map(([name, to]): [string, JsonValue] => [
    name,
    { data: to === null ? null : { id: idOf(to), type: types[name] ?? name } },
  ]);
  const relationships = pick(Object.fromEntries(links));
  return {
    id: idOf(entity.id),
    type,
    attributes: pick({
      name: entity.name,
      company_id: entity.companyId,
      lon_lat: [...entity.lonLat],
      last_active_at: iso(entity.lastActiveAt),
      ...attributes(entity),
    }),
    ...(Object.keys(relationships).length > 0 ? { relationships } : {}),
  };
}

function sorted<E extends Entity>(entities: readonly E[], resource: Resource<E>, call: Call): readonly E[] {
  const { params, service: { world } } = call; // oxfmt-ignore
  const sorts: Resource<E>['sorts'] = {
    ...resource.sorts,
    name: ({ name }) => name,
    company: ({ companyId }) => companyName(world, companyId),
  };
  const descending = params.word('order', ['asc', 'desc']) === 'desc';
  const fields = (params.text('sort') ?? 'name').split(',').map((field) => {
    const name = field.trim().replace(/^-/, '');
    const get = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
    if (!get) throw invalid(`sort must be among ${Object.keys(sorts).join(', ')}`);
    return { get, sign: field.trim().startsWith('-') !== descending ? -1 : 1 };
  });
  // Names are sorted without regard to case.
  const keyed = entities.map((entity) => ({
    entity,
    values: fields.map(({ get }) => {
      const value = get(entity, world);
      return typeof value === 'string' ? value.toLowerCase() : value;
    }),
  }));
  keyed.sort((a, b) => {
    for (const [at, { sign }] of fields.entries()) {
      const order = compareValues(a.values[at], b.values[at]) * sign;
      if (order !== 0) return order;
    }
    return a.entity.id - b.entity.id;
  });
  return keyed.map(({ entity }) => entity);
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
