import { Random, hash } from '../random.ts';

/** The end of a sample that isn't live: nothing in it depends on today's date. */
export const sampleEnd = Date.UTC(2026, 10, 20);

export type Visibility = 'visible' | 'visible_to_admin' | 'deleted';
type LonLat = readonly [lon: number, lat: number];

/** Attributes of all platform resources. Times are Unix milliseconds. */
export interface Entity {
  readonly id: number;
  readonly name: string;
  readonly companyId: number;
  readonly lonLat: LonLat;
  readonly lastActiveAt: number | null;
}

export type Well = Readonly<ReturnType<typeof buildWell>>;
export type Program = Readonly<ReturnType<typeof program>>;
export type Pad = Readonly<ReturnType<typeof pad>>;
export type Rig = Readonly<ReturnType<typeof rig>>;
export type DrilloutUnit = Readonly<ReturnType<typeof unit>>;
export type FracFleet = Readonly<ReturnType<typeof fleet>>;
/** All data of the platform service. */
export type World = Readonly<ReturnType<typeof buildWorld>>;

/** Whether ordinary keys of the demo see a well in lists without deleted wells. */
export function isOrdinary(well: Well): boolean {
  return well.visibility === 'visible' && (well.companyId === 1 || well.sharedWith.includes(1));
}

/** Planned and permitted wells have no data yet. */
export const hasBeenDrilled = ({ state }: Well): boolean => state !== 'planned' && state !== 'permitted';

const basin = (
  name: string,
  area: string,
  county: string,
  timezone: string,
  apiPrefix: string,
  lon: number,
  lat: number,
) => ({ name, area, county, country: 'US', timezone, apiPrefix, lon, lat });
type Basin = Readonly<ReturnType<typeof basin>>;

/** Regions with wells: location, and state and county code of the API numbers. */
const basins: readonly [Basin, ...Basin[]] = [
  basin('Midland', 'Permian', 'Midland', 'America/Chicago', '42329', -102.08, 31.87),
  basin('Denver-Julesburg', 'Rockies', 'Weld', 'America/Denver', '05123', -104.55, 40.38),
  basin('Williston', 'Bakken', 'McKenzie', 'America/Chicago', '33053', -103.4, 47.74),
  basin('Western Gulf', 'Eagle Ford', 'Karnes', 'America/Chicago', '42255', -97.86, 28.9),
  basin('Delaware', 'Permian', 'Reeves', 'America/Chicago', '42389', -103.69, 31.32),
  basin('Anadarko', 'SCOOP/STACK', 'Grady', 'America/Chicago', '35051', -97.88, 35.02),
];

const padNames: readonly [string, ...string[]] = [
  'Ridge', 'Cottonwood', 'Mesquite', 'Lone Mesa', 'Badger Creek', 'Windmill', 'Sandhill', 'Palo Duro', 'Juniper',
  'Antelope', 'Red Fork', 'Copperhead', 'Bluestem', 'Prairie Dog', 'Kestrel', 'Caliche', 'Yucca', 'Pronghorn',
  'Salt Draw', 'Hackberry', 'Mustang', 'Rattler', 'Stillwater', 'Larkspur', 'Cedar Brake', 'Coyote Flat',
]; // oxfmt-ignore

type Names = readonly [string, ...string[]];
const rigNames: Names = ['Patriot', 'Ranger', 'Titan', 'Pioneer', 'Frontier', 'Summit', 'Cyclone'];
const fleetNames: Names = ['Thunder', 'Silver', 'Ironhorse', 'Maverick', 'Granite'];
const unitNames: Names = ['Coil', 'Snubbing', 'Workover'];

/** Names with quotes, commas, and non-Latin letters, by a well's index in the list. */
const unusualNames: ReadonlyMap<number, string> = new Map([
  [7, `O'Brien "Lucky", Unit 3H`],
  [11, 'Åsgard Sør 7-H'],
  [17, 'Кедровая 12'],
  [22, '渤海 C-3'],
  [26, 'Muñoz–Peña 2H'],
]);

/** The state and status of wells, in the order of assignment. */
const wellStages: readonly [readonly [state: string, status: string], ...(readonly [string, string])[]] = [
  ['drilling', 'active'], ['completed', 'complete'], ['producing', 'complete'], ['drilled_not_completed', 'idle'],
  ['completions', 'active'], ['drilling', 'active'], ['producing', 'complete'], ['drillouts', 'active'],
  ['planned', 'unknown'], ['producing', 'idle'], ['drilling', 'paused'], ['completions', 'active'],
  ['intervention', 'active'], ['permitted', 'unknown'], ['completed', 'archived'],
]; // oxfmt-ignore

