import type { ChartSpec } from './chart-spec.ts';
import { gridOf } from './placing.ts';
import { placeAlong, type Sheet } from './sheet.ts';

/** The colors behind the lines of a chart. */
export interface BackgroundColors {
  /** Where records are missing. */
  readonly gap: string;
  readonly line: string;
  /** Main lines of a grid. */
  readonly mainLine: string;
}

/**
 * Draws what is behind the lines: shades the parts of the axis in which records are missing, at least a pixel wide, and
 * the grid of a track.
 * @param times scale factor compared with the screen
 */
export function drawBackground(
  u: Sheet,
  spec: Pick<ChartSpec, 'shape' | 'gaps' | 'range' | 'isLog' | 'scales'>,
  colors: BackgroundColors,
  times = 1,
): void {
  u.ctx.save();
  shadeGaps(u, spec, colors.gap);
  if (spec.shape === 'track') drawGrid(u, spec, colors, times);
  u.ctx.restore();
}

function shadeGaps(
  u: Sheet,
  spec: Pick<ChartSpec, 'shape' | 'gaps' | 'range' | 'isLog'>,
  color: string,
): void {
  const { ctx, bbox } = u;
  const { shape, gaps = [] } = spec;
  const along = placeAlong(u, spec);
  const [start, length] = shape === 'track' ? [bbox.top, bbox.height] : [bbox.left, bbox.width];
  const within = (place: number): number => Math.min(Math.max(place, start), start + length);
  ctx.fillStyle = color;
  for (const { from, to } of gaps) {
    const [first, last] = [within(along(from)), within(along(to))];
    const size = Math.max(1, Math.abs(last - first));
    if (shape === 'track') ctx.fillRect(bbox.left, Math.min(first, last), bbox.width, size);
    else ctx.fillRect(Math.min(first, last), bbox.top, size, bbox.height);
  }
}

/** The lines down a track, of its first scale. */
function drawGrid(
  { ctx, bbox }: Sheet,
  { scales: [first] }: Pick<ChartSpec, 'scales'>,
  { line, mainLine }: BackgroundColors,
  times: number,
): void {
  if (!first) return;
  const width = Math.max(1, Math.round(devicePixelRatio * times));
  for (const { share, isMain } of gridOf(first)) {
    ctx.fillStyle = isMain ? mainLine : line;
    ctx.fillRect(Math.round(bbox.left + share * bbox.width), bbox.top, width, bbox.height);
  }
  ctx.fillStyle = mainLine;
  for (const x of [bbox.left, bbox.left + bbox.width - width]) ctx.fillRect(x, bbox.top, width, bbox.height);
}
