import type { GridApi } from 'ag-grid-community';
import { type RefObject, useEffect } from 'react';
import type { Row } from './columns.ts';

const pointedClass = 'row-pointed';

/** Highlights a row that is pointed at elsewhere, also after it scrolls into view. @param row null: none */
export function usePointedRow(
  place: RefObject<HTMLElement | null>,
  api: GridApi<Row> | null,
  row: number | null,
): void {
  useEffect(() => {
    const grid = place.current;
    if (!api || !grid || row === null) return undefined;
    const highlight = () => {
      for (const element of grid.querySelectorAll(`.ag-row[row-index="${row}"]`))
        element.classList.add(pointedClass);
    };
    // Rows that scroll into view are drawn after the event.
    const later = () => void requestAnimationFrame(highlight);
    highlight();
    api.addEventListener('viewportChanged', later);
    return () => {
      if (!api.isDestroyed()) api.removeEventListener('viewportChanged', later);
      for (const element of grid.querySelectorAll(`.${pointedClass}`)) element.classList.remove(pointedClass);
    };
  }, [place, api, row]);
}
