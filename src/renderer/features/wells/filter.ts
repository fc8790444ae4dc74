import type { PlatformFilter } from '../../../shared/wells/platform-filters.ts';
import type { Well } from '../../../shared/wells/wells.ts';

/** Filters with one value. */
export const relatedFields = [
  'companyId',
  'programId',
  'padId',
  'rigId',
  'fracFleetId',
  'drilloutUnitId',
] as const satisfies readonly (keyof Well)[];
export const wordFields = [
  'status',
  'state',
  'visibility',
  'area',
] as const satisfies readonly (keyof Well)[];
const equalFields = [...relatedFields, ...wordFields];
export type RelatedField = (typeof relatedFields)[number];
export type WordField = (typeof wordFields)[number];

/** A bounding box in degrees. */
export interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/** Calendar days in local time, `2026-11-21`. Both ends are inclusive. */
export interface DayRanges {
  readonly activeFrom?: string;
  readonly activeTo?: string;
  readonly startedFrom?: string;
  readonly startedTo?: string;
}

/** A filter for wells. Absent fields match everything. */
export type WellFilter = { readonly [F in RelatedField]?: number } & {
  readonly [F in WordField]?: string;
} & DayRanges & {
    readonly box?: Box;
  };
export type FilterField = keyof WellFilter;

export const noFilter: WellFilter = {};

/** The filter without some fields. */
export function omitFields(filter: WellFilter, fields: readonly FilterField[]): WellFilter {
  const remaining: { -readonly [F in FilterField]?: WellFilter[F] } = { ...filter };
  for (const field of fields) delete remaining[field];
  return remaining;
}

/** The start of a calendar day in local time, in Unix milliseconds. @param day such as `2026-11-21` */
export const dayStart = (day: string): number => new Date(`${day}T00:00:00`).getTime();

/** The end of a day: the start of the next one. */
export function dayEnd(day: string): number {
  const next = new Date(`${day}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return next.getTime();
}

function inDays(iso: string | null, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  if (iso === null) return false;
  const at = Date.parse(iso);
  return (from === undefined || at >= dayStart(from)) && (to === undefined || at < dayEnd(to));
}

const inBox = ([east, north]: readonly [number, number], box: Box): boolean =>
  north >= box.south && north <= box.north && east >= box.west && east <= box.east;

/** Whether a well matches the filter, by its listed fields. */
export function matchesFilter(well: Well, filter: WellFilter): boolean {
  for (const field of equalFields)
    if (filter[field] !== undefined && well[field] !== filter[field]) return false;
  if (filter.box && (well.position === null || !inBox(well.position, filter.box))) return false;
  return (
    inDays(well.lastActiveAt, filter.activeFrom, filter.activeTo) &&
    inDays(well.startedAt, filter.startedFrom, filter.startedTo)
  );
}

// The names of the service's own filters (specification, section 4.2). There is none for rigs.
const serviceFilterNames = {
  companyId: 'company',
  programId: 'program',
  padId: 'pad',
  fracFleetId: 'frac_fleet',
  drilloutUnitId: 'drillout_unit',
  status: 'status',
  state: 'state',
  visibility: 'visibility',
  area: 'area',
} as const;

/** The part of a filter that only the service can apply. */
export interface ServiceFilter {
  /** In the form of the service. */
  readonly filter: PlatformFilter<'wells'>;
  /** The fields that the service applies. */
  readonly fields: readonly FilterField[];
}

/**
 * The part of a filter that only the service can apply: fields that no listed well has, and wells that aren't
 * visible and therefore aren't listed. Null: the list is enough.
 */
export function serviceFilterOf(
  filter: WellFilter,
  answeredFields: ReadonlySet<keyof Well>,
): ServiceFilter | null {
  const serviceFilter: Record<string, string | number> = {};
  const fields: FilterField[] = [];
  const add = (field: FilterField, name: string, value: string | number) => {
    serviceFilter[name] = value;
    fields.push(field);
  };
  for (const [field, name] of Object.entries(serviceFilterNames) as [
    keyof typeof serviceFilterNames,
    string,
  ][]) {
    const value = filter[field];
    const isUnlisted = field === 'visibility' && value !== 'visible';
    if (value !== undefined && (isUnlisted || !answeredFields.has(field))) add(field, name, value);
  }
  if (!answeredFields.has('lastActiveAt')) {
    if (filter.activeFrom)
      add('activeFrom', 'active_after', new Date(dayStart(filter.activeFrom)).toISOString());
    if (filter.activeTo) add('activeTo', 'active_before', new Date(dayEnd(filter.activeTo)).toISOString());
  }
  if (!answeredFields.has('startedAt')) {
    // Unix seconds; "after" excludes the second itself.
    if (filter.startedFrom) add('startedFrom', 'well_start_after', dayStart(filter.startedFrom) / 1000 - 1);
    if (filter.startedTo) add('startedTo', 'well_start_before', dayEnd(filter.startedTo) / 1000);
  }
  if (filter.box && !answeredFields.has('position')) {
    const { south, north, west, east } = filter.box;
    Object.assign(serviceFilter, { lat_start: south, lat_end: north, long_start: west, long_end: east });
    fields.push('box');
  }
  return fields.length === 0 ? null : { filter: serviceFilter, fields };
}
