import { platformResource } from '../../../shared/wells/platform-filters.ts';
import type { Group } from './directory.ts';
import { dayEnd, dayStart } from './filter.ts';

/** The kinds of entities beside wells. */
export const entityKinds = platformResource.exclude(['wells']).options;
export type EntityKind = (typeof entityKinds)[number];

/** The input of a filter in the specification. */
export type FilterInput =
  /** The name of a group member. */
  | { readonly by: 'group'; readonly groupFilter: Group }
  /** A well, by its platform id. */
  | { readonly by: 'well'; readonly list: boolean }
  | { readonly by: 'text' }
  | { readonly by: 'numbers' }
  /** Yes or no; `as`: its form in the specification. */
  | { readonly by: 'flag'; readonly as: 'boolean' | 'integer' | 'text' }
  | { readonly by: 'word'; readonly words: readonly string[]; readonly list: boolean }
  /** A day; `as`: an ISO time, or Unix seconds. */
  | { readonly by: 'day'; readonly as: 'iso' | 'seconds'; readonly end: boolean };

const group = (of: Group): FilterInput => ({ by: 'group', groupFilter: of });
const textFilter: FilterInput = { by: 'text' };
const flagFilter: FilterInput = { by: 'flag', as: 'text' };
const activityFilters = {
  active_after: { by: 'day', as: 'iso', end: false },
  active_before: { by: 'day', as: 'iso', end: true },
} as const satisfies Record<string, FilterInput>;

/** The filters of each list (specification, section 4.2), without bounding boxes and sparse fields. */
export const filtersByKind = {
  assets: {
    search: textFilter,
    types: { by: 'word', words: ['program', 'rig', 'well'], list: true },
    status: { by: 'word', words: ['active', 'idle', 'paused', 'complete', 'deleting'], list: false },
    visibility: { by: 'word', words: ['visible', 'visible_to_admin', 'deleted'], list: false },
    company_id: group('companies'),
    program: group('programs'),
    api_number: { by: 'numbers' },
    start: { by: 'day', as: 'seconds', end: false },
    end: { by: 'day', as: 'seconds', end: true },
    ...activityFilters,
  },
  programs: { name: textFilter, company: group('companies'), ...activityFilters },
  pads: {
    search: textFilter,
    company: group('companies'),
    program: group('programs'),
    frac_fleet: group('frac_fleets'),
    current_frac_fleet: group('frac_fleets'),
    drillout_unit: group('drillout_units'),
    well_ids: { by: 'well', list: true },
    active: { by: 'flag', as: 'boolean' },
    current: { by: 'flag', as: 'boolean' },
    ...activityFilters,
  },
  rigs: {
    search: textFilter,
    company: group('companies'),
    program: group('programs'),
    active_well: { by: 'well', list: false },
    has_active_well: { by: 'flag', as: 'integer' },
    active: flagFilter,
    app_key: textFilter,
    ...activityFilters,
  },
  drillout_units: {
    search: textFilter,
    company: group('companies'),
    program: group('programs'),
    pad: group('pads'),
    well: { by: 'well', list: false },
    active: flagFilter,
    app_key: textFilter,
    ...activityFilters,
  },
  frac_fleets: {
    search: textFilter,
    company: group('companies'),
    program: group('programs'),
    pad: group('pads'),
    current_pad: group('pads'),
    active: flagFilter,
    app_key: textFilter,
    ...activityFilters,
  },
} as const satisfies Record<EntityKind, Record<string, FilterInput>>;

type FilterNamesOf<K extends EntityKind> = K extends EntityKind ? keyof (typeof filtersByKind)[K] : never;
/** Filters with an input, and those that links between parents and children set. */
export type EntityFilterName = FilterNamesOf<EntityKind> | 'parent_asset_id' | 'ids';

/** A filter's text in the window, and its value for the service. */
export interface FilterValue {
  readonly text: string;
  readonly value: string | number | boolean | readonly (string | number)[];
}
export type EntityFilter = { readonly [N in EntityFilterName]?: FilterValue };

/** The filter in the form of the service. */
export const toServiceFilter = (filter: EntityFilter): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filter).map(([name, { value }]) => [name, value]));

/** Yes or no in the form of the specification. */
export const flagValue = (yes: boolean, as: 'boolean' | 'integer' | 'text'): boolean | number | string =>
  ({ boolean: yes, integer: Number(yes), text: String(yes) })[as];

/** A calendar day in local time as a moment; the end of a day is the start of the next one. */
export function dayValue(day: string, { as, end }: { as: 'iso' | 'seconds'; end: boolean }): string | number {
  const ms = end ? dayEnd(day) : dayStart(day);
  return as === 'iso' ? new Date(ms).toISOString() : Math.floor(ms / 1000);
}
