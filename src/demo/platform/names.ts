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

const basin = (
  name: string,
  area: string,
  county: string,
  timezone: string,
  apiPrefix: string,
  lon: number,
  lat: number,
): Basin => ({ name, area, county, country: 'US', timezone, apiPrefix, lon, lat });

export const basins: readonly [Basin, ...Basin[]] = [
  basin('Midland', 'Permian', 'Midland', 'America/Chicago', '42329', -102.08, 31.87),
  basin('Denver-Julesburg', 'Rockies', 'Weld', 'America/Denver', '05123', -104.55, 40.38),
  basin('Williston', 'Bakken', 'McKenzie', 'America/Chicago', '33053', -103.4, 47.74),
  basin('Western Gulf', 'Eagle Ford', 'Karnes', 'America/Chicago', '42255', -97.86, 28.9),
  basin('Delaware', 'Permian', 'Reeves', 'America/Chicago', '42389', -103.69, 31.32),
  basin('Anadarko', 'SCOOP/STACK', 'Grady', 'America/Chicago', '35051', -97.88, 35.02),
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
