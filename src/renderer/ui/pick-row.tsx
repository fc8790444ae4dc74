/* oxlint-disable prefer-tag-over-role -- rows that are placed by hand, one by one, make no table of HTML */
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

const controls = 'button, a[href], input';

/** Whether something is, or belongs to, a control inside a row, which acts by itself. */
export const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(controls) !== null;

export interface PickRowProps {
  readonly row: number;
  readonly name: string;
  /** In pixels. */
  readonly height: number;
  /** Whether the keyboard is at it. */
  readonly isActive: boolean;
  readonly isDisabled: boolean;
  /** Null: nothing can be chosen here. */
  readonly isChosen: boolean | null;
  /** Whether it is open elsewhere in the window. */
  readonly isCurrent: boolean;
  readonly onTake: (row: number, focus: boolean) => void;
  readonly onAct: (row: number, toHere: boolean) => void;
  /** The right mouse button or the menu key, in pixels of the window. */
  readonly onMenu?: (row: number, at: { readonly x: number; readonly y: number }) => void;
  readonly children: ReactNode;
}

/** A row of a list, at its place. */
export function PickRow(props: PickRowProps) {
  const { row, name, height, isActive, isDisabled, isChosen, isCurrent, onTake, onAct, onMenu, children } =
    props;
  return (
    // oxlint-disable-next-line click-events-have-key-events -- the list around it hears the keys of all rows
    <div
      role="row"
      aria-label={name}
      aria-rowindex={row + 1}
      {...(isChosen === null ? {} : { 'aria-selected': isChosen })}
      {...(isDisabled ? { 'aria-disabled': true } : {})}
      {...(isCurrent ? { 'aria-current': true } : {})}
      tabIndex={isActive ? 0 : -1}
      className="pick"
      data-row={row}
      data-selected={isChosen || undefined}
      data-disabled={isDisabled || undefined}
      style={{ top: row * height, height }}
      // The browser would bring the row into view under the pointer, and the click would miss it.
      onMouseDown={(event) => {
        const control = isControl(event.target);
        if (!control) event.preventDefault();
        onTake(row, !control);
      }}
      {...(onMenu
        ? {
            onContextMenu: (event) => {
              event.preventDefault();
              onMenu(row, { x: event.clientX, y: event.clientY });
            },
          }
        : {})}
      onClick={({ target, shiftKey }) => {
        if (!isControl(target)) onAct(row, shiftKey);
      }}
    >
      <div role="gridcell" className="pick-cell row">
        {isChosen !== null && (
          <span className="checkbox-box pick-box" aria-hidden>
            <Check size={12} strokeWidth={3} />
          </span>
        )}
        {children}
      </div>
    </div>
  );
}
