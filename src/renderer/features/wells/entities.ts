import type { PlatformResource } from '../../../shared/wells/platform-filters.ts';
import { readInteger, readText, relatedTo, type PlatformEntity } from '../../../shared/wells/wells.ts';
import { formatAgo } from '../../format/times.ts';
import { words } from '../../words/words.ts';
import { entityName, type DirectoryState, type Group } from './directory.ts';
import { memberName } from './fields.ts';
import { dayValue, sortByKey, sortKey } from './well-index.ts';

export type EntityKind = Exclude<PlatformResource, 'wells'>;

const w = words.wells;
const { fields: titles, filterNames } = w;

/** For `/v2/assets`: the type of the asset. */
export const assetTypeOf = ({ attributes, type }: PlatformEntity): string | null =>
  readText(attributes['asset_type']) ?? (type === 'asset' ? null : readText(type));

/** For `/v2/assets`: the id of the parent asset. */
export const parentIdOf = (entity: PlatformEntity): number | null =>
  readInteger(entity.attributes['parent_asset_id']) ?? relatedTo('parent', entity);

/** What the texts of entities depend on. */
export interface EntityNames {
  readonly directory: DirectoryState;
  /** The name of an asset; undefined: unknown. */
  readonly assetName: (id: number) => string | undefined;
  /** The name of a well by its platform id, which relationships contain. */
  readonly wellName: (platformId: number) => string | undefined;
  readonly now: number;
}

export interface EntityColumn {
  readonly title: string;
  readonly width: number;
  readonly align: 'start' | 'end';
  /** The group whose names it shows. */
  readonly group?: Group;
  /** Null: no value. */
  readonly text: (entity: PlatformEntity, names: EntityNames) => string | null;
  /** What it is sorted by; absent: its text. */
  readonly sortText?: (entity: PlatformEntity) => string | null;
}

const column = (title: string, width: number, text: EntityColumn['text']): EntityColumn => ({
  title,
  width,
  align: 'start',
  text,
});
const numberColumn = (title: string, width: number, value: (entity: PlatformEntity) => unknown) => ({
  ...column(title, width, (entity) => readText(value(entity))),
  align: 'end' as const,
});
const attributeColumn = (title: string, width: number, name: string) =>
  column(title, width, ({ attributes: { [name]: value } }) =>
    typeof value === 'boolean' ? (value ? w.browse.yes : w.browse.no) : readText(value),
  );
/** An id as the name that it has, or as a number while that is unknown. */
const namedColumn = (
  title: string,
  width: number,
  idOf: (entity: PlatformEntity) => number | null,
  nameOf: (id: number, names: EntityNames) => string | undefined,
) =>
  column(title, width, (entity, names) => {
    const id = idOf(entity);
    return id === null ? null : (nameOf(id, names) ?? w.numbered(id));
  });
const groupColumn = (
  title: string,
  width: number,
  group: Group,
  idOf: (entity: PlatformEntity) => number | null,
): EntityColumn => ({
  ...namedColumn(title, width, idOf, (id, { directory }) => memberName(directory, group, id)),
  group,
});
const relatedColumn = (title: string, width: number, name: string, group: Group) =>
  groupColumn(title, width, group, (entity) => relatedTo(name, entity));
const wellColumn = (title: string, name: string) =>
  namedColumn(
    title,
    190,
    (entity) => relatedTo(name, entity),
    (id, { wellName }) => wellName(id),
  );
const lastActiveAt = ({ attributes }: PlatformEntity) => readText(attributes['last_active_at']);

const name = column(titles.name, 220, entityName);
const company = groupColumn(
  titles.companyId,
  150,
  'companies',
  (entity) => readInteger(entity.attributes['company_id']) ?? relatedTo('company', entity),
);
const program = relatedColumn(titles.programId, 190, 'program', 'programs');
const lastActive: EntityColumn = {
  ...column(titles.lastActiveAt, 130, (entity, { now }) => {
    const time = lastActiveAt(entity);
    return time === null ? null : (formatAgo(time, now) ?? time);
  }),
  sortText: lastActiveAt,
};
const id = numberColumn(titles.id, 80, (entity) => entity.id);
const { types } = w.browse;
const type = column(titles.type, 90, (entity) => {
  const type = assetTypeOf(entity);
  return type === 'program' || type === 'rig' || type === 'well' ? types[type] : type;
});
const parent = namedColumn(titles.parent, 190, parentIdOf, (id, { assetName }) => assetName(id));

