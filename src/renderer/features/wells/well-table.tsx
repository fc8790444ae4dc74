import { Columns3, Copy, FileDown, type LucideIcon, MapPin, Minus, Plus, SquareCheck } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSession, useSessionState, useApp } from '../../contexts.ts';
import type { Browse } from './browse.ts';
import {
  factFields,
  parseFacts,
  groupsOf,
  defaultColumns,
  type FactField,
  groupByField,
  isRelated,
  factText,
} from './facts.ts';
import { FieldSelect } from './field-select.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterButton } from './filter-popup.tsx';
import { ListFoot } from './list-foot.tsx';
import { NoWells } from './no-wells.tsx';
import { WellSearch } from './picker-bar.tsx';
import { hasAssetId } from '../../../shared/wells/scope.ts';
import { maxSelectedWells } from './wells-state.ts';
import { useStore } from 'zustand';
import type { Well, PlatformEntity } from '../../../shared/wells/wells.ts';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { ListGrid, type ListColumn } from '../../ui/grid/list-grid.tsx';
import type { Point } from '../../ui/grid/place.ts';
import { sortWells, sortFields, type SortField } from './sort.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import type { DirectoryState } from './directory.ts';
import { csvCell } from '../../../shared/csv.ts';
import { toAppError } from '../../../shared/errors/errors.ts';
import { featureCollection } from '../../../shared/wells/geojson.ts';
import { suggestedName } from '../../format/file-name.ts';
import { createSheet } from '../../format/sheet-html.ts';
import { copyText } from '../../ui/clipboard.ts';
import { Status } from '../../ui/status.tsx';

/** What can be done with the selected rows of the table of wells. */
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

/**
 * The actions that apply to the selected rows; none without rows.
 * @param onNotice gets what was copied or saved, or why it couldn't be
 */
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
      text: w.unchoose,
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

interface RowActionBarProps {
  readonly wells: readonly Well[];
  readonly actions: readonly RowAction[];
  readonly notice: string;
}

/** The actions for the selected rows, in a line below the table. */
function RowActionBar({ wells, actions, notice }: RowActionBarProps) {
  const [first] = wells;
  if (!first) return <p className="browse-selected row wrap quiet">{w.selectHint}</p>;
  return (
    <div className="browse-selected row wrap">
      <strong className="ellipsis">{wells.length === 1 ? first.name : w.rows(wells.length)}</strong>
      {actions.map(({ id, icon, text, run }) => (
        <Button key={id} variant="quiet" icon={icon} onPress={run}>
          {text}
        </Button>
      ))}
      {!wells.some(hasAssetId) && <span className="quiet">{words.wells.noAssetNote}</span>}
      <Status className="quiet">{notice}</Status>
    </div>
  );
}

const w = words.wells.browse;
const keyOf = ({ platformId }: Well) => String(platformId);

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

interface WellRowsProps {
  readonly browse: Browse;
  readonly wells: readonly Well[];
  readonly fields: readonly FactField[];
  readonly now: number;
}

/** Wells in a table whose rows can be selected, with the actions for the selected rows. */
export function WellRows({ browse, wells, fields, now }: WellRowsProps) {
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
    const names = isRelated(by) ? directory[groupByField[by]].names : undefined;
    return sortWells(wells, { by, descending: sort.descending }, names);
  }, [wells, sort, directory]);
  // In the order of the table, without rows that no longer match the filters.
  const rows = useMemo(() => sorted.filter((well) => picked.has(keyOf(well))), [sorted, picked]);
  const actions = useRowActions(rows, columns, setNotice);
  const run = (id: string) => actions.find((action) => action.id === id)?.run();
  return (
    <>
      <KeepFocus className="browse-body">
        <ListGrid
          label={w.table}
          columns={marked}
          items={sorted}
          keyOf={keyOf}
          sort={sort}
          onSort={browse.actions.sort}
          selects="several"
          onSelect={(selected) => {
            setPicked(new Set(selected.map(keyOf)));
            setNotice('');
          }}
          onMenu={setMenuAt}
          onCopy={() => run('copy')}
        />
      </KeepFocus>
      {menuAt && rows.length > 0 && (
        <ContextMenu
          label={w.rows(rows.length)}
          at={menuAt}
          parts={[{ id: 'rows', heading: w.rows(rows.length), items: actions }]}
          onSelect={run}
          onClose={() => setMenuAt(null)}
        />
      )}
      <RowActionBar wells={rows} actions={actions} notice={notice} />
    </>
  );
}

