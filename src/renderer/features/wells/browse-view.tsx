import { Columns3, Copy, FileDown, type LucideIcon, MapPin, Minus, Plus, SquareCheck } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { csvCell } from '../../../shared/csv.ts';
import { toAppError } from '../../../shared/errors/errors.ts';
import { readList } from '../../../shared/value-lists.ts';
import {
  featureCollection,
  hasAssetId,
  assetId,
  type PlatformEntity,
  type Well,
} from '../../../shared/wells/wells.ts';
import { platformResources } from '../../../shared/wells/platform-filters.ts';
import { useApp, useSession, useSessionState } from '../../contexts.ts';
import { suggestedName } from '../../format/file-name.ts';
import { createSheet } from '../../format/sheet-html.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { ComboBox } from '../../ui/combo-box.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { ListGrid, type ListColumn } from '../../ui/grid/list-grid.tsx';
import type { Point } from '../../ui/grid/place.ts';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { ListAge } from '../../ui/list-age.tsx';
import { ListField } from '../../ui/list-field.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import type { Browse } from './browse.ts';
import { entityName, type DirectoryState } from './directory.ts';
import {
  activeNames,
  assetTypeOf,
  columnsOf,
  type EntityFilterInput,
  type EntityFilterName,
  type EntityKind,
  type EntityNames,
  filtersOf,
  type FilterValue,
  omitNames,
  parentIdOf,
  sortEntities,
  typedValue,
} from './entities.ts';
import {
  defaultColumns,
  definitionOf,
  factFields,
  factText,
  groupOf,
  groupsOf,
  isRelated,
  isSortField,
  memberName,
  parseFacts,
  relatedFields,
  type FactField,
} from './fields.ts';
import {
  anyOption,
  FilterButton,
  FilterChips,
  FilterPopup,
  MemberFilter,
  NameBox,
  useWellOptions,
  WellFilterChips,
} from './filters.tsx';
import { FieldSelect, ListFoot, LoadedWells, NoWells, useFoundWells, WellSearch } from './picker-bar.tsx';
import { sortWells } from './well-index.ts';
import { listedWells, maxSelectedWells } from './wells-state.ts';
import './browse.css';

const w = words.wells.browse;

interface TableProps {
  readonly browse: Browse;
  readonly now: number;
}

function SelectedRows({ name, children }: { name: string | null; children: ReactNode }) {
  if (name === null) return <p className="toolbar wrap quiet">{w.selectHint}</p>;
  return (
    <div className="toolbar wrap">
      <strong className="ellipsis">{name}</strong>
      {children}
    </div>
  );
}

const TableHead = ({ search, children }: { search: ReactNode; children: ReactNode }) => (
  <div className="pad-y-2 pad-x-3 row wrap">
    {search && <div className="grow max-field">{search}</div>}
    {children}
  </div>
);

interface RowAction {
  readonly id: 'add' | 'only' | 'remove' | 'copy' | 'csv' | 'geojson';
  readonly icon: LucideIcon;
  readonly text: string;
  readonly run: () => void;
}

const tsvCell = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ');

/** A well with the names of the platform, as the command line writes it. */
const entityOf = (well: Well): PlatformEntity => ({
  id: well.platformId,
  type: 'well',
  attributes: {
    name: well.name,
    asset_id: well.assetId,
    api_number: well.apiNumber,
    status: well.status,
    state: well.state,
    area: well.area,
    company_id: well.companyId,
    timezone: well.timeZone,
    lon_lat: well.position,
  },
});