export function sortEntities(
  items: readonly PlatformEntity[],
  { text, sortText }: EntityColumn,
  descending: boolean,
  names: EntityNames,
): readonly PlatformEntity[] {
  return sortByKey(items, descending, (item) => {
    const value = sortText ? sortText(item) : text(item, names);
    return value === null ? null : sortKey(value);
  });
}

/** A filter of a list of entities, with its input and its form in the specification. */
export type EntityFilterInput = { readonly title: string } & (
  | { readonly by: 'group'; readonly group: Group }
  /** A well, by its platform id. */
  | { readonly by: 'well'; readonly list: boolean }
  | { readonly by: 'text' }
  | { readonly by: 'numbers' }
  | { readonly by: 'flag'; readonly as: 'boolean' | 'integer' | 'text' }
  | { readonly by: 'word'; readonly words: readonly string[]; readonly list: boolean }
  /** A day, as an ISO time or as Unix seconds. */
  | { readonly by: 'day'; readonly as: 'iso' | 'seconds'; readonly end: boolean }
  /** It has no input: links between parents and children set it. */
  | { readonly by: 'link' }
);

const groupFilter = (title: string, group: Group): EntityFilterInput => ({ title, by: 'group', group });
const textFilter = (title: string): EntityFilterInput => ({ title, by: 'text' });
const flagFilter = (title: string, as: 'boolean' | 'integer' | 'text'): EntityFilterInput => ({
  title,
  by: 'flag',
  as,
});

const search = textFilter(filterNames.search);
const companyFilter = groupFilter(titles.companyId, 'companies');
const programFilter = groupFilter(titles.programId, 'programs');
const nameFilters = { search, company: companyFilter, program: programFilter };
const activityFilters: Record<'active_after' | 'active_before', EntityFilterInput> = {
  active_after: { title: filterNames.activeFrom, by: 'day', as: 'iso', end: false },
  active_before: { title: filterNames.activeBefore, by: 'day', as: 'iso', end: true },
};
const machineFilters = {
  active: flagFilter(titles.active, 'text'),
  app_key: textFilter(filterNames.app),
  ...activityFilters,
};

interface EntityList {
  readonly columns: readonly EntityColumn[];
  readonly filters: Readonly<Record<string, EntityFilterInput>>;
}

