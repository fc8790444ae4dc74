import type { PointerEvent } from 'react';
import type { Point } from './place.ts';

/** A click moves less than this, in pixels. */
const still = 8;

/** On the page while a head is dragged: what takes heads can show that it does. */
const dragging = 'head-dragged';

/** Notes that a column's head is taken hold of, and tells where it is let go again. */
export function headDrag(onDrop: (column: string, at: Point) => void) {
  return ({ target, clientX, clientY, button }: PointerEvent): void => {
    if (button !== 0 || !(target instanceof Element) || target.closest('.ag-header-cell-resize')) return;
    const column = target.closest('.ag-header-cell')?.getAttribute('col-id');
    if (!column) return;
    const ended = new AbortController();
    const { signal } = ended;
    const { classList } = document.documentElement;
    const moved = (event: globalThis.PointerEvent): boolean =>
      Math.hypot(event.clientX - clientX, event.clientY - clientY) > still;
    const move = (event: globalThis.PointerEvent): void => {
      if (moved(event)) classList.add(dragging);
    };
    const end = (event: globalThis.PointerEvent): void => {
      ended.abort();
      classList.remove(dragging);
      if (event.type === 'pointerup' && moved(event)) onDrop(column, { x: event.clientX, y: event.clientY });
    };
    addEventListener('pointermove', move, { capture: true, signal });
    // The grid moves its columns itself, once a head is let go in it; here is only looked at where that is.
    addEventListener('pointerup', end, { capture: true, signal });
    addEventListener('pointercancel', end, { capture: true, signal });
  };
}
