import type { ReactNode } from 'react';
import { words } from '../words/words.ts';

interface FactProps {
  readonly name: string;
  /** Behind the value; absent: none. */
  readonly note?: string | undefined;
  readonly children: ReactNode;
}

/** Without children, the value is unknown. */
export function Fact({ name, note, children }: FactProps) {
  return (
    <>
      <dt className="quiet">{name}</dt>
      <dd className="break">
        {children ?? <span className="quiet">{words.unknown}</span>}
        {note !== undefined && <span className="quiet"> ({note})</span>}
      </dd>
    </>
  );
}
