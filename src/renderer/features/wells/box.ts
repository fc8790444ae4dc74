import type { Box } from './filter.ts';

export const edges = ['south', 'north', 'west', 'east'] as const;
/** The edges of a box as they are typed, in degrees. */
export type TypedBox = Record<(typeof edges)[number], string>;

export const textOf = ({ south, north, west, east }: Box): TypedBox => ({
  south: String(south),
  north: String(north),
  west: String(west),
  east: String(east),
});

/** The box, null when no edge is given, or what is wrong with it. */
export function boxIn(typed: Readonly<TypedBox>): Box | null | 'needsAll' | 'upside' {
  const given = edges.map((edge) => typed[edge].trim().replace(',', '.'));
  if (given.every((text) => text === '')) return null;
  const [south, north, west, east] = given.map((text) => (text === '' ? Number.NaN : Number(text)));
  if (south === undefined || north === undefined || west === undefined || east === undefined)
    return 'needsAll';
  const inRange =
    [south, north].every((degrees) => Math.abs(degrees) <= 90) &&
    [west, east].every((degrees) => Math.abs(degrees) <= 180);
  if (!inRange) return 'needsAll';
  return south < north && west < east ? { south, north, west, east } : 'upside';
}
