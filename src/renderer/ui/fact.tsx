import type { ReactNode } from 'react';
import { words } from '../words/words.ts';

/** Without children, the value is unknown. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children ?? <span className="quiet">{words.unknown}</span>}</dd>
    </>
  );
}