const widths: Partial<Record<FactField, number>> = {
  apiNumber: 180,
  companyId: 150,
  programId: 190,
  padId: 150,
  rigId: 150,
  timeZone: 160,
  position: 160,
};
const ids: readonly FactField[] = ['assetId', 'platformId'];
const isSortField = (field: string): field is SortField =>
  sortFields.some((sortField) => sortField === field);

function wellColumns(
  fields: readonly FactField[],
  directory: DirectoryState,
  now: number,
): ListColumn<Well>[] {
  const name: ListColumn<Well> = {
    id: 'name',
    header: words.wells.fields.name,
    width: 220,
    align: 'start',
    pinned: true,
    sortable: true,
    text: (well) => well.name,
  };
  const otherColumns = fields.map((field): ListColumn<Well> => ({
    id: field,
    header: words.wells.fields[field],
    width: widths[field] ?? 120,
    align: ids.includes(field) ? 'end' : 'start',
    sortable: isSortField(field),
    text: (well) => factText(well, field, directory, now),
    ...(field === 'assetId' || field === 'platformId' ? { sheetValue: (well) => well[field] } : {}),
  }));
  return [name, ...otherColumns];
}

/** The wells of the list as a table, with the same search and filters; its sort is its own. */
export function WellTable({ browse, now }: { browse: Browse; now: number }) {
  const list = useSessionState('wells', (state) => state.list);
  const extraFields = useSessionState('wells', (state) => state.columns);
  const columns = useMemo(() => parseFacts(extraFields, defaultColumns), [extraFields]);
  const { loadGroups } = useSession().directory.actions;
  const actions = useSession().wells.actions;
  useEffect(() => loadGroups(groupsOf(columns)), [loadGroups, columns]);
  if (list.status === 'loading') return <Loading what={words.wells.loading} onCancel={actions.cancel} />;
  if (list.status === 'failed') return <ConnectionFailed error={list.error} onRetry={actions.reload} />;
  if (list.status === 'idle')
    return (
      <Empty action={<Button onPress={actions.reload}>{words.wells.load}</Button>}>
        {words.wells.notLoaded}
      </Empty>
    );
  return (
    <>
      <div className="browse-head row wrap">
        <div className="browse-search">
          <WellSearch />
        </div>
        <FilterButton />
        <FieldSelect
          heading={words.wells.columns}
          note={words.wells.columnsHint}
          icon={Columns3}
          all={factFields}
          selected={columns}
          onSelect={(fields) => actions.setFields('columns', fields)}
        />
        <SelectFound />
      </div>
      <FilterChips />
      <FoundWellTable browse={browse} columns={columns} now={now} />
      <ListFoot onAgain={actions.reload} />
    </>
  );
}

interface FoundWellTableProps {
  readonly browse: Browse;
  readonly columns: readonly FactField[];
  readonly now: number;
}

function FoundWellTable({ browse, columns, now }: FoundWellTableProps) {
  const foundWells = useSessionState('wells', (state) => state.found);
  const serviceResult = useSessionState('wells', (state) => state.serviceResult);
  const actions = useSession().wells.actions;
  const isListComplete = serviceResult.status !== 'failed' && serviceResult.status !== 'loading';
  if (isListComplete && foundWells && foundWells.length > 0)
    return <WellRows browse={browse} wells={foundWells} fields={columns} now={now} />;
  return (
    <KeepFocus className="browse-body">
      {serviceResult.status === 'failed' ? (
        <ConnectionFailed error={serviceResult.error} onRetry={actions.retryFilter} />
      ) : serviceResult.status === 'loading' ? (
        <Loading what={words.wells.asking} onCancel={actions.cancel} />
      ) : (
        foundWells && <NoWells />
      )}
    </KeepFocus>
  );
}

function SelectFound() {
  const foundWells = useSessionState('wells', (state) => state.found);
  const { selectWells } = useSession().wells.actions;
  if (foundWells === null || foundWells.length > maxSelectedWells) return null;
  const selectable = foundWells.filter(hasAssetId);
  if (selectable.length === 0) return null;
  return (
    <Button onPress={() => selectWells(selectable)}>{words.wells.browse.chooseAll(selectable.length)}</Button>
  );
}
