import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import { formatAgo } from '../../format/times.ts';
import type { ListColumn, ListSort } from '../../ui/grid/list-grid.tsx';
import { words } from '../../words/words.ts';
import { entityName, type DirectoryState } from './directory.ts';
import {
  assetTypeOf,
  attributeText,
  companyIdOf,
  entityColumns,
  parentIdOf,
  relatedId,
  type EntityColumn,
} from './entity.ts';
import type { EntityKind } from './entity-filters.ts';
import { sortKey } from './sort.ts';

/** Names of entities that no group contains. */
export interface NameLookup {
  /** The name of an asset; undefined: unknown. */
  readonly assetName: (id: number) => string | undefined;
  /** The name of a well by its platform id, which relationships contain. */
  readonly wellName: (platformId: number) => string | undefined;
}

/** The columns of a list of entities. */
export function listColumns(
  kind: EntityKind,
  directory: DirectoryState,
  names: NameLookup,
  now: number,
): ListColumn<PlatformEntity>[] {
  return entityColumns[kind].map(({ id, width, align, of }, at) => ({
    id,
    header: headerOf(id),
    width,
    align,
    pinned: at === 0,
    sortable: true,
    text: (entity) => cellText(entity, of, directory, names, now),
  }));
}

const isEntityColumn = (id: string): id is keyof typeof words.wells.browse.fields =>
  Object.hasOwn(words.wells.browse.fields, id);
const headerOf = (id: string): string => (isEntityColumn(id) ? words.wells.browse.fields[id] : id);

function cellText(
  entity: PlatformEntity,
  of: EntityColumn['of'],
  directory: DirectoryState,
  names: NameLookup,
  now: number,
): string | null {
  const w = words.wells;
  if ('attribute' in of) {
    const value = entity.attributes[of.attribute];
    if (typeof value === 'boolean') return value ? w.browse.yes : w.browse.no;
    return of.attribute === 'name' ? entityName(entity) : attributeText(entity, of.attribute);
  }
  if ('time' in of) {
    const time = attributeText(entity, of.time);
    return time === null ? null : (formatAgo(time, now) ?? time);
  }
  if ('related' in of) {
    const id = relatedId(entity, of.related);
    if (id === null) return null;
    return (of.group ? directory[of.group].names.get(id) : names.wellName(id)) ?? w.numbered(id);
  }
  switch (of.what) {
    case 'id':
      return String(entity.id);
    case 'company': {
      const id = companyIdOf(entity);
      return id === null ? null : (directory.companies.names.get(id) ?? w.companyNumber(id));
    }
    case 'type': {
      const type = assetTypeOf(entity);
      const types = w.browse.types;
      return type === 'program' || type === 'rig' || type === 'well' ? types[type] : type;
    }
    case 'parent': {
      const id = parentIdOf(entity);
      return id === null ? null : (names.assetName(id) ?? w.numbered(id));
    }
  }
}

/** Entities sorted by a column; times by their value. Missing values come last. */
export function sortEntities(
  items: readonly PlatformEntity[],
  columns: readonly ListColumn<PlatformEntity>[],
  sort: ListSort | null,
): readonly PlatformEntity[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (!sort || !column) return items;
  const sign = sort.descending ? -1 : 1;
  const entries = items.map((item) => {
    const text = column.id === 'lastActive' ? attributeText(item, 'last_active_at') : column.text(item);
    return { item, key: text === null ? null : sortKey(text) };
  });
  entries.sort((a, b) => {
    if (a.key === b.key) return 0;
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return a.key < b.key ? -sign : sign;
  });
  return entries.map(({ item }) => item);
}
