import { maxOf } from '../../../shared/lists.ts';
import { colorAt, type ChartSpec } from './chart-spec.ts';
import { clipTo, placeAcross, placeAlong, type Sheet } from './sheet.ts';

/** The space for a histogram beside the plot area, in pixels. */
export const histogramSize = 48;
/** Between a histogram and the plot area. */
const margin = 3;
const fitPoints = 100;

/** The colors of statistics. */
export interface StatisticsColors {
  readonly text: string;
  readonly series: readonly string[];
}

/**
 * Draws the straight lines of dots, and the histograms at the edges of the plot area.
 * @param times scale factor compared with the screen
 */
export function drawStatistics(
  u: Sheet,
  spec: Pick<ChartSpec, 'shape' | 'range' | 'isLog' | 'scales' | 'fits' | 'histograms'>,
  colors: StatisticsColors,
  times = 1,
): void {
  const ratio = devicePixelRatio * times;
  drawFitLines(u, spec, colors, ratio);
  drawHistograms(u, spec, colors, ratio);
}

function drawFitLines(
  u: Sheet,
  spec: Pick<ChartSpec, 'shape' | 'range' | 'isLog' | 'scales' | 'fits'>,
  { text, series }: StatisticsColors,
  ratio: number,
): void {
  const { ctx } = u;
  const { fits = [], range, isLog = false, scales } = spec;
  if (fits.length === 0) return;
  const isLogY = scales[0]?.isLog ?? false;
  const [along, across] = [placeAlong(u, spec), placeAcross(u, spec, 0)];
  const [from, to] = isLog ? [Math.log10(range.from), Math.log10(range.to)] : [range.from, range.to];
  ctx.save();
  clipTo(u);
  ctx.setLineDash([]);
  for (const { intercept, slope, color } of fits) {
    ctx.strokeStyle = fits.length === 1 ? text : colorAt(series, color);
    ctx.lineWidth = 1.5 * ratio;
    ctx.beginPath();
    // Straight on any axes that it was fitted for, but linear ones can be drawn after a logarithmic fit.
    for (let at = 0; at <= fitPoints; at += 1) {
      const x = from + ((to - from) * at) / fitPoints;
      const y = intercept + slope * x;
      const [px, py] = [along(isLog ? 10 ** x : x), across(isLogY ? 10 ** y : y)];
      if (at === 0) ctx.moveTo(px, py);
      else ctx.lineTo(px, py);
    }
    ctx.stroke();
  }
  ctx.restore();
}

function drawHistograms(
  { ctx, bbox }: Sheet,
  { histograms }: Pick<ChartSpec, 'histograms'>,
  { text }: StatisticsColors,
  ratio: number,
): void {
  if (!histograms) return;
  const maxBar = (histogramSize - 2 * margin) * ratio;
  ctx.save();
  ctx.fillStyle = text;
  ctx.globalAlpha = 0.55;
  const bars = (counts: readonly number[], draw: (at: number, size: number) => void) => {
    const max = maxOf(counts);
    counts.forEach((count, at) => count > 0 && draw(at, Math.max((count / max) * maxBar, ratio)));
  };
  const width = bbox.width / histograms.x.length;
  bars(histograms.x, (at, size) =>
    ctx.fillRect(
      bbox.left + at * width,
      bbox.top - margin * ratio - size,
      Math.max(width - ratio, ratio),
      size,
    ),
  );
  const height = bbox.height / histograms.y.length;
  bars(histograms.y, (at, size) =>
    ctx.fillRect(
      bbox.left + bbox.width + margin * ratio,
      bbox.top + bbox.height - (at + 1) * height,
      size,
      Math.max(height - ratio, ratio),
    ),
  );
  ctx.restore();
}
