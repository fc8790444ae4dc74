import { Random, hash } from '../random.ts';
import { basins, padNames, unusualNames, wellStages, type Basin } from './names.ts';
import type { LonLat, Visibility, Well } from './world.ts';

const wellsPerPad = 4;
export const padsPerProgram = 2;
const wellsPerProgram = wellsPerPad * padsPerProgram;
const firstAssetId = 5001;
const trapWells = 3;
const day = 86_400_000;

/** The fourth program of every four belongs to the second company, which shares its wells with the first. */
export function companyOfProgram(programId: number): number {
  return programId % 4 === 0 ? 2 : 1;
}

/** The name of a pad; numbers distinguish pads if there are more pads than names. */
export function padName(padId: number): string {
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

/** All wells: the requested number that everyone sees, and four more that some identities don't see. */
export function buildWells(seed: number, count: number, end: number): Well[] {
  return Array.from({ length: count + hidden.length }, (_, index) => buildWell(seed, index, count, end));
}

function buildWell(seed: number, index: number, count: number, end: number): Well {
  const special = hidden[index - count];
  const random = new Random(hash(seed, 101, index));
  const programId = special ? 4 : Math.floor(index / wellsPerProgram) + 1;
  const basin = basins[(programId - 1) % basins.length] ?? basins[0];
  const padId = special ? 1 : Math.floor(index / wellsPerPad) + 1;
  const [state, status] = wellStages[index % wellStages.length] ?? wellStages[0];
  const companyId = special ? 2 : companyOfProgram(programId);
  const times = wellTimes(random, state, status, end);
  return {
    id: platformId(index, count),
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
    sharedWith: companyId === 2 && (special?.shared ?? true) ? [1] : [],
    ...times,
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

function crews(state: string, programId: number, padId: number): Pick<Well, 'rigId' | 'fleetId' | 'unitId'> {
  const planned = state === 'planned' || state === 'permitted';
  const fracked = ['completions', 'completed', 'drillouts', 'producing', 'intervention'].includes(state);
  return {
    rigId: planned ? null : programId,
    fleetId: fracked ? Math.ceil(programId / 2) : null,
    unitId: state === 'drillouts' || state === 'producing' ? Math.ceil(padId / 4) : null,
  };
}

function wellTimes(
  random: Random,
  state: string,
  status: string,
  end: number,
): Pick<Well, 'createdAt' | 'startAt' | 'endAt' | 'lastDrillingAt' | 'lastActiveAt'> {
  if (state === 'planned' || state === 'permitted') {
    const startAt = end + random.integer(20, 200) * day;
    return {
      createdAt: end - random.integer(1, 90) * day,
      startAt,
      endAt: null,
      lastDrillingAt: null,
      lastActiveAt: null,
    };
  }
  const drilling = state === 'drilling';
  const idleDays = status === 'active' ? 0 : random.integer(2, 60);
  const lastDrillingAt = drilling ? end - idleDays * day : end - random.integer(30, 400) * day;
  const startAt = lastDrillingAt - random.integer(8, 25) * day;
  const lastActiveAt = drilling || status !== 'active' ? Math.max(lastDrillingAt, end - idleDays * day) : end;
  return {
    createdAt: startAt - random.integer(20, 120) * day,
    startAt,
    endAt: drilling || status === 'active' ? null : lastActiveAt,
    lastDrillingAt,
    lastActiveAt,
  };
}
