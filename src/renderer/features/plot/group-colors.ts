import { wellColor } from '../../ui/well-dot.tsx';

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
