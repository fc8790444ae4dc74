import uPlot from 'uplot';
import { tokenColors } from '../tokens.ts';
import { type ChartSpec, seriesDashes } from './chart-spec.ts';
import { chartColors, type ChartColors, chartOptions } from './options.ts';
import { drawLines, shadeGaps } from './draw-lines.ts';
import { textFont } from '../text-font.ts';

export interface PictureOptions {
  readonly title: string;
  /** The subtitle, such as the origin of the data. */
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
 * Draws charts side by side, with title and legend, as a PNG of twice the size in pixels.
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
  ctx.fillText(options.title, margin, margin + 14, options.width - 2 * margin);
  ctx.fillStyle = colors.text;
  ctx.font = `12px ${textFont}`;
  ctx.fillText(options.subtitle, margin, margin + 33, options.width - 2 * margin);
  const width = (options.width - 2 * margin) / specs.length;
  for (const [at, spec] of specs.entries()) {
    const drawn = await chartCanvas(spec, colors, { width: Math.floor(width), height: options.height });
    ctx.drawImage(drawn, margin + at * width, top, Math.floor(width), options.height);
  }
  legendRows.forEach((row, at) =>
    drawLegend(ctx, row, top + options.height + lineHeight * (at + 0.75), colors),
  );
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png');
  });
}

type PictureColors = ChartColors & { readonly strong: string };

/** The colors of the theme, or of the light theme for printing. */
function colorsFor(print: boolean): PictureColors {
  const tokens = tokenColors(print ? 'light' : undefined);
  return { ...chartColors(tokens), strong: tokens.color('--text') };
}

/** The library draws after its creation, in an element outside the view. */
async function chartCanvas(
  spec: ChartSpec,
  colors: ChartColors,
  size: { width: number; height: number },
): Promise<HTMLCanvasElement> {
  const place = document.createElement('div');
  place.className = 'chart-picture';
  document.body.append(place);
  try {
    const u = new uPlot(
      {
        ...enlarged(
          chartOptions(() => spec, colors, size),
          spec,
          colors,
          ratio,
        ),
        cursor: { show: false },
      },
      [[spec.range.from, spec.range.to]],
      place,
    );
    await new Promise((resolve) => setTimeout(resolve));
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
    ctx.strokeStyle = colors.series[color % colors.series.length] ?? '';
    ctx.setLineDash([...(seriesDashes[dash % seriesDashes.length] ?? [])]);
    ctx.beginPath();
    ctx.moveTo(x, y - 4);
    ctx.lineTo(x + 24, y - 4);
    ctx.stroke();
    ctx.fillStyle = colors.text;
    ctx.fillText(name, x + 30, y);
    x += entryWidth(name);
  }
}

/** The same chart scaled by a factor, for a picture with more pixels than the screen. */
function enlarged(
  options: uPlot.Options,
  spec: ChartSpec,
  colors: ChartColors,
  times: number,
): uPlot.Options {
  const { width, height, padding, axes } = options;
  return {
    ...options,
    width: width * times,
    height: height * times,
    ...(padding
      ? { padding: [larger(padding[0]), larger(padding[1]), larger(padding[2]), larger(padding[3])] }
      : {}),
    ...(axes ? { axes: axes.map(axis) } : {}),
    hooks: {
      drawClear: [(u) => shadeGaps(u, spec, colors.gap)],
      draw: [(u) => drawLines(u, spec, colors.series, times)],
    },
  };

  function larger<T>(value: T): T | number {
    return typeof value === 'number' ? value * times : value;
  }
  function fontOf(font: string | undefined): string {
    return (font ?? '11px sans-serif').replace(/(\d+)px/, (_, size: string) => `${Number(size) * times}px`);
  }
  function axis(given: uPlot.Axis): uPlot.Axis {
    const { size = 50, space = 50, gap = 4, labelGap = 2, labelSize = 16 } = given;
    return {
      ...given,
      font: fontOf(given.font),
      labelFont: fontOf(given.labelFont),
      size: larger(size),
      space: larger(space),
      gap: gap * times,
      labelGap: labelGap * times,
      labelSize: labelSize * times,
      grid: { ...given.grid, width: times },
      ticks: { ...given.ticks, width: times, size: 4 * times },
    };
  }
}
