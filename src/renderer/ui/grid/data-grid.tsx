import {
  type CellContextMenuEvent,
  type CellKeyDownEvent,
  CellStyleModule,
  ColumnApiModule,
  type ColumnMovedEvent,
  type ColumnPinnedEvent,
  type ColumnResizedEvent,
  EventApiModule,
  type FullWidthCellKeyDownEvent,
  type GridApi,
  type GridOptions,
  InfiniteRowModelModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  type SelectionChangedEvent,
  TooltipModule,
} from 'ag-grid-community';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { copyText } from '../clipboard.ts';
import { type DataColumn, type DataColumnGroup, definitions, type Row } from './columns.ts';
import { type GridLayout, layoutOf } from './layout.ts';
import { startHeadDrag } from './head-drag.ts';
import { rowBlock, numberedRows, type RowSource, useScrollToTop, useSource } from './row-source.ts';
import { type GridPlace, type Point, eventPoint } from './place.ts';
import { gridTheme } from './theme.ts';
import { useGrid, useOption } from './use-grid.ts';
import './grid.css';

ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  CellStyleModule,
  ColumnApiModule,
  EventApiModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  TooltipModule,
]);

/** Controls a grid from outside. */
export interface GridControl {
  /** Scrolls to a cell and focuses it. */
  readonly show: (row: number, column: string) => void;
  /** The selected rows in order. */
  readonly selected: () => number[];
  /** Selects only this row, if it is loaded. */
  readonly select: (row: number) => void;
}

export interface DataGridProps {
  readonly label: string;
  /** The subject of the rows: a new one starts at the top without a selection. */
  readonly of?: unknown;
  readonly columns: readonly (DataColumn | DataColumnGroup)[];
  readonly rows: number;
  /** The source of rows that load on demand. */
  readonly source?: RowSource;
  /** The last selected row; null: none. */
  readonly onSelect: (row: number | null) => void;
  /** Called after the user moved, pinned, or resized a column. */
  readonly onLayout?: (layout: GridLayout) => void;
  /** Opens the menu of a cell or a column header. */
  readonly onMenu?: (place: GridPlace) => void;
  /** Ctrl+C with a selection; absent: copies the focused cell. */
  readonly onCopy?: (rows: readonly number[]) => void;
  /** A column header was dropped, in the grid or elsewhere. */
  readonly onDropHead?: (column: string, at: Point) => void;
  readonly ref?: Ref<GridControl>;
}

// Arrow keys move inside the grid; Tab leaves it.
const leaveGrid = () => false;

/** Extra rows above and below the visible ones. Fewer make jumps faster. */
const rowBuffer = 4;

const options: GridOptions<Row> = {
  theme: gridTheme,
  rowModelType: 'infinite',
  cacheBlockSize: rowBlock.rows,
  maxBlocksInCache: rowBlock.kept,
  rowBuffer: rowBuffer,
  getRowId: ({ data }) => String(data.row),
  rowSelection: { mode: 'multiRow', checkboxes: false, headerCheckbox: false, enableClickSelection: true },
  suppressFieldDotNotation: true,
  suppressDragLeaveHidesColumns: true,
  suppressMoveWhenColumnDragging: true,
  animateRows: false,
  tooltipShowDelay: 500,
  enableCellTextSelection: false,
  tabToNextCell: leaveGrid,
  tabToNextHeader: leaveGrid,
};

const selectedRows = (api: GridApi<Row>): number[] =>
  api
    .getSelectedNodes()
    .flatMap(({ rowIndex }) => (rowIndex === null ? [] : [rowIndex]))
    .toSorted((a, b) => a - b);

