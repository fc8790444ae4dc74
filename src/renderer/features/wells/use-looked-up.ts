import { useEffect, useEffectEvent, useState } from 'react';
import type { Well } from '../../../shared/wells/wells.ts';
import { useSession, useSessionState } from '../../state/contexts.ts';
import type { WellKey } from './list/well-index.ts';

interface LookUp<T> {
  /** Of the list that was looked through. */
  readonly version: number;
  /** Which look-up the value answers; null: none has answered. */
  readonly of: string | null;
  readonly value: T | null;
  /** Whether the latest look-up failed; the value is that of an earlier one then. */
  readonly hasFailed: boolean;
}
const noLookUp: LookUp<never> = { version: -1, of: null, value: null, hasFailed: false };

/**
 * What is looked up among the listed wells, anew whenever other wells are listed; until then what was known before.
 * @param of tells one look-up from another; null: nothing is looked up
 */
export function useLookedUp<T>(of: string | null, look: () => Promise<T>): LookUp<T> {
  const version = useSessionState('wells', ({ list }) => (list.face === 'full' ? list.value.version : -1));
  const [known, setKnown] = useState<LookUp<T>>(noLookUp);
  const lookNow = useEffectEvent(look);
  useEffect(() => {
    if (of === null) return undefined;
    let gone = false;
    void lookNow().then(
      (value) => gone || setKnown({ version, of, value, hasFailed: false }),
      () => gone || setKnown((before) => ({ ...before, hasFailed: true })),
    );
    return () => {
      gone = true;
    };
  }, [of, version]);
  return of === null ? noLookUp : known;
}

const none: readonly Well[] = [];

/** The listed wells with these ids, in their order; null: it is not known yet. */
export function useWellsBy(by: WellKey, ids: readonly number[]): readonly Well[] | null {
  const { wells } = useSession().wells.actions;
  const of = ids.length === 0 ? null : `${by} ${ids.join(' ')}`;
  const known = useLookedUp(of, () => wells(by, ids));
  if (of === null) return none;
  return known.of === of ? known.value : null;
}
