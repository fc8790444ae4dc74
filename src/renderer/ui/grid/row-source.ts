import type { GridApi, IDatasource } from 'ag-grid-community';
import { useEffect, useRef } from 'react';
import type { Row } from './columns.ts';

/** Rows `from` to `to` (not included). */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Rows that come when they are looked at. */
export interface RowSource {
  /** Told which rows are in view now, each time that changes. */
  readonly setVisible: (range: RowRange) => void;
  /** Tells which rows are to be drawn anew, until the returned function is called. */
  readonly onLoaded: (listener: (range: RowRange) => void) => () => void;
}

/** Tells the source what is in view, and draws again what has come. */
export function useSource(api: GridApi<Row> | null, source: RowSource | undefined): void {
  useEffect(() => {
    if (!api || !source) return undefined;
    const looked = () => look(api, source);
    const stop = source.onLoaded(({ from, to }) => {
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
export function useBeginning(api: GridApi<Row> | null, of: unknown, source: RowSource | undefined): void {
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
  if (to > 0) source.setVisible({ from: Math.max(api.getFirstDisplayedRowIndex(), 0), to });
}

const isIn = (row: number | null, from: number, to: number) => row !== null && row >= from && row < to;

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