/** @param onNotice gets what was copied or saved, or why it couldn't be */
function useRowActions(
  wells: readonly Well[],
  columns: readonly ListColumn<Well>[],
  onNotice: (notice: string) => void,
): readonly RowAction[] {
  const selection = useSelectedWells();
  const { changeSelection, selectWells } = useSession().wells.actions;
  const { save } = useApp();
  if (wells.length === 0) return [];
  const selected = new Set<string | number>(selection.map(({ platformId }) => platformId));
  const isSelected = ({ platformId }: Well) => selected.has(platformId);
  const linesOf = (cell: (text: string) => string, delimiter: string): string =>
    [columns.map(({ header }) => header), ...wells.map((well) => columns.map(({ text }) => text(well) ?? ''))]
      .map((cells) => `${cells.map(cell).join(delimiter)}\r\n`)
      .join('');
  const copy = async () => {
    const sheet = createSheet();
    sheet.add(columns.map(({ header }) => header));
    for (const well of wells)
      sheet.add(columns.map(({ text, sheetValue }) => (sheetValue ? sheetValue(well) : text(well))));
    const html = sheet.html();
    const note = html === null ? ` ${words.copiedTextOnly}` : '';
    if (await copyText(linesOf(tsvCell, '\t'), html)) onNotice(w.copied(wells.length) + note);
  };
  const saveAs = async (ending: string, content: Blob) => {
    const name = suggestedName(w.fileName, new Date()).replace(/\.csv$/, ending);
    try {
      if (await save(name, content)) onNotice(w.saved(wells.length));
    } catch (error) {
      onNotice(toAppError(error).message);
    }
  };
  const saveCsv = () => saveAs('.csv', new Blob([linesOf(csvCell, ',')], { type: 'text/csv;charset=utf-8' }));
  const saveGeoJson = () =>
    saveAs(
      '.geojson',
      new Blob([JSON.stringify(featureCollection(wells.map(entityOf)))], { type: 'application/geo+json' }),
    );
  const actions: (RowAction | false)[] = [
    wells.some((well) => hasAssetId(well) && !isSelected(well)) && {
      id: 'add',
      icon: Plus,
      text: w.choose,
      run: () => changeSelection(wells),
    },
    wells.some(hasAssetId) && {
      id: 'only',
      icon: SquareCheck,
      text: w.chooseOnly,
      run: () => selectWells(wells),
    },
    wells.some(isSelected) && {
      id: 'remove',
      icon: Minus,
      text: w.deselect,
      run: () => changeSelection([], new Set(wells.map(({ platformId }) => platformId))),
    },
    { id: 'copy', icon: Copy, text: w.copyRows, run: () => void copy() },
    { id: 'csv', icon: FileDown, text: w.saveRows, run: () => void saveCsv() },
    wells.some(({ position }) => position !== null) && {
      id: 'geojson',
      icon: MapPin,
      text: w.saveGeoJson,
      run: () => void saveGeoJson(),
    },
  ];
  return actions.filter((action) => action !== false);
}

/** Marks wells that are selected for queries, by text: color isn't the only sign. */
function markColumn(selection: readonly Pick<Well, 'platformId'>[]): ListColumn<Well> {
  const ids = new Set(selection.map(({ platformId }) => platformId));
  return {
    id: 'selected',
    header: w.inScope,
    width: 88,
    align: 'start',
    pinned: true,
    sortable: false,
    text: ({ platformId }) => (ids.has(platformId) ? w.inScopeMark : null),
  };
}

const nameColumn: ListColumn<Well> = {
  id: 'name',
  header: words.wells.fields.name,
  width: 220,
  align: 'start',
  pinned: true,
  sortable: true,
  text: (well) => well.name,
};

/** @param now null: for files and copies */
const wellColumns = (fields: readonly FactField[], directory: DirectoryState, now: number | null) => [
  nameColumn,
  ...fields.map((field): ListColumn<Well> => {
    const { width = 120, isId } = definitionOf(field);
    return {
      id: field,
      header: words.wells.fields[field],
      width,
      align: isId ? 'end' : 'start',
      sortable: isSortField(field),
      text: (well) => factText(well, field, directory, now),
      ...(field === 'assetId' || field === 'platformId' ? { sheetValue: (well) => well[field] } : {}),
    };
  }),
];

const wellKey = ({ platformId }: Well) => String(platformId);

interface WellRowsProps extends TableProps {
  readonly wells: readonly Well[];
  readonly fields: readonly FactField[];
}

