import type { ChartLine } from './chart-spec.ts';
import type { Pen, Place } from './sheet.ts';

/** How a line is drawn, in canvas pixels. */
export interface LineOptions {
  /** Whether the axis runs downwards. */
  readonly down: boolean;
  /** Half of the length below which a part of a line is a dot. */
  readonly dot: number;
  /** Lengths that are drawn and left out in turns; empty: all is drawn. */
  readonly dash: readonly number[];
  readonly width: number;
}

/** The visible part of the axis, in canvas pixels. */
interface Visible {
  readonly start: number;
  readonly length: number;
}

/** Between dashes, so that no peak disappears. */
const gapAlpha = 0.35;

/**
 * Draws a line whose points are closer than pixels: in each pixel of the axis a bar, from the lowest to the highest place
 * of the line in it. One area of bars takes a fraction of the time of strokes that cross each other, and dashes stay
 * visible.
 * @param ctx the canvas, with the color of the line
 * @param across pixels of values; NaN: there is none
 */
export function drawDenseLine(
  ctx: Pen,
  line: ChartLine,
  along: Place,
  across: Place,
  options: LineOptions & Visible,
): void {
  // A chart that is smaller than its axes has no room for lines.
  if (options.length <= 0) return;
  const { low, high } = barsOf(ctx, line, along, across, options);
  const isDash = dashAt(options.dash);
  fillBars(ctx, { low, high }, options, isDash);
  if (options.dash.length === 0) return;
  ctx.globalAlpha = gapAlpha;
  fillBars(ctx, { low, high }, options, (pixel) => !isDash(pixel));
  ctx.globalAlpha = 1;
}

interface Bars {
  /** For each pixel of the axis; NaN: no line is there. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** The extremes of a line in each pixel. Parts that are too short to be seen are drawn as dots. */
function barsOf(
  ctx: Pen,
  { x, y }: ChartLine,
  along: Place,
  across: Place,
  { down, dot, start, length }: LineOptions & Visible,
): Bars {
  const low = new Float64Array(Math.ceil(length) + 1).fill(Number.NaN);
  const high = low.slice();
  let first = Number.NaN;
  let here = Number.NaN;
  let there = Number.NaN;
  for (let at = 0; at <= y.length; at += 1) {
    const nextThere = at < y.length ? across(y[at] ?? Number.NaN) : Number.NaN;
    if (Number.isNaN(nextThere)) {
      const place = start + here;
      if (Math.abs(here - first) < 2 * dot) fillDot(ctx, down ? there : place, down ? place : there, dot);
      first = Number.NaN;
      here = Number.NaN;
      continue;
    }
    const nextHere = along(x[at] ?? 0) - start;
    if (Number.isNaN(here)) {
      first = nextHere;
      here = nextHere;
      there = nextThere;
    }
    const slope = nextHere > here ? (nextThere - there) / (nextHere - here) : 0;
    const last = Math.min(nextHere, length);
    for (let pixel = Math.floor(Math.max(here, 0)); pixel <= last; pixel += 1) {
      const from = pixel > here ? there + (pixel - here) * slope : there;
      const to = pixel + 1 < nextHere ? there + (pixel + 1 - here) * slope : nextThere;
      const below = Math.min(from, to);
      const above = Math.max(from, to);
      // Comparisons are false for NaN.
      if (!((low[pixel] ?? 0) <= below)) low[pixel] = below;
      if (!((high[pixel] ?? 0) >= above)) high[pixel] = above;
    }
    here = nextHere;
    there = nextThere;
  }
  return { low, high };
}

/** Fills an area around neighboring bars. */
function fillBars(
  ctx: Pen,
  { low, high }: Bars,
  { down, start, width }: LineOptions & Visible,
  isDrawn: (pixel: number) => boolean,
): void {
  const half = width / 2;
  const isBar = (pixel: number): boolean => !Number.isNaN(low[pixel] ?? Number.NaN) && isDrawn(pixel);
  const lineTo = (pixel: number, place: number): void =>
    down ? ctx.lineTo(place, start + pixel) : ctx.lineTo(start + pixel, place);
  ctx.beginPath();
  for (let pixel = 0; pixel < low.length; pixel += 1) {
    if (!isBar(pixel)) continue;
    const first = pixel;
    const begin = (low[pixel] ?? 0) - half;
    if (down) ctx.moveTo(begin, start + first);
    else ctx.moveTo(start + first, begin);
    for (; isBar(pixel); pixel += 1) {
      lineTo(pixel, (low[pixel] ?? 0) - half);
      lineTo(pixel + 1, (low[pixel] ?? 0) - half);
    }
    for (let back = pixel - 1; back >= first; back -= 1) {
      lineTo(back + 1, (high[back] ?? 0) + half);
      lineTo(back, (high[back] ?? 0) + half);
    }
  }
  ctx.fill();
}

function dashAt(dash: readonly number[]): (pixel: number) => boolean {
  const period = dash.reduce((sum, length) => sum + length, 0);
  if (period === 0) return () => true;
  return (pixel) => {
    let rest = pixel % period;
    const at = dash.findIndex((length) => (rest -= length) < 0);
    return at % 2 === 0;
  };
}

/** A square around a point, large enough to be seen. @param dot half of its size */
export const fillDot = (ctx: Pen, x: number, y: number, dot: number): void =>
  ctx.fillRect(x - dot, y - dot, 2 * dot, 2 * dot);
