import { buildWells, companyOfProgram, padName, padsPerProgram } from './build-wells.ts';
import { basins, fleetNames, rigNames, unitNames } from './names.ts';
import type {
  Company,
  DrilloutUnit,
  Entity,
  FracFleet,
  LonLat,
  Pad,
  Program,
  Rig,
  Well,
  World,
} from './world.ts';

const companies: readonly Company[] = [
  { id: 1, name: 'Bluebonnet Energy' },
  { id: 2, name: 'Northern Light Petroleum' },
];
const programAssetIds = 900_000;
const rigAssetIds = 950_000;

/** All data of the platform, the same for the same seed, number of wells, and end (Unix milliseconds). */
export function buildWorld(seed: number, wellCount: number, end: number): World {
  const wells = buildWells(seed, wellCount, end);
  const seen = wells.slice(0, wellCount);
  const groups = {
    programs: groupBy(seen, (well) => well.programId),
    pads: groupBy(seen, (well) => well.padId),
    fleets: groupBy(seen, (well) => well.fleetId),
    units: groupBy(seen, (well) => well.unitId),
  };
  const units = [...groups.units].map(([id, wells]) => unit(id, wells));
  return {
    end,
    companies,
    wells,
    programs: [...groups.programs].map(([id, wells]) => program(id, wells)),
    pads: [...groups.pads].map(([id, wells]) => pad(id, wells)),
    rigs: [...groups.programs].map(([id, wells]) => rig(id, wells)),
    units,
    fleets: [...groups.fleets].map(([id, wells]) => fleet(id, wells)),
    wellByAsset: new Map(wells.map((well) => [well.assetId, well])),
  };
}

function groupBy(wells: readonly Well[], key: (well: Well) => number | null): [number, Well[]][] {
  const groups = new Map<number, Well[]>();
  for (const well of wells) {
    const id = key(well);
    if (id === null) continue;
    const group = groups.get(id);
    if (group) group.push(well);
    else groups.set(id, [well]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

function numbered(names: readonly [string, ...string[]], id: number): string {
  return `${names[(id - 1) % names.length] ?? names[0]} ${String(id + 100)}`;
}

function common(id: number, name: string, wells: readonly Well[]): Entity {
  const lon = wells.reduce((sum, well) => sum + well.lonLat[0], 0) / wells.length;
  const lat = wells.reduce((sum, well) => sum + well.lonLat[1], 0) / wells.length;
  const lonLat: LonLat = [lon, lat];
  const times = wells.flatMap((well) => (well.lastActiveAt === null ? [] : [well.lastActiveAt]));
  return {
    id,
    name,
    companyId: wells[0]?.companyId ?? 1,
    lonLat,
    lastActiveAt: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
  };
}

function program(id: number, wells: readonly Well[]): Program {
  const basin = basins[(id - 1) % basins.length] ?? basins[0];
  const name = `${basin.name} ${companyOfProgram(id) === 2 ? 'Joint Venture' : 'Development'} ${String(id)}`;
  return { ...common(id, name, wells), assetId: programAssetIds + id };
}

const isActive = (well: Well): boolean => well.status === 'active';
const unique = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))];

function pad(id: number, wells: readonly Well[]): Pad {
  return {
    ...common(id, `${padName(id)} Pad`, wells),
    programId: Math.ceil(id / padsPerProgram),
    wellIds: wells.map((well) => well.id),
    fleetIds: unique(wells.map((well) => well.fleetId)),
    currentFleetId: wells.find((well) => well.state === 'completions')?.fleetId ?? null,
    unitId: unique(wells.map((well) => well.unitId))[0] ?? null,
    active: wells.some(isActive),
  };
}

function rig(programId: number, wells: readonly Well[]): Rig {
  const active = wells.find((well) => well.state === 'drilling' && isActive(well));
  return {
    ...common(programId, numbered(rigNames, programId), active ? [active] : wells),
    assetId: rigAssetIds + programId,
    programId,
    activeWellId: active?.id ?? null,
    appKeys: programId % 2 === 1 ? ['drilling.dashboard', 'drilling.kpi'] : ['drilling.dashboard'],
  };
}

function unit(id: number, wells: readonly Well[]): DrilloutUnit {
  const active = wells.find((well) => well.state === 'drillouts' && isActive(well));
  return {
    ...common(id, numbered(unitNames, id), active ? [active] : wells),
    programId: wells[0]?.programId ?? 1,
    padId: (active ?? wells[0])?.padId ?? null,
    wellId: active?.id ?? null,
    appKeys: ['drillout.monitor'],
  };
}

function fleet(id: number, wells: readonly Well[]): FracFleet {
  const active = wells.find((well) => well.state === 'completions' && isActive(well));
  return {
    ...common(id, numbered(fleetNames, id), active ? [active] : wells),
    programIds: unique(wells.map((well) => well.programId)),
    padIds: unique(wells.map((well) => well.padId)),
    currentPadId: active?.padId ?? null,
    appKeys: id % 2 === 1 ? ['completion.dashboard', 'completion.stages'] : ['completion.dashboard'],
  };
}
