import { useEffect, useEffectEvent, useState } from 'react';
import type { Well } from '../../../shared/wells.ts';
import { useWells, useWellsActions } from './context.ts';
import type { WellKey } from './list/well-index.ts';

interface Known<T> {
  readonly version: number;
  readonly of: string;
  readonly value: T;
}

/**
 * What is looked up among the listed wells, anew whenever other wells are listed; until then what was known before. Null:
 * nothing is known, or nothing is looked up.
 * @param of tells one look-up from another; null: nothing is looked up
 * @param look what can't be looked up leaves what is known as it is
 */
export function useLookedUp<T>(of: string | null, look: () => Promise<T>): Known<T> | null {
  const version = useWells(({ list }) => (list.face === 'full' ? list.value.version : -1));
  const [known, setKnown] = useState<Known<T> | null>(null);
  const lookNow = useEffectEvent(look);
  useEffect(() => {
    if (of === null) return undefined;
    let gone = false;
    void lookNow().then(
      (value) => gone || setKnown({ version, of, value }),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [of, version]);
  return of === null ? null : known;
}

const none: readonly Well[] = [];

/** The listed wells with these ids, in their order; null: it is not known yet. */
export function useWellsBy(by: WellKey, ids: readonly number[]): readonly Well[] | null {
  const { wells } = useWellsActions();
  const of = ids.length === 0 ? null : `${by} ${ids.join(' ')}`;
  const known = useLookedUp(of, () => wells(by, ids));
  if (of === null) return none;
  return known?.of === of ? known.value : null;
}
