import { useStore } from 'zustand';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { OptionGroup } from '../../ui/option-group.tsx';
import { words } from '../../words/words.ts';
import type { Browse } from './browse.ts';
import {
  entityKinds,
  type EntityKind,
  filtersByKind,
  type EntityFilter,
  type EntityFilterName,
  type FilterInput,
  type FilterValue,
  dayValue,
  flagValue,
} from './entity-filters.ts';
import { WellTable } from './well-table.tsx';
import './browse.css';
import { useEffect, useMemo } from 'react';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { ListGrid, type ListColumn, type ListSort } from '../../ui/grid/list-grid.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { ListAge } from '../../ui/list-age.tsx';
import { Status } from '../../ui/status.tsx';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { listedWells } from './wells-state.ts';
import { Chips } from '../../ui/chips.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { groups, entityName, type DirectoryState, type Group } from './directory.ts';
import { FilterPopup } from './filter-popup.tsx';
import { NamesNote, emptyFilterText } from './names-note.tsx';
import { readList } from '../../../shared/value-lists.ts';
import { ListField } from '../../ui/list-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { anyOption, maxOptions, NameBox } from './name-box.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import type { RelatedField } from './filter.ts';
import { hasAssetId } from '../../../shared/wells/scope.ts';
import { formatAgo } from '../../format/times.ts';
import { sortKey } from './sort.ts';
import { type AssetId, assetId } from '../../../shared/wells/well-ids.ts';

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

const integer = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
};

/** The id of a related entity by the name of the relationship; null: none. */
function relatedId({ relationships }: PlatformEntity, name: string): number | null {
  const related = relationships?.[name];
  if (typeof related !== 'object' || related === null || !('data' in related)) return null;
  const { data } = related;
  return typeof data === 'object' && data !== null && 'id' in data ? integer(data.id) : null;
}

const attributeText = ({ attributes }: PlatformEntity, name: string): string | null => text(attributes[name]);

const companyIdOf = (entity: PlatformEntity): number | null =>
  integer(entity.attributes['company_id']) ?? relatedId(entity, 'company');

/** For `/v2/assets`: the type of the asset. */
const assetTypeOf = (entity: PlatformEntity): string | null =>
  attributeText(entity, 'asset_type') ?? (entity.type === 'asset' ? null : text(entity.type));

/** For `/v2/assets`: the id of the parent asset. */
const parentIdOf = (entity: PlatformEntity): number | null =>
  integer(entity.attributes['parent_asset_id']) ?? relatedId(entity, 'parent');

/**
 * The asset id of an entity. In `/v2/assets`, `id` is the asset id. In other lists `id` is the platform's
 * own, and the asset id is `attributes.asset_id` (specification, section 1.4).
 */
function assetIdOf(kind: EntityKind, entity: PlatformEntity): AssetId | null {
  const id = kind === 'assets' ? entity.id : integer(entity.attributes['asset_id']);
  return id === null ? null : assetId.parse(id);
}

/** The field of a well that refers to each list. */
const wellFieldByKind: Readonly<Record<Exclude<EntityKind, 'assets'>, RelatedField>> = {
  programs: 'programId',
  pads: 'padId',
  rigs: 'rigId',
  drillout_units: 'drilloutUnitId',
  frac_fleets: 'fracFleetId',
};

/** A column of a list of entities. */
interface EntityColumn {
  readonly id: string;
  readonly width: number;
  readonly align: 'start' | 'end';
  readonly of:
    | { readonly attribute: string }
    | { readonly time: string }
    | { readonly related: string; readonly group: Group | null }
    | { readonly what: 'id' | 'company' | 'type' | 'parent' };
}

const column = (id: string, width: number, of: EntityColumn['of'], align: 'start' | 'end' = 'start') => ({
  id,
  width,
  of,
  align,
});
const name = column('name', 220, { attribute: 'name' });
const company = column('company', 150, { what: 'company' });
const program = column('program', 190, { related: 'program', group: 'programs' });
const lastActive = column('lastActive', 130, { time: 'last_active_at' });
const id = column('id', 80, { what: 'id' }, 'end');
const assetIdColumn = column('assetId', 90, { attribute: 'asset_id' }, 'end');

