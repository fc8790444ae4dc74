import type { GridApi, IDatasource } from 'ag-grid-community';
import type { Row } from './columns.ts';

/** Rows are numbers: a block of them is made at once, whatever is behind them, and let go when it is far away. */
export const block = { rows: 200, kept: 20 } as const;

/** So many rows; another datasource would make the grid anew, so this one is told when there are more. */
export function numberedRows(first: number) {
  let rows = first;
  const datasource: IDatasource = {
    getRows({ startRow, endRow, successCallback }) {
      // The last block is a whole one too: there may be more rows later.
      const made = Array.from({ length: endRow - startRow }, (_, at): Row => ({ row: startRow + at }));
      successCallback(made, rows);
    },
  };
  return {
    datasource,
    /** Tells the grid, if it stands, how many rows there are now. */
    change(next: number, api: GridApi<Row> | null): void {
      rows = next;
      if (api && api.getDisplayedRowCount() !== next) api.setRowCount(next, true);
    },
  };
}
