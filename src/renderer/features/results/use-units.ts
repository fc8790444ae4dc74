import { useMemo } from 'react';
import { useAppState, useTabState } from '../../state/contexts.ts';
import { pathId } from '../records/columns.ts';
import { changedUnit, unitChanges, type UnitChanges } from '../records/unit-changes.ts';

/** The columns of the result that are shown in another unit, by the setting and by the user's choice for a column. */
export function useUnitChanges(): UnitChanges {
  const units = useTabState('results', (state) => state.units);
  const own = useTabState('results', (state) => state.grid.units);
  const system = useAppState('settings', (state) => state.values.units);
  return useMemo(() => unitChanges(units, system, own), [units, system, own]);
}

/** The unit in which a column is shown; undefined: unknown. */
export function useShownUnit(path: readonly string[]): string | undefined {
  const stored = useTabState('results', (state) => state.units.get(path.join('.')));
  return changedUnit(useUnitChanges(), pathId(path)) ?? stored;
}
