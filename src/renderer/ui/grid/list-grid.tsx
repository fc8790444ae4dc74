import type {
  CellContextMenuEvent,
  CellKeyDownEvent,
  ColDef,
  Column,
  FullWidthCellKeyDownEvent,
  GridApi,
  GridOptions,
  IDatasource,
  IRowNode,
  ModelUpdatedEvent,
  SelectionChangedEvent,
  SortChangedEvent,
} from 'ag-grid-community';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { visibleLine } from '../../../shared/errors/errors.ts';
import type { SheetValue } from '../../format/sheet-html.ts';
import { isSameJson, useStable } from '../../state/use-stable.ts';
import { eventPoint, type Point, isCopyKey, isSelectAllKey } from './place.ts';
import { commonOptions, useGrid, useOption } from './use-grid.ts';

export interface ListColumn<T> {
  readonly id: string;
  readonly header: string;
  /** The initial width in pixels. */
  readonly width: number;
  readonly align: 'start' | 'end';
  /** Frozen at the left. */
  readonly pinned?: boolean;
  readonly sortable: boolean;
  /** Null: no value. */
  readonly text: (item: T) => string | null;
  /** The value that a spreadsheet pastes; absent: the text. */
  readonly sheetValue?: (item: T) => SheetValue;
}

export interface ListSort {
  readonly column: string;
  readonly descending: boolean;
}

export interface ListGridProps<T> {
  readonly label: string;
  readonly columns: readonly ListColumn<T>[];
  /** In display order: the caller sorts them. */
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Null: unsorted. */
  readonly sort: ListSort | null;
  readonly onSort: (sort: ListSort | null) => void;
  /** `several`: Ctrl and Shift add rows to the selection. */
  readonly selects: 'one' | 'several';
  readonly onSelect: (items: readonly T[]) => void;
  readonly onMenu?: (at: Point) => void;
  readonly onCopy?: () => void;
}

const keepOrder = () => 0;
/** In rows; the grid holds a few blocks. */
const blockSize = 200;

const selections = {
  one: { mode: 'singleRow', checkboxes: false, enableClickSelection: true },
  several: { mode: 'multiRow', checkboxes: false, headerCheckbox: false, enableClickSelection: true },
} as const satisfies Record<string, GridOptions['rowSelection']>;

const options: GridOptions = {
  ...commonOptions,
  cacheBlockSize: blockSize,
  maxBlocksInCache: 10,
  suppressMultiSort: true,
};

function useListSelection<T extends object>(props: ListGridProps<T>) {
  const { items, keyOf, selects, onSelect, onMenu, onCopy } = props;
  // The items that are all selected, whatever their order is by now: the grid selects only the rows that it has loaded.
  const allSelected = useRef<ReadonlyMap<string, T> | null>(null);
  const onSelectionChanged = useEffectEvent(({ api: grid, source }: SelectionChangedEvent<T>) => {
    if (source !== 'api') allSelected.current = null;
    onSelect([...(allSelected.current?.values() ?? grid.getSelectedRows())]);
  });
  const onCellContextMenu = useEffectEvent(({ api: grid, node, event }: CellContextMenuEvent<T>) => {
    // The menu of a selected row applies to the whole selection.
    if (!node.isSelected()) {
      allSelected.current = null;
      node.setSelected(true, true);
      // The grid reports it later; the menu must not open for the rows that were selected before.
      onSelect(grid.getSelectedRows());
    }
    onMenu?.(eventPoint(event));
  });
  const selectLoaded = (grid: GridApi<T>) => {
    const nodes: IRowNode<T>[] = [];
    // Rows that aren't loaded can't be selected.
    grid.forEachNode((node) => {
      if (node.data && allSelected.current?.has(keyOf(node.data))) nodes.push(node);
    });
    grid.setNodesSelected({ nodes, newValue: true });
  };
  const onModelUpdated = useEffectEvent(({ api: grid }: ModelUpdatedEvent<T>) => {
    if (allSelected.current) selectLoaded(grid);
  });
  const onCellKeyDown = useEffectEvent(
    ({ api: grid, event }: CellKeyDownEvent<T> | FullWidthCellKeyDownEvent<T>) => {
      if (event instanceof KeyboardEvent && event.key === 'Escape') grid.deselectAll();
      if (isCopyKey(event)) onCopy?.();
      if (selects === 'several' && isSelectAllKey(event)) {
        event.preventDefault();
        allSelected.current = new Map(items.map((item) => [keyOf(item), item]));
        selectLoaded(grid);
      }
    },
  );
  return { onSelectionChanged, onCellContextMenu, onModelUpdated, onCellKeyDown };
}

