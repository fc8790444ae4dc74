import type uPlot from 'uplot';
import { seriesDashes, type ChartLine, type ChartSpec } from './chart-spec.ts';

/** Options for drawing a chart's lines. */
type Pen = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'clip'
  | 'fillRect'
  | 'fillStyle'
  | 'lineJoin'
  | 'lineTo'
  | 'lineWidth'
  | 'moveTo'
  | 'rect'
  | 'restore'
  | 'save'
  | 'setLineDash'
  | 'stroke'
  | 'strokeStyle'
>;

/** The part of the library's chart that drawing needs. */
type Sheet = Pick<uPlot, 'bbox' | 'valToPos'> & {
  readonly ctx: Pen;
  readonly scales: Readonly<Record<string, Pick<uPlot.Scale, 'min' | 'max'>>>;
};

/** Canvas pixels of a value on a scale; linear, so two calls of the library are enough. */
function linear(u: Sheet, scale: string): (value: number) => number {
  const { min = 0, max = 1 } = u.scales[scale] ?? {};
  const low = u.valToPos(min, scale, true);
  const per = (u.valToPos(max, scale, true) - low) / (max - min || 1);
  return (value) => low + (value - min) * per;
}

/** The name of a scale in the library's options. */
export const scaleName = (at: number): string => `v${at}`;

/**
 * Draws a chart's lines or dots in the library's plot area.
 * @param times scale factor compared with the screen
 */
export function drawLines(
  u: Sheet,
  { shape, lines }: Pick<ChartSpec, 'shape' | 'lines'>,
  colors: readonly string[],
  times = 1,
): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio * times;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineJoin = 'round';
  const along = linear(u, 'x');
  for (const line of lines) {
    const across = linear(u, scaleName(line.scale));
    const color = colors[line.color % colors.length] ?? '';
    ctx.strokeStyle = color;
    ctx.fillStyle = color;
    if (shape === 'dots') drawDots(ctx, line, along, across, 2 * ratio);
    else {
      // If points are closer than pixels, a thinner line shows more of them.
      ctx.lineWidth = (line.x.length * ratio > bbox.width ? 1 : 1.5) * ratio;
      const dash = seriesDashes[line.dash % seriesDashes.length] ?? [];
      ctx.setLineDash(dash.map((length) => length * ratio));
      drawLine(ctx, line, along, across, { down: shape === 'track', dot: 1.5 * ratio });
    }
  }
  ctx.restore();
}

/** Shades the parts of the axis in which records are missing, at least a pixel wide. */
export function shadeGaps(
  u: Sheet,
  { shape, gaps = [] }: Pick<ChartSpec, 'shape' | 'gaps'>,
  color: string,
): void {
  const { ctx, bbox } = u;
  const along = linear(u, 'x');
  const [start, length] = shape === 'track' ? [bbox.top, bbox.height] : [bbox.left, bbox.width];
  const within = (place: number): number => Math.min(Math.max(place, start), start + length);
  ctx.save();
  ctx.fillStyle = color;
  for (const { from, to } of gaps) {
    const [one, other] = [within(along(from)), within(along(to))];
    const size = Math.max(1, Math.abs(other - one));
    if (shape === 'track') ctx.fillRect(bbox.left, Math.min(one, other), bbox.width, size);
    else ctx.fillRect(Math.min(one, other), bbox.top, size, bbox.height);
  }
  ctx.restore();
}

type Place = (value: number) => number;

function drawDots(ctx: Pen, { x, y }: ChartLine, along: Place, across: Place, size: number) {
  for (let at = 0; at < x.length; at += 1)
    ctx.fillRect(along(x[at] ?? 0) - size / 2, across(y[at] ?? 0) - size / 2, size, size);
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
  { down, dot }: { down: boolean; dot: number },
): void {
  ctx.beginPath();
  let first: number | null = null;
  for (let at = 0; at < y.length; at += 1) {
    const value = y[at] ?? Number.NaN;
    if (Number.isNaN(value)) {
      first = null;
      continue;
    }
    const here = along(x[at] ?? 0);
    const there = across(value);
    const px = down ? there : here;
    const py = down ? here : there;
    if (first === null) ctx.moveTo(px, py);
    else ctx.lineTo(px, py);
    first ??= here;
    const next = y[at + 1];
    const ends = next === undefined || Number.isNaN(next);
    if (ends && Math.abs(here - first) < 2 * dot) ctx.fillRect(px - dot, py - dot, 2 * dot, 2 * dot);
  }
  ctx.stroke();
}