function WellRows({ browse, wells, fields, now }: WellRowsProps) {
  const selection = useSelectedWells();
  const directory = useSessionState('directory', (state) => state);
  const sort = useStore(browse.store, (state) => state.sort);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [menuAt, setMenuAt] = useState<Point | null>(null);
  const [notice, setNotice] = useState('');
  const columns = useMemo(() => wellColumns(fields, directory, now), [fields, directory, now]);
  const marked = useMemo(() => [markColumn(selection), ...columns], [selection, columns]);
  const sorted = useMemo(() => {
    const by = sort?.column;
    if (!sort || by === undefined || !isSortField(by)) return wells;
    const names = isRelated(by) ? directory[groupOf(by)].names : undefined;
    return sortWells(wells, { by, descending: sort.descending }, names);
  }, [wells, sort, directory]);
  // In the order of the table, without rows that no longer match the filters.
  const rows = useMemo(() => sorted.filter((well) => picked.has(wellKey(well))), [sorted, picked]);
  const fileColumns = useMemo(() => wellColumns(fields, directory, null), [fields, directory]);
  const actions = useRowActions(rows, fileColumns, setNotice);
  return (
    <>
      <KeepFocus className="browse-body fill">
        <ListGrid
          label={w.table}
          columns={marked}
          items={sorted}
          keyOf={wellKey}
          sort={sort}
          onSort={browse.actions.sort}
          selects="several"
          onSelect={(selected) => {
            setPicked(new Set(selected.map(wellKey)));
            setNotice('');
          }}
          onMenu={setMenuAt}
          onCopy={() => actions.find(({ id }) => id === 'copy')?.run()}
        />
      </KeepFocus>
      {menuAt && rows.length > 0 && (
        <ContextMenu
          label={w.rows(rows.length)}
          at={menuAt}
          parts={[{ id: 'rows', heading: w.rows(rows.length), items: actions }]}
          onClose={() => setMenuAt(null)}
        />
      )}
      <SelectedRows name={rows.length > 1 ? w.rows(rows.length) : (rows[0]?.name ?? null)}>
        {actions.map(({ id, icon, text, run }) => (
          <Button key={id} variant="quiet" icon={icon} onPress={run}>
            {text}
          </Button>
        ))}
        {!rows.some(hasAssetId) && <span className="quiet">{words.wells.noAssetNote}</span>}
        <Status className="quiet">{notice}</Status>
      </SelectedRows>
    </>
  );
}

/** The wells of the list as a table, with the same search and filters; its sort is its own. */
function WellTable({ browse, now }: TableProps) {
  const wells = useFoundWells();
  const shownFields = useSessionState('wells', (state) => state.columns);
  const fields = useMemo(() => parseFacts(shownFields, defaultColumns), [shownFields]);
  const { loadGroups } = useSession().directory.actions;
  const actions = useSession().wells.actions;
  useEffect(() => loadGroups(groupsOf(fields)), [loadGroups, fields]);
  return (
    <LoadedWells onAgain={actions.reload}>
      <TableHead search={<WellSearch />}>
        <FilterButton />
        <FieldSelect
          heading={words.wells.columns}
          note={words.wells.columnsHint}
          icon={Columns3}
          all={factFields}
          selected={fields}
          onSelect={(fields) => actions.setFields('columns', fields)}
        />
        <SelectFound />
      </TableHead>
      <WellFilterChips />
      {wells ? (
        <WellRows browse={browse} wells={wells} fields={fields} now={now} />
      ) : (
        <KeepFocus className="browse-body fill">
          <NoWells />
        </KeepFocus>
      )}
      <ListFoot onAgain={actions.reload} />
    </LoadedWells>
  );
}

function SelectFound() {
  const foundWells = useSessionState('wells', (state) => state.found);
  const { selectWells } = useSession().wells.actions;
  if (foundWells === null || foundWells.length > maxSelectedWells) return null;
  const selectable = foundWells.filter(hasAssetId);
  if (selectable.length === 0) return null;
  return <Button onPress={() => selectWells(selectable)}>{w.chooseAll(selectable.length)}</Button>;
}

/** Ids are titles, which are unique in a list. */
const listColumns = (kind: EntityKind, names: EntityNames): ListColumn<PlatformEntity>[] =>
  columnsOf(kind).map(({ title, width, align, text }, at) => ({
    id: title,
    header: title,
    width,
    align,
    pinned: at === 0,
    sortable: true,
    text: (entity) => text(entity, names),
  }));

