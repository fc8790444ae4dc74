import { useLayoutEffect, useRef, type ReactNode, useEffect, useState } from 'react';

export interface KeepFocusProps {
  readonly className?: string;
  /** A new value counts as a new appearance. */
  readonly focusKey?: unknown;
  readonly children: ReactNode;
}

/**
 * Takes the focus when it replaces the focused element: otherwise the keyboard would start at the top of the page.
 */
export function KeepFocus({ className, focusKey, children }: KeepFocusProps) {
  const place = useRef<HTMLDivElement>(null);
  const appeared = useRef<{ readonly of: unknown } | null>(null);
  useLayoutEffect(() => {
    if (appeared.current !== null && appeared.current.of === focusKey) return;
    appeared.current = { of: focusKey };
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) place.current?.focus({ preventScroll: true });
  }, [focusKey]);
  return (
    <div ref={place} tabIndex={-1} className={`keep-focus ${className ?? ''}`}>
      {children}
    </div>
  );
}

/** Returns the focus to the element that had it before, when this part of the window closes, unless the user moved it. */
export function useReturnFocus(): void {
  // Before anything in it takes the focus.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
