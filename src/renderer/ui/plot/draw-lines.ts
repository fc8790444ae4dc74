import { colorAt, dashOf, type ChartLine, type ChartRange, type ChartSpec } from './chart-spec.ts';
import { shareOf } from './placing.ts';
import {
  clipTo,
  acrossToPixel,
  alongToPixel,
  type CanvasContext,
  type ToPixel,
  type Sheet,
} from './sheet.ts';

type FillSpec = Pick<ChartSpec, 'shape' | 'lines' | 'scales' | 'range' | 'isLog'>;

const alpha = 0.22;

export function drawFills(u: Sheet, spec: FillSpec, colors: readonly string[]): void {
  const { ctx, bbox } = u;
  const along = alongToPixel(u, spec);
  const [left, right] = [bbox.left, bbox.left + bbox.width];
  ctx.save();
  ctx.globalAlpha = alpha;
  for (const line of spec.lines) {
    if (!line.fill) continue;
    const curve = curveOf(u, spec, line, colors);
    const { across } = curve;
    if (line.fill.to === 'line') {
      const other = spec.lines[line.fill.line];
      if (other) fillBetween(ctx, along, [curve, curveOf(u, spec, other, colors)], left, right);
    } else {
      const edge =
        line.fill.to === 'value' ? across(line.fill.value) : line.fill.to === 'left' ? left : right;
      if (Number.isNaN(edge)) continue;
      ctx.fillStyle = curve.color;
      area(ctx, line, along, across, edge);
      ctx.fill();
    }
  }
  ctx.restore();
}

interface Curve {
  readonly line: ChartLine;
  readonly across: ToPixel;
  readonly color: string;
}

const curveOf = (u: Sheet, spec: FillSpec, line: ChartLine, colors: readonly string[]): Curve => ({
  line,
  across: acrossToPixel(u, spec, line.scale),
  color: colorAt(colors, line.color),
});

/**
 * Fills between two curves: in the color of the one that is further left. What is right of one and left of the other is
 * the intersection of two areas, so the curves need no common positions.
 */
function fillBetween(
  ctx: CanvasContext,
  along: ToPixel,
  [a, b]: readonly [Curve, Curve],
  left: number,
  right: number,
): void {
  for (const [first, second] of [
    [a, b],
    [b, a],
  ] as const) {
    ctx.save();
    area(ctx, second.line, along, second.across, left);
    ctx.clip();
    ctx.fillStyle = first.color;
    area(ctx, first.line, along, first.across, right);
    ctx.fill();
    ctx.restore();
  }
}

/** The path around the area between a line and an edge of its track, left out at gaps. */
function area(ctx: CanvasContext, { x, y }: ChartLine, along: ToPixel, across: ToPixel, edge: number): void {
  ctx.beginPath();
  let last: number | null = null;
  for (let at = 0; at <= y.length; at += 1) {
    const place = at < y.length ? across(y[at] ?? Number.NaN) : Number.NaN;
    if (Number.isNaN(place)) {
      if (last !== null) {
        ctx.lineTo(edge, last);
        ctx.closePath();
      }
      last = null;
      continue;
    }
    const here = along(x[at] ?? 0);
    if (last === null) ctx.moveTo(edge, here);
    ctx.lineTo(place, here);
    last = here;
  }
}

/** In canvas pixels. */
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
 * of the line in it. Bars take a fraction of the time of strokes that cross each other, and dashes stay visible.
 * @param ctx the canvas, with the color of the line
 * @param across pixels of values; NaN: there is none
 */
