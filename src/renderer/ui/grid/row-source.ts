import type { GridApi, IDatasource } from 'ag-grid-community';
import { useEffect, useRef } from 'react';
import type { Row } from './columns.ts';

/** Rows `from` to `to` (exclusive). */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Rows that load when visible. */
export interface RowSource {
  /** Called with the visible rows when they change. */
  readonly setVisible: (range: RowRange) => void;
  /**
   * Subscribes to loaded rows.
   * @returns unsubscribes
   */
  readonly onLoaded: (listener: (range: RowRange) => void) => () => void;
}

/** Reports visible rows to the source, and renders loaded ones. */
export function useSource(api: GridApi<Row> | null, source: RowSource | undefined): void {
  useEffect(() => {
    if (!api || !source) return undefined;
    const reportVisible = () => updateVisible(api, source);
    const stop = source.onLoaded(({ from, to }) => {
      const rowNodes = api.getRenderedNodes().filter(({ rowIndex }) => isIn(rowIndex, from, to));
      api.refreshCells({ rowNodes, force: true });
    });
    api.addEventListener('viewportChanged', reportVisible);
    reportVisible();
    return () => {
      stop();
      if (!api.isDestroyed()) api.removeEventListener('viewportChanged', reportVisible);
    };
  }, [api, source]);
}

/** A new result starts at the top; the horizontal position stays. */
export function useScrollToTop(api: GridApi<Row> | null, of: unknown, source: RowSource | undefined): void {
  const shown = useRef(of);
  useEffect(() => {
    if (!api || shown.current === of) return;
    shown.current = of;
    api.deselectAll();
    api.clearFocusedCell();
    // Cells first: scrolling forces a layout, which new texts would repeat.
    api.refreshCells({ force: true });
    if (api.getDisplayedRowCount() > 0) api.ensureIndexVisible(0, 'top');
    if (source) updateVisible(api, source);
  }, [api, of, source]);
}

function updateVisible(api: GridApi<Row>, source: RowSource): void {
  const to = api.getLastDisplayedRowIndex() + 1;
  if (to > 0) source.setVisible({ from: Math.max(api.getFirstDisplayedRowIndex(), 0), to });
}

const isIn = (row: number | null, from: number, to: number) => row !== null && row >= from && row < to;

/** Rows are numbers: blocks are created at once and released when far away. */
export const rowBlock = { rows: 200, kept: 20 } as const;

/** A data source with a number of rows, which can change: a new source would rebuild the grid. */
export function numberedRows(first: number) {
  let rows = first;
  const datasource: IDatasource = {
    getRows({ startRow, endRow, successCallback }) {
      // The last block is complete too: rows may be added.
      const block = Array.from({ length: endRow - startRow }, (_, at): Row => ({ row: startRow + at }));
      successCallback(block, rows);
    },
  };
  return {
    datasource,
    change(next: number, api: GridApi<Row> | null): void {
      rows = next;
      if (api && api.getDisplayedRowCount() !== next) api.setRowCount(next, true);
    },
  };
}
