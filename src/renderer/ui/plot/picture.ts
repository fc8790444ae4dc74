import uPlot from 'uplot';
import { maxOf } from '../../../shared/lists.ts';
import { headLimits } from './axis-values.ts';
import { trackAxisWidth, type ChartSpec, colorAt, dashOf } from './chart-spec.ts';
import { tokenColors, textFont } from '../tokens.ts';
import {
  chartColors,
  type ChartColors,
  chartOptions,
  type ChartSize,
  ends,
  isReversed,
  shortenedText,
  showRanges,
} from './options.ts';
import { withSameScale } from './placing.ts';

export interface PictureOptions {
  readonly title: string;
  /** Such as the origin of the data. */
  readonly subtitle: string;
  /** Name, color, and pattern of each line that the charts share. */
  readonly legend: readonly { readonly name: string; readonly color: number; readonly dash: number }[];
  /** Dark on white, whatever the theme. */
  readonly print: boolean;
  readonly width: number;
  readonly height: number;
}

const ratio = 2;
const margin = 16;
const lineHeight = 18;

/**
 * Draws charts side by side, or panels below each other, with title and legend, as a PNG of twice the size in pixels.
 * @throws Error if there is no canvas context
 */
export async function pictureOf(specs: readonly ChartSpec[], options: PictureOptions): Promise<Blob> {
  const colors = colorsFor(options.print);
  const canvas = document.createElement('canvas');
  const legendRows = rowsOf(options);
  const top = margin + 44;
  const bottom = margin + legendRows.length * lineHeight;
  canvas.width = options.width * ratio;
  canvas.height = (top + options.height + bottom) * ratio;
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('there is no canvas to draw on');
  ctx.scale(ratio, ratio);
  ctx.fillStyle = colors.surface;
  ctx.fillRect(0, 0, options.width, top + options.height + bottom);
  ctx.fillStyle = colors.strong;
  ctx.font = `600 15px ${textFont}`;
  const textWidth = options.width - 2 * margin;
  ctx.fillText(shortenedText(ctx, options.title, textWidth), margin, margin + 14);
  ctx.fillStyle = colors.text;
  ctx.font = `12px ${textFont}`;
  ctx.fillText(shortenedText(ctx, options.subtitle, textWidth), margin, margin + 33);
  for (const [spec, box] of boxesOf(specs, options.width, options.height)) {
    const [left, boxTop] = [margin + box.left, top + box.top];
    ctx.drawImage(await chartCanvas(spec, colors, box), left, boxTop, box.width, box.height);
    if (spec.isPanel) {
      ctx.font = `12px ${textFont}`;
      ctx.fillStyle = colors.strong;
      ctx.fillText(spec.scales[0]?.label ?? '', left, boxTop - 4, box.width);
    } else if (spec.shape === 'track') {
      const trackLeft = spec.axis ? left + trackAxisWidth(spec.along) : left;
      drawTrackHead(ctx, spec, colors, {
        left: trackLeft,
        width: left + box.width - trackLeft,
        bottom: boxTop,
      });
    }
  }
  legendRows.forEach((row, at) =>
    drawLegend(ctx, row, top + options.height + lineHeight * (at + 0.75), colors),
  );
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png');
  });
}

/** The height of a panel's name, and of the axis below the last one, in pixels. */
const panelHeight = { name: 18, axis: 40 };

/** Where charts are below the title, without their headings. */
function boxesOf(
  specs: readonly ChartSpec[],
  fullWidth: number,
  fullHeight: number,
): (readonly [ChartSpec, { left: number; top: number; width: number; height: number }])[] {
  const inner = fullWidth - 2 * margin;
  if (specs[0]?.isPanel) {
    const step = Math.floor((fullHeight - panelHeight.axis) / specs.length);
    return specs.map((spec, at) => {
      const height = step - panelHeight.name + (spec.axis ? panelHeight.axis : 0);
      return [spec, { left: 0, top: at * step + panelHeight.name, width: inner, height }];
    });
  }
  const heads = specs.map((spec) => (spec.shape === 'track' ? spec.scales.length * headHeight : 0));
  const top = maxOf([0, ...heads]);
  // The first track also has the axis; other charts have one each.
  const axisWidth = specs.length > 1 && specs[0]?.shape === 'track' ? trackAxisWidth(specs[0].along) : 0;
  const width = Math.floor((inner - axisWidth) / specs.length);
  return specs.map((spec, at) => [
    spec,
    {
      left: at === 0 ? 0 : at * width + axisWidth,
      top,
      width: at === 0 ? width + axisWidth : width,
      height: fullHeight - top,
    },
  ]);
}

type PictureColors = ChartColors & { readonly strong: string };

function colorsFor(print: boolean): PictureColors {
  const tokens = tokenColors(print ? 'light' : undefined);
  return { ...chartColors(tokens), strong: tokens.color('--text') };
}

