import { useEffect, useState } from 'react';
import type { Well } from '../../../shared/wells.ts';
import { useWells, useWellsActions } from './context.ts';
import type { WellKey } from './list/well-index.ts';

interface Known {
  readonly of: string;
  readonly wells: readonly Well[];
}

/** The listed wells with these ids, in their order; null: it is not known yet. */
export function useWellsBy(by: WellKey, ids: readonly number[]): readonly Well[] | null {
  const list = useWells((state) => state.list);
  const { wells } = useWellsActions();
  const [known, setKnown] = useState<Known | null>(null);
  const of = `${by} ${ids.join(' ')}`;
  useEffect(() => {
    let gone = false;
    const tell = (found: readonly Well[]) => gone || setKnown({ of, wells: found });
    const wanted = of.split(' ').slice(1).filter(Boolean).map(Number);
    if (wanted.length === 0) tell([]);
    // Without the list nobody is known by an id.
    else void wells(by, wanted).then(tell, () => tell([]));
    return () => {
      gone = true;
    };
  }, [wells, by, of, list]);
  return known?.of === of ? known.wells : null;
}
