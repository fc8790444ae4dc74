import type { GridApi } from 'ag-grid-community';
import { type RefObject, useEffect } from 'react';
import type { Row } from './columns.ts';

const pointedClass = 'row-pointed';

/** A row that is pointed at elsewhere. It changes with each move of the pointer, without rendering the grid. */
export interface PointedRow {
  /** Null: none. */
  readonly row: () => number | null;
  /** @returns unsubscribes */
  readonly subscribe: (onChange: () => void) => () => void;
}

/** Highlights a row that is pointed at elsewhere, also after it scrolls into view. */
export function usePointedRow(
  place: RefObject<HTMLElement | null>,
  api: GridApi<Row> | null,
  pointed: PointedRow | undefined,
): void {
  useEffect(() => {
    const grid = place.current;
    if (!api || !grid || !pointed) return undefined;
    let shown: number | null = null;
    const clear = () => {
      for (const element of grid.querySelectorAll(`.${pointedClass}`)) element.classList.remove(pointedClass);
    };
    const highlight = () => {
      if (shown === null) return;
      for (const element of grid.querySelectorAll(`.ag-row[row-index="${shown}"]`))
        element.classList.add(pointedClass);
    };
    const update = () => {
      const row = pointed.row();
      if (row === shown) return;
      clear();
      shown = row;
      highlight();
    };
    // Rows that scroll into view are drawn after the event.
    const later = () => void requestAnimationFrame(highlight);
    update();
    const stop = pointed.subscribe(update);
    api.addEventListener('viewportChanged', later);
    return () => {
      stop();
      if (!api.isDestroyed()) api.removeEventListener('viewportChanged', later);
      clear();
    };
  }, [place, api, pointed]);
}
