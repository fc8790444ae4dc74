import { createContext, use } from 'react';
import { useStore } from 'zustand';
import type { DatasetTab, DatasetTabState } from './dataset-tab.ts';

const context = createContext<DatasetTab | null>(null);

/** Gives the components of a tab the dataset they show. */
export const ProvideDatasetTab = context.Provider;

export function useDatasetTab(): DatasetTab {
  const tab = use(context);
  if (!tab) throw new Error('no dataset is provided here');
  return tab;
}

export function useDatasetTabState<Part>(select: (state: DatasetTabState) => Part): Part {
  return useStore(useDatasetTab().store, select);
}
