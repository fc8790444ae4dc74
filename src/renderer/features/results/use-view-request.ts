import { useEffect, useEffectEvent } from 'react';
import { useTab, useTabState } from '../../contexts.ts';
import type { ResultsState } from './results.ts';

/**
 * Does what commands ask of the view.
 * @param act returns false if another part of the view does it
 */
export function useViewRequest(act: (request: NonNullable<ResultsState['viewRequest']>) => boolean): void {
  const { request } = useTab('results').actions;
  const current = useTabState('results', (state) => state.viewRequest);
  const onRequest = useEffectEvent(act);
  useEffect(() => {
    if (current !== null && onRequest(current)) request(null);
  }, [current, request]);
}
