import type { Params } from '../http/params.ts';
import { invalid } from '../problem.ts';
import { type Asset, assetStatuses, assetTypes, visibilities } from './assets.ts';
import type { DrilloutUnit, Entity, FracFleet, Pad, Program, Rig, Well } from './world.ts';

/** Tests an entity against one filter; absent filters are undefined. */
export type Filter<E> = (entity: E) => boolean;
type Filters<E> = readonly (Filter<E> | undefined)[];

/** The filter for a parameter, if the parameter is present. */
function filterIfGiven<T, E>(value: T | undefined, make: (value: T) => Filter<E>): Filter<E> | undefined {
  return value === undefined ? undefined : make(value);
}

function oneOf<T, E>(values: readonly T[], of: (entity: E) => T | null): Filter<E> | undefined {
  if (values.length === 0) return undefined;
  const set = new Set(values);
  return (entity) => {
    const value = of(entity);
    return value !== null && set.has(value);
  };
}

const includes = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
const searchName = <E extends Entity>(params: Params): Filter<E> | undefined =>
  filterIfGiven(params.text('search'), (part) => (entity) => includes(entity.name, part));
const equals = <T, E>(value: T | undefined, of: (entity: E) => T | null): Filter<E> | undefined =>
  filterIfGiven(value, (wanted) => (entity) => of(entity) === wanted);

/** The filters that most lists share (specification, section 2.4). */
export function sharedFilters<E extends Entity>(params: Params): Filters<E> {
  return [
    oneOf<number, E>(params.integers('ids'), (entity) => entity.id),
    oneOf<number, E>(params.integers('company'), (entity) => entity.companyId),
    filterIfGiven(
      params.instant('active_before'),
      (time) =>
        ({ lastActiveAt }) =>
          lastActiveAt !== null && lastActiveAt < time,
    ),
    filterIfGiven(
      params.instant('active_after'),
      (time) =>
        ({ lastActiveAt }) =>
          lastActiveAt !== null && lastActiveAt >= time,
    ),
    boundingBox(params),
  ];
}

const edges = ['lat_start', 'lat_end', 'long_start', 'long_end'] as const;

function boundingBox<E extends Entity>(params: Params): Filter<E> | undefined {
  const givenEdges = edges.map((edge) => params.number(edge));
  const [south, north, west, east] = givenEdges;
  if (givenEdges.every((edge) => edge === undefined)) return undefined;
  if (south === undefined || north === undefined || west === undefined || east === undefined) {
    throw invalid(`a bounding box needs all of ${edges.join(', ')}`);
  }
  const between = (value: number, a: number, b: number): boolean =>
    value >= Math.min(a, b) && value <= Math.max(a, b);
  return ({ lonLat: [lon, lat] }) => between(lat, south, north) && between(lon, west, east);
}

export function wellFilters(params: Params): Filters<Well> {
  return [
    oneOf(params.integers('asset_id'), (well) => well.assetId),
    oneOf(params.integers('program'), (well) => well.programId),
    oneOf(params.integers('pad'), (well) => well.padId),
    oneOf(params.integers('drillout_unit'), (well) => well.unitId),
    oneOf(params.integers('frac_fleet'), (well) => well.fleetId),
    oneOf(params.texts('status'), (well) => well.status),
    oneOf(params.texts('state'), (well) => well.state),
    equals(params.text('identifier'), (well) => well.identifier),
    equals(params.text('area'), (well) => well.area),
    equals(params.text('visibility'), (well) => well.visibility),
    searchName(params),
    filterIfGiven(params.instant('last_active_drilling_before'), (time) => (well) => well.lastDrillingAt !== null && well.lastDrillingAt < time),
    filterIfGiven(params.instant('last_active_drilling_after'), (time) => (well) => well.lastDrillingAt !== null && well.lastDrillingAt >= time),
    filterIfGiven(params.integer('well_start_before'), (seconds) => (well) => well.startAt < seconds * 1000),
    filterIfGiven(params.integer('well_start_after'), (seconds) => (well) => well.startAt > seconds * 1000),
  ]; // oxfmt-ignore
}

const digits = (text: string): string => text.replaceAll('-', '');

