import type { JsonObject } from '../../shared/json.ts';
import { Random, cycled, hash } from '../random.ts';

/** The end of a sample that isn't live: nothing in it depends on today's date. */
export const sampleEnd = Date.UTC(2026, 10, 20);

/** What the generators and permissions know of a well. Times are Unix milliseconds. */
export type Well = Readonly<ReturnType<typeof buildWell>>;

/** A resource of the platform service: its values by name, which lists show or only filter and sort by. */
export interface Entity {
  readonly values: JsonObject & { id: number; name: string };
  /** The well that decides who sees it; null: both companies see it, as of a joint venture. */
  readonly well: Well | null;
}

export type World = Readonly<ReturnType<typeof buildWorld>>;

/** Whether ordinary keys of the demo see a well in lists without deleted wells. */
export const isOrdinary = ({ visibility, shared }: Well): boolean => visibility === 'visible' && shared;

/** Planned and permitted wells have no data yet. */
export const hasBeenDrilled = ({ state }: { state: string }): boolean =>
  state !== 'planned' && state !== 'permitted';

/** Regions with wells; `api` is the code of state and county in their API numbers. */
const basins = [
  { basin: 'Midland', area: 'Permian', county: 'Midland', timezone: 'America/Chicago', api: '42-329', lonLat: [-102.08, 31.87] },
  { basin: 'Denver-Julesburg', area: 'Rockies', county: 'Weld', timezone: 'America/Denver', api: '05-123', lonLat: [-104.55, 40.38] },
  { basin: 'Williston', area: 'Bakken', county: 'McKenzie', timezone: 'America/Chicago', api: '33-053', lonLat: [-103.4, 47.74] },
  { basin: 'Western Gulf', area: 'Eagle Ford', county: 'Karnes', timezone: 'America/Chicago', api: '42-255', lonLat: [-97.86, 28.9] },
  { basin: 'Delaware', area: 'Permian', county: 'Reeves', timezone: 'America/Chicago', api: '42-389', lonLat: [-103.69, 31.32] },
  { basin: 'Anadarko', area: 'SCOOP/STACK', county: 'Grady', timezone: 'America/Chicago', api: '35-051', lonLat: [-97.88, 35.02] },
] as const; // oxfmt-ignore
const basinOf = (programId: number) => cycled(basins, programId - 1);

const padNames = [
  'Ridge', 'Cottonwood', 'Mesquite', 'Lone Mesa', 'Badger Creek', 'Windmill', 'Sandhill', 'Palo Duro', 'Juniper',
  'Antelope', 'Red Fork', 'Copperhead', 'Bluestem', 'Prairie Dog', 'Kestrel', 'Caliche', 'Yucca', 'Pronghorn',
  'Salt Draw', 'Hackberry', 'Mustang', 'Rattler', 'Stillwater', 'Larkspur', 'Cedar Brake', 'Coyote Flat',
]; // oxfmt-ignore
const rigNames = ['Patriot', 'Ranger', 'Titan', 'Pioneer', 'Frontier', 'Summit', 'Cyclone'];
const fleetNames = ['Thunder', 'Silver', 'Ironhorse', 'Maverick', 'Granite'];
const unitNames = ['Coil', 'Snubbing', 'Workover'];

/** Names with quotes, commas, and non-Latin letters, by a well's index in the list. */
const unusualNames: ReadonlyMap<number, string> = new Map([
  [7, `O'Brien "Lucky", Unit 3H`],
  [11, 'Åsgard Sør 7-H'],
  [17, 'Кедровая 12'],
  [22, '渤海 C-3'],
  [26, 'Muñoz–Peña 2H'],
]);

/** The state and status of wells, in the order of assignment. */
const wellStages = [
  ['drilling', 'active'], ['completed', 'complete'], ['producing', 'complete'], ['drilled_not_completed', 'idle'],
  ['completions', 'active'], ['drilling', 'active'], ['producing', 'complete'], ['drillouts', 'active'],
  ['planned', 'unknown'], ['producing', 'idle'], ['drilling', 'paused'], ['completions', 'active'],
  ['intervention', 'active'], ['permitted', 'unknown'], ['completed', 'archived'],
] as const; // oxfmt-ignore

const wellsPerPad = 4;
const padsPerProgram = 2;
const wellsPerProgram = wellsPerPad * padsPerProgram;
const firstAssetId = 5001;
const trapWells = 3;
const day = 86_400_000;

/** The fourth program of every four belongs to the second company, which shares its wells with the first. */
const companyOfProgram = (programId: number): number => (programId % 4 === 0 ? 2 : 1);

