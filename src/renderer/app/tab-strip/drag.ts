import { useRef, useState, type PointerEvent } from 'react';

/** So far the pointer goes before a press becomes a drag, in pixels. */
const threshold = 6;

/**
 * Where a tab comes to lie that is let go of at `x`: its place among the others, counted from 0.
 * @param edges left and right of each tab, in their order, that of the dragged one included
 */
export function placeAt(x: number, dragged: number, edges: readonly (readonly [number, number])[]): number {
  const others = edges.filter((_, at) => at !== dragged);
  const before = others.filter(([left, right]) => (left + right) / 2 < x);
  return before.length;
}

export interface TabDrag {
  /** The tab that is being dragged. */
  readonly dragged: string | null;
  readonly handlers: {
    readonly onPointerDownCapture: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
  };
}

/** Lets tabs be dragged along their strip; they change places while they go. */
export function useTabDrag(ids: readonly string[], move: (id: string, to: number) => void): TabDrag {
  const pressed = useRef<{ id: string; x: number } | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const end = () => {
    pressed.current = null;
    setDragged(null);
  };
  return {
    dragged,
    handlers: {
      onPointerDownCapture({ target, clientX, button }) {
        const tab = target instanceof Element ? target.closest('[role=tab]') : null;
        const id = tab?.getAttribute('data-key');
        if (button === 0 && id) pressed.current = { id, x: clientX };
      },
      onPointerMove({ clientX, currentTarget, pointerId, buttons }) {
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
        const to = placeAt(clientX, at, edges);
        if (to !== at) move(press.id, to);
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}