export function assetFilters(params: Params): Filters<Asset> {
  const types = params.texts('types');
  const unknown = types.find((type) => !assetTypes.some((assetType) => assetType === type));
  if (unknown !== undefined) throw invalid(`types must be among ${assetTypes.join(', ')}`);
  return [
    oneOf<string, Asset>(types, (asset) => asset.assetType),
    equals<string, Asset>(params.word('status', assetStatuses), (asset) => asset.status),
    equals(params.word('visibility', visibilities), (asset) => asset.visibility),
    oneOf(params.integers('program'), (asset) => asset.programId),
    oneOf(params.integers('parent_asset_id'), (asset) => asset.parentAssetId),
    oneOf(params.integers('company_id'), (asset) => asset.companyId),
    oneOf(params.texts('api_number').flatMap((text) => text.split(',')).map(digits), ({ apiNumber }) => apiNumber && digits(apiNumber)),
    filterIfGiven(params.text('search'), (part) => (asset) => searchAsset(asset, part)),
    filterIfGiven(params.integer('start'), (seconds) => ({ endAt, lastActiveAt }) => (endAt ?? lastActiveAt ?? -Infinity) >= seconds * 1000),
    filterIfGiven(params.integer('end'), (seconds) => ({ startAt }) => startAt === null || startAt <= seconds * 1000),
  ]; // oxfmt-ignore
}

// By asset id, name, API number or the customer's own id of the well.
function searchAsset(asset: Asset, part: string): boolean {
  if (String(asset.id) === part.trim() || includes(asset.name, part)) return true;
  const number = digits(part.trim());
  const { apiNumber, customerWellId } = asset;
  return (
    (apiNumber !== null && /^\d+$/.test(number) && digits(apiNumber).includes(number)) ||
    (customerWellId !== null && includes(customerWellId, part))
  );
}

export function programFilters(params: Params): Filters<Program> {
  return [equals(params.text('name'), (program) => program.name)];
}

export function padFilters(params: Params): Filters<Pad> {
  const wellIds = params.integers('well_ids');
  return [
    oneOf(params.integers('program'), (pad) => pad.programId),
    filterIfGiven(params.integer('frac_fleet'), (id) => (pad) => pad.fleetIds.includes(id)),
    equals(params.integer('current_frac_fleet'), (pad) => pad.currentFleetId),
    equals(params.integer('drillout_unit'), (pad) => pad.unitId),
    wellIds.length === 0 ? undefined : (pad) => pad.wellIds.some((id) => wellIds.includes(id)),
    searchName(params),
    equals(params.flag('active'), (pad) => pad.active),
    equals(params.flag('current'), (pad) => pad.currentFleetId !== null),
  ];
}

const appKey = <E extends { appKeys: readonly string[] }>(params: Params): Filter<E> | undefined =>
  filterIfGiven(
    params.text('app_key'),
    (key) =>
      ({ appKeys }) =>
        appKeys.includes(key),
  );

export function rigFilters(params: Params): Filters<Rig> {
  return [
    oneOf(params.integers('program'), (rig) => rig.programId),
    equals(params.integer('active_well'), (rig) => rig.activeWellId),
    equals(params.flag('has_active_well'), (rig) => rig.activeWellId !== null),
    equals(params.flag('active'), (rig) => rig.activeWellId !== null),
    searchName(params),
    appKey(params),
  ];
}

export function drilloutUnitFilters(params: Params): Filters<DrilloutUnit> {
  return [
    oneOf(params.integers('program'), (unit) => unit.programId),
    oneOf(params.integers('pad'), (unit) => unit.padId),
    oneOf(params.integers('well'), (unit) => unit.wellId),
    equals(params.flag('active'), (unit) => unit.wellId !== null),
    searchName(params),
    appKey(params),
  ];
}

export function fracFleetFilters(params: Params): Filters<FracFleet> {
  return [
    filterIfGiven(params.integer('program'), (id) => (fleet) => fleet.programIds.includes(id)),
    filterIfGiven(params.integer('pad'), (id) => (fleet) => fleet.padIds.includes(id)),
    equals(params.integer('current_pad'), (fleet) => fleet.currentPadId),
    equals(params.flag('active'), (fleet) => fleet.currentPadId !== null),
    searchName(params),
    appKey(params),
  ];
}
