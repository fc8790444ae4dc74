import type { GridApi } from 'ag-grid-community';
import { useEffect, useRef } from 'react';
import type { Row } from './columns.ts';
import type { RowSource } from './row-source.ts';

/** Tells the source what is in view, and draws again what has come. */
export function useSource(api: GridApi<Row> | null, source: RowSource | undefined): void {
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
  if (to > 0) source.see({ from: Math.max(api.getFirstDisplayedRowIndex(), 0), to });
}

const isIn = (row: number | null, from: number, to: number) => row !== null && row >= from && row < to;