const wellsPerPad = 4;
const padsPerProgram = 2;
const wellsPerProgram = wellsPerPad * padsPerProgram;
const firstAssetId = 5001;
const trapWells = 3;
const day = 86_400_000;

/** The fourth program of every four belongs to the second company, which shares its wells with the first. */
function companyOfProgram(programId: number): number {
  return programId % 4 === 0 ? 2 : 1;
}

/** The name of a pad; numbers distinguish pads if there are more pads than names. */
function padName(padId: number): string {
  const at = padId - 1;
  const name = padNames[at % padNames.length] ?? '';
  const round = Math.floor(at / padNames.length);
  return round === 0 ? name : `${name} ${round + 1}`;
}

/**
 * Platform ids start at 1 and asset ids at 5001, so that the two are rarely equal. But the platform ids of the last
 * wells equal asset ids of the first ones: a request for data by platform id returns the data of another well.
 */
function platformId(index: number, wells: number): number {
  const trap = index - (wells - trapWells);
  return wells >= 2 * trapWells && wells < firstAssetId && trap >= 0 ? firstAssetId + trap : index + 1;
}

// Wells that ordinary keys don't see: deleted ones, for administrators, and those of the other company.
const hidden: readonly { visibility: Visibility; shared: boolean }[] = [
  { visibility: 'deleted', shared: true },
  { visibility: 'visible_to_admin', shared: true },
  { visibility: 'visible', shared: false },
  { visibility: 'visible', shared: false },
];

function buildWell(seed: number, index: number, count: number, end: number) {
  const special = hidden[index - count];
  const random = new Random(hash(seed, 101, index));
  const programId = special ? 4 : Math.floor(index / wellsPerProgram) + 1;
  const basin = basins[(programId - 1) % basins.length] ?? basins[0];
  const padId = special ? 1 : Math.floor(index / wellsPerPad) + 1;
  const [state, status] = wellStages[index % wellStages.length] ?? wellStages[0];
  const companyId = special ? 2 : companyOfProgram(programId);
  return {
    id: platformId(index, count),
    /** The id that scopes dataset records; the platform's own `id` never does (specification, section 1.4). */
    assetId: firstAssetId + index,
    index,
    name: wellName(index, padId, special !== undefined),
    companyId,
    programId,
    padId,
    ...crews(state, programId, padId),
    status: special?.visibility === 'deleted' ? 'deleting' : status,
    state,
    visibility: special?.visibility ?? 'visible',
    identifier: `W-${String(100_000 + index * 37)}`,
    apiNumber: apiNumber(basin.apiPrefix, index),
    area: basin.area,
    basin: basin.name,
    county: basin.county,
    country: basin.country,
    timezone: basin.timezone,
    lonLat: wellHead(seed, padId, index, basin),
    /** Companies other than the owner that may see the well and its data. */
    sharedWith: companyId === 2 && (special?.shared ?? true) ? [1] : [],
    ...wellTimes(random, state, status, end),
  };
}

/** Wells of a pad are some 100 ft apart. */
function wellHead(seed: number, padId: number, index: number, { lon, lat }: Basin): LonLat {
  const random = new Random(hash(seed, 102, padId));
  const east = (index % wellsPerPad) * 0.0003;
  return [lon + random.between(-0.4, 0.4) + east, lat + random.between(-0.3, 0.3)];
}

function wellName(index: number, padId: number, special: boolean): string {
  if (special) return `Northern Reserve ${String(index)}H`;
  const letter = String.fromCharCode(65 + (index % wellsPerPad));
  return unusualNames.get(index) ?? `${padName(padId)} ${letter}-${String(101 + index)}H`;
}

function apiNumber(prefix: string, index: number): string {
  const unique = String(30_000 + index * 7)
    .padStart(5, '0')
    .slice(-5);
  const sidetrack = String(Math.floor((30_000 + index * 7) / 100_000)).padStart(2, '0');
  return `${prefix.slice(0, 2)}-${prefix.slice(2)}-${unique}-${sidetrack}-00`;
}

function crews(state: string, programId: number, padId: number) {
  const planned = state === 'planned' || state === 'permitted';
  const fracked = ['completions', 'completed', 'drillouts', 'producing', 'intervention'].includes(state);
  return {
    rigId: planned ? null : programId,
    fleetId: fracked ? Math.ceil(programId / 2) : null,
    unitId: state === 'drillouts' || state === 'producing' ? Math.ceil(padId / 4) : null,
  };
}

