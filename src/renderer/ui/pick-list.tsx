import {
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useLayoutEffect,
  type RefObject,
  type FocusEvent,
} from 'react';
import { ContextMenu } from './context-menu.tsx';
import type { MenuChoices, MenuPart } from './menu-button.tsx';
import { Check } from 'lucide-react';

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
function useActiveRow<T>(
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
      [...(all ?? [])].at(backwards ? 0 : -1)?.focus({ preventScroll: true });
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

/** The target row of a key in a list with `page` visible rows; null: not a navigation key. */
export function targetRow(key: string, from: number, rows: number, page: number): number | null {
  const last = rows - 1;
  const to = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    Home: 0,
    End: last,
    PageDown: from + Math.max(page - 1, 1),
    PageUp: from - Math.max(page - 1, 1),
  }[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), last);
}

/** The maximum time between letters of one word, in milliseconds. */
const typeAheadMs = 700;

export function createTypeAhead(now: () => number) {
  let typed = '';
  let last = -Infinity;
  return {
    /** Whether typing is in progress, so that a space belongs to it. */
    isTyping: (): boolean => now() - last < typeAheadMs && typed !== '',
    /** @returns the text to find, and the first row to check */
    type(letter: string, row: number): { readonly text: string; readonly from: number } {
      typed = now() - last < typeAheadMs ? typed + letter : letter;
      last = now();
      // A single letter moves to the next row; a longer text may still match the current one.
      return { text: typed, from: typed.length === 1 ? row + 1 : row };
    },
  };
}

/** The next row, wrapping around, whose name starts with a text; null: none. */
export function findRowByName<T>(
  text: string,
  from: number,
  items: readonly T[],
  nameOf: (item: T) => string,
): number | null {
  const wanted = text.toLocaleLowerCase();
  const isNamed = (item: T) => nameOf(item).toLocaleLowerCase().startsWith(wanted);
  const next = items.findIndex((item, row) => row >= from && isNamed(item));
  const row = next === -1 ? items.findIndex(isNamed) : next;
  return row === -1 ? null : row;
}

/* oxlint-disable prefer-tag-over-role -- rows that are placed by hand, one by one, make no table of HTML */

const controls = 'button, a[href], input';

/** Whether an element is part of a control in a row, which handles its own events. */
const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(controls) !== null;

/** The row that an element is in; null: none, as in a menu. */
function rowOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest('[data-row]')?.getAttribute('data-row') : null;
  return row == null ? null : Number(row);
}

export type PickKey = string | number;

export interface SelectionChange<T> {
  readonly add: readonly T[];
  readonly remove: ReadonlySet<PickKey>;
}

export interface RowMenu {
  readonly items: MenuChoices;
  readonly others?: MenuPart;
}

export interface PickListProps<T extends object> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => PickKey;
  /** The name for screen readers and type-ahead. */
  readonly nameOf: (item: T) => string;
  readonly render: (item: T) => ReactNode;
  /** The common height of rows, in pixels. */
  readonly rowHeight: number;
  /** Whether an item can't be selected. */
  readonly isDisabled?: (item: T) => boolean;
  readonly selected?: ReadonlySet<PickKey>;
  /** The item that is open elsewhere. */
  readonly current?: PickKey | null;
  readonly onSelectionChange?: (change: SelectionChange<T>) => void;
  /** The maximum number of selected items; default: no limit. */
  readonly maxSelected?: number;
  /** Opens an item by Enter or a double-click, or by a click if items can't be selected. */
  readonly onOpen?: (item: T) => void;
  /** A double-click on an item that the first click opened; absent: the same as a second click. */
  readonly onOpenTwice?: (item: T) => void;
  /** Null: no menu. */
  readonly menuOf?: (item: T) => RowMenu | null;
}

const noKeys: ReadonlySet<PickKey> = new Set();

/**
 * A list of any length that renders only visible rows: component libraries with collections take seconds for 50,000
 * items. With `onSelectionChange`, items are selected by click or Space, ranges with Shift. With `onOpen`, an item is
 * opened by Enter or a double-click. Left and right move between a row and its buttons.
 */
