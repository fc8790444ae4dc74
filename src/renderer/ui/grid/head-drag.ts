import type { PointerEvent } from 'react';
import type { Point } from './place.ts';

/** Shorter moves are clicks, in pixels. */
const dragThreshold = 8;

/** A class on the page during a drag, for the styles of drop targets. */
const draggingClass = 'head-dragged';

/** Whether the pointer moved so far that it is no click. */
export const isMoved = (
  from: Point,
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
): boolean => Math.hypot(clientX - from.x, clientY - from.y) > dragThreshold;

/** Whether an element resizes a column. */
export const isResizer = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.ag-header-cell-resize') !== null;

/** Observes the drag of a column header and reports the drop. */
export function startHeadDrag(onDrop: (column: string, at: Point) => void) {
  return ({ target, clientX, clientY, button }: PointerEvent): void => {
    if (button !== 0 || !(target instanceof Element) || isResizer(target)) return;
    const column = target.closest('.ag-header-cell')?.getAttribute('col-id');
    if (!column) return;
    const ended = new AbortController();
    const { signal } = ended;
    const { classList } = document.documentElement;
    const from = { x: clientX, y: clientY };
    const move = (event: globalThis.PointerEvent): void => {
      if (isMoved(from, event)) classList.add(draggingClass);
    };
    const end = (event: globalThis.PointerEvent): void => {
      ended.abort();
      classList.remove(draggingClass);
      if (event.type === 'pointerup' && isMoved(from, event))
        onDrop(column, { x: event.clientX, y: event.clientY });
    };
    addEventListener('pointermove', move, { capture: true, signal });
    // The grid moves its columns itself; this only observes the pointer.
    addEventListener('pointerup', end, { capture: true, signal });
    addEventListener('pointercancel', end, { capture: true, signal });
  };
}
