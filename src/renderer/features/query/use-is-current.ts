import { useSessionState, useTab, useTabState } from '../../state/contexts.ts';
import { countParts, isSameQuestion, runParts } from './question-parts.ts';
import type { QueryTabState } from './query-tab.ts';

const partsNow = { counted: countParts, run: runParts } as const;

/** Whether what was counted, or run, last is the question as it is now; true where nothing was. */
export function useIsCurrent(what: keyof QueryTabState['asked']): boolean {
  const { values } = useTab('query');
  // The values of parameters change with them.
  useSessionState('wells', (state) => state.chosen);
  return useTabState('query', ({ text, asked }) => {
    const parts = asked[what];
    return parts === null || isSameQuestion(parts, partsNow[what](text, values));
  });
}
