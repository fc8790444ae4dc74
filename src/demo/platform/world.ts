/** The end of a sample that isn't live: nothing in it depends on today's date. */
export const sampleEnd = Date.UTC(2026, 10, 20);

export type Visibility = 'visible' | 'visible_to_admin' | 'deleted';
export type LonLat = readonly [lon: number, lat: number];

/** Attributes of all platform resources. Times are Unix milliseconds. */
export interface Entity {
  readonly id: number;
  readonly name: string;
  readonly companyId: number;
  readonly lonLat: LonLat;
  readonly lastActiveAt: number | null;
}

export interface Company {
  readonly id: number;
  readonly name: string;
}

export interface Program extends Entity {
  readonly assetId: number;
}

export interface Pad extends Entity {
  readonly programId: number;
  readonly wellIds: readonly number[];
  readonly fleetIds: readonly number[];
  readonly currentFleetId: number | null;
  readonly unitId: number | null;
  readonly active: boolean;
}

export interface Rig extends Entity {
  readonly assetId: number;
  readonly programId: number;
  readonly activeWellId: number | null;
  readonly appKeys: readonly string[];
}

export interface DrilloutUnit extends Entity {
  readonly programId: number;
  readonly padId: number | null;
  readonly wellId: number | null;
  readonly appKeys: readonly string[];
}

export interface FracFleet extends Entity {
  readonly programIds: readonly number[];
  readonly padIds: readonly number[];
  readonly currentPadId: number | null;
  readonly appKeys: readonly string[];
}

export interface Well extends Entity {
  /** The id that scopes dataset records; the platform's own `id` never does (specification, section 1.4). */
  readonly assetId: number;
  readonly index: number;
  readonly programId: number;
  readonly padId: number;
  readonly rigId: number | null;
  readonly fleetId: number | null;
  readonly unitId: number | null;
  readonly status: string;
  readonly state: string;
  readonly visibility: Visibility;
  readonly identifier: string;
  readonly apiNumber: string;
  readonly area: string;
  readonly basin: string;
  readonly county: string;
  readonly country: string;
  readonly timezone: string;
  readonly createdAt: number;
  readonly startAt: number;
  readonly endAt: number | null;
  readonly lastDrillingAt: number | null;
  /** Companies other than the owner that may see the well and its data. */
  readonly sharedWith: readonly number[];
}

/** All data of the platform service. */
export interface World {
  /** The latest time in the sample, in Unix milliseconds. */
  readonly end: number;
  readonly companies: readonly Company[];
  readonly wells: readonly Well[];
  readonly programs: readonly Program[];
  readonly pads: readonly Pad[];
  readonly rigs: readonly Rig[];
  readonly units: readonly DrilloutUnit[];
  readonly fleets: readonly FracFleet[];
  readonly wellByAsset: ReadonlyMap<number, Well>;
}

/** Whether ordinary keys of the demo see a well in lists without deleted wells. */
export function isOrdinary(well: Well): boolean {
  return well.visibility === 'visible' && (well.companyId === 1 || well.sharedWith.includes(1));
}

/** Planned and permitted wells have no data yet. */
export function hasBeenDrilled(well: Well): boolean {
  return well.state !== 'planned' && well.state !== 'permitted';
}
