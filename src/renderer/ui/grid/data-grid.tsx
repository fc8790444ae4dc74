import {
  CellStyleModule,
  EventApiModule,
  InfiniteRowModelModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  TooltipModule,
  type CellKeyDownEvent,
  type FullWidthCellKeyDownEvent,
  type GridApi,
  type IDatasource,
  type SelectionChangedEvent,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { useEffect, useMemo, useState } from 'react';
import { definitions, type DataColumn, type DataColumnGroup, type Row } from './columns.ts';
import type { RowSource } from './row-source.ts';
import { gridTheme } from './theme.ts';

ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  CellStyleModule,
  EventApiModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  TooltipModule,
]);

export interface DataGridProps {
  readonly label: string;
  readonly columns: readonly (DataColumn | DataColumnGroup)[];
  readonly rows: number;
  /** Where rows come from that are not here from the start. */
  readonly source?: RowSource;
  /** A row that was chosen, or null when none is any more. */
  readonly onSelect: (row: number | null) => void;
}

const rowSelection = { mode: 'singleRow', checkboxes: false, enableClickSelection: true } as const;

// The arrows move inside the grid; Tab goes on to what comes after it, however many cells there are.
const leave = () => false;

/** Rows are numbers: a block of them is made at once, whatever is behind them, and let go when it is far away. */
const block = { rows: 200, kept: 20 } as const;
const numbers = (rows: number): IDatasource => ({
  rowCount: rows,
  getRows({ startRow, endRow, successCallback }) {
    const end = Math.min(endRow, rows);
    const made = Array.from({ length: Math.max(end - startRow, 0) }, (_, at): Row => ({
      row: startRow + at,
    }));
    successCallback(made, rows);
  },
});

/** A grid of any number of rows; Ctrl+C copies the text of the cell in focus. */
export default function DataGrid({ label, columns, rows, source, onSelect }: DataGridProps) {
  const [api, setApi] = useState<GridApi<Row> | null>(null);
  const datasource = useMemo(() => numbers(rows), [rows]);
  const columnDefs = useMemo(() => definitions(columns), [columns]);
  useSource(api, source);
  return (
    <section className="grid" aria-label={label}>
      <AgGridReact<Row>
        theme={gridTheme}
        rowModelType="infinite"
        datasource={datasource}
        cacheBlockSize={block.rows}
        maxBlocksInCache={block.kept}
        infiniteInitialRowCount={rows}
        columnDefs={columnDefs}
        getRowId={({ data }) => String(data.row)}
        rowSelection={rowSelection}
        suppressFieldDotNotation
        suppressDragLeaveHidesColumns
        animateRows={false}
        tooltipShowDelay={500}
        enableCellTextSelection={false}
        tabToNextCell={leave}
        tabToNextHeader={leave}
        onGridReady={(event) => setApi(event.api)}
        onCellKeyDown={copyCell}
        onSelectionChanged={({ api: grid }: SelectionChangedEvent<Row>) =>
          onSelect(grid.getSelectedRows()[0]?.row ?? null)
        }
      />
    </section>
  );
}

/** Tells the source what is in view, and draws again what has come. */
function useSource(api: GridApi<Row> | null, source: RowSource | undefined): void {
  useEffect(() => {
    if (!api || !source) return undefined;
    const look = () => {
      const to = api.getLastDisplayedRowIndex() + 1;
      if (to > 0) source.see({ from: Math.max(api.getFirstDisplayedRowIndex(), 0), to });
    };
    const stop = source.onCome(({ from, to }) => {
      const rowNodes = api.getRenderedNodes().filter(({ rowIndex }) => isIn(rowIndex, from, to));
      api.refreshCells({ rowNodes, force: true });
    });
    api.addEventListener('viewportChanged', look);
    look();
    return () => {
      stop();
      if (!api.isDestroyed()) api.removeEventListener('viewportChanged', look);
    };
  }, [api, source]);
}

const isIn = (row: number | null, from: number, to: number) => row !== null && row >= from && row < to;

function copyCell({
  event,
  value,
}: CellKeyDownEvent<Row> | (FullWidthCellKeyDownEvent<Row> & { value?: unknown })) {
  if (
    !(event instanceof KeyboardEvent) ||
    event.key.toLowerCase() !== 'c' ||
    !(event.ctrlKey || event.metaKey)
  )
    return;
  void navigator.clipboard.writeText(String(value ?? ''));
}
