import { useMemo } from 'react';
import { useStore } from 'zustand';
import { pathId } from '../../../shared/column-paths.ts';
import { scopeFieldOf } from '../../../shared/datasets/shapes.ts';
import type { TimeZone } from '../records/cell-text.ts';
import type { Result, Results } from './results.ts';
import { resolveZone } from './times/time-view.ts';
import { assetIdsOf, useWellZones } from './times/use-well-zones.ts';
import type { WellZones } from './times/well-zones.ts';

/**
 * The time zones of the query's wells, or of the wells in the first records; without a result, of the selected
 * wells.
 */
export function useResultZones({ dataset }: Results, result: Result | null): WellZones {
  const path = scopeFieldOf(dataset.type);
  const assets = useMemo(() => {
    if (!result) return [];
    const { head, asked } = result;
    const column = head.columns.find((column) => pathId(column.path) === path);
    const query = asked.kind === 'find' ? asked.request.query : null;
    return assetIdsOf(column?.cells ?? [], query, path);
  }, [result, path]);
  return useWellZones(assets);
}

/** The time zone in which a tab shows times; null: raw times. */
export function useResultsZone(results: Results): TimeZone {
  const view = useStore(results.store, ({ zone }) => zone);
  const last = useStore(results.store, ({ lastResult }) => lastResult);
  return resolveZone(view, useResultZones(results, last));
}