/** A grid with any number of rows. Ctrl+C copies selected rows or the focused cell. */
export default function DataGrid(props: DataGridProps) {
  const { label, of, columns, rows, source, onSelect, onLayout, onMenu, onCopy, onDropHead, ref } = props;
  const place = useRef<HTMLElement>(null);
  const [numbered] = useState(() => numberedRows(rows));
  const columnDefs = useMemo(() => definitions(columns), [columns]);
  const preventDefaultOnContextMenu = onMenu !== undefined;
  const widths = useRef<GridLayout['widths']>({});
  const changed = useEffectEvent(
    (event: ColumnMovedEvent<Row> | ColumnPinnedEvent<Row> | ColumnResizedEvent<Row>) => {
      if (!onLayout || !event.source.startsWith('ui') || ('finished' in event && !event.finished)) return;
      const resized = event.type === 'columnResized' ? (event.column?.getColId() ?? null) : null;
      const layout = layoutOf(event.api, resized, widths.current);
      widths.current = layout.widths;
      onLayout(layout);
    },
  );
  const openCell = useEffectEvent(({ rowIndex, column, event }: CellContextMenuEvent<Row>) =>
    onMenu?.({ row: rowIndex, column: column.getColId(), at: eventPoint(event) }),
  );
  const openHead = useEffectEvent(({ column }: { column: object }) => {
    if (!onMenu || !('getColId' in column) || typeof column.getColId !== 'function') return;
    const id = String(column.getColId());
    const head = place.current?.querySelector(`.ag-header-cell[col-id=${JSON.stringify(id)}]`);
    const box = head?.getBoundingClientRect();
    onMenu({ row: null, column: id, at: { x: box?.left ?? 0, y: box?.bottom ?? 0 } });
  });
  const pressed = useEffectEvent((event: CellKeyDownEvent<Row> | FullWidthCellKeyDownEvent<Row>) =>
    copy(event, onCopy),
  );
  const selected = useEffectEvent(({ api: grid }: SelectionChangedEvent<Row>) => {
    const chosen = selectedRows(grid);
    const focused = grid.getFocusedCell()?.rowIndex ?? null;
    onSelect(focused !== null && chosen.includes(focused) ? focused : (chosen.at(-1) ?? null));
  });
  const api = useGrid<Row>(place, () => ({
    ...options,
    columnDefs,
    datasource: numbered.datasource,
    infiniteInitialRowCount: rows,
    preventDefaultOnContextMenu,
    onColumnMoved: changed,
    onColumnPinned: changed,
    onColumnResized: changed,
    onCellContextMenu: openCell,
    onColumnHeaderContextMenu: openHead,
    onColumnHeaderClicked: openHead,
    onCellKeyDown: pressed,
    onSelectionChanged: selected,
  }));
  useEffect(() => numbered.change(rows, api), [numbered, rows, api]);
  useOption(api, 'columnDefs', columnDefs);
  useOption(api, 'preventDefaultOnContextMenu', preventDefaultOnContextMenu);
  useSource(api, source);
  useScrollToTop(api, of, source);
  useImperativeHandle(
    ref,
    () => ({
      show(row, column) {
        api?.ensureIndexVisible(row, 'middle');
        api?.ensureColumnVisible(column);
        api?.setFocusedCell(row, column);
      },
      selected: () => (api ? selectedRows(api) : []),
      select: (row) => api?.getRowNode(String(row))?.setSelected(true, true),
    }),
    [api],
  );
  return (
    <section
      className="grid"
      aria-label={label}
      ref={place}
      onPointerDownCapture={onDropHead && startHeadDrag(onDropHead)}
    />
  );
}

function copy(
  { api, event, value }: CellKeyDownEvent<Row> | (FullWidthCellKeyDownEvent<Row> & { value?: unknown }),
  onCopy: DataGridProps['onCopy'],
) {
  if (
    !(event instanceof KeyboardEvent) ||
    event.key.toLowerCase() !== 'c' ||
    !(event.ctrlKey || event.metaKey)
  )
    return;
  const rows = selectedRows(api);
  if (onCopy && rows.length > 1) onCopy(rows);
  else void copyText(String(value ?? ''));
}
