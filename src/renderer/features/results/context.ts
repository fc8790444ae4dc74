import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { Results, ResultsState } from './results.ts';

const context = createContext<Results | null>(null);

/** Gives the components of a view the results they show. */
export const ProvideResults = context.Provider;

/** The results that a component belongs to. */
export function useResults(): Results {
  const results = use(context);
  if (!results) throw new Error('no results are provided here');
  return results;
}

/** What a component needs of its results' state. */
export function useResultsState<Part>(select: (state: ResultsState) => Part): Part {
  return useStore(useResults().store, select);
}
