import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useTab, useTabState } from '../../../contexts.ts';
import type { FileOption } from '../check/warning-fixes.ts';

interface FormatRowProps {
  readonly label: string;
  /** The option that the row's control sets; the control takes the focus when the option is focused. */
  readonly option?: FileOption;
  readonly children: ReactNode;
}

/** A row of the file format: what it says, and its value or a control for it. */
export function FormatRow({ label, option, children }: FormatRowProps) {
  const { actions } = useTab('upload');
  const row = useRef<HTMLDivElement>(null);
  const isPointedAt = useTabState(
    'upload',
    ({ focusedOption }) => focusedOption !== null && focusedOption === option,
  );
  useLayoutEffect(() => {
    if (!isPointedAt) return;
    row.current?.querySelector<HTMLElement>('button, input')?.focus();
    actions.clearFocus();
  }, [isPointedAt, actions]);
  return (
    <div className="reading-row" ref={row}>
      <span className="quiet" aria-hidden={typeof children === 'string' ? undefined : true}>
        {label}
      </span>
      <span>{children}</span>
    </div>
  );
}