/** The columns of each list, in order. */
const entityColumns: Readonly<Record<EntityKind, readonly EntityColumn[]>> = {
  assets: [
    name,
    column('type', 90, { what: 'type' }),
    column('parent', 190, { what: 'parent' }),
    column('status', 100, { attribute: 'status' }),
    company,
    program,
    column('apiNumber', 180, { attribute: 'api_number' }),
    column('assetId', 90, { what: 'id' }, 'end'),
    lastActive,
    column('visibility', 120, { attribute: 'visibility' }),
  ],
  programs: [name, company, lastActive, id],
  pads: [
    name,
    company,
    program,
    column('currentFracFleet', 160, { related: 'current_frac_fleet', group: 'frac_fleets' }),
    column('drilloutUnit', 160, { related: 'drillout_unit', group: 'drillout_units' }),
    column('active', 70, { attribute: 'active' }),
    lastActive,
    id,
  ],
  rigs: [
    name,
    company,
    program,
    column('activeWell', 190, { related: 'active_well', group: null }),
    lastActive,
    assetIdColumn,
    id,
  ],
  drillout_units: [
    name,
    company,
    program,
    column('pad', 170, { related: 'pad', group: 'pads' }),
    column('well', 190, { related: 'well', group: null }),
    lastActive,
    id,
  ],
  frac_fleets: [
    name,
    company,
    column('currentPad', 170, { related: 'current_pad', group: 'pads' }),
    lastActive,
    id,
  ],
};

/** Names of entities that no group contains. */
interface NameLookup {
  /** The name of an asset; undefined: unknown. */
  readonly assetName: (id: number) => string | undefined;
  /** The name of a well by its platform id, which relationships contain. */
  readonly wellName: (platformId: number) => string | undefined;
}

