import type { ReactNode } from 'react';

interface StatusProps {
  readonly className?: string | undefined;
  readonly 'data-state'?: string;
  readonly children?: ReactNode;
}

/** A text that screen readers announce when it changes. */
export const Status = (props: StatusProps) => <output {...props} />;
