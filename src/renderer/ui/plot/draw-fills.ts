import { colorAt, type ChartLine, type ChartSpec } from './chart-spec.ts';
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
  readonly across: Place;
  readonly color: string;
}

const curveOf = (u: Sheet, spec: FillSpec, line: ChartLine, colors: readonly string[]): Curve => ({
  line,
  across: placeAcross(u, spec, line.scale),
  color: colorAt(colors, line.color),
});

/**
 * Fills between two curves: in the color of the one that is further left. What is right of one and left of the other is
 * the intersection of two areas, so the curves need no common positions.
 */
function fillBetween(
  ctx: Pen,
  along: Place,
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
