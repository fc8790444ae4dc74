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
import { headDrag } from './head-drag.ts';
import { block, numberedRows, type RowSource, useBeginning, useSource } from './row-source.ts';
import { type GridPlace, type Point, pointedAt } from './place.ts';
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

/** What can be done with a grid from outside. */
export interface GridControl {
  /** Brings a cell into view and puts the focus on it. */
  readonly show: (row: number, column: string) => void;
  /** The selected rows, in their order. */
  readonly selected: () => number[];
  /** Selects this row alone, if it is near enough to be at hand. */
  readonly select: (row: number) => void;
}

export interface DataGridProps {
  readonly label: string;
  /** What the rows are of: another one begins at its top, with nothing selected. */
  readonly of?: unknown;
  readonly columns: readonly (DataColumn | DataColumnGroup)[];
  readonly rows: number;
  /** Where rows come from that are not here from the start. */
  readonly source?: RowSource;
  /** A row that was chosen, or null when none is any more. With several the one that was chosen last. */
  readonly onSelect: (row: number | null) => void;
  /** Told after a person moved, pinned or resized a column. */
  readonly onLayout?: (layout: GridLayout) => void;
  /** A menu is asked for, of a cell or of a column's head. */
  readonly onMenu?: (place: GridPlace) => void;
  /** Ctrl+C, with what is selected; absent: the text of the cell in focus is copied. */
  readonly onCopy?: (rows: readonly number[]) => void;
  /** A column's head was dragged and let go, here or elsewhere in the window. */
  readonly onDropHead?: (column: string, at: Point) => void;
  readonly ref?: Ref<GridControl>;
}

// The arrows move inside the grid; Tab goes on to what comes after it, however many cells there are.
const leave = () => false;

/** Rows that are drawn above and below those in view: a jump draws all of them, and is done the sooner the fewer they are. */
const drawnAround = 4;

const options: GridOptions<Row> = {
  theme: gridTheme,
  rowModelType: 'infinite',
  cacheBlockSize: block.rows,
  maxBlocksInCache: block.kept,
  rowBuffer: drawnAround,
  getRowId: ({ data }) => String(data.row),
  rowSelection: { mode: 'multiRow', checkboxes: false, headerCheckbox: false, enableClickSelection: true },
  suppressFieldDotNotation: true,
  suppressDragLeaveHidesColumns: true,
  suppressMoveWhenColumnDragging: true,
  animateRows: false,
  tooltipShowDelay: 500,
  enableCellTextSelection: false,
  tabToNextCell: leave,
  tabToNextHeader: leave,
};

const selectedIn = (api: GridApi<Row>): number[] =>
  api
    .getSelectedNodes()
    .flatMap(({ rowIndex }) => (rowIndex === null ? [] : [rowIndex]))
    .toSorted((a, b) => a - b);

/** A grid of any number of rows; Ctrl+C copies the selected rows, or the text of the cell in focus. */
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
    onMenu?.({ row: rowIndex, column: column.getColId(), at: pointedAt(event) }),
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
    const chosen = selectedIn(grid);
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
  useBeginning(api, of, source);
  useImperativeHandle(
    ref,
    () => ({
      show(row, column) {
        api?.ensureIndexVisible(row, 'middle');
        api?.ensureColumnVisible(column);
        api?.setFocusedCell(row, column);
      },
      selected: () => (api ? selectedIn(api) : []),
      select: (row) => api?.getRowNode(String(row))?.setSelected(true, true),
    }),
    [api],
  );
  return (
    <section
      className="grid"
      aria-label={label}
      ref={place}
      onPointerDownCapture={onDropHead && headDrag(onDropHead)}
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
  const rows = selectedIn(api);
  if (onCopy && rows.length > 1) onCopy(rows);
  else void copyText(String(value ?? ''));
}
