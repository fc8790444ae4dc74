import { nearestTo, reachOf, type ChartSpec } from '../../ui/plot/index.ts';
import type { Pointed } from '../../ui/plot/pointing.ts';
import type { Series } from './drawing.ts';
import type { Content, Drawn } from './content.ts';
import { groupNames, type PlotNames } from './names.ts';

export interface Reading {
  readonly series: Series;
  /** Null: a gap, or no point. */
  readonly value: number | null;
}

/** The values of all lines at the cursor, each of its nearest drawn point. */
export function readingsAt(
  { lines, content, part }: Drawn,
  series: readonly Series[],
  cursor: Pointed,
): Reading[] {
  return series.flatMap((series, at) => {
    const line = lines[at];
    if (!line) return [];
    const dot = cursor.dot;
    if (content.choice.kind === 'scatter' && dot?.line !== at) return [];
    const place = dot ? dot.at : nearestTo(line, cursor.along, reachOf(part.x));
    const value = line.y[place];
    return [{ series: series, value: value === undefined || Number.isNaN(value) ? null : value }];
  });
}

/** The distinct positions of drawn points along the axis, in order. */
export function placesOf({ lines, part }: Drawn): Float64Array {
  const all = lines.flatMap(({ x }) => [...x]).filter((x) => x >= part.x.from && x <= part.x.to);
  return Float64Array.from(new Set(all)).sort();
}

/** The next position of the keyboard's cursor: a number of drawn points further, or at an end. */
export function stepped(places: Float64Array, cursor: Pointed | null, by: number): Pointed | null {
  if (places.length === 0) return null;
  const last = places.length - 1;
  // The first step starts at the opposite end.
  const from = cursor ? nearestTo({ x: places }, cursor.along) : by > 0 ? -1 : last + 1;
  const along = places[Math.min(Math.max(from + by, 0), last)];
  return along === undefined ? null : { along };
}

/** The next point in the order of x. */
export function steppedDot({ lines }: Drawn, cursor: Pointed | null, by: number): Pointed | null {
  const dots = lines
    .flatMap(({ x }, line) => Array.from(x, (along, at) => ({ along, dot: { line, at } })))
    .toSorted((a, b) => a.along - b.along || a.dot.line - b.dot.line || a.dot.at - b.dot.at);
  const now = cursor?.dot;
  const here = dots.findIndex(({ dot }) => dot.line === now?.line && dot.at === now.at);
  const from = here === -1 ? (by > 0 ? -1 : dots.length) : here;
  return dots[Math.min(Math.max(from + by, 0), dots.length - 1)] ?? null;
}

/** The legend of panels in a picture: the wells, of which each has one color in all of them. */
export const wellLegend = (series: readonly Series[], content: Content, names: PlotNames) =>
  groupNames(content.groups, names).flatMap((name, at) => {
    const line = series.find((candidate) => candidate.group === at);
    return line ? [{ name, color: line.color, dash: line.dash }] : [];
  });

export const legendOf = (series: readonly Series[], kind: ChartSpec['shape']) =>
  series.map(({ name, color, dash }) => ({ name, color, dash: kind === 'dots' ? 0 : dash }));
