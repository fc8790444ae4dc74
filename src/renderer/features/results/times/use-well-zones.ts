import { useMemo } from 'react';
import { readScope } from '../../../../shared/language/text/conditions.ts';
import { listedWells } from '../../wells/wells-state.ts';
import type { Cell } from '../../records/table.ts';
import { useSessionState } from '../../../contexts.ts';
import { wellZonesOf, type TimeView, type WellZones, resolveZone } from '../../../format/time-view.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import { type DatasetType, scopeFieldOf } from '../../../../shared/datasets/datasets.ts';
import { pathId } from '../../../../shared/column-paths.ts';
import type { TimeZone } from '../../records/shown-cells.ts';
import type { Action, TabCommands } from '../../commands/command-table.ts';
import type { Result, Results } from '../results.ts';

const maxWells = 1000;

/**
 * The unique asset ids of records.
 * @param cells the first records
 * @param query the query as sent: it may name wells whose records come later; null: unknown
 */
export function assetIdsOf(cells: ArrayLike<Cell>, query: string | null, path: string): number[] {
  const scope = query === null ? null : readScope(query, path);
  const wellIds = new Set(scope?.kind === 'ids' ? scope.ids.slice(0, maxWells) : []);
  for (let row = 0; row < cells.length && wellIds.size < maxWells; row += 1) {
    const cell = cells[row];
    if (typeof cell === 'number' && Number.isSafeInteger(cell)) wellIds.add(cell);
  }
  return [...wellIds].toSorted((a, b) => a - b);
}

/** The time zones of the records' wells. @param assets their asset ids; empty: the tab's wells apply */
export function useWellZones(assets: readonly number[]): WellZones {
  const listed = useSessionState('wells', listedWells);
  const chosen = useTabWells();
  return useMemo(
    () => wellZonesOf(assets.length === 0 ? chosen : listed.wellsBy('assetId', assets)),
    [assets, listed, chosen],
  );
}

/** The asset ids of the wells that a result's query names, and of those in its first records. */
export function assetsOfResult(type: DatasetType | null, { head, request }: Result): number[] {
  const path = scopeFieldOf(type);
  const column = head.columns.find((column) => pathId(column.path) === path);
  const query = request.kind === 'find' ? request.request.query : null;
  return assetIdsOf(column?.cells ?? [], query, path);
}

/**
 * The time zones of the query's wells, or of the wells in the first records; without a result, of the selected
 * wells.
 */
export function useResultZones({ dataset: { type } }: Results, result: Result | null): WellZones {
  return useWellZones(useMemo(() => (result ? assetsOfResult(type, result) : []), [result, type]));
}

/** The time zone in which a tab shows times; null: raw times. */
export function useResultsZone(results: Results): TimeZone {
  const view = useStore(results.store, ({ zone }) => zone);
  const last = useStore(results.store, ({ lastResult }) => lastResult);
  return resolveZone(view, useResultZones(results, last));
}

/** A view of records with times: a result, or a live view. */
interface TimesView {
  readonly store: Pick<StoreApi<{ readonly zone: TimeView }>, 'getState'>;
  readonly actions: {
    readonly show: (zone: TimeView) => void;
    readonly pickZone: (isPicking: boolean) => void;
  };
}

export function zoneCommands({ store, actions }: TimesView) {
  const show = (zone: TimeView) => (): Action =>
    store.getState().zone === zone ? null : () => actions.show(zone);
  return {
    zoneUtc: show('utc'),
    zoneLocal: show('local'),
    zoneWell: show('well'),
    zoneOther: () => () => actions.pickZone(true),
  } satisfies TabCommands;
}
