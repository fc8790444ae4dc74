import type { ReactNode } from 'react';

/** Something that changes and is read out when it does, in its turn. */
export function Status({ className, children }: { className?: string | undefined; children?: ReactNode }) {
  return <output className={className}>{children}</output>;
}
