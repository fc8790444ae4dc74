/** A region with wells: its location and the prefix of its API numbers. */
export interface Basin {
  readonly name: string;
  readonly area: string;
  readonly county: string;
  readonly country: string;
  readonly timezone: string;
  /** State and county code of the API number. */
  readonly apiPrefix: string;
  readonly lon: number;
  readonly lat: number;
}

export const basins: readonly [Basin, ...Basin[]] = [
  {
    name: 'Midland',
    area: 'Permian',
    county: 'Midland',
    country: 'US',
    timezone: 'America/Chicago',
    apiPrefix: '42329',
    lon: -102.08,
    lat: 31.87,
  },
  {
    name: 'Denver-Julesburg',
    area: 'Rockies',
    county: 'Weld',
    country: 'US',
    timezone: 'America/Denver',
    apiPrefix: '05123',
    lon: -104.55,
    lat: 40.38,
  },
  {
    name: 'Williston',
    area: 'Bakken',
    county: 'McKenzie',
    country: 'US',
    timezone: 'America/Chicago',
    apiPrefix: '33053',
    lon: -103.4,
    lat: 47.74,
  },
  {
    name: 'Western Gulf',
    area: 'Eagle Ford',
    county: 'Karnes',
    country: 'US',
    timezone: 'America/Chicago',
    apiPrefix: '42255',
    lon: -97.86,
    lat: 28.9,
  },
  {
    name: 'Delaware',
    area: 'Permian',
    county: 'Reeves',
    country: 'US',
    timezone: 'America/Chicago',
    apiPrefix: '42389',
    lon: -103.69,
    lat: 31.32,
  },
  {
    name: 'Anadarko',
    area: 'SCOOP/STACK',
    county: 'Grady',
    country: 'US',
    timezone: 'America/Chicago',
    apiPrefix: '35051',
    lon: -97.88,
    lat: 35.02,
  },
];

export const padNames: readonly [string, ...string[]] = [
  'Ridge', 'Cottonwood', 'Mesquite', 'Lone Mesa', 'Badger Creek', 'Windmill', 'Sandhill', 'Palo Duro', 'Juniper',
  'Antelope', 'Red Fork', 'Copperhead', 'Bluestem', 'Prairie Dog', 'Kestrel', 'Caliche', 'Yucca', 'Pronghorn',
  'Salt Draw', 'Hackberry', 'Mustang', 'Rattler', 'Stillwater', 'Larkspur', 'Cedar Brake', 'Coyote Flat',
]; // oxfmt-ignore

export const rigNames: readonly [string, ...string[]] = [
  'Patriot',
  'Ranger',
  'Titan',
  'Pioneer',
  'Frontier',
  'Summit',
  'Cyclone',
];
export const fleetNames: readonly [string, ...string[]] = [
  'Thunder',
  'Silver',
  'Ironhorse',
  'Maverick',
  'Granite',
];
export const unitNames: readonly [string, ...string[]] = ['Coil', 'Snubbing', 'Workover'];

/** Names with quotes, commas, and non-Latin letters, by a well's index in the list. */
export const unusualNames: ReadonlyMap<number, string> = new Map([
  [7, `O'Brien "Lucky", Unit 3H`],
  [11, 'Åsgard Sør 7-H'],
  [17, 'Кедровая 12'],
  [22, '渤海 C-3'],
  [26, 'Muñoz–Peña 2H'],
]);

/** The state and status of wells, in the order of assignment. */
export const wellStages: readonly [
  readonly [state: string, status: string],
  ...(readonly [string, string])[],
] = [
  ['drilling', 'active'],
  ['completed', 'complete'],
  ['producing', 'complete'],
  ['drilled_not_completed', 'idle'],
  ['completions', 'active'],
  ['drilling', 'active'],
  ['producing', 'complete'],
  ['drillouts', 'active'],
  ['planned', 'unknown'],
  ['producing', 'idle'],
  ['drilling', 'paused'],
  ['completions', 'active'],
  ['intervention', 'active'],
  ['permitted', 'unknown'],
  ['completed', 'archived'],
];
