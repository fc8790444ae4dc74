import { useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { PanelImperativeHandle, PanelSize } from 'react-resizable-panels';

/** The left side of the window, which folds away where the question needs the room. */
export interface Side {
  readonly panel: RefObject<PanelImperativeHandle | null>;
  /** What it holds. */
  readonly place: RefObject<HTMLDivElement | null>;
  /** The button that folds it. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onResize: (size: PanelSize) => void;
  /** Unfolds it; when this returns, the focus can go into it. */
  readonly reveal: () => void;
  readonly toggle: () => void;
}

/** Whether the left side is unfolded, and the ways to change that. */
export function useSide(): Side {
  const panel = useRef<PanelImperativeHandle>(null);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(true);
  const reveal = () => {
    flushSync(() => setOpen(true));
    panel.current?.expand();
  };
  const fold = () => {
    // What is folded away has no focus to keep.
    if (place.current?.contains(document.activeElement)) button.current?.focus();
    panel.current?.collapse();
  };
  return {
    panel,
    place,
    button,
    isOpen,
    onResize: ({ inPixels }) => setOpen(inPixels > 0),
    reveal,
    toggle: () => (isOpen ? fold() : reveal()),
  };
}
