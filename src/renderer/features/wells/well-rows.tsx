import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Well } from '../../../shared/wells/wells.ts';
import { useSessionState } from '../../contexts.ts';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { ListGrid, type ListColumn } from '../../ui/grid/list-grid.tsx';
import type { Point } from '../../ui/grid/place.ts';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import type { Browse } from './browse.ts';
import { groupByField, isRelated, type FactField, factText } from './facts.ts';
import { RowActionBar, useRowActions } from './row-actions.tsx';
import { sortWells, sortFields, type SortField } from './sort.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import type { DirectoryState } from './directory.ts';

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
