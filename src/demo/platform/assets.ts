import { type ResourceKind, commonAttributes, companyName, isoTime } from './resource.ts';
import type { Entity, Rig, Visibility, Well, World } from './world.ts';

export const assetTypes = ['program', 'rig', 'well'] as const;
export const assetStatuses = ['active', 'idle', 'paused', 'complete', 'deleting'] as const;
export const visibilities = ['visible', 'visible_to_admin', 'deleted'] as const;

/** A well, rig or program under its asset id, the one that scopes dataset records. */
export interface Asset extends Entity {
  readonly assetType: (typeof assetTypes)[number];
  readonly status: string;
  readonly visibility: Visibility;
  readonly parentAssetId: number | null;
  readonly programId: number;
  readonly programName: string;
  readonly rigName: string | null;
  readonly apiNumber: string | null;
  readonly customerWellId: string | null;
  readonly startAt: number | null;
  readonly endAt: number | null;
  /** Set for wells. */
  readonly well: Well | null;
}

const lists = new WeakMap<World, readonly Asset[]>();

/** All assets of the world: programs, their rigs, and the rigs' wells. */
function allAssets(world: World): readonly Asset[] {
  const list = lists.get(world);
  if (list) return list;
  const programs = new Map(world.programs.map((program) => [program.id, program]));
  const rigs = new Map(world.rigs.map((rig) => [rig.id, rig]));
  const nameOf = (programId: number): string => programs.get(programId)?.name ?? '';
  const made: Asset[] = [
    ...world.programs.map((program) => ({ ...plain(program), id: program.assetId, assetType: 'program' as const, parentAssetId: null, programId: program.id, programName: program.name, rigName: null })),
    ...world.rigs.map((rig) => rigAsset(rig, programs.get(rig.programId)?.assetId ?? null, nameOf(rig.programId))),
    ...world.wells.map((well) => {
      const rig = well.rigId === null ? undefined : rigs.get(well.rigId);
      const parent = rig?.assetId ?? programs.get(well.programId)?.assetId ?? null;
      return wellAsset(well, parent, nameOf(well.programId), rig?.name ?? null);
    }),
  ]; // oxfmt-ignore
  lists.set(world, made);
  return made;
}

function plain(
  entity: Entity,
): Entity &
  Pick<Asset, 'status' | 'visibility' | 'apiNumber' | 'customerWellId' | 'startAt' | 'endAt' | 'well'> {
  const nothing = { apiNumber: null, customerWellId: null, startAt: null, endAt: null, well: null };
  return { ...entity, ...nothing, status: 'active', visibility: 'visible' };
}

function rigAsset(rig: Rig, parentAssetId: number | null, programName: string): Asset {
  const status = rig.activeWellId === null ? 'idle' : 'active';
  return {
    ...plain(rig),
    id: rig.assetId,
    assetType: 'rig',
    status,
    parentAssetId,
    programId: rig.programId,
    programName,
    rigName: rig.name,
  };
}

function wellAsset(
  well: Well,
  parentAssetId: number | null,
  programName: string,
  rigName: string | null,
): Asset {
  return {
    id: well.assetId,
    name: well.name,
    companyId: well.companyId,
    lonLat: well.lonLat,
    lastActiveAt: well.lastActiveAt,
    assetType: 'well',
    status: well.status,
    visibility: well.visibility,
    parentAssetId,
    programId: well.programId,
    programName,
    rigName,
    apiNumber: well.apiNumber,
    customerWellId: well.identifier,
    startAt: well.startAt,
    endAt: well.endAt,
    well,
  };
}

export const assets: ResourceKind<Asset> = {
  type: 'asset',
  list: allAssets,
  wellOf: (asset) => asset.well,
  attributes: (asset) => ({
    ...commonAttributes(asset),
    asset_type: asset.assetType,
    status: asset.status,
    visibility: asset.visibility,
    parent_asset_id: asset.parentAssetId,
    api_number: asset.apiNumber,
    customer_well_id: asset.customerWellId,
    well_start: isoTime(asset.startAt),
    well_end: isoTime(asset.endAt),
  }),
  relationships: (asset) => ({
    company: { type: 'company', id: asset.companyId },
    parent: asset.parentAssetId === null ? null : { type: 'asset', id: asset.parentAssetId },
    program: { type: 'program', id: asset.programId },
  }),
  sorts: {
    name: (asset) => asset.name,
    last_active_at: (asset) => asset.lastActiveAt,
    status: (asset) => asset.status,
    rig: (asset) => asset.rigName,
    program: (asset) => asset.programName,
    well: (asset) => (asset.assetType === 'well' ? asset.name : null),
    company: (asset, world) => companyName(world, asset.companyId),
    well_end: (asset) => asset.endAt,
  },
};
