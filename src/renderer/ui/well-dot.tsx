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

/**
 * The colors of the groups of a plot: those of their wells, unless two groups would have the same one.
 * @param wells the asset id of the well of each group; empty: it has none
 * @param colors the number of colors
 * @returns an index for each group
 */
export function groupColors(wells: readonly string[], colors: number): number[] {
  const ownColors = wells.map(wellColor);
  const isDistinct = new Set(ownColors).size === wells.length && !ownColors.includes(null);
  return wells.map((_, at) => (isDistinct ? (ownColors[at] ?? at) : at) % colors);
}