/** The columns of each list in order, and its filters (specification, section 4.2), without bounding boxes and sparse fields. */
const entityLists = {
  assets: {
    columns: [
      name,
      type,
      parent,
      attributeColumn(titles.status, 100, 'status'),
      company,
      program,
      attributeColumn(titles.apiNumber, 180, 'api_number'),
      numberColumn(titles.assetId, 90, (entity) => entity.id),
      lastActive,
      attributeColumn(titles.visibility, 120, 'visibility'),
    ],
    filters: {
      search,
      types: { title: titles.type, by: 'word', words: ['program', 'rig', 'well'], list: true },
      status: {
        title: titles.status,
        by: 'word',
        words: ['active', 'idle', 'paused', 'complete', 'deleting'],
        list: false,
      },
      visibility: {
        title: titles.visibility,
        by: 'word',
        words: ['visible', 'visible_to_admin', 'deleted'],
        list: false,
      },
      company_id: companyFilter,
      program: programFilter,
      api_number: { title: titles.apiNumber, by: 'numbers' },
      start: { title: filterNames.workedFrom, by: 'day', as: 'seconds', end: false },
      end: { title: filterNames.workedTo, by: 'day', as: 'seconds', end: true },
      ...activityFilters,
      parent_asset_id: { title: filterNames.parent, by: 'link' },
      ids: { title: filterNames.asset, by: 'link' },
    },
  },
  programs: {
    columns: [name, company, lastActive, id],
    filters: { name: textFilter(filterNames.name), company: companyFilter, ...activityFilters },
  },
  pads: {
    columns: [
      name,
      company,
      program,
      relatedColumn(titles.currentFracFleet, 160, 'current_frac_fleet', 'frac_fleets'),
      relatedColumn(titles.drilloutUnitId, 160, 'drillout_unit', 'drillout_units'),
      attributeColumn(titles.active, 70, 'active'),
      lastActive,
      id,
    ],
    filters: {
      ...nameFilters,
      frac_fleet: groupFilter(filterNames.fracFleet, 'frac_fleets'),
      current_frac_fleet: groupFilter(titles.currentFracFleet, 'frac_fleets'),
      drillout_unit: groupFilter(titles.drilloutUnitId, 'drillout_units'),
      well_ids: { title: filterNames.well, by: 'well', list: true },
      active: flagFilter(titles.active, 'boolean'),
      current: flagFilter(filterNames.current, 'boolean'),
      ...activityFilters,
    },
  },
  rigs: {
    columns: [
      name,
      company,
      program,
      wellColumn(titles.activeWell, 'active_well'),
      lastActive,
      numberColumn(titles.assetId, 90, ({ attributes }) => attributes['asset_id']),
      id,
    ],
    filters: {
      ...nameFilters,
      active_well: { title: titles.activeWell, by: 'well', list: false },
      has_active_well: flagFilter(filterNames.hasActiveWell, 'integer'),
      ...machineFilters,
    },
  },
  drillout_units: {
    columns: [
      name,
      company,
      program,
      relatedColumn(titles.padId, 170, 'pad', 'pads'),
      wellColumn(titles.well, 'well'),
      lastActive,
      id,
    ],
    filters: {
      ...nameFilters,
      pad: groupFilter(filterNames.pad, 'pads'),
      well: { title: titles.well, by: 'well', list: false },
      ...machineFilters,
    },
  },
  frac_fleets: {
    columns: [name, company, relatedColumn(titles.currentPad, 170, 'current_pad', 'pads'), lastActive, id],
    filters: {
      ...nameFilters,
      pad: groupFilter(filterNames.pad, 'pads'),
      current_pad: groupFilter(titles.currentPad, 'pads'),
      ...machineFilters,
    },
  },
} as const satisfies Record<EntityKind, EntityList>;

type FilterNamesOf<K extends EntityKind> = K extends EntityKind
  ? keyof (typeof entityLists)[K]['filters']
  : never;
export type EntityFilterName = FilterNamesOf<EntityKind>;

const isFilterName = (name: string): name is EntityFilterName =>
  Object.values(entityLists).some(({ filters }) => Object.hasOwn(filters, name));

export const columnsOf = (kind: EntityKind): readonly EntityColumn[] => entityLists[kind].columns;

export function filtersOf(kind: EntityKind): ReadonlyMap<EntityFilterName, EntityFilterInput> {
  const { filters }: EntityList = entityLists[kind];
  return new Map(
    Object.entries(filters).flatMap(([name, input]) => (isFilterName(name) ? [[name, input] as const] : [])),
  );
}

export interface FilterValue {
  readonly text: string;
  readonly value: string | number | boolean | readonly (string | number)[];
}
export type EntityFilter = { readonly [N in EntityFilterName]?: FilterValue };

/** The names of the filters that are set, in the order in which they were. */
export const activeNames = (filter: EntityFilter): EntityFilterName[] =>
  Object.keys(filter).filter(isFilterName);

export const omitNames = (filter: EntityFilter, names: readonly string[]): EntityFilter =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => !names.includes(name)));

/** The value of an input that is a text, null where it's empty. */
export function typedValue(text: string, input: EntityFilterInput): FilterValue | null {
  if (input.by === 'day') return text === '' ? null : { text, value: dayValue(text, input) };
  return text.trim() === '' ? null : { text, value: text.trim() };
}