export function drawDenseLine(
  ctx: CanvasContext,
  line: ChartLine,
  along: ToPixel,
  across: ToPixel,
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
  ctx: CanvasContext,
  { x, y }: ChartLine,
  along: ToPixel,
  across: ToPixel,
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

/** Fills bars one by one: a rectangle on whole pixels is filled much faster than an area with many corners. */
function fillBars(
  ctx: CanvasContext,
  { low, high }: Bars,
  { down, start, width }: LineOptions & Visible,
  isDrawn: (pixel: number) => boolean,
): void {
  // Between two halves of a pixel the color of neighbors would be fainter.
  const first = Math.round(start);
  for (let pixel = 0; pixel < low.length; pixel += 1) {
    const from = (low[pixel] ?? Number.NaN) - width / 2;
    if (Number.isNaN(from) || !isDrawn(pixel)) continue;
    const length = (high[pixel] ?? 0) + width / 2 - from;
    if (down) ctx.fillRect(from, first + pixel, length, 1);
    else ctx.fillRect(first + pixel, from, 1, length);
  }
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
export const fillDot = (ctx: CanvasContext, x: number, y: number, dot: number): void =>
  ctx.fillRect(x - dot, y - dot, 2 * dot, 2 * dot);

/** The name of a scale in the library's options. */
export const scaleName = (at: number): string => `v${at}`;

/** How many times a wrapped curve continues at the other edge. */
const maxWraps = 5;

/**
 * @param times scale factor compared with the screen
 * @param steps the colors of values, from the lowest to the highest
 */
export function drawLines(
  u: Sheet,
  spec: Pick<ChartSpec, 'shape' | 'lines' | 'scales' | 'range' | 'isLog' | 'colorRange' | 'isPath'>,
  colors: readonly string[],
  times = 1,
  steps: readonly string[] = [],
): void {
  const { ctx, bbox } = u;
  const { shape, lines, scales } = spec;
  const ratio = devicePixelRatio * times;
  const down = shape === 'track';
  ctx.save();
  clipTo(u);
  ctx.lineJoin = 'round';
  const along = alongToPixel(u, spec);
  if (down) drawFills(u, spec, colors);
  for (const line of lines) {
    const across = acrossToPixel(u, spec, line.scale);
    const color = colorAt(colors, line.color);
    ctx.strokeStyle = color;
    ctx.fillStyle = color;
    const dash = dashOf(line.dash).map((length) => length * ratio);
    if (shape === 'dots') {
      if (spec.isPath) drawLine(ctx, line, along, across, { down, dot: 0, dash, width: 1.5 * ratio });
      // A few dots are hard to see.
      const dot = (line.x.length > manyDots ? 1 : 2) * ratio;
      if (line.colorValues && spec.colorRange && steps.length > 0)
        drawColored(ctx, line, { along, across, dot, range: spec.colorRange, steps });
      else drawDots(ctx, line, along, across, dot);
      continue;
    }
    const [start, length] = down ? [bbox.top, bbox.height] : [bbox.left, bbox.width];
    const options = { down, dot: 1.5 * ratio, dash };
    const draw =
      line.x.length * ratio > length * 3
        ? () => drawDenseLine(ctx, line, along, across, { ...options, width: ratio, start, length })
        : () => drawLine(ctx, line, along, across, { ...options, width: 1.5 * ratio });
    const wraps = down && scales[line.scale]?.isWrapped ? wrapsOf(line, across, bbox) : [0];
    for (const wrap of wraps) {
      ctx.save();
      ctx.translate(-wrap * bbox.width, 0);
      draw();
      ctx.restore();
    }
  }
  ctx.restore();
}

/** The tracks beside its own in which a curve has values, 0 for its own. */
function wrapsOf({ y }: ChartLine, across: ToPixel, { left, width }: Sheet['bbox']): number[] {
  const wraps = new Set<number>();
  for (const value of y) {
    const wrap = Math.floor((across(value) - left) / width);
    if (Math.abs(wrap) <= maxWraps) wraps.add(wrap);
  }
  return [...wraps];
}

const manyDots = 2000;

/** Dots in the colors of their values; those without one are left out. */
function drawColored(
  ctx: CanvasContext,
  { x, y, colorValues = new Float64Array() }: ChartLine,
  options: {
    readonly along: ToPixel;
    readonly across: ToPixel;
    /** Half of the size of a dot. */
    readonly dot: number;
    readonly range: ChartRange;
    readonly steps: readonly string[];
  },
): void {
  const { along, across, dot, range, steps } = options;
  const share = shareOf({ range });
  for (let at = 0; at < x.length; at += 1) {
    const value = share(colorValues[at] ?? Number.NaN);
    if (Number.isNaN(value)) continue;
    const step = Math.min(Math.max(Math.floor(value * steps.length), 0), steps.length - 1);
    ctx.fillStyle = steps[step] ?? '';
    fillDot(ctx, along(x[at] ?? 0), across(y[at] ?? 0), dot);
  }
}

function drawDots(ctx: CanvasContext, { x, y }: ChartLine, along: ToPixel, across: ToPixel, dot: number) {
  for (let at = 0; at < x.length; at += 1) fillDot(ctx, along(x[at] ?? 0), across(y[at] ?? 0), dot);
}

/** How far points may be from a straight line that leaves them out, in pixels. */
const straightness = 0.1;

/**
 * A line, broken at each gap. A part shorter than a dot is drawn as a dot, to be visible: a value between two gaps, a minute
 * among months. Points on a straight line between others are left out: each corner of a stroke takes time.
 */
function drawLine(
  ctx: CanvasContext,
  { x, y }: ChartLine,
  along: ToPixel,
  across: ToPixel,
  { down, dot, dash, width }: LineOptions,
): void {
  ctx.lineWidth = width;
  ctx.setLineDash([...dash]);
  ctx.beginPath();
  let first: number | null = null;
  // The last corner, the point after it that may be the next one, and the slopes of a line that is near all points between.
  let corner = { here: 0, there: 0 };
  let last: typeof corner | null = null;
  let [low, high] = [-Infinity, Infinity];
  const turn = (): void => {
    if (!last) return;
    ctx.lineTo(down ? last.there : last.here, down ? last.here : last.there);
    if (dash.length > 0) {
      // Dashes of a straight line take half of the time of those of one with corners.
      ctx.stroke();
      ctx.lineDashOffset += Math.hypot(last.here - corner.here, last.there - corner.there);
      ctx.beginPath();
      ctx.moveTo(down ? last.there : last.here, down ? last.here : last.there);
    }
    corner = last;
    last = null;
    [low, high] = [-Infinity, Infinity];
  };
  for (let at = 0; at < y.length; at += 1) {
    // A gap, or a value that a logarithmic scale doesn't have.
    const there = across(y[at] ?? Number.NaN);
    if (Number.isNaN(there)) {
      turn();
      first = null;
      continue;
    }
    const here = along(x[at] ?? 0);
    if (first === null) {
      ctx.lineDashOffset = 0;
      ctx.moveTo(down ? there : here, down ? here : there);
      corner = { here, there };
      [low, high] = [-Infinity, Infinity];
    } else {
      const slope = (there - corner.there) / (here - corner.here);
      if (!(slope >= low && slope <= high)) turn();
      const [length, rise] = [here - corner.here, there - corner.there];
      low = Math.max(low, (rise - straightness) / length);
      high = Math.min(high, (rise + straightness) / length);
      last = { here, there };
    }
    first ??= here;
    const next = y[at + 1];
    const ends = next === undefined || Number.isNaN(next);
    if (ends && Math.abs(here - first) < 2 * dot) fillDot(ctx, down ? there : here, down ? here : there, dot);
  }
  turn();
  ctx.stroke();
  ctx.lineDashOffset = 0;
}
