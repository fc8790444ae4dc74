import type { Unit } from '../../../../shared/channels/unit-table.ts';
import { convert } from '../../../../shared/channels/units.ts';

/** The lowest and highest number of a column or field. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const pairsOf = (text: string): Set<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));

/** How alike two normalized names are, from 0 to 1, by the pairs of letters that they share. */
export function nameSimilarity(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  if (a.size === 0 || b.size === 0) return 0;
  return (2 * a.intersection(b).size) / (a.size + b.size);
}

/** A range in another unit, if both units are known. */
export function rangeIn(range: Range, from: Unit | undefined, to: Unit | undefined): Range {
  if (!from || !to) return range;
  const [min, max] = [convert(range.min, from, to), convert(range.max, from, to)];
  return min === undefined || max === undefined ? range : { min, max };
}

/** The share of the shorter of two ranges that both have, from 0 to 1. */
export function overlap(one: Range, other: Range): number {
  const shared = Math.min(one.max, other.max) - Math.max(one.min, other.min);
  const shorter = Math.min(one.max - one.min, other.max - other.min);
  if (shared < 0) return 0;
  return shorter === 0 ? 1 : shared / shorter;
}

/** How far two ranges are from each other in scale: 0 for the same highest value, 1 for a factor of ten. */
export function scaleDistance(one: Range, other: Range): number {
  const size = ({ min, max }: Range) => Math.max(Math.abs(min), Math.abs(max));
  const [a, b] = [size(one), size(other)];
  return a === 0 || b === 0 ? 0 : Math.abs(Math.log10(a / b));
}