/** The columns of a list of entities. */
function listColumns(
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

/** Links of the selected entity: its wells; for an asset, its parent, its children, and the selection. */
function SelectedEntity({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const selected = useStore(browse.store, ({ selected: id, entities }) =>
    id === null ? null : (entities.items.find((item) => item.id === id) ?? null),
  );
  const w = words.wells.browse;
  if (!selected) return <p className="browse-selected row wrap quiet">{w.selectHint}</p>;
  return (
    <div className="browse-selected row wrap">
      <strong className="ellipsis">{entityName(selected)}</strong>
      {kind === 'assets' ? (
        <AssetActions asset={selected} browse={browse} />
      ) : (
        <RelatedWells field={wellFieldByKind[kind]} id={selected.id} />
      )}
    </div>
  );
}

function RelatedWells({ field, id }: { field: RelatedField; id: number }) {
  const actions = useSession().wells.actions;
  const show = () => {
    actions.search('');
    actions.show('all');
    actions.filter({ [field]: id });
  };
  return <Button onPress={show}>{words.wells.browse.itsWells}</Button>;
}

function AssetActions({ asset, browse }: { asset: PlatformEntity; browse: Browse }) {
  const w = words.wells.browse;
  const parent = parentIdOf(asset);
  const go = (name: 'ids' | 'parent_asset_id', id: number, text: string) =>
    browse.actions.list('assets', { [name]: { text, value: name === 'ids' ? [id] : id } });
  return (
    <>
      {parent !== null && (
        <Button onPress={() => go('ids', parent, browse.assetName(parent) ?? words.wells.numbered(parent))}>
          {w.parent}
        </Button>
      )}
      {assetTypeOf(asset) === 'well' ? (
        <SelectAsset asset={asset} />
      ) : (
        <Button onPress={() => go('parent_asset_id', asset.id, entityName(asset))}>{w.children}</Button>
      )}
    </>
  );
}

/** Selects an asset as a well: both lists have its asset id. */
function SelectAsset({ asset }: { asset: PlatformEntity }) {
  const id = assetIdOf('assets', asset);
  const listed = useSessionState('wells', listedWells);
  const selected = useSelectedWells();
  const { selectWells, deselect } = useSession().wells.actions;
  const w = words.wells.browse;
  const well = id === null ? undefined : listed.well('assetId', id);
  if (!well || !hasAssetId(well)) return <span className="quiet">{w.unknownWell}</span>;
  if (selected.some(({ platformId }) => platformId === well.platformId))
    return <Button onPress={() => deselect(well.platformId)}>{w.unchoose}</Button>;
  return <Button onPress={() => selectWells([...selected, well])}>{w.choose}</Button>;
}

interface EntityFilterInputProps {
  readonly label: string;
  readonly name: string;
  readonly input: FilterInput;
  readonly value: FilterValue | null;
  /** Values of a list that nothing has. */
  readonly notFound: readonly string[];
  readonly onSet: (value: FilterValue | null) => void;
}

/** One filter of a list of entities: a name, a day, a flag, or a text. */
function EntityFilterInput({ label, name, input, value, notFound, onSet }: EntityFilterInputProps) {
  const directory = useSessionState('directory', (state) => state);
  const w = words.wells.browse;
  const box = <Id extends string | number>(
    options: readonly { readonly id: Id; readonly name: string; readonly value: FilterValue['value'] }[],
    placeholder = words.wells.any,
  ) => (
    <NameBox<Id>
      label={label}
      value={options.find(({ name: text }) => text === value?.text)?.id ?? null}
      text={value?.text ?? ''}
      placeholder={placeholder}
      options={() => options}
      onSelect={(id) => {
        const option = options.find((option) => option.id === id);
        onSet(option ? { text: option.name, value: option.value } : null);
      }}
    />
  );
  switch (input.by) {
    case 'group':
      return box(
        [...directory[input.groupFilter].names].map(([id, text]) => ({ id, name: text, value: id })),
        emptyFilterText(directory[input.groupFilter]),
      );
    case 'well':
      return <WellFilterBox label={label} list={input.list} value={value} onSet={onSet} />;
    case 'word':
      return box(input.words.map((word) => ({ id: word, name: word, value: input.list ? [word] : word })));
    case 'flag':
      return box([
        { id: 'yes', name: w.yes, value: flagValue(true, input.as) },
        { id: 'no', name: w.no, value: flagValue(false, input.as) },
      ]);
    case 'day':
      return (
        <TextField
          label={label}
          name={name}
          type="date"
          value={value?.text ?? ''}
          onChange={(text) => onSet(text === '' ? null : { text, value: dayValue(text, input) })}
        />
      );
    case 'text':
      return (
        <TextField
          label={label}
          name={name}
          value={value?.text ?? ''}
          onChange={(text) => onSet(text.trim() === '' ? null : { text, value: text.trim() })}
        />
      );
    case 'numbers':
      return (
        <ListField
          label={label}
          name={name}
          kind="words"
          value={value?.text ?? ''}
          notFound={notFound}
          onChange={(text) => onSet(text.trim() === '' ? null : { text, value: readList(text, 'words') })}
        />
      );
  }
}

interface WellFilterBoxProps {
  readonly label: string;
  /** Whether the service accepts a list of wells. */
  readonly list: boolean;
  readonly value: FilterValue | null;
  readonly onSet: (value: FilterValue | null) => void;
}

/**
 * Selects a well by name, API number, or asset id; selected wells are listed while the box is empty. These
 * filters take the platform id of a well (specification, section 4.2), not its asset id.
 */
function WellFilterBox({ label, list, value, onSet }: WellFilterBoxProps) {
  const selected = useSelectedWells();
  const listed = useSessionState('wells', listedWells);
  const optionsFor = (inputText: string) => {
    const wells = [...(inputText === '' ? selected : []), ...listed.search(inputText, maxOptions)];
    const unique = new Map(wells.map((well) => [well.platformId, well]));
    return [...unique.values()].slice(0, maxOptions).map(({ platformId, name, apiNumber }) => ({
      id: String(platformId),
      text: name,
      ...(apiNumber === null ? {} : { note: apiNumber }),
    }));
  };
  return (
    <ComboBox
      label={label}
      value={value?.text ?? null}
      text={value?.text ?? ''}
      find={(text) =>
        value === null || text !== ''
          ? optionsFor(text)
          : [{ id: anyOption, text: words.wells.any }, ...optionsFor(text)]
      }
      emptyText={words.wells.noWellFits}
      placeholder={words.wells.any}
      onSelect={(id) => {
        const well =
          selected.find(({ platformId }) => String(platformId) === id) ??
          listed.well('platformId', Number(id));
        if (!well) return onSet(null);
        onSet({ text: well.name, value: list ? [well.platformId] : well.platformId });
      }}
    />
  );
}

const isName = (name: string): name is EntityFilterName => Object.hasOwn(words.wells.browse.filters, name);

/** The filters of a list of entities: text filters at the left, others in a popup. */
function EntityFilters({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const filter = useStore(browse.store, (state) => state.filter);
  const notFound = useStore(browse.store, (state) => state.notFound);
  const inputs = filterInputs(kind);
  const typed = inputs.find(([name]) => name === 'search' || name === 'name');
  const set = (name: EntityFilterName, value: FilterValue | null) =>
    browse.actions.filter(value ? { ...filter, [name]: value } : omitName(filter, [name]));
  const chips = Object.keys(filter)
    .filter(isName)
    .filter((name) => name !== typed?.[0]);
  const w = words.wells;
  const title = w.browse.title[kind];
  return (
    <>
      <div className="browse-head row wrap">
        {typed && (
          <div className="browse-search">
            <SearchBox
              label={typed[0] === 'name' ? `${title}: ${w.browse.filters.name}` : w.browse.search(title)}
              placeholder={kind === 'assets' ? w.browse.searchAsset : w.browse.filters[typed[0]]}
              value={filter[typed[0]]?.text ?? ''}
              onChange={(text) => set(typed[0], text.trim() === '' ? null : { text, value: text.trim() })}
            />
          </div>
        )}
        <FilterPopup label={w.filters} activeCount={chips.length}>
          <Inputs
            inputs={inputs.filter(([name]) => name !== typed?.[0])}
            filter={filter}
            notFound={notFound}
            onSet={set}
            onClear={() => browse.actions.filter({})}
          />
        </FilterPopup>
      </div>
      {chips.length > 0 && (
        <div className="filter-chips">
          <Chips
            label={w.filters}
            isLabelHidden
            overflow="wrap"
            chips={chips.map((name) => ({
              id: name,
              text: `${w.browse.filters[name]}: ${filter[name]?.text ?? ''}`,
            }))}
            onRemove={(ids) =>
              browse.actions.filter(
                omitName(
                  filter,
                  chips.filter((name) => ids.has(name)),
                ),
              )
            }
          />
        </div>
      )}
    </>
  );
}

function filterInputs(kind: EntityKind): (readonly [EntityFilterName, FilterInput])[] {
  const inputs: Readonly<Record<string, FilterInput>> = filtersByKind[kind];
  return Object.entries(inputs).flatMap(([name, input]) => (isName(name) ? [[name, input] as const] : []));
}

const omitName = (filter: EntityFilter, names: readonly EntityFilterName[]): EntityFilter =>
  Object.fromEntries(
    Object.entries(filter).filter(([name]) => !names.some((shownName) => shownName === name)),
  );

interface InputsProps {
  readonly inputs: readonly (readonly [EntityFilterName, FilterInput])[];
  readonly filter: EntityFilter;
  readonly notFound: readonly string[];
  readonly onSet: (name: EntityFilterName, value: FilterValue | null) => void;
  readonly onClear: () => void;
}

function Inputs({ inputs, filter, notFound, onSet, onClear }: InputsProps) {
  const { loadGroups } = useSession().directory.actions;
  useEffect(() => loadGroups(groups), [loadGroups]);
  return (
    <div className="filters">
      {inputs.map(([name, input]) => (
        <EntityFilterInput
          key={name}
          label={words.wells.browse.filters[name]}
          name={name}
          input={input}
          value={filter[name] ?? null}
          notFound={notFound}
          onSet={(value) => onSet(name, value)}
        />
      ))}
      <NamesNote />
      {Object.keys(filter).length > 0 && (
        <div className="filters-wide">
          <Button onPress={onClear}>{words.wells.clearFilters}</Button>
        </div>
      )}
    </div>
  );
}

const keyOf = ({ type, id }: PlatformEntity) => `${type} ${id}`;

/** A list of assets or groups, with the filters of the specification. */
function EntityTable({ browse, kind, now }: { browse: Browse; kind: EntityKind; now: number }) {
  const { items, freshness } = useStore(browse.store, (state) => state.entities);
  const sort = useStore(browse.store, (state) => state.sort);
  const directory = useSessionState('directory', (state) => state);
  const listed = useSessionState('wells', listedWells);
  const { loadGroups } = useSession().directory.actions;
  useEffect(() => {
    const columns = entityColumns[kind];
    loadGroups(columns.flatMap(({ of }) => ('related' in of && of.group ? [of.group] : [])));
    if (columns.some(({ of }) => 'what' in of && of.what === 'company')) loadGroups(['companies']);
  }, [kind, loadGroups]);
  // Stable while the list loads: the grid lays itself out again for new columns.
  const names = useMemo(
    () => ({
      assetName: browse.assetName,
      wellName: (platformId: number) => listed.well('platformId', platformId)?.name,
    }),
    [browse, listed],
  );
  const columns = useMemo(() => listColumns(kind, directory, names, now), [kind, directory, names, now]);
  const sorted = useMemo(() => sortEntities(items, columns, sort), [items, columns, sort]);
  const title = words.wells.browse.title[kind];
  const count = words.wells.browse.count[kind](items.length);
  return (
    <>
      <EntityFilters browse={browse} kind={kind} />
      <KeepFocus className="browse-body">
        {items.length > 0 ? (
          <ListGrid
            label={title}
            columns={columns}
            items={sorted}
            keyOf={keyOf}
            sort={sort}
            onSort={browse.actions.sort}
            selects="one"
            onSelect={([entity]) => browse.actions.select(entity?.id ?? null)}
          />
        ) : (
          <EmptyEntityList browse={browse} kind={kind} />
        )}
      </KeepFocus>
      <SelectedEntity browse={browse} kind={kind} />
      <div className="list-foot">
        <Status className="quiet numbers">
          {freshness.isLoading && freshness.asOf === null ? words.wells.browse.soFar(count) : count}
        </Status>
        {items.length > 0 && <ListAge freshness={freshness} onAgain={browse.actions.load} />}
      </div>
    </>
  );
}

function EmptyEntityList({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const { isLoading, error } = useStore(browse.store, (state) => state.entities.freshness);
  const isFiltered = useStore(browse.store, (state) => Object.keys(state.filter).length > 0);
  const w = words.wells.browse;
  const { cancel, load, list } = browse.actions;
  const title = w.title[kind];
  if (isLoading) return <Loading what={w.loading(title)} onCancel={cancel} />;
  if (error) return <ConnectionFailed error={error} onRetry={load} />;
  if (!isFiltered)
    return <Empty action={<Button onPress={load}>{words.kept.refresh}</Button>}>{w.empty(title)}</Empty>;
  return (
    <Empty action={<Button onPress={() => list(kind)}>{words.wells.clearFilters}</Button>}>
      {w.noMatch(title)}
    </Empty>
  );
}

const kinds = (['wells', ...entityKinds] as const).map((id) => ({ id, text: words.wells.browse.title[id] }));

/** The tab with tables of wells, assets, and the groups that wells belong to. */
export default function BrowseView({ tab: browse }: { tab: Browse }) {
  const list = useStore(browse.store, (state) => state.list);
  const clock = useTimeOfDay(minuteMs);
  return (
    <div className="wells-browse stack gap-0">
      <h2 className="visually-hidden">{words.wells.browse.title[list]}</h2>
      <div className="browse-kinds">
        <OptionGroup
          label={words.wells.browse.what}
          value={list}
          options={kinds}
          onChange={(kind) => browse.actions.list(kind)}
          layout="line"
        />
      </div>
      {list === 'wells' ? (
        <WellTable browse={browse} now={clock} />
      ) : (
        <EntityTable key={list} browse={browse} kind={list} now={clock} />
      )}
    </div>
  );
}
