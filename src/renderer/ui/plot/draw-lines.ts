import { colorAt, dashOf, type ChartLine, type ChartRange, type ChartSpec } from './chart-spec.ts';
import { drawDenseLine, fillDot, type LineOptions } from './draw-dense-line.ts';
import { drawFills } from './draw-fills.ts';
import { shareOf } from './placing.ts';
import { clipTo, placeAcross, placeAlong, type Pen, type Place, type Sheet } from './sheet.ts';

/** The name of a scale in the library's options. */
export const scaleName = (at: number): string => `v${at}`;

/** How many times a wrapped curve continues at the other edge. */
const maxWraps = 5;

/**
 * Draws a chart's lines or dots in the library's plot area.
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
  const along = placeAlong(u, spec);
  if (down) drawFills(u, spec, colors);
  for (const line of lines) {
    const across = placeAcross(u, spec, line.scale);
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
function wrapsOf({ y }: ChartLine, across: Place, { left, width }: Sheet['bbox']): number[] {
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
  ctx: Pen,
  { x, y, colorValues = new Float64Array() }: ChartLine,
  options: {
    readonly along: Place;
    readonly across: Place;
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

function drawDots(ctx: Pen, { x, y }: ChartLine, along: Place, across: Place, dot: number) {
  for (let at = 0; at < x.length; at += 1) fillDot(ctx, along(x[at] ?? 0), across(y[at] ?? 0), dot);
}

/**
 * A line, broken at each gap. A part shorter than a dot is drawn as a dot, to be visible: a value between two gaps, a minute
 * among months.
 */
function drawLine(
  ctx: Pen,
  { x, y }: ChartLine,
  along: Place,
  across: Place,
  { down, dot, dash, width }: LineOptions,
): void {
  ctx.lineWidth = width;
  ctx.setLineDash([...dash]);
  ctx.beginPath();
  let first: number | null = null;
  for (let at = 0; at < y.length; at += 1) {
    // A gap, or a value that a logarithmic scale doesn't have.
    const there = across(y[at] ?? Number.NaN);
    if (Number.isNaN(there)) {
      first = null;
      continue;
    }
    const here = along(x[at] ?? 0);
    const px = down ? there : here;
    const py = down ? here : there;
    if (first === null) ctx.moveTo(px, py);
    else ctx.lineTo(px, py);
    first ??= here;
    const next = y[at + 1];
    const ends = next === undefined || Number.isNaN(next);
    if (ends && Math.abs(here - first) < 2 * dot) fillDot(ctx, px, py, dot);
  }
  ctx.stroke();
}
