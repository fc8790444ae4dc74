import { wellColor } from '../../ui/well-dot.tsx';

/**
 * The colors of the groups of a plot: those of their wells, unless two groups would have the same one.
 * @param groups the names of each, the asset id of its well first
 * @param colors the number of colors
 * @returns an index for each group
 */
export function groupColors(groups: readonly (readonly string[])[], colors: number): number[] {
  const ownColors = groups.map(([well = '']) => wellColor(well));
  const isDistinct = new Set(ownColors).size === groups.length && !ownColors.includes(null);
  return groups.map((_, at) => (isDistinct ? (ownColors[at] ?? at) : at) % colors);
}