/** The library draws after its creation, in an element outside the view. */
async function chartCanvas(
  spec: ChartSpec,
  colors: ChartColors,
  size: ChartSize,
): Promise<HTMLCanvasElement> {
  let shown = spec;
  const place = document.createElement('div');
  place.className = 'chart-picture';
  document.body.append(place);
  try {
    const u = new uPlot(
      { ...enlarged(chartOptions(() => shown, colors, size, ratio)), cursor: { show: false } },
      [[spec.range.from, spec.range.to]],
      place,
    );
    await new Promise((resolve) => setTimeout(resolve));
    if (spec.isToScale) {
      shown = toScale(spec, u.bbox);
      showRanges(u, shown);
      await new Promise((resolve) => setTimeout(resolve));
    }
    const copy = document.createElement('canvas');
    copy.width = u.ctx.canvas.width;
    copy.height = u.ctx.canvas.height;
    copy.getContext('2d')?.drawImage(u.ctx.canvas, 0, 0);
    u.destroy();
    return copy;
  } finally {
    place.remove();
  }
}

/** A chart with the same scale on both axes in a plot area of this size. */
function toScale(spec: ChartSpec, { width, height }: uPlot.BBox): ChartSpec {
  const [scale] = spec.scales;
  if (!scale) return spec;
  const [from, to] = ends(scale.range);
  const { x, y } = withSameScale({ x: spec.range, y: { from, to } }, width, height);
  const range = isReversed(scale.range) ? { from: y.to, to: y.from } : y;
  return { ...spec, range: x, scales: [{ ...scale, range }] };
}

/** The height of a curve's heading, in pixels. */
const headHeight = 26;

function drawTrackHead(
  ctx: CanvasRenderingContext2D,
  { scales, lines }: ChartSpec,
  colors: PictureColors,
  { left, width, bottom }: { left: number; width: number; bottom: number },
): void {
  scales.forEach((scale, at) => {
    const { label, color } = scale;
    const limits = headLimits(scale);
    const y = bottom - (scales.length - at) * headHeight + 14;
    ctx.font = `11px ${textFont}`;
    ctx.fillStyle = colors.text;
    ctx.textAlign = 'left';
    ctx.fillText(limits.left, left + 4, y);
    ctx.textAlign = 'right';
    ctx.fillText(limits.right, left + width - 4, y);
    ctx.textAlign = 'center';
    ctx.fillStyle = colors.strong;
    ctx.fillText(label, left + width / 2, y, width - 90);
    ctx.textAlign = 'left';
    ctx.strokeStyle = color === undefined ? colors.text : colorAt(colors.series, color);
    ctx.lineWidth = 2;
    const dash = lines.find((line) => line.scale === at)?.dash ?? 0;
    ctx.setLineDash([...dashOf(dash)]);
    ctx.beginPath();
    ctx.moveTo(left + 4, y + 6);
    ctx.lineTo(left + width - 4, y + 6);
    ctx.stroke();
  });
  ctx.setLineDash([]);
}

type Entry = PictureOptions['legend'][number];
const entryWidth = (name: string): number => 34 + name.length * 6.6 + 18;

function rowsOf({ legend, width }: PictureOptions): Entry[][] {
  const rows: Entry[][] = [];
  let left = 0;
  for (const entry of legend) {
    if (rows.length === 0 || entryWidth(entry.name) > left) {
      rows.push([]);
      left = width - 2 * margin;
    }
    rows.at(-1)?.push(entry);
    left -= entryWidth(entry.name);
  }
  return rows;
}

function drawLegend(
  ctx: CanvasRenderingContext2D,
  row: readonly Entry[],
  y: number,
  colors: ChartColors,
): void {
  let x = margin;
  ctx.font = `12px ${textFont}`;
  ctx.lineWidth = 2;
  for (const { name, color, dash } of row) {
    ctx.strokeStyle = colorAt(colors.series, color);
    ctx.setLineDash([...dashOf(dash)]);
    ctx.beginPath();
    ctx.moveTo(x, y - 4);
    ctx.lineTo(x + 24, y - 4);
    ctx.stroke();
    ctx.fillStyle = colors.text;
    ctx.fillText(name, x + 30, y);
    x += entryWidth(name);
  }
}

/** The sizes of a chart times the ratio of the picture, which has more pixels than the screen. */
function enlarged(options: uPlot.Options): uPlot.Options {
  const { width, height, padding, axes } = options;
  return {
    ...options,
    width: width * ratio,
    height: height * ratio,
    ...(padding
      ? { padding: [larger(padding[0]), larger(padding[1]), larger(padding[2]), larger(padding[3])] }
      : {}),
    ...(axes ? { axes: axes.map(axis) } : {}),
  };

  function larger<T>(value: T): T | number {
    return typeof value === 'number' ? value * ratio : value;
  }
  function fontOf(font: string | undefined): string {
    return (font ?? '11px sans-serif').replace(/(\d+)px/, (_, size: string) => `${Number(size) * ratio}px`);
  }
  function axis(given: uPlot.Axis): uPlot.Axis {
    const { size = 50, space = 50, gap = 4, labelGap = 2, labelSize = 16 } = given;
    return {
      ...given,
      font: fontOf(given.font),
      labelFont: fontOf(given.labelFont),
      size: typeof size === 'function' ? (...given) => size(...given) * ratio : size * ratio,
      space: larger(space),
      gap: gap * ratio,
      labelGap: labelGap * ratio,
      labelSize: labelSize * ratio,
      grid: { ...given.grid, width: ratio },
      ticks: { ...given.ticks, width: ratio, size: 4 * ratio },
    };
  }
}
