import { use } from 'react';
import { TabIdContext, useSessionState } from '../../contexts.ts';
import type { ScopedWell } from './scope.ts';

const noWells: readonly ScopedWell[] = [];

/** The wells of the tab that a component is in: those that are selected while the tab has the focus. */
export function useTabScope(): readonly ScopedWell[] {
  const id = use(TabIdContext);
  return useSessionState('tabs', ({ tabs }) => tabs.find((tab) => tab.id === id)?.scope ?? noWells);
}
