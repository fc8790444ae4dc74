import {
  CellStyleModule,
  ColumnApiModule,
  EventApiModule,
  InfiniteRowModelModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  TooltipModule,
  type CellKeyDownEvent,
  type ColumnMovedEvent,
  type ColumnPinnedEvent,
  type ColumnResizedEvent,
  type FullWidthCellKeyDownEvent,
  type GridApi,
  type IDatasource,
  type SelectionChangedEvent,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import { definitions, type DataColumn, type DataColumnGroup, type Row } from './columns.ts';
import { layoutOf, type GridLayout } from './layout.ts';
import { headDrag } from './head-drag.ts';
import { pointedAt, type GridPlace, type Point } from './place.ts';
import type { RowSource } from './row-source.ts';
import { gridTheme } from './theme.ts';
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

const rowSelection = {
  mode: 'multiRow',
  checkboxes: false,
  headerCheckbox: false,
  enableClickSelection: true,
} as const;

// The arrows move inside the grid; Tab goes on to what comes after it, however many cells there are.
const leave = () => false;

/** Rows are numbers: a block of them is made at once, whatever is behind them, and let go when it is far away. */
const block = { rows: 200, kept: 20 } as const;

/** Rows that are drawn above and below those in view: a jump draws all of them, and is done the sooner the fewer they are. */
const drawnAround = 4;

/** So many rows; another datasource would make the grid anew, so this one is told when there are more. */
function numberedRows(first: number) {
  let rows = first;
  const datasource: IDatasource = {
    getRows({ startRow, endRow, successCallback }) {
      // The last block is a whole one too: there may be more rows later.
      const made = Array.from({ length: endRow - startRow }, (_, at): Row => ({ row: startRow + at }));
      successCallback(made, rows);
    },
  };
  return {
    first,
    datasource,
    change(next: number, api: GridApi<Row> | null): void {
      if (next === rows) return;
      rows = next;
      api?.setRowCount(next, true);
    },
  };
}

const rowId = ({ data }: { data: Row }): string => String(data.row);

const selectedIn = (api: GridApi<Row>): number[] =>
  api
    .getSelectedNodes()
    .flatMap(({ rowIndex }) => (rowIndex === null ? [] : [rowIndex]))
    .toSorted((a, b) => a - b);

/** A grid of any number of rows; Ctrl+C copies the selected rows, or the text of the cell in focus. */
export default function DataGrid(props: DataGridProps) {
  const { label, of, columns, rows, source, onSelect, onLayout, onMenu, onCopy, onDropHead, ref } = props;
  const place = useRef<HTMLElement>(null);
  const [api, setApi] = useState<GridApi<Row> | null>(null);
  const [numbered] = useState(() => numberedRows(rows));
  useEffect(() => numbered.change(rows, api), [numbered, rows, api]);
  const columnDefs = useMemo(() => definitions(columns), [columns]);
  const widths = useRef<GridLayout['widths']>({});
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
  const changed = (event: ColumnMovedEvent<Row> | ColumnPinnedEvent<Row> | ColumnResizedEvent<Row>) => {
    if (!onLayout || !event.source.startsWith('ui') || ('finished' in event && !event.finished)) return;
    const resized = event.type === 'columnResized' ? (event.column?.getColId() ?? null) : null;
    const layout = layoutOf(event.api, resized, widths.current);
    widths.current = layout.widths;
    onLayout(layout);
  };
  return (
    <section
      className="grid"
      aria-label={label}
      ref={place}
      onPointerDownCapture={onDropHead && headDrag(onDropHead)}
    >
      <AgGridReact<Row>
        theme={gridTheme}
        rowModelType="infinite"
        datasource={numbered.datasource}
        cacheBlockSize={block.rows}
        maxBlocksInCache={block.kept}
        rowBuffer={drawnAround}
        infiniteInitialRowCount={numbered.first}
        columnDefs={columnDefs}
        getRowId={rowId}
        rowSelection={rowSelection}
        suppressFieldDotNotation
        suppressDragLeaveHidesColumns
        suppressMoveWhenColumnDragging
        preventDefaultOnContextMenu={onMenu !== undefined}
        animateRows={false}
        tooltipShowDelay={500}
        enableCellTextSelection={false}
        tabToNextCell={leave}
        tabToNextHeader={leave}
        onGridReady={(event) => setApi(event.api)}
        onColumnMoved={changed}
        onColumnPinned={changed}
        onColumnResized={changed}
        onCellContextMenu={({ rowIndex, column, event }) =>
          onMenu?.({ row: rowIndex, column: column.getColId(), at: pointedAt(event) })
        }
        onColumnHeaderContextMenu={({ column }) => openHead(column)}
        onColumnHeaderClicked={({ column }) => openHead(column)}
        onCellKeyDown={(event) => copy(event, onCopy)}
        onSelectionChanged={({ api: grid }: SelectionChangedEvent<Row>) => {
          const chosen = selectedIn(grid);
          const focused = grid.getFocusedCell()?.rowIndex ?? null;
          onSelect(focused !== null && chosen.includes(focused) ? focused : (chosen.at(-1) ?? null));
        }}
      />
    </section>
  );

  function openHead(column: object): void {
    if (!onMenu || !('getColId' in column) || typeof column.getColId !== 'function') return;
    const id = String(column.getColId());
    const head = place.current?.querySelector(`.ag-header-cell[col-id=${JSON.stringify(id)}]`);
    const box = head?.getBoundingClientRect();
    onMenu({ row: null, column: id, at: { x: box?.left ?? 0, y: box?.bottom ?? 0 } });
  }
}

/** Tells the source what is in view, and draws again what has come. */
function useSource(api: GridApi<Row> | null, source: RowSource | undefined): void {
  useEffect(() => {
    if (!api || !source) return undefined;
    const looked = () => look(api, source);
    const stop = source.onCome(({ from, to }) => {
      const rowNodes = api.getRenderedNodes().filter(({ rowIndex }) => isIn(rowIndex, from, to));
      api.refreshCells({ rowNodes, force: true });
    });
    api.addEventListener('viewportChanged', looked);
    looked();
    return () => {
      stop();
      if (!api.isDestroyed()) api.removeEventListener('viewportChanged', looked);
    };
  }, [api, source]);
}

/** Another answer in the place of the one before is looked at from its top; the columns stay where they were scrolled to. */
function useBeginning(api: GridApi<Row> | null, of: unknown, source: RowSource | undefined): void {
  const shown = useRef(of);
  useEffect(() => {
    if (!api || shown.current === of) return;
    shown.current = of;
    api.deselectAll();
    api.clearFocusedCell();
    // First the cells: to scroll asks for the layout, which would have to be made again behind other texts.
    api.refreshCells({ force: true });
    if (api.getDisplayedRowCount() > 0) api.ensureIndexVisible(0, 'top');
    if (source) look(api, source);
  }, [api, of, source]);
}

/** Tells the source which rows are in view. */
function look(api: GridApi<Row>, source: RowSource): void {
  const to = api.getLastDisplayedRowIndex() + 1;
  if (to > 0) source.see({ from: Math.max(api.getFirstDisplayedRowIndex(), 0), to });
}

const isIn = (row: number | null, from: number, to: number) => row !== null && row >= from && row < to;

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
  else void navigator.clipboard.writeText(String(value ?? ''));
}
