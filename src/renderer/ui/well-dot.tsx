import { seriesColors } from './plot/chart-spec.ts';

/** Nothing for a well without an asset id. */
export function WellDot({ assetId }: { assetId: number | string | null }) {
  const color = assetId === null ? null : wellColor(assetId);
  if (color === null) return null;
  return <span className="well-dot" style={{ backgroundColor: `var(--series-${color + 1})` }} aria-hidden />;
}

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
