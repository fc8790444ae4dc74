import { seriesColors } from './plot/chart-spec.ts';

/**
 * The index of a well's color: the same in lists, tabs, live views, and plots. Wells of a pad have ids in sequence, and so
 * different colors.
 * @param assetId of the well, as number or text
 * @returns null if it is no id
 */
export function wellColor(assetId: number | string): number | null {
  const id = typeof assetId === 'string' && assetId.trim() === '' ? Number.NaN : Number(assetId);
  return Number.isSafeInteger(id) && id >= 0 ? id % seriesColors : null;
}
