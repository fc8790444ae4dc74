/* oxlint-disable prefer-tag-over-role -- rows that are placed by hand, one by one, make no table of HTML */
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

const controls = 'button, a[href], input';

/** Whether an element is part of a control in a row, which handles its own events. */
export const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(controls) !== null;

export interface PickRowProps {
  readonly row: number;
  readonly name: string;
  /** In pixels. */
  readonly height: number;
  /** Whether the row is focused. */
  readonly isActive: boolean;
  readonly isDisabled: boolean;
  /** Null: not selectable. */
  readonly isSelected: boolean | null;
  /** Whether it is open elsewhere. */
  readonly isCurrent: boolean;
  readonly onFocusRow: (row: number, focus: boolean) => void;
  readonly onActivate: (row: number, toHere: boolean) => void;
  readonly onOpen: (row: number) => void;
  /** The second click of a double-click on a row that a click opens; absent: it is opened again. */
  readonly onOpenTwice?: (row: number) => void;
  /** The position of the context menu in pixels. */
  readonly onMenu?: (row: number, at: { readonly x: number; readonly y: number }) => void;
  readonly children: ReactNode;
}

/** A row of a list, positioned absolutely. */
export function PickRow(props: PickRowProps) {
  const {
    row,
    name,
    height,
    isActive,
    isDisabled,
    isSelected,
    isCurrent,
    onFocusRow,
    onActivate,
    onOpen,
    onOpenTwice,
    onMenu,
    children,
  } = props;
  return (
    // oxlint-disable-next-line click-events-have-key-events -- the list around it hears the keys of all rows
    <div
      role="row"
      aria-label={name}
      aria-rowindex={row + 1}
      {...(isSelected === null ? {} : { 'aria-selected': isSelected })}
      {...(isDisabled ? { 'aria-disabled': true } : {})}
      {...(isCurrent ? { 'aria-current': true } : {})}
      tabIndex={isActive ? 0 : -1}
      className="pick"
      data-row={row}
      data-selected={isSelected || undefined}
      data-disabled={isDisabled || undefined}
      style={{ top: row * height, height }}
      // The browser would scroll the row under the pointer, and the click would miss it.
      onMouseDown={(event) => {
        const control = isControl(event.target);
        if (!control) event.preventDefault();
        onFocusRow(row, !control);
      }}
      {...(onMenu
        ? {
            onContextMenu: (event) => {
              event.preventDefault();
              onMenu(row, { x: event.clientX, y: event.clientY });
            },
          }
        : {})}
      onClick={({ target, shiftKey, detail }) => {
        if (isControl(target)) return;
        if (detail === 2 && onOpenTwice) onOpenTwice(row);
        else onActivate(row, shiftKey);
      }}
      onDoubleClick={({ target }) => {
        if (!isControl(target) && isSelected !== null) onOpen(row);
      }}
    >
      <div role="gridcell" className="pick-cell row">
        {isSelected !== null && (
          <span className="checkbox-box pick-box" aria-hidden>
            <Check size={12} strokeWidth={3} />
          </span>
        )}
        {children}
      </div>
    </div>
  );
}
