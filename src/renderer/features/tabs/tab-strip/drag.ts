import { useRef, useState, type PointerEvent } from 'react';

/** The distance in pixels after which a press becomes a drag. */
const threshold = 6;

/**
 * The index of a tab dropped at `x` among the others.
 * @param edges left and right of each tab in order, including the dragged one
 */
export function dropIndex(x: number, dragged: number, edges: readonly (readonly [number, number])[]): number {
  const otherEdges = edges.filter((_, at) => at !== dragged);
  const before = otherEdges.filter(([left, right]) => (left + right) / 2 < x);
  return before.length;
}

/**
 * Reorders tabs by dragging.
 * @param ids of the tabs, in order
 * @returns the id of the dragged tab, and the handlers of the strip
 */
export function useTabDrag(ids: readonly string[], move: (id: string, to: number) => void) {
  const pressed = useRef<{ id: string; x: number } | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const end = () => {
    pressed.current = null;
    setDragged(null);
  };
  return {
    dragged,
    handlers: {
      onPointerDownCapture({ target, clientX, button }: PointerEvent<HTMLElement>): void {
        const tab = target instanceof Element ? target.closest('[role=tab]') : null;
        const id = tab?.getAttribute('data-key');
        if (button === 0 && id) pressed.current = { id, x: clientX };
      },
      onPointerMove({ clientX, currentTarget, pointerId, buttons }: PointerEvent<HTMLElement>): void {
        const press = pressed.current;
        if (!press) return;
        if (buttons === 0) return end();
        if (dragged === null) {
          if (Math.abs(clientX - press.x) < threshold) return;
          setDragged(press.id);
          currentTarget.setPointerCapture(pointerId);
        }
        const edges = [...currentTarget.querySelectorAll('[role=tab]')].map((tab) => {
          const { left, right } = tab.getBoundingClientRect();
          return [left, right] as const;
        });
        const at = ids.indexOf(press.id);
        const to = dropIndex(clientX, at, edges);
        if (to !== at) move(press.id, to);
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}
