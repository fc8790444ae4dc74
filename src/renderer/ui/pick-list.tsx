import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { isControl, PickRow } from './pick-row.tsx';
import { createTypeAhead, moveTo } from './list-moves.ts';
import { useActiveRow } from './use-active-row.ts';
import { useWindowOfRows } from './use-window-of-rows.ts';

export type PickKey = string | number;

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
  /** Given the keys of the items that are chosen now, and of those chosen before that are not in the list. */
  readonly onChoose?: (keys: ReadonlySet<PickKey>) => void;
  /** Enter or a click on an item of a list that chooses nothing. */
  readonly onOpen?: (key: PickKey) => void;
}

const noKeys: ReadonlySet<PickKey> = new Set();

/**
 * A list of any length, of which only what is seen is drawn. With `onChoose` several items can be chosen: by a click
 * or Space each, with Shift all from the last one on. With `onOpen` one is acted upon. Right and left lead to the
 * buttons in a row and back. Nothing here takes time with the length of the list but a search for one key: component
 * libraries that build a collection of all items take seconds at 50,000.
 */
export function PickList<T extends object>(props: PickListProps<T>) {
  const { label, items, keyOf, nameOf, render, rowHeight, chosen = noKeys, onChoose, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const range = useWindowOfRows(scroller, items.length, rowHeight);
  const active = useActiveRow(scroller, items, keyOf, rowHeight);
  const anchor = useRef(0);
  const [typeAhead] = useState(() => createTypeAhead(() => performance.now()));
  const isDisabled = (item: T | undefined) => !item || (props.isDisabled?.(item) ?? false);

  const choose = (row: number, toHere: boolean) => {
    const item = items[row];
    if (!item || !onChoose) return;
    const keys = new Set(chosen);
    if (toHere) {
      const [from, to] = [Math.min(anchor.current, row), Math.max(anchor.current, row)];
      for (const each of items.slice(from, to + 1)) if (!isDisabled(each)) keys.add(keyOf(each));
    } else {
      anchor.current = row;
      if (isDisabled(item)) return;
      const key = keyOf(item);
      if (!keys.delete(key)) keys.add(key);
    }
    onChoose(keys);
  };
  const act = (row: number, toHere: boolean) => {
    const item = items[row];
    if (onChoose) choose(row, toHere);
    else if (item) onOpen?.(keyOf(item));
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
    else if (key === 'a' && (ctrlKey || metaKey) && onChoose) {
      onChoose(new Set([...chosen, ...items.filter((item) => !isDisabled(item)).map(keyOf)]));
    } else if (key.length === 1 && !ctrlKey && !metaKey && !event.altKey) {
      const found = typeAhead.find(key, active.row, items.length, (row) => {
        const item = items[row];
        return item ? nameOf(item) : '';
      });
      if (found !== null) active.moveTo(found);
    } else return;
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') active.leave(event.shiftKey);
    else if (isControl(event.target)) active.onControlKey(event);
    else onRowKey(event);
  };

  const drawn = rowsToDraw(range, active.row, items.length);
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
        {drawn.map((row) => {
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
              onTake={active.take}
              onAct={act}
            >
              {render(item)}
            </PickRow>
          );
        })}
      </div>
    </div>
  );
}

/** The row in focus is drawn wherever the list is scrolled to: the focus would be lost with it. */
function rowsToDraw({ first, end }: { first: number; end: number }, active: number, rows: number): number[] {
  const drawn = Array.from({ length: Math.max(end - first, 0) }, (_, at) => first + at);
  if (active < first && active < rows) drawn.unshift(active);
  else if (active >= end && active < rows) drawn.push(active);
  return drawn;
}
