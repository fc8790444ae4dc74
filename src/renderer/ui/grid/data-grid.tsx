import {
  CellStyleModule,
  ClientSideRowModelModule,
  ModuleRegistry,
  RowSelectionModule,
  ScrollApiModule,
  TooltipModule,
  type CellKeyDownEvent,
  type FullWidthCellKeyDownEvent,
  type SelectionChangedEvent,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { useMemo } from 'react';
import { definitions, type DataColumn, type DataColumnGroup, type Row } from './columns.ts';
import { gridTheme } from './theme.ts';

ModuleRegistry.registerModules([
  ClientSideRowModelModule,
  CellStyleModule,
  RowSelectionModule,
  ScrollApiModule,
  TooltipModule,
]);

export interface DataGridProps {
  readonly label: string;
  readonly columns: readonly (DataColumn | DataColumnGroup)[];
  readonly rows: number;
  /** A row that was chosen, or null when none is any more. */
  readonly onSelect: (row: number | null) => void;
}

const rowSelection = { mode: 'singleRow', checkboxes: false, enableClickSelection: true } as const;

// The arrows move inside the grid; Tab goes on to what comes after it, however many cells there are.
const leave = () => false;

/** A grid of any number of rows; Ctrl+C copies the text of the cell in focus. */
export default function DataGrid({ label, columns, rows, onSelect }: DataGridProps) {
  const rowData = useMemo(() => Array.from({ length: rows }, (_, row): Row => ({ row })), [rows]);
  const columnDefs = useMemo(() => definitions(columns), [columns]);
  return (
    <section className="grid" aria-label={label}>
      <AgGridReact<Row>
        theme={gridTheme}
        rowData={rowData}
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
        onCellKeyDown={copyCell}
        onSelectionChanged={({ api }: SelectionChangedEvent<Row>) =>
          onSelect(api.getSelectedRows()[0]?.row ?? null)
        }
      />
    </section>
  );
}

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
