import type { ChartLine, ChartSpec } from './chart-spec.ts';
import { placeAcross, placeAlong, type Pen, type Place, type Sheet } from './sheet.ts';

type FillSpec = Pick<ChartSpec, 'shape' | 'lines' | 'scales' | 'range' | 'isLog'>;

const alpha = 0.22;

/** Fills the areas beside the lines of a track. */
export function drawFills(u: Sheet, spec: FillSpec, colors: readonly string[]): void {
  const { ctx, bbox } = u;
  const along = placeAlong(u, spec);
  const [left, right] = [bbox.left, bbox.left + bbox.width];
  ctx.save();
  ctx.globalAlpha = alpha;
  for (const line of spec.lines) {
    if (!line.fill) continue;
    const across = placeAcross(u, spec, line.scale);
    const color = colors[line.color % colors.length] ?? '';
    ctx.fillStyle = color;
    if (line.fill.to === 'line') {
      const other = spec.lines[line.fill.line];
      if (other)
        fillBetween(ctx, along, { line, across, color }, sideOf(u, spec, other, colors), left, right);
    } else {
      const edge =
        line.fill.to === 'value' ? across(line.fill.value) : line.fill.to === 'left' ? left : right;
      if (Number.isNaN(edge)) continue;
      area(ctx, line, along, across, edge);
      ctx.fill();
    }
  }
  ctx.restore();
}

interface Side {
  readonly line: ChartLine;
  readonly across: Place;
  readonly color: string;
}

const sideOf = (u: Sheet, spec: FillSpec, line: ChartLine, colors: readonly string[]): Side => ({
  line,
  across: placeAcross(u, spec, line.scale),
  color: colors[line.color % colors.length] ?? '',
});

/**
 * Fills between two curves: in the color of the one that is further left. What is right of one and left of the other is
 * the intersection of two areas, so the curves need no common positions.
 */
function fillBetween(ctx: Pen, along: Place, first2: Side, other: Side, left: number, right: number): void {
  for (const [first, second] of [
    [first2, other],
    [other, first2],
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
function area(ctx: Pen, { x, y }: ChartLine, along: Place, across: Place, edge: number): void {
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
