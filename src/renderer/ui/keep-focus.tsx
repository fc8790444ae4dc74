import { useLayoutEffect, useRef, type ReactNode } from 'react';

export interface KeepFocusProps {
  readonly className?: string;
  /** With another value it appears anew. */
  readonly of?: unknown;
  readonly children: ReactNode;
}

/**
 * A part of the window that takes the focus when it appears in place of what had it: a button that turned its view
 * into another one is gone, and the keyboard would start again from the top of the page.
 */
export function KeepFocus({ className, of, children }: KeepFocusProps) {
  const place = useRef<HTMLDivElement>(null);
  const appeared = useRef<{ readonly of: unknown } | null>(null);
  useLayoutEffect(() => {
    if (appeared.current !== null && appeared.current.of === of) return;
    appeared.current = { of };
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) place.current?.focus({ preventScroll: true });
  }, [of]);
  return (
    <div ref={place} tabIndex={-1} className={`keep-focus ${className ?? ''}`}>
      {children}
    </div>
  );
}
