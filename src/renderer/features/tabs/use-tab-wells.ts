import { use } from 'react';
import type { ScopedWell } from '../../../shared/wells/wells.ts';
import { TabIdContext, useSessionState } from '../../contexts.ts';
import { selectedWells } from './tabs.ts';

const noWells: readonly ScopedWell[] = [];

/** The wells of the tab that a component is in: those that are selected while the tab has the focus. */
export function useTabWells(): readonly ScopedWell[] {
  const id = use(TabIdContext);
  return useSessionState('tabs', ({ tabs }) => tabs.find((tab) => tab.id === id)?.wells ?? noWells);
}

/** The wells of the tab with the focus, for the sidebar. */
export const useSelectedWells = (): readonly ScopedWell[] => useSessionState('tabs', selectedWells);