/** The name of a pad; numbers distinguish pads if there are more pads than names. */
function padName(padId: number): string {
  const round = Math.floor((padId - 1) / padNames.length);
  return cycled(padNames, padId - 1) + (round === 0 ? '' : ` ${round + 1}`);
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
const hidden = [
  { visibility: 'deleted', shared: true },
  { visibility: 'visible_to_admin', shared: true },
  { visibility: 'visible', shared: false },
  { visibility: 'visible', shared: false },
] as const;

function buildWell(seed: number, index: number, count: number, end: number) {
  const special = hidden[index - count];
  const random = new Random(hash(seed, 101, index));
  const programId = special ? 4 : Math.floor(index / wellsPerProgram) + 1;
  const basin = basinOf(programId);
  const padId = special ? 1 : Math.floor(index / wellsPerPad) + 1;
  const [state, status] = cycled(wellStages, index);
  const company_id = special ? 2 : companyOfProgram(programId);
  const asset_id = firstAssetId + index;
  const times = wellTimes(random, state, status, end);
  const letter = String.fromCharCode(65 + (index % wellsPerPad));
  const usualName = unusualNames.get(index) ?? `${padName(padId)} ${letter}-${String(101 + index)}H`;
  const head = new Random(hash(seed, 102, padId));
  // Wells of a pad are some 100 ft apart.
  const lon = basin.lonLat[0] + head.between(-0.4, 0.4) + (index % wellsPerPad) * 0.0003;
  const number = 30_000 + index * 7;
  const sidetrack = String(Math.floor(number / 100_000)).padStart(2, '0');
  const isFracked = ['completions', 'completed', 'drillouts', 'producing', 'intervention'].includes(state);
  return {
    id: platformId(index, count),
    name: special ? `Northern Reserve ${String(index)}H` : usualName,
    company_id,
    lon_lat: [lon, basin.lonLat[1] + head.between(-0.3, 0.3)],
    last_active_at: iso(times.lastActiveAt),
    /** The id that scopes dataset records; the platform's own `id` never does (specification, section 1.4). */
    asset_id,
    identifier: `W-${String(100_000 + index * 37)}`,
    status: special?.visibility === 'deleted' ? 'deleting' : status,
    state,
    visibility: special?.visibility ?? 'visible',
    area: basin.area,
    country: 'US',
    settings: {
      basin: basin.basin,
      county: basin.county,
      api_number: `${basin.api}-${String(number % 100_000).padStart(5, '0')}-${sidetrack}-00`,
      timezone: basin.timezone,
    },
    well_start: Math.floor(times.startAt / 1000),
    well_end: times.endAt === null ? null : Math.floor(times.endAt / 1000),
    last_drilling_at: iso(times.lastDrillingAt),
    created_at: iso(times.createdAt),
    company: company_id,
    program: programId,
    pad: padId,
    rig: hasBeenDrilled({ state }) ? programId : null,
    frac_fleet: isFracked ? Math.ceil(programId / 2) : null,
    drillout_unit: state === 'drillouts' || state === 'producing' ? Math.ceil(padId / 4) : null,
    asset: asset_id,
    index,
    /** Whether the well belongs to the first company, or is shared with it. */
    shared: special?.shared ?? true,
    ...times,
  };
}

function wellTimes(random: Random, state: string, status: string, end: number) {
  const none: number | null = null;
  if (!hasBeenDrilled({ state })) {
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
  const grouped = (key: (well: Well) => number | null, make: Make): readonly Entity[] =>
    [...Map.groupBy(wells.slice(0, wellCount), key)]
      .flatMap(([id, group]) => (id === null ? [] : [make(id, group)]))
      .sort((a, b) => a.values.id - b.values.id);
  const programs = grouped(({ program: id }) => id, program);
  const rigs = grouped(({ program: id }) => id, rig);
  const listed = wells.map((well) => ({ values: well, well }));
  const assets = allAssets(programs, rigs, listed);
  /** By the name of the list in its path. */
  const lists: Readonly<Record<string, readonly Entity[]>> = {
    wells: listed,
    assets,
    programs,
    rigs,
    pads: grouped(({ pad: id }) => id, pad),
    drillout_units: grouped(({ drillout_unit: id }) => id, unit),
    frac_fleets: grouped(({ frac_fleet: id }) => id, fleet),
  };
  return {
    end,
    companies,
    wells,
    lists,
    assetById: new Map(assets.map((asset) => [asset.values.id, asset])),
  };
}

const iso = (time: number | null | undefined): string | null =>
  typeof time === 'number' ? new Date(time).toISOString() : null;

/** A resource amid its wells, and as active as the most active of them. */
function entity(id: number, name: string, wells: readonly Well[], values: JsonObject): Entity {
  const mean = (at: 0 | 1): number =>
    wells.reduce((sum, { lon_lat }) => sum + (lon_lat[at] ?? 0), 0) / wells.length;
  const company = wells[0]?.company_id ?? 1;
  const active = wells.reduce((latest, { lastActiveAt }) => Math.max(latest, lastActiveAt ?? 0), 0);
  const shared = { company_id: company, lon_lat: [mean(0), mean(1)], last_active_at: iso(active || null) };
  return { values: { id, name, ...shared, company, ...values }, well: null };
}

function program(id: number, wells: readonly Well[]): Entity {
  const kind = companyOfProgram(id) === 2 ? 'Joint Venture' : 'Development';
  return entity(id, `${basinOf(id).basin} ${kind} ${String(id)}`, wells, { asset_id: programAssetIds + id });
}

const isActive = (well: Well): boolean => well.status === 'active';
const unique = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))];

