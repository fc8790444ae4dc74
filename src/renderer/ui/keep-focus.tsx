import { useLayoutEffect, useRef, type ReactNode } from 'react';

export interface KeepFocusProps {
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * A part of the window that takes the focus when it appears in place of what had it: a button that turned its view
 * into another one is gone, and the keyboard would start again from the top of the page.
 */
export function KeepFocus({ className, children }: KeepFocusProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={place} tabIndex={-1} className={`keep-focus ${className ?? ''}`}>
      {children}
    </div>
  );
}
