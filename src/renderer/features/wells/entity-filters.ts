import { platformResource } from '../../../shared/wells/platform-filters.ts';
import type { Group } from './directory.ts';

/** What can be listed beside wells. */
export const entityKinds = platformResource.exclude(['wells']).options;
export type EntityKind = (typeof entityKinds)[number];

/** How a filter of the specification is chosen. */
export type FilterInput =
  /** By the name of something of a group. */
  | { readonly by: 'group'; readonly group: Group }
  /** One of the wells, by the platform's id, which these filters ask for. */
  | { readonly by: 'well'; readonly list: boolean }
  | { readonly by: 'text' }
  | { readonly by: 'numbers' }
  /** Yes or no; `as`: how the specification has it. */
  | { readonly by: 'flag'; readonly as: 'boolean' | 'integer' | 'text' }
  | { readonly by: 'word'; readonly words: readonly string[]; readonly list: boolean }
  /** A day; `as`: an ISO time, or Unix seconds. */
  | { readonly by: 'day'; readonly as: 'iso' | 'seconds'; readonly end: boolean };

const group = (of: Group): FilterInput => ({ by: 'group', group: of });
const text: FilterInput = { by: 'text' };
const flag: FilterInput = { by: 'flag', as: 'text' };
const activity = {
  active_after: { by: 'day', as: 'iso', end: false },
  active_before: { by: 'day', as: 'iso', end: true },
} as const satisfies Record<string, FilterInput>;

/** The filters of each list (specification, section 4.2), as they are chosen; boxes and sparse fields are not. */
export const entityFilters = {
  assets: {
    search: text,
    types: { by: 'word', words: ['program', 'rig', 'well'], list: true },
    status: { by: 'word', words: ['active', 'idle', 'paused', 'complete', 'deleting'], list: false },
    visibility: { by: 'word', words: ['visible', 'visible_to_admin', 'deleted'], list: false },
    company_id: group('companies'),
    program: group('programs'),
    api_number: { by: 'numbers' },
    start: { by: 'day', as: 'seconds', end: false },
    end: { by: 'day', as: 'seconds', end: true },
    ...activity,
  },
  programs: { name: text, company: group('companies'), ...activity },
  pads: {
    search: text,
    company: group('companies'),
    program: group('programs'),
    frac_fleet: group('frac_fleets'),
    current_frac_fleet: group('frac_fleets'),
    drillout_unit: group('drillout_units'),
    well_ids: { by: 'well', list: true },
    active: { by: 'flag', as: 'boolean' },
    current: { by: 'flag', as: 'boolean' },
    ...activity,
  },
  rigs: {
    search: text,
    company: group('companies'),
    program: group('programs'),
    active_well: { by: 'well', list: false },
    has_active_well: { by: 'flag', as: 'integer' },
    active: flag,
    app_key: text,
    ...activity,
  },
  drillout_units: {
    search: text,
    company: group('companies'),
    program: group('programs'),
    pad: group('pads'),
    well: { by: 'well', list: false },
    active: flag,
    app_key: text,
    ...activity,
  },
  frac_fleets: {
    search: text,
    company: group('companies'),
    program: group('programs'),
    pad: group('pads'),
    current_pad: group('pads'),
    active: flag,
    app_key: text,
    ...activity,
  },
} as const satisfies Record<EntityKind, Record<string, FilterInput>>;

type FilterNamesOf<K extends EntityKind> = K extends EntityKind ? keyof (typeof entityFilters)[K] : never;
/** Beside those that are chosen: where the way between parents and children leads. */
export type EntityFilterName = FilterNamesOf<EntityKind> | 'parent_asset_id' | 'ids';

/** One filter that is set: how it stands in the box, and as the service takes it. */
export interface SetFilter {
  readonly text: string;
  readonly value: string | number | boolean | readonly (string | number)[];
}
export type EntityFilter = { readonly [N in EntityFilterName]?: SetFilter };

/** A filter as the service takes it. */
export const toService = (filter: EntityFilter): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filter).map(([name, { value }]) => [name, value]));

/** Yes or no, as the specification has it. */
export const flagValue = (yes: boolean, as: 'boolean' | 'integer' | 'text'): boolean | number | string =>
  ({ boolean: yes, integer: Number(yes), text: String(yes) })[as];

/** A calendar day of this machine as a moment; the end of a day is the beginning of the next. */
export function dayValue(day: string, { as, end }: { as: 'iso' | 'seconds'; end: boolean }): string | number {
  const at = new Date(`${day}T00:00:00`);
  if (end) at.setDate(at.getDate() + 1);
  return as === 'iso' ? at.toISOString() : Math.floor(at.getTime() / 1000);
}