/**
 * A table of any length whose rows are passed on demand. Import it only from lazily loaded views: the library
 * is large.
 */
export function ListGrid<T extends object>(props: ListGridProps<T>) {
  const { label, columns, items, keyOf, sort, onSort, selects, onMenu } = props;
  const place = useRef<HTMLElement>(null);
  const datasource = useMemo<IDatasource>(
    () => ({
      rowCount: items.length,
      getRows: ({ startRow, endRow, successCallback }) =>
        successCallback(items.slice(startRow, endRow), items.length),
    }),
    [items],
  );
  // Texts change as names arrive; new columns would make the grid lay itself out again, which takes ten times as long.
  const layout = useStable<readonly Layout[]>(columns, isSameJson);
  const columnDefs = useMemo(() => layout.map(definition), [layout]);
  const textOf = useEffectEvent(
    ({ column, data }: { readonly column: Column; readonly data: T | undefined }) => {
      const shown = columns.find(({ id }) => id === column.getColId());
      return data === undefined ? '' : (shown?.text(data) ?? '');
    },
  );
  const key = useEffectEvent(keyOf);
  // A sort that the grid reported isn't set in it: meanwhile, another click may have changed it.
  const reported = useRef<ListSort | null>(null);
  const reportSort = useEffectEvent(({ api: grid, source }: SortChangedEvent<T>) => {
    if (source !== 'uiColumnSorted') return;
    const by = grid.getColumnState().find((column) => column.sort);
    reported.current = by ? { column: by.colId, descending: by.sort === 'desc' } : null;
    onSort(reported.current);
  });
  const selection = useListSelection(props);
  const api = useGrid<T>(place, () => ({
    ...options,
    rowSelection: selections[selects],
    preventDefaultOnContextMenu: onMenu !== undefined,
    columnDefs,
    defaultColDef: {
      valueGetter: (of) => textOf(of),
      tooltipValueGetter: ({ value }: { readonly value?: unknown }) => value,
    },
    datasource,
    getRowId: ({ data }) => key(data),
    onSortChanged: reportSort,
    ...selection,
  }));
  useOption(api, 'columnDefs', columnDefs);
  useOption(api, 'datasource', datasource);
  const arranged = useRef(layout);
  useEffect(() => {
    // A column that is shown again comes without its sort.
    if (!api || (sort === reported.current && layout === arranged.current)) return;
    reported.current = sort;
    arranged.current = layout;
    const state = sort ? [{ colId: sort.column, sort: sort.descending ? 'desc' : 'asc' } as const] : [];
    api.applyColumnState({ state, defaultState: { sort: null } });
  }, [api, sort, layout]);
  useEffect(() => api?.refreshCells({ columns: columns.map(({ id }) => id) }), [api, columns]);
  return <section className="grid" aria-label={label} ref={place} />;
}

type Layout = Omit<ListColumn<never>, 'text' | 'sheetValue'>;

function definition(column: Layout): ColDef {
  return {
    colId: column.id,
    headerName: visibleLine(column.header),
    width: column.width,
    minWidth: 48,
    sortable: column.sortable,
    comparator: keepOrder,
    ...(column.pinned ? { pinned: 'left' } : {}),
    ...(column.align === 'end' ? { headerClass: 'ag-right-aligned-header' } : {}),
    cellClass: `cell-${column.align}`,
  };
}
