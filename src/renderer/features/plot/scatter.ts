import type { Points, Range, Thinned } from './thin.ts';

export interface Area {
  readonly x: Range;
  readonly y: Range;
}

/** Dots of this many pixels would cover one another. */
const cell = 2;

const inside = (value: number, { from, to }: Range): boolean => value >= from && value <= to;

/**
 * Thins dots to one in each square of two by two pixels, so that each place that has a dot still has one and the
 * outermost stay. An area with fewer dots than a screen shows is given whole.
 * @param width and `height` in pixels of what the area is drawn over
 */
export function thinDots({ x, y }: Points, area: Area, width: number, height: number): Thinned {
  const columns = Math.max(Math.ceil(width / cell), 1);
  const rows = Math.max(Math.ceil(height / cell), 1);
  const taken = new Uint8Array(columns * rows);
  const exact = x.length <= columns;
  const places: number[] = [];
  const across = columns / (area.x.to - area.x.from || 1);
  const down = rows / (area.y.to - area.y.from || 1);
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let left = false;
  for (let at = 0; at < x.length; at += 1) {
    const px = x[at] ?? Number.NaN;
    const py = y[at] ?? Number.NaN;
    if (!inside(px, area.x) || !inside(py, area.y)) continue;
    if (py < from) from = py;
    if (py > to) to = py;
    const column = Math.min(Math.floor((px - area.x.from) * across), columns - 1);
    const row = Math.min(Math.floor((py - area.y.from) * down), rows - 1);
    const place = row * columns + column;
    if (!exact && taken[place] === 1) {
      left = true;
      continue;
    }
    taken[place] = 1;
    places.push(at);
  }
  return {
    x: Float64Array.from(places, (at) => x[at] ?? Number.NaN),
    y: Float64Array.from(places, (at) => y[at] ?? Number.NaN),
    exact: !left,
    values: from <= to ? { from, to } : null,
  };
}