export function PickList<T extends object>(props: PickListProps<T>) {
  const {
    label,
    items,
    keyOf,
    nameOf,
    render,
    rowHeight,
    selected = noKeys,
    onSelectionChange,
    onOpen,
    onOpenTwice,
    menuOf,
  } = props;
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const range = useWindowOfRows(scroller, items.length, rowHeight);
  const active = useActiveRow(scroller, items, keyOf, rowHeight);
  /** The key of the item at which a range begins: rows change with the search and the sort. */
  const anchor = useRef<PickKey | null>(null);
  const [typeAhead] = useState(() => createTypeAhead(() => performance.now()));
  const isDisabled = (item: T) => props.isDisabled?.(item) ?? false;

  const keyAt = (row: number) => {
    const item = items[row];
    return item ? keyOf(item) : null;
  };
  const selectRows = (from: number, to: number) => {
    const rows = items.slice(from, Math.min(to, from + (props.maxSelected ?? Infinity)));
    onSelectionChange?.({ add: rows.filter((item) => !isDisabled(item)), remove: noKeys });
  };
  const choose = (row: number, toHere: boolean) => {
    const item = items[row];
    if (!item) return;
    if (toHere) {
      const start = items.findIndex((other) => keyOf(other) === anchor.current);
      const from = start === -1 ? row : start;
      return selectRows(Math.min(from, row), Math.max(from, row) + 1);
    }
    anchor.current = keyOf(item);
    if (selected.has(keyOf(item))) onSelectionChange?.({ add: [], remove: new Set([keyOf(item)]) });
    else if (!isDisabled(item)) onSelectionChange?.({ add: [item], remove: noKeys });
  };
  const act = (row: number, toHere: boolean) => {
    const item = items[row];
    if (onSelectionChange) choose(row, toHere);
    else if (item) onOpen?.(item);
  };
  const open = (row: number) => {
    const item = items[row];
    if (item && onOpen) onOpen(item);
    else act(row, false);
  };
  const typed = (letter: string) => {
    const { text, from } = typeAhead.type(letter, active.row);
    const row = findRowByName(text, from, items, nameOf);
    if (row !== null) active.moveTo(row);
  };

  const onRowKey = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight);
    const to = targetRow(key, active.row, items.length, page);
    if (to !== null) {
      active.moveTo(to);
      if (shiftKey && onSelectionChange) choose(to, true);
      else anchor.current = keyAt(to);
    } else if (key === 'ArrowRight') active.enter();
    else if (key === ' ' && !typeAhead.isTyping()) act(active.row, shiftKey);
    else if (key === 'Enter') open(active.row);
    else if (key === 'a' && (ctrlKey || metaKey) && onSelectionChange) selectRows(0, items.length);
    else if (key.length === 1 && !ctrlKey && !metaKey && !event.altKey) typed(key);
    else return;
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') active.leave(event.shiftKey);
    else if (isControl(event.target)) active.onControlKey(event);
    else onRowKey(event);
  };

  const onMouseDown = (event: MouseEvent) => {
    const row = rowOf(event.target);
    if (row === null) return;
    const isOnControl = isControl(event.target);
    // The browser would scroll the row under the pointer, and the click would miss it.
    if (!isOnControl) event.preventDefault();
    active.take(row, !isOnControl);
  };
  const onClick = ({ target, shiftKey, detail }: MouseEvent) => {
    const row = rowOf(target);
    const item = items[row ?? -1];
    if (row === null || !item || isControl(target)) return;
    if (detail === 2 && onOpenTwice) onOpenTwice(item);
    else act(row, shiftKey);
  };
  const onDoubleClick = ({ target }: MouseEvent) => {
    const row = rowOf(target);
    if (row !== null && onSelectionChange && !isControl(target)) open(row);
  };
  const onContextMenu = (event: MouseEvent) => {
    const item = items[rowOf(event.target) ?? -1];
    if (!item || !menuOf) return;
    event.preventDefault();
    const offered = menuOf(item);
    if (offered) setMenu({ ...offered, at: { x: event.clientX, y: event.clientY }, label: nameOf(item) });
  };

  return (
    // oxlint-disable-next-line interactive-supports-focus -- one of its rows has the focus, as the pattern of a grid says
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={items.length}
      {...(onSelectionChange ? { 'aria-multiselectable': true } : {})}
      className="picks full scroll"
      onKeyDown={onKeyDown}
      onFocus={active.onFocus}
      onBlur={active.onBlur}
      onMouseDown={onMouseDown}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      onContextMenu={onContextMenu}
    >
      <div role="presentation" className="relative" style={{ height: items.length * rowHeight }}>
        {rowsToRender(range, active.row, items.length).map((row) => {
          const item = items[row];
          if (!item) return null;
          const key = keyOf(item);
          /** Undefined: not selectable. */
          const isSelected = onSelectionChange && selected.has(key);
          return (
            <div
              key={key}
              role="row"
              aria-label={nameOf(item)}
              aria-rowindex={row + 1}
              aria-selected={isSelected}
              aria-disabled={isDisabled(item) || undefined}
              aria-current={props.current === key || undefined}
              tabIndex={row === active.row ? 0 : -1}
              className="pick"
              data-row={row}
              data-selected={isSelected || undefined}
              data-disabled={isDisabled(item) || undefined}
              style={{ top: row * rowHeight, height: rowHeight }}
            >
              <div role="gridcell" className="pick-cell row full">
                {onSelectionChange && (
                  <span className="checkbox-box pick-box" aria-hidden>
                    <Check size={12} strokeWidth={3} />
                  </span>
                )}
                {render(item)}
              </div>
            </div>
          );
        })}
      </div>
      {menu && (
        <ContextMenu
          label={menu.label}
          at={menu.at}
          parts={[{ id: 'row', heading: menu.label, items: menu.items }, menu.others ?? false]}
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  );
}

interface OpenMenu extends RowMenu {
  readonly at: { readonly x: number; readonly y: number };
  readonly label: string;
}

/** The visible rows and the focused one, which must stay mounted to keep the focus. */
function rowsToRender({ first, end }: RowRange, active: number, rows: number): number[] {
  const drawn = Array.from({ length: Math.max(end - first, 0) }, (_, at) => first + at);
  if (active < first && active < rows) drawn.unshift(active);
  else if (active >= end && active < rows) drawn.push(active);
  return drawn;
}

/** Rows drawn beyond those in view, so that a quick scroll does not show gaps. */
const extraRows = 6;

interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Those in view, and a few more. The component renders again only when they change. */
function useWindowOfRows(scroller: RefObject<HTMLElement | null>, rows: number, rowHeight: number): RowRange {
  const [inView, setInView] = useState<RowRange>({ first: 0, end: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      const first = Math.floor(element.scrollTop / rowHeight);
      const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight);
      setInView((before) => (before.first === first && before.end === end ? before : { first, end }));
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller, rowHeight]);
  return { first: Math.max(inView.first - extraRows, 0), end: Math.min(inView.end + extraRows, rows) };
}