function pad(id: number, wells: readonly Well[]): Entity {
  const fleet = wells.find(({ state }) => state === 'completions')?.frac_fleet ?? null;
  return entity(id, `${padName(id)} Pad`, wells, {
    well_ids: wells.map((well) => well.id),
    active: wells.some(isActive),
    program: Math.ceil(id / padsPerProgram),
    current_frac_fleet: fleet,
    drillout_unit: unique(wells.map((well) => well.drillout_unit))[0] ?? null,
    frac_fleet: unique(wells.map((well) => well.frac_fleet)),
    current: fleet !== null,
  });
}

/** A resource with an id amid some wells. */
type Make = (id: number, wells: readonly Well[]) => Entity;
type Details = (id: number, wells: readonly Well[], active: Well | undefined) => JsonObject;

/** A crew is where its active well is, the one in a state. */
const crew =
  (names: readonly string[], activeState: string, details: Details): Make =>
  (id, wells) => {
    const active = wells.find((well) => well.state === activeState && isActive(well));
    return entity(id, `${cycled(names, id - 1)} ${String(id + 100)}`, active ? [active] : wells, {
      ...details(id, wells, active),
      active: active !== undefined,
    });
  };

const rig = crew(rigNames, 'drilling', (id, _wells, active) => ({
  asset_id: rigAssetIds + id,
  app_keys: id % 2 === 1 ? ['drilling.dashboard', 'drilling.kpi'] : ['drilling.dashboard'],
  program: id,
  active_well: active?.id ?? null,
}));

const unit = crew(unitNames, 'drillouts', (_id, wells, active) => ({
  app_keys: ['drillout.monitor'],
  program: wells[0]?.program ?? 1,
  pad: (active ?? wells[0])?.pad ?? null,
  well: active?.id ?? null,
}));

const fleet = crew(fleetNames, 'completions', (id, wells, active) => ({
  app_keys: id % 2 === 1 ? ['completion.dashboard', 'completion.stages'] : ['completion.dashboard'],
  current_pad: active?.pad ?? null,
  program: unique(wells.map((well) => well.program)),
  pad: unique(wells.map((well) => well.pad)),
}));

/** Programs, their rigs, and the rigs' wells under their asset ids, which scope dataset records. */
function allAssets(programs: readonly Entity[], rigs: readonly Entity[], wells: readonly Entity[]): Entity[] {
  const programById = new Map(programs.map((program) => [program.values.id, program]));
  const rigById = new Map(rigs.map((rig) => [rig.values.id, rig]));
  return [...programs, ...rigs, ...wells].map((entity): Entity => {
    const { well, values } = entity;
    const { id, name, asset_id, company_id = 1, lon_lat = null, last_active_at = null } = values;
    const program = Number(values['program'] ?? id);
    const isProgram = programById.get(program) === entity;
    const rig = well ? rigById.get(well.rig ?? 0) : isProgram ? undefined : entity;
    const above = well && rig ? rig : programById.get(program);
    const parent = (!isProgram && above?.values['asset_id']) || null;
    return {
      values: {
        id: Number(asset_id),
        name,
        company_id,
        lon_lat,
        last_active_at,
        asset_type: well ? 'well' : isProgram ? 'program' : 'rig',
        status: well?.status ?? (values['active'] === false ? 'idle' : 'active'),
        visibility: well?.visibility ?? 'visible',
        parent_asset_id: parent,
        api_number: well?.settings.api_number ?? null,
        customer_well_id: well?.identifier ?? null,
        well_start: iso(well?.startAt),
        well_end: iso(well?.endAt),
        company: company_id,
        parent,
        program,
        rig: rig?.values.name ?? null,
        well: well && name,
      },
      well,
    };
  });
}
