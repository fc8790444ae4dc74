import type { ReactNode } from 'react';
import { words } from '../words/words.ts';

interface FactProps {
  readonly name: string;
  /** Behind the value; absent: none. */
  readonly note?: string | undefined;
  /** Without children, the value is unknown. */
  readonly children: ReactNode;
}

export function Fact({ name, note, children }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {children ?? <span className="quiet">{words.unknown}</span>}
        {note !== undefined && <span className="quiet"> ({note})</span>}
      </dd>
    </>
  );
}
