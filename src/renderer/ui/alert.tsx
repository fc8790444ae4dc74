import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

export interface AlertProps {
  readonly tone: 'error' | 'warning' | 'info';
  readonly children: ReactNode;
  /** Whether it is a line across a view, below its bar. */
  readonly isStrip?: boolean;
  /** Whether it is out of sight, without its buttons: screen readers have it. */
  readonly isFolded?: boolean;
  /** What can be done about it, as a quiet button. */
  readonly action?: { readonly text: string; readonly run: () => void } | undefined;
  /** Several buttons, or others. */
  readonly actions?: ReactNode;
}

const icons = { error: CircleAlert, warning: TriangleAlert, info: Info };

/** A message in place. Screen readers announce errors immediately, others politely. */
export function Alert({ tone, children, isStrip = false, isFolded = false, action, actions }: AlertProps) {
  const Icon = icons[tone];
  const className = isFolded
    ? 'visually-hidden'
    : `alert row wrap items-start alert-${tone}${isStrip ? ' alert-strip' : ''}`;
  const buttons = action ? (
    <Button variant="quiet" onPress={action.run}>
      {action.text}
    </Button>
  ) : (
    actions
  );
  return (
    <div role={tone === 'error' ? 'alert' : 'status'} className={className}>
      <Icon size={16} aria-hidden />
      <div className="alert-text">{children}</div>
      {buttons !== undefined && !isFolded && (
        <div className="alert-actions row wrap items-stretch min-0">{buttons}</div>
      )}
    </div>
  );
}
