import type { JsonObject } from '../../shared/json.ts';
import { type Related, type ResourceKind, commonAttributes, companyName, isoTime } from './resource.ts';
import type { DrilloutUnit, FracFleet, Pad, Program, Rig, Well, World } from './world.ts';

const related = (type: string, id: number | null): Related => (id === null ? null : { type, id });
const byId = <E extends { id: number }>(entities: readonly E[], id: number | null): E | undefined => {
  // Entities are numbered from 1 in order, except wells, which are never looked up here.
  const entity = id === null ? undefined : entities[id - 1];
  return entity?.id === id ? entity : entities.find((candidate) => candidate.id === id);
};
const company = (entity: { companyId: number }, world: World): string => companyName(world, entity.companyId);
const name = (entity: { name: string }): string => entity.name;
const lastActive = (entity: { lastActiveAt: number | null }): number | null => entity.lastActiveAt;
const program = (entity: { programId: number }, world: World): string | null =>
  byId(world.programs, entity.programId)?.name ?? null;

export const wells: ResourceKind<Well> = {
  type: 'well',
  list: (world) => world.wells,
  wellOf: (well) => well,
  attributes: wellAttributes,
  relationships: (well) => ({
    company: related('company', well.companyId),
    program: related('program', well.programId),
    pad: related('pad', well.padId),
    rig: related('rig', well.rigId),
    frac_fleet: related('frac_fleet', well.fleetId),
    drillout_unit: related('drillout_unit', well.unitId),
    asset: related('asset', well.assetId),
  }),
  sorts: {
    company,
    rig: (well, world) => byId(world.rigs, well.rigId)?.name ?? null,
    program,
    name,
    status: (well) => well.status,
    visibility: (well) => well.visibility,
    identifier: (well) => well.identifier,
    last_active_at: lastActive,
  },
};

function wellAttributes(well: Well): JsonObject {
  return {
    ...commonAttributes(well),
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
    last_drilling_at: isoTime(well.lastDrillingAt),
    created_at: isoTime(well.createdAt),
  };
}

export const programs: ResourceKind<Program> = {
  type: 'program',
  list: (world) => world.programs,
  attributes: (entity) => ({ ...commonAttributes(entity), asset_id: entity.assetId }),
  relationships: (entity) => ({ company: related('company', entity.companyId) }),
  sorts: { name, company },
};

export const pads: ResourceKind<Pad> = {
  type: 'pad',
  list: (world) => world.pads,
  attributes: (pad) => ({ ...commonAttributes(pad), well_ids: [...pad.wellIds], active: pad.active }),
  relationships: (pad) => ({
    company: related('company', pad.companyId),
    program: related('program', pad.programId),
    current_frac_fleet: related('frac_fleet', pad.currentFleetId),
    drillout_unit: related('drillout_unit', pad.unitId),
  }),
  sorts: {
    name,
    company,
    program,
    drillout_unit: (pad, world) => byId(world.units, pad.unitId)?.name ?? null,
    last_active_at: lastActive,
  },
};

export const rigs: ResourceKind<Rig> = {
  type: 'rig',
  list: (world) => world.rigs,
  attributes: (rig) => ({ ...commonAttributes(rig), asset_id: rig.assetId, app_keys: [...rig.appKeys] }),
  relationships: (rig) => ({
    company: related('company', rig.companyId),
    program: related('program', rig.programId),
    active_well: related('well', rig.activeWellId),
  }),
  sorts: { name, program, company, last_active_at: lastActive },
};

export const drilloutUnits: ResourceKind<DrilloutUnit> = {
  type: 'drillout_unit',
  list: (world) => world.units,
  attributes: (unit) => ({ ...commonAttributes(unit), app_keys: [...unit.appKeys] }),
  relationships: (unit) => ({
    company: related('company', unit.companyId),
    program: related('program', unit.programId),
    pad: related('pad', unit.padId),
    well: related('well', unit.wellId),
  }),
  sorts: {
    name,
    program,
    company,
    pad: (unit, world) => byId(world.pads, unit.padId)?.name ?? null,
    well: (unit, world) => world.wells.find((well) => well.id === unit.wellId)?.name ?? null,
    last_active_at: lastActive,
  },
};

export const fracFleets: ResourceKind<FracFleet> = {
  type: 'frac_fleet',
  list: (world) => world.fleets,
  attributes: (fleet) => ({ ...commonAttributes(fleet), app_keys: [...fleet.appKeys] }),
  relationships: (fleet) => ({
    company: related('company', fleet.companyId),
    current_pad: related('pad', fleet.currentPadId),
  }),
  sorts: { name, company, last_active_at: lastActive },
};