function wellTimes(random: Random, state: string, status: string, end: number) {
  const none: number | null = null;
  if (state === 'planned' || state === 'permitted') {
    const startAt = end + random.integer(20, 200) * day;
    const createdAt = end - random.integer(1, 90) * day;
    return { createdAt, startAt, endAt: none, lastDrillingAt: none, lastActiveAt: none };
  }
  const drilling = state === 'drilling';
  const idleDays = status === 'active' ? 0 : random.integer(2, 60);
  const lastDrillingAt = drilling ? end - idleDays * day : end - random.integer(30, 400) * day;
  const startAt = lastDrillingAt - random.integer(8, 25) * day;
  const lastActiveAt = drilling || status !== 'active' ? Math.max(lastDrillingAt, end - idleDays * day) : end;
  const createdAt = startAt - random.integer(20, 120) * day;
  const endAt = drilling || status === 'active' ? none : lastActiveAt;
  return { createdAt, startAt, endAt, lastDrillingAt, lastActiveAt };
}

const companies = [
  { id: 1, name: 'Bluebonnet Energy' },
  { id: 2, name: 'Northern Light Petroleum' },
] as const;
const programAssetIds = 900_000;
const rigAssetIds = 950_000;

/**
 * All data of the platform, the same for the same seed, number of wells, and end (Unix milliseconds): the wells that
 * everyone sees, and four more that some identities don't see.
 */
export function buildWorld(seed: number, wellCount: number, end: number) {
  const wells = Array.from({ length: wellCount + hidden.length }, (_, index): Well =>
    buildWell(seed, index, wellCount, end),
  );
  const grouped = <E>(key: (well: Well) => number | null, make: (id: number, wells: Well[]) => E): E[] =>
    [...Map.groupBy(wells.slice(0, wellCount), key)]
      .flatMap(([id, group]) => (id === null ? [] : [{ id, group }]))
      .sort((a, b) => a.id - b.id)
      .map(({ id, group }) => make(id, group));
  return {
    end,
    companies,
    wells,
    programs: grouped(({ programId }) => programId, program),
    pads: grouped(({ padId }) => padId, pad),
    rigs: grouped(({ programId }) => programId, rig),
    units: grouped(({ unitId }) => unitId, unit),
    fleets: grouped(({ fleetId }) => fleetId, fleet),
    wellByAsset: new Map(wells.map((well) => [well.assetId, well])),
  };
}

function numbered(names: Names, id: number): string {
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

function program(id: number, wells: readonly Well[]) {
  const basin = basins[(id - 1) % basins.length] ?? basins[0];
  const name = `${basin.name} ${companyOfProgram(id) === 2 ? 'Joint Venture' : 'Development'} ${String(id)}`;
  return { ...common(id, name, wells), assetId: programAssetIds + id };
}

const isActive = (well: Well): boolean => well.status === 'active';
const unique = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))];

function pad(id: number, wells: readonly Well[]) {
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

function rig(programId: number, wells: readonly Well[]) {
  const active = wells.find((well) => well.state === 'drilling' && isActive(well));
  return {
    ...common(programId, numbered(rigNames, programId), active ? [active] : wells),
    assetId: rigAssetIds + programId,
    programId,
    activeWellId: active?.id ?? null,
    appKeys: programId % 2 === 1 ? ['drilling.dashboard', 'drilling.kpi'] : ['drilling.dashboard'],
  };
}

function unit(id: number, wells: readonly Well[]) {
  const active = wells.find((well) => well.state === 'drillouts' && isActive(well));
  return {
    ...common(id, numbered(unitNames, id), active ? [active] : wells),
    programId: wells[0]?.programId ?? 1,
    padId: (active ?? wells[0])?.padId ?? null,
    wellId: active?.id ?? null,
    appKeys: ['drillout.monitor'],
  };
}

function fleet(id: number, wells: readonly Well[]) {
  const active = wells.find((well) => well.state === 'completions' && isActive(well));
  return {
    ...common(id, numbered(fleetNames, id), active ? [active] : wells),
    programIds: unique(wells.map((well) => well.programId)),
    padIds: unique(wells.map((well) => well.padId)),
    currentPadId: active?.padId ?? null,
    appKeys: id % 2 === 1 ? ['completion.dashboard', 'completion.stages'] : ['completion.dashboard'],
  };
}
