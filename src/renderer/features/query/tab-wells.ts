import { useSessionState, useTab } from '../../state/contexts.ts';
import type { ScopedWell } from '../wells/scope.ts';

/** The wells of the current query: those that are selected while its tab is shown. */
export function useTabWells(): readonly ScopedWell[] {
  const { wells } = useTab('query');
  return useSessionState('tabs', wells);
}
