import type { PlatformFilter } from '../../../shared/wells/platform-filters.ts';
import type { Well } from '../../../shared/wells/wells.ts';

/** What a well belongs to or is: filters that ask for one value. */
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
export type RelatedField = (typeof relatedFields)[number];
export type WordField = (typeof wordFields)[number];

/** A box on the map, in degrees. */
export interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/** Days are calendar days of this machine, `2026-11-21`, and belong to the range at both ends. */
export interface DayRanges {
  readonly activeFrom?: string;
  readonly activeTo?: string;
  readonly startedFrom?: string;
  readonly startedTo?: string;
}

/** What the listed wells must be; what is absent may be anything. */
export type WellFilter = { readonly [F in RelatedField]?: number } & {
  readonly [F in WordField]?: string;
} & DayRanges & {
    readonly box?: Box;
  };
export type FilterField = keyof WellFilter;

export const noFilter: WellFilter = {};

/** The filter without some of its fields. */
export function without(filter: WellFilter, fields: readonly FilterField[]): WellFilter {
  const left: { -readonly [F in FilterField]?: WellFilter[F] } = { ...filter };
  for (const field of fields) delete left[field];
  return left;
}

/** The first and the last moment of a day, in Unix milliseconds; the last belongs to the next day. */
const dayStart = (day: string): number => new Date(`${day}T00:00:00`).getTime();
function dayEnd(day: string): number {
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

/** Whether a well is what the filter asks for, by what is known of the well. */
export function passes(well: Well, filter: WellFilter): boolean {
  for (const field of relatedFields)
    if (filter[field] !== undefined && well[field] !== filter[field]) return false;
  for (const field of wordFields)
    if (filter[field] !== undefined && well[field] !== filter[field]) return false;
  if (filter.box && (well.position === null || !inBox(well.position, filter.box))) return false;
  return (
    inDays(well.lastActiveAt, filter.activeFrom, filter.activeTo) &&
    inDays(well.startedAt, filter.startedFrom, filter.startedTo)
  );
}

// The names of the service's own filters (specification, section 4.2). It has none for rigs.
const asked = {
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

/** What of a filter the list at hand can't answer. */
export interface ToAsk {
  /** As the service takes it. */
  readonly filter: PlatformFilter<'wells'>;
  /** Of ours, which the service then answers for. */
  readonly fields: readonly FilterField[];
}

/**
 * The part of a filter that only the service can answer: fields that no listed well says, and wells that are not
 * visible, which are not listed. Null: the list at hand is enough.
 */
export function partToAsk(filter: WellFilter, said: ReadonlySet<keyof Well>): ToAsk | null {
  const out: Record<string, string | number> = {};
  const fields: FilterField[] = [];
  const add = (field: FilterField, name: string, value: string | number) => {
    out[name] = value;
    fields.push(field);
  };
  for (const [field, name] of Object.entries(asked) as [keyof typeof asked, string][]) {
    const value = filter[field];
    const notListed = field === 'visibility' && value !== 'visible';
    if (value !== undefined && (notListed || !said.has(field))) add(field, name, value);
  }
  const days = filter;
  if (!said.has('lastActiveAt')) {
    if (days.activeFrom) add('activeFrom', 'active_after', new Date(dayStart(days.activeFrom)).toISOString());
    if (days.activeTo) add('activeTo', 'active_before', new Date(dayEnd(days.activeTo)).toISOString());
  }
  if (!said.has('startedAt')) {
    // Seconds; "after" leaves the second itself out.
    if (days.startedFrom) add('startedFrom', 'well_start_after', dayStart(days.startedFrom) / 1000 - 1);
    if (days.startedTo) add('startedTo', 'well_start_before', dayEnd(days.startedTo) / 1000);
  }
  if (filter.box && !said.has('position')) {
    const { south, north, west, east } = filter.box;
    Object.assign(out, { lat_start: south, lat_end: north, long_start: west, long_end: east });
    fields.push('box');
  }
  return fields.length === 0 ? null : { filter: out, fields };
}
