import {
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';

interface ActiveRow {
  readonly row: number;
  /** The key of its item; null: none yet. */
  readonly key: string | number | null;
}

const tabbable = 'button:not([disabled]), a[href], input:not([disabled])';

/**
 * The active row of a list: only it is a tab stop, and the focus stays on its item when the list changes. Rows are
 * children with their number in `data-row`.
 */
export function useActiveRow<T>(
  scroller: RefObject<HTMLElement | null>,
  items: readonly T[],
  keyOf: (item: T) => string | number,
  rowHeight: number,
) {
  const [at, setAt] = useState<ActiveRow>({ row: 0, key: null });
  const focusSoon = useRef(false);
  const hasFocus = useRef(false);
  const row = rowNow(at, items, keyOf);

  const rowElement = (): HTMLElement | null =>
    scroller.current?.querySelector<HTMLElement>(`[data-row="${row}"]`) ?? null;
  const controlsOf = (): HTMLElement[] => [...(rowElement()?.querySelectorAll<HTMLElement>(tabbable) ?? [])];
  const set = (to: number) => {
    const item = items[to];
    setAt({ row: to, key: item === undefined ? null : keyOf(item) });
  };

  // If the focused row disappears, for example because the list was replaced, another row gets the focus.
  useLayoutEffect(() => {
    const isLost = hasFocus.current && document.activeElement === document.body;
    if (!focusSoon.current && !isLost) return;
    focusSoon.current = false;
    rowElement()?.focus({ preventScroll: true });
  });

  return {
    row,
    /** By keyboard: scrolls to the row and focuses it. */
    moveTo(to: number) {
      if (scroller.current) bringIntoView(scroller.current, to * rowHeight, rowHeight);
      focusSoon.current = true;
      set(to);
    },
    /** By pointer: nothing scrolls. A button in the row gets the focus itself. */
    take(to: number, focus: boolean) {
      focusSoon.current = focus;
      set(to);
    },
    /** To the first button of the row. */
    enter: () => controlsOf()[0]?.focus({ preventScroll: true }),
    /** Between the buttons of the row, and back to it. */
    onControlKey(event: KeyboardEvent) {
      const all = controlsOf();
      const here = all.findIndex((control) => control === document.activeElement);
      if (event.key === 'ArrowRight') all[here + 1]?.focus();
      else if (event.key === 'ArrowLeft') (all[here - 1] ?? rowElement())?.focus({ preventScroll: true });
      else if (event.key === 'Escape') rowElement()?.focus({ preventScroll: true });
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    /** Moves Tab out of the list, past the buttons of its rows. */
    leave(backwards: boolean) {
      const all = scroller.current?.querySelectorAll<HTMLElement>(`${tabbable}, [data-row][tabindex="0"]`);
      if (!all || all.length === 0) return;
      (backwards ? all[0] : all[all.length - 1])?.focus({ preventScroll: true });
    },
    /** Tab into the list focuses the active row, not a button of another row. */
    onFocus({ target, relatedTarget }: FocusEvent) {
      hasFocus.current = true;
      const isInside = relatedTarget instanceof Node && (scroller.current?.contains(relatedTarget) ?? false);
      if (isInside || !target.matches(':focus-visible') || target.closest(`[data-row="${row}"]`)) return;
      rowElement()?.focus({ preventScroll: true });
    },
    onBlur({ relatedTarget }: FocusEvent) {
      if (relatedTarget !== null) hasFocus.current = false;
    },
  };
}

/** The row of the active item; if the item is gone, the first row. */
function rowNow<T>(
  { row, key }: ActiveRow,
  items: readonly T[],
  keyOf: (item: T) => string | number,
): number {
  const item = items[row];
  if (key === null || (item !== undefined && keyOf(item) === key))
    return Math.min(row, Math.max(items.length - 1, 0));
  return Math.max(
    items.findIndex((item) => keyOf(item) === key),
    0,
  );
}

function bringIntoView(element: HTMLElement, top: number, height: number): void {
  const { scrollTop, clientHeight } = element;
  if (top < scrollTop) element.scrollTo({ top });
  else if (top + height > scrollTop + clientHeight) element.scrollTo({ top: top + height - clientHeight });
}
