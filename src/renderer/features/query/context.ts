import { createContext, use } from 'react';
import { useStore } from 'zustand';
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
