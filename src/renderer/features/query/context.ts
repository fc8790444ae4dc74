import { createContext, use } from 'react';
import { useStore } from 'zustand';
import { useWells } from '../wells/context.ts';
import { countParts, isSameQuestion, runParts } from './question-parts.ts';
import type { QueryTab, QueryTabState } from './query-tab.ts';

const context = createContext<QueryTab | null>(null);

/** Gives the components of a tab the tab they belong to. */
export const ProvideQueryTab = context.Provider;

/** The tab that a component belongs to. */
export function useTab(): QueryTab {
  const tab = use(context);
  if (!tab) throw new Error('no query tab is provided here');
  return tab;
}

/** What a component needs of its tab's state. */
export function useTabState<Part>(select: (state: QueryTabState) => Part): Part {
  return useStore(useTab().store, select);
}

const partsNow = { counted: countParts, run: runParts } as const;

/** Whether what was counted, or run, last is the question as it is now; true where nothing was. */
export function useIsCurrent(what: keyof QueryTabState['asked']): boolean {
  const { values } = useTab();
  // The values of parameters change with them.
  useWells((state) => state.chosen);
  return useTabState(({ text, asked }) => {
    const parts = asked[what];
    return parts === null || isSameQuestion(parts, partsNow[what](text, values));
  });
}
