import { useMemo } from 'react';
import { datasetShapes, type Dataset } from '../../../../shared/datasets/datasets.ts';
import { readScope } from '../../../../shared/language/text/scope.ts';
import { listedWells } from '../../wells/wells-state.ts';
import type { Cell } from '../../records/table.ts';
import { useSessionState } from '../../../state/contexts.ts';
import { zonesOf, type WellZones } from './well-zones.ts';

/** More wells than these tell nothing more of zones. */
const mostWells = 1000;

/**
 * The wells that records belong to, by asset id, each once.
 * @param cells what the first of the records say
 * @param query what they were asked for by, as it was sent: it may name wells whose records come later; null: not known
 */
export function assetsIn(cells: ArrayLike<Cell>, query: string | null, path: string): number[] {
  const asked = query === null ? null : readScope(query, path);
  const found = new Set(asked?.kind === 'ids' ? asked.ids.slice(0, mostWells) : []);
  for (let row = 0; row < cells.length && found.size < mostWells; row += 1) {
    const cell = cells[row];
    if (typeof cell === 'number' && Number.isSafeInteger(cell)) found.add(cell);
  }
  return [...found].toSorted((a, b) => a - b);
}

/** The path at which records of a dataset say their well. */
export const wellPath = ({ type }: Pick<Dataset, 'type'>): string =>
  type ? datasetShapes[type].scopeField : 'asset_id';

/**
 * In which zones the wells lie that some records belong to.
 * @param assets their asset ids; none: the records do not say it, and the wells of the tab count
 */
export function useWellZones(assets: readonly number[]): WellZones {
  const listed = useSessionState('wells', listedWells);
  const chosen = useSessionState('wells', (state) => state.selected);
  return useMemo(
    () => zonesOf(assets.length === 0 ? chosen : listed.wellsBy('assetId', assets)),
    [assets, listed, chosen],
  );
}