const entityKey = ({ type, id }: PlatformEntity) => `${type} ${id}`;

function SelectedEntity({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const selected = useStore(
    browse.store,
    ({ selected: id, entities }) => entities.items.find((item) => item.id === id) ?? null,
  );
  return (
    <SelectedRows name={selected && entityName(selected)}>
      {selected &&
        (kind === 'assets' ? (
          <AssetActions asset={selected} browse={browse} />
        ) : (
          <RelatedWells kind={kind} id={selected.id} />
        ))}
    </SelectedRows>
  );
}

function RelatedWells({ kind, id }: { kind: EntityKind; id: number }) {
  const actions = useSession().wells.actions;
  const show = () => {
    const field = relatedFields.find((field) => groupOf(field) === kind);
    actions.search('');
    actions.show('all');
    if (field) actions.filter({ [field]: id });
  };
  return <Button onPress={show}>{w.itsWells}</Button>;
}

function AssetActions({ asset, browse }: { asset: PlatformEntity; browse: Browse }) {
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
  const listed = useSessionState('wells', listedWells);
  const selected = useSelectedWells();
  const { selectWells, deselect } = useSession().wells.actions;
  // In `/v2/assets`, `id` is the asset id; elsewhere it's the platform's own (specification, section 1.4).
  const well = listed.well('assetId', assetId.parse(asset.id));
  if (!well || !hasAssetId(well)) return <span className="quiet">{w.unknownWell}</span>;
  if (selected.some(({ platformId }) => platformId === well.platformId))
    return <Button onPress={() => deselect(well.platformId)}>{w.deselect}</Button>;
  return <Button onPress={() => selectWells([...selected, well])}>{w.choose}</Button>;
}

interface EntityFilterFieldProps {
  readonly name: EntityFilterName;
  readonly input: EntityFilterInput;
  readonly value: FilterValue | null;
  /** Values of a list that nothing has. */
  readonly notFound: readonly string[];
  readonly onSet: (value: FilterValue | null) => void;
}

function EntityFilterField({ name, input, value, notFound, onSet }: EntityFilterFieldProps) {
  const directory = useSessionState('directory', (state) => state);
  const { title: label } = input;
  const box = (options: ReadonlyMap<string, FilterValue['value']>) => (
    <NameBox<string>
      label={label}
      value={value && options.has(value.text) ? value.text : null}
      text={value?.text ?? ''}
      options={() => [...options.keys()].map((name) => ({ id: name, name }))}
      onSelect={(text) => {
        const option = text === null ? undefined : options.get(text);
        onSet(text === null || option === undefined ? null : { text, value: option });
      }}
    />
  );
  switch (input.by) {
    case 'group':
      return (
        <MemberFilter
          label={label}
          group={input.group}
          value={typeof value?.value === 'number' ? value.value : null}
          onSelect={(id) =>
            onSet(id === null ? null : { text: memberName(directory, input.group, id), value: id })
          }
        />
      );
    case 'well':
      return <WellFilterBox label={label} list={input.list} value={value} onSet={onSet} />;
    case 'word':
      return box(new Map(input.words.map((word) => [word, input.list ? [word] : word])));
    case 'flag':
      return box(
        new Map(
          [true, false].map((yes) => [
            yes ? w.yes : w.no,
            { boolean: yes, integer: Number(yes), text: String(yes) }[input.as],
          ]),
        ),
      );
    case 'day':
    case 'text':
      return (
        <TextField
          label={label}
          name={name}
          type={input.by === 'day' ? 'date' : 'text'}
          value={value?.text ?? ''}
          onChange={(text) => onSet(typedValue(text, input))}
        />
      );
    case 'link':
      return null;
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
 * Selects a well by name, API number, or asset id. These
 * filters take the platform id of a well (specification, section 4.2), not its asset id.
 */
function WellFilterBox({ label, list, value, onSet }: WellFilterBoxProps) {
  const selected = useSelectedWells();
  const listed = useSessionState('wells', listedWells);
  const find = useWellOptions('platformId');
  const optionsFor = (text: string) =>
    find(text).map(({ platformId, name, apiNumber }) => ({
      id: String(platformId),
      text: name,
      ...(apiNumber === null ? {} : { note: apiNumber }),
    }));
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

function EntityFilters({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const filter = useStore(browse.store, (state) => state.filter);
  const notFound = useStore(browse.store, (state) => state.notFound);
  const inputs = filtersOf(kind);
  const searched = inputs.has('name') ? 'name' : 'search';
  const search = inputs.get(searched);
  const set = (name: EntityFilterName, value: FilterValue | null) =>
    browse.actions.filter(value ? { ...filter, [name]: value } : omitNames(filter, [name]));
  const chips = activeNames(filter)
    .filter((name) => name !== searched)
    .map((id) => ({ id, text: `${inputs.get(id)?.title ?? id}: ${filter[id]?.text ?? ''}` }));
  const title = w.title[kind];
  return (
    <>
      <TableHead
        search={
          search && (
            <SearchBox
              label={searched === 'name' ? `${title}: ${search.title}` : w.search(title)}
              placeholder={kind === 'assets' ? w.searchAsset : search.title}
              value={filter[searched]?.text ?? ''}
              onChange={(text) => set(searched, typedValue(text, search))}
            />
          )
        }
      >
        <FilterPopup
          label={words.wells.filters}
          activeCount={chips.length}
          isFiltered={Object.keys(filter).length > 0}
          onClear={() => browse.actions.filter({})}
        >
          {[...inputs].map(
            ([name, input]) =>
              name !== searched && (
                <EntityFilterField
                  key={name}
                  name={name}
                  input={input}
                  value={filter[name] ?? null}
                  notFound={notFound}
                  onSet={(value) => set(name, value)}
                />
              ),
          )}
        </FilterPopup>
      </TableHead>
      <FilterChips chips={chips} onRemove={(names) => browse.actions.filter(omitNames(filter, names))} />
    </>
  );
}

function EntityTable({ browse, kind, now }: TableProps & { kind: EntityKind }) {
  const { items, freshness } = useStore(browse.store, (state) => state.entities);
  const sort = useStore(browse.store, (state) => state.sort);
  const directory = useSessionState('directory', (state) => state);
  const listed = useSessionState('wells', listedWells);
  const { loadGroups } = useSession().directory.actions;
  useEffect(() => loadGroups(columnsOf(kind).flatMap(({ group }) => group ?? [])), [kind, loadGroups]);
  // Stable while the list loads: the grid lays itself out again for new columns.
  const names = useMemo<EntityNames>(
    () => ({
      directory,
      assetName: browse.assetName,
      wellName: (platformId: number) => listed.well('platformId', platformId)?.name,
      now,
    }),
    [browse, directory, listed, now],
  );
  const columns = useMemo(() => listColumns(kind, names), [kind, names]);
  const sorted = useMemo(() => {
    const column = columnsOf(kind).find(({ title }) => title === sort?.column);
    return sort && column ? sortEntities(items, column, sort.descending, names) : items;
  }, [items, kind, names, sort]);
  const count = w.count[kind](items.length);
  return (
    <>
      <EntityFilters browse={browse} kind={kind} />
      <KeepFocus className="browse-body fill">
        {items.length > 0 ? (
          <ListGrid
            label={w.title[kind]}
            columns={columns}
            items={sorted}
            keyOf={entityKey}
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
          {freshness.isLoading && freshness.asOf === null ? w.soFar(count) : count}
        </Status>
        {items.length > 0 && <ListAge freshness={freshness} onAgain={browse.actions.load} />}
      </div>
    </>
  );
}

function EmptyEntityList({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const { isLoading, error } = useStore(browse.store, (state) => state.entities.freshness);
  const isFiltered = useStore(browse.store, (state) => Object.keys(state.filter).length > 0);
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

const kinds = platformResources.map((id) => ({ id, text: w.title[id] }));

export default function BrowseView({ tab: browse }: { tab: Browse }) {
  const list = useStore(browse.store, (state) => state.list);
  const clock = useTimeOfDay(minuteMs);
  return (
    <div className="full stack gap-0">
      <h2 className="visually-hidden">{w.title[list]}</h2>
      <div className="browse-kinds">
        <OptionGroup
          label={w.what}
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
