import type { ReactNode } from 'react';

/** A text that screen readers announce when it changes. */
export function Status({ className, children }: { className?: string | undefined; children?: ReactNode }) {
  return <output className={className}>{children}</output>;
}
