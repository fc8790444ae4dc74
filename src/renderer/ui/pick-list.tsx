import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { ContextMenu } from './context-menu.tsx';
import type { MenuChoice } from './menu-button.tsx';
import { isControl, PickRow } from './pick-row.tsx';
import { createTypeAhead, moveTo, rowByName } from './list-moves.ts';
import { useActiveRow } from './use-active-row.ts';
import { useWindowOfRows } from './use-window-of-rows.ts';

export type PickKey = string | number;

/** What a person chose, and what of the chosen they took out again. */
export interface PickChange<T> {
  readonly add: readonly T[];
  readonly remove: ReadonlySet<PickKey>;
}

/** What can be done with an item, by the right mouse button or the menu key. */
export interface RowMenu {
  readonly items: readonly MenuChoice[];
  readonly onChoose: (id: string) => void;
}

export interface PickListProps<T extends object> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => PickKey;
  /** What a screen reader and type-ahead call the item. */
  readonly nameOf: (item: T) => string;
  readonly render: (item: T) => ReactNode;
  /** In pixels; every row has the same height. */
  readonly rowHeight: number;
  /** Whether an item can't be chosen. */
  readonly isDisabled?: (item: T) => boolean;
  readonly chosen?: ReadonlySet<PickKey>;
  /** The item that is open elsewhere in the window. */
  readonly current?: PickKey | null;
  readonly onChoose?: (change: PickChange<T>) => void;
  /** How many can be chosen at a time; default: all. */
  readonly most?: number;
  /** Enter or a click on an item of a list that chooses nothing. */
  readonly onOpen?: (key: PickKey) => void;
  /** Null: nothing can be done with that one. */
  readonly menuOf?: (item: T) => RowMenu | null;
}

const noKeys: ReadonlySet<PickKey> = new Set();

/**
 * A list of any length, of which only what is seen is drawn. With `onChoose` several items can be chosen: by a click
 * or Space each, with Shift all from the last one on. With `onOpen` one is acted upon. Right and left lead to the
 * buttons in a row and back. Nothing here takes time with the length of the list but a search for one key: component
 * libraries that build a collection of all items take seconds at 50,000.
 */
export function PickList<T extends object>(props: PickListProps<T>) {
  const { label, items, keyOf, nameOf, render, rowHeight, chosen = noKeys, onChoose, onOpen, menuOf } = props;
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const range = useWindowOfRows(scroller, items.length, rowHeight);
  const active = useActiveRow(scroller, items, keyOf, rowHeight);
  const anchor = useRef(0);
  const [typeAhead] = useState(() => createTypeAhead(() => performance.now()));
  const isDisabled = (item: T) => props.isDisabled?.(item) ?? false;

  const chooseRows = (from: number, to: number) => {
    const some = items.slice(from, Math.min(to, from + (props.most ?? Infinity)));
    onChoose?.({ add: some.filter((item) => !isDisabled(item)), remove: noKeys });
  };
  const choose = (row: number, toHere: boolean) => {
    const from = anchor.current;
    if (toHere) return chooseRows(Math.min(from, row), Math.max(from, row) + 1);
    anchor.current = row;
    const item = items[row];
    if (!item) return;
    if (chosen.has(keyOf(item))) onChoose?.({ add: [], remove: new Set([keyOf(item)]) });
    else if (!isDisabled(item)) onChoose?.({ add: [item], remove: noKeys });
  };
  const act = (row: number, toHere: boolean) => {
    const item = items[row];
    if (onChoose) choose(row, toHere);
    else if (item) onOpen?.(keyOf(item));
  };
  const typed = (letter: string) => {
    const { text, from } = typeAhead.type(letter, active.row);
    const row = rowByName(text, from, items, nameOf);
    if (row !== null) active.moveTo(row);
  };

  const onRowKey = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight);
    const to = moveTo(key, active.row, items.length, page);
    if (to !== null) {
      active.moveTo(to);
      if (shiftKey && onChoose) choose(to, true);
      else anchor.current = to;
    } else if (key === 'ArrowRight') active.enter();
    else if (key === ' ' && !typeAhead.going()) act(active.row, shiftKey);
    else if (key === 'Enter') act(active.row, false);
    else if (key === 'a' && (ctrlKey || metaKey) && onChoose) chooseRows(0, items.length);
    else if (key.length === 1 && !ctrlKey && !metaKey && !event.altKey) typed(key);
    else return;
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') active.leave(event.shiftKey);
    else if (isControl(event.target)) active.onControlKey(event);
    else onRowKey(event);
  };

  const onMenu = (row: number, at: OpenMenu['at']) => {
    const item = items[row];
    const offered = item && menuOf?.(item);
    if (offered) setMenu({ ...offered, at, label: nameOf(item) });
  };

  return (
    // oxlint-disable-next-line interactive-supports-focus -- one of its rows has the focus, as the pattern of a grid says
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={items.length}
      {...(onChoose ? { 'aria-multiselectable': true } : {})}
      className="picks"
      onKeyDown={onKeyDown}
      onFocus={active.onFocus}
      onBlur={active.onBlur}
    >
      <div role="presentation" className="picks-all" style={{ height: items.length * rowHeight }}>
        {rowsToDraw(range, active.row, items.length).map((row) => {
          const item = items[row];
          if (!item) return null;
          const key = keyOf(item);
          return (
            <PickRow
              key={key}
              row={row}
              name={nameOf(item)}
              height={rowHeight}
              isActive={row === active.row}
              isDisabled={isDisabled(item)}
              isChosen={onChoose ? chosen.has(key) : null}
              isCurrent={props.current === key}
              onTake={active.take}
              onAct={act}
              {...(menuOf ? { onMenu } : {})}
            >
              {render(item)}
            </PickRow>
          );
        })}
      </div>
      {menu && (
        <ContextMenu
          label={menu.label}
          at={menu.at}
          parts={[{ id: 'row', heading: menu.label, items: menu.items }]}
          onSelect={menu.onChoose}
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

/** The row in focus is drawn wherever the list is scrolled to: the focus would be lost with it. */
function rowsToDraw({ first, end }: { first: number; end: number }, active: number, rows: number): number[] {
  const drawn = Array.from({ length: Math.max(end - first, 0) }, (_, at) => first + at);
  if (active < first && active < rows) drawn.unshift(active);
  else if (active >= end && active < rows) drawn.push(active);
  return drawn;
}
