import type uPlot from 'uplot';
import { maxOf } from '../../../shared/lists.ts';
import { type TokenColors, textFont } from '../tokens.ts';
import { elapsedSteps, elapsedText, markTexts, timeMarks, timeSteps, timeTexts } from './axis-values.ts';
import {
  colorAt,
  seriesColors,
  type ChartRange,
  type ChartSpec,
  trackAxisWidth,
  colorSteps,
} from './chart-spec.ts';
import { drawLines, scaleName } from './draw-lines.ts';
import { gridOf } from './placing.ts';
import { alongToPixel, type Sheet, clipTo, acrossToPixel, type CanvasContext } from './sheet.ts';

/** The marks that a range of less than a decade has at most. */
const maxMarks = 7;

/**
 * The digits that are labelled in a decade, the first of these with enough space for its texts; `minGap` is the share of
 * the decade between the closest two.
 */
const labelled = [
  { digits: [1, 2, 3, 4, 5, 6, 7, 8, 9], minGap: Math.log10(10 / 9) },
  { digits: [1, 2, 3, 5, 7], minGap: Math.log10(7 / 5) },
  { digits: [1, 2, 5], minGap: Math.log10(2) },
];

/** The power of ten at or below a value; logarithms of 1,000 and others have errors in their last digit. */
const decadeOf = (value: number): number => Math.floor(Math.log10(value) + 1e-9);

const isPartOfDecade = (from: number, to: number): boolean => to / from < 10;

/** Without the errors of calculation in the last digits. */
const cleaned = (value: number): number => Number(value.toPrecision(12));

/**
 * The marks of a logarithmic axis: 1 to 9 in each decade, or equal round steps in less than one decade.
 * @param from the lowest value in view, above 0
 * @param to the highest value in view
 * @returns round values between them; the library's own begin at the lowest value, which isn't round
 */
export function logMarks(from: number, to: number): number[] {
  if (isPartOfDecade(from, to)) {
    const rough = (to - from) / maxMarks;
    const unit = 10 ** decadeOf(rough);
    const step = ([1, 2, 5].find((digit) => digit * unit >= rough) ?? 10) * unit;
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(Math.floor(to / step) - first + 1, 0) }, (_, at) =>
      cleaned((first + at) * step),
    );
  }
  const marks: number[] = [];
  for (let decade = decadeOf(from); decade <= decadeOf(to); decade += 1)
    for (let digit = 1; digit < 10; digit += 1) {
      const mark = cleaned(digit * 10 ** decade);
      if (mark >= from && mark <= to) marks.push(mark);
    }
  return marks;
}

/**
 * Selects the marks that have a text.
 * @param marks of {@link logMarks}, between the ends of the axis
 * @param axis its ends, and its length and the space of a text in pixels
 * @returns the marks; null: without a text
 */
export function labelledLogMarks(
  marks: readonly number[],
  axis: { readonly from: number; readonly to: number; readonly length: number; readonly space: number },
): (number | null)[] {
  const { from, to, length, space } = axis;
  const decade = length / Math.log10(to / from);
  if (isPartOfDecade(from, to)) {
    let last: number | null = null;
    return marks.map((mark) => {
      if (last !== null && Math.log10(mark / last) * decade < space) return null;
      last = mark;
      return mark;
    });
  }
  const digits = labelled.find(({ minGap }) => minGap * decade >= space)?.digits ?? [1];
  const every = Math.max(Math.ceil(space / decade), 1);
  return marks.map((mark) => {
    const power = decadeOf(mark);
    return digits.includes(Math.round(mark / 10 ** power)) && power % every === 0 ? mark : null;
  });
}

type TextPen = CanvasContext &
  Pick<CanvasRenderingContext2D, 'fillText' | 'font' | 'measureText' | 'textAlign' | 'textBaseline'>;

const bandAlpha = 0.045;
const labelHeight = 14;
/** The widest label, in pixels. */
const maxLabel = 140;

/**
 * Draws the marks of a chart over its lines: a line at each, a band where it has two ends, and its name where there is
 * room.
 * @param times scale factor compared with the screen
 */
export function drawMarks(
  u: Sheet & { readonly ctx: TextPen },
  spec: Pick<ChartSpec, 'shape' | 'range' | 'isLog' | 'scales' | 'marks' | 'areMarksAcross' | 'axis'>,
  colors: { text: string; surface: string; series: readonly string[] },
  times = 1,
): void {
  const { marks = [], areMarksAcross = false } = spec;
  if (marks.length === 0) return;
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio * times;
  const isRow = spec.shape === 'track' || areMarksAcross;
  const place = areMarksAcross ? acrossToPixel(u, spec, 0) : alongToPixel(u, spec);
  const [start, length] = isRow ? [bbox.top, bbox.height] : [bbox.left, bbox.width];
  const isInside = (at: number): boolean => at >= start && at <= start + length;
  const within = (at: number): number => Math.min(Math.max(at, start), start + length);
  ctx.save();
  clipTo(u);
  ctx.font = `${11 * ratio}px ${textFont}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const labels = createLabelPlaces();
  const placed = marks.map((mark, index) => {
    const [from, to] = [place(mark.from), mark.to === null ? null : place(mark.to)];
    return {
      mark,
      index,
      from,
      to,
      low: within(Math.min(from, to ?? from)),
      high: within(Math.max(from, to ?? from)),
    };
  });
  // Labels are placed along the pixels, which run against an axis upwards.
  for (const { mark, index, from, to, low, high } of placed.toSorted((a, b) => a.low - b.low)) {
    if (high - low <= 0 && !isInside(from)) continue;
    const color = mark.color === null ? colors.text : colorAt(colors.series, mark.color);
    ctx.fillStyle = color;
    if (to !== null) {
      // Neighbors differ.
      ctx.globalAlpha = index % 2 === 0 ? bandAlpha : bandAlpha * 2;
      if (isRow) ctx.fillRect(bbox.left, low, bbox.width, high - low);
      else ctx.fillRect(low, bbox.top, high - low, bbox.height);
    }
    ctx.globalAlpha = 0.8;
    for (const at of [from, ...(to === null ? [] : [to])]) {
      if (!isInside(at)) continue;
      if (isRow) ctx.fillRect(bbox.left, at, bbox.width, ratio);
      else ctx.fillRect(at, bbox.top, ratio, bbox.height);
    }
    ctx.globalAlpha = 1;
    if (!spec.axis) continue;
    const text = shortenedText(ctx, mark.text, maxLabel * ratio);
    const width = ctx.measureText(text).width + 6 * ratio;
    const height = labelHeight * ratio;
    const box = isRow
      ? labels.take(low + ratio, height, 1, start + length)
      : labels.take(low + ratio, width, labelRows, start + length);
    if (!box) continue;
    const [left, top] = isRow
      ? [bbox.left + bbox.width - width, box.at]
      : [box.at, bbox.top + box.row * height];
    ctx.globalAlpha = 0.85;
    ctx.fillStyle = colors.surface;
    ctx.fillRect(left, top, width, height);
    ctx.globalAlpha = 1;
    ctx.fillStyle = color;
    ctx.fillText(text, left + 3 * ratio, top + height / 2);
  }
  ctx.restore();
}

/** Names over a time axis are in rows, one below the other. */
const labelRows = 4;

/** Finds room for labels, so that none covers another; they come in the order of the axis. */
function createLabelPlaces() {
  const ends: number[] = [];
  return {
    /** The place of a label, in the first row with room; null: there is none. */
    take(at: number, length: number, rows: number, end: number): { at: number; row: number } | null {
      if (at + length > end) return null;
      for (let row = 0; row < rows; row += 1) {
        if (at < (ends[row] ?? Number.NEGATIVE_INFINITY)) continue;
        ends[row] = at + length;
        return { at, row };
      }
      return null;
    },
  };
}

/** A text cut to a width in the font of the pen. */
export function shortenedText(ctx: Pick<TextPen, 'measureText'>, text: string, max: number): string {
  let shown = text;
  while (shown.length > 1 && ctx.measureText(shown).width > max) shown = `${shown.slice(0, -2).trimEnd()}…`;
  return shown;
}

/** @param times scale factor compared with the screen */
export function drawLimits(
  u: Sheet,
  spec: Pick<ChartSpec, 'shape' | 'scales'>,
  color: string,
  times = 1,
): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio * times;
  ctx.save();
  clipTo(u);
  ctx.strokeStyle = color;
  ctx.lineWidth = ratio;
  ctx.setLineDash([6 * ratio, 4 * ratio]);
  spec.scales.forEach(({ limits = [] }, scale) => {
    const place = acrossToPixel(u, spec, scale);
    for (const at of limits.map(place)) {
      ctx.beginPath();
      if (spec.shape === 'track') {
        ctx.moveTo(at, bbox.top);
        ctx.lineTo(at, bbox.top + bbox.height);
      } else {
        ctx.moveTo(bbox.left, at);
        ctx.lineTo(bbox.left + bbox.width, at);
      }
      ctx.stroke();
    }
  });
  ctx.restore();
}

/** The space for a histogram beside the plot area, in pixels. */
export const histogramSize = 48;
/** Between a histogram and the plot area. */
const margin = 3;
const fitPoints = 100;

/**
 * Draws the straight lines of dots, and the histograms at the edges of the plot area.
 * @param times scale factor compared with the screen
 */
function drawStatistics(u: Sheet, spec: ChartSpec, colors: ChartColors, times: number): void {
  const ratio = devicePixelRatio * times;
  drawFitLines(u, spec, colors, ratio);
  drawHistograms(u, spec, colors, ratio);
}

function drawFitLines(u: Sheet, spec: ChartSpec, { text, series }: ChartColors, ratio: number): void {
  const { ctx } = u;
  const { fits = [], range, isLog = false, scales } = spec;
  if (fits.length === 0) return;
  const isLogY = scales[0]?.isLog ?? false;
  const [along, across] = [alongToPixel(u, spec), acrossToPixel(u, spec, 0)];
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

function drawHistograms(u: Sheet, { histograms }: ChartSpec, { text }: ChartColors, ratio: number): void {
  if (!histograms) return;
  const { ctx, bbox } = u;
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

/**
 * Draws what is behind the lines: shades the parts of the axis in which records are missing, at least a pixel wide, and
 * the grid of a track.
 * @param times scale factor compared with the screen
 */
function drawBackground(u: Sheet, spec: ChartSpec, colors: ChartColors, times: number): void {
  u.ctx.save();
  shadeGaps(u, spec, colors.gap);
  if (spec.shape === 'track') drawGrid(u, spec, colors, times);
  u.ctx.restore();
}

function shadeGaps(u: Sheet, spec: ChartSpec, color: string): void {
  const { ctx, bbox } = u;
  const { shape, gaps = [] } = spec;
  const along = alongToPixel(u, spec);
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
function drawGrid(u: Sheet, { scales: [first] }: ChartSpec, colors: ChartColors, times: number): void {
  if (!first) return;
  const { ctx, bbox } = u;
  const { line, mainLine } = colors;
  const width = Math.max(1, Math.round(devicePixelRatio * times));
  for (const { share, isMain } of gridOf(first)) {
    ctx.fillStyle = isMain ? mainLine : line;
    ctx.fillRect(Math.round(bbox.left + share * bbox.width), bbox.top, width, bbox.height);
  }
  ctx.fillStyle = mainLine;
  for (const x of [bbox.left, bbox.left + bbox.width - width]) ctx.fillRect(x, bbox.top, width, bbox.height);
}

export interface ChartColors {
  /** Where records are missing. */
  readonly gap: string;
  readonly line: string;
  readonly mainLine: string;
  readonly text: string;
  readonly limit: string;
  readonly surface: string;
  readonly series: readonly string[];
  /** Those of values, from the lowest to the highest. */
  readonly steps: readonly string[];
}

export function chartColors({ color, dark }: TokenColors): ChartColors {
  return {
    text: color('--text-quiet'),
    limit: color('--error'),
    line: color('--line-faint'),
    mainLine: color('--line'),
    surface: color('--surface'),
    gap: color('--surface-quiet'),
    series: Array.from({ length: seriesColors }, (_, at) => color(`--series-${at + 1}`)),
    steps: colorSteps(dark),
  };
}

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** The height of an axis label, in pixels. */
const labelSize = 16;

const font = `11px ${textFont}`;

/**
 * The library's options for a chart. The library draws the axes and has the scales; {@link drawLines} draws the lines,
 * because each has its own x values.
 * @param spec the content; lines and ranges may change later, axes may not
 * @param times scale factor compared with the screen
 */
export function chartOptions(
  spec: () => ChartSpec,
  colors: ChartColors,
  size: ChartSize,
  times = 1,
): uPlot.Options {
  const { shape, along, scales } = spec();
  const down = shape === 'track';
  // A track's scales are in its heading.
  const valueScales = down ? [] : scales;
  return {
    ...size,
    ms: 1,
    legend: { show: false },
    series: [{}],
    padding: down ? [0, 0, 8, 0] : paddingOf(spec()),
    scales: {
      x: {
        time: along.show === 'time',
        ori: down ? 1 : 0,
        dir: down ? -1 : 1,
        range: () => ends(spec().range),
        ...(spec().isLog ? logarithmic : {}),
      },
      ...Object.fromEntries(
        valueScales.map((scale, at) => [
          scaleName(at),
          {
            ori: 1,
            dir: isReversed(scale.range) ? -1 : 1,
            range: () => ends(spec().scales[at]?.range),
            ...(scale.isLog ? logarithmic : {}),
          } satisfies uPlot.Scale,
        ]),
      ),
    },
    axes: [
      alongAxis(spec(), colors, times),
      ...valueScales.map((_, at) => valueAxis(spec(), at, colors, times)),
    ],
    hooks: drawingHooks(spec, colors, times),
  };
}

const drawingHooks = (spec: () => ChartSpec, colors: ChartColors, times: number): uPlot.Hooks.Arrays => ({
  drawClear: [(u) => drawBackground(u, spec(), colors, times)],
  draw: [
    (u) => drawLines(u, spec(), colors.series, times, colors.steps),
    (u) => drawLimits(u, spec(), colors.limit, times),
    (u) => drawStatistics(u, spec(), colors, times),
    (u) => drawMarks(u, spec(), colors, times),
  ],
});

const logarithmic = { distr: 3, log: 10 } as const satisfies uPlot.Scale;

function paddingOf({
  along,
  scales,
  histograms,
  isPanel = false,
  axis,
}: ChartSpec): [number, number, number, number] {
  if (histograms) return [histogramSize, histogramSize, 0, 4];
  if (isPanel) return [6, 36, axis ? 0 : 6, 4];
  return [12, scales.length === 1 ? (along.show === 'time' ? 36 : 16) : 8, 0, 4];
}

export const isReversed = ({ from, to }: ChartRange): boolean => from > to;

/** The lowest and the highest value of an axis. */
export const ends = (range: ChartRange | undefined): [number, number] =>
  range ? [Math.min(range.from, range.to), Math.max(range.from, range.to)] : [0, 1];

/** Shows the ranges of a chart's axes, which may differ from those that it began with. */
export function showRanges(u: uPlot, { shape, range, scales }: ChartSpec): void {
  u.batch(() => {
    u.setScale('x', { min: range.from, max: range.to });
    if (shape === 'track') return;
    scales.forEach((scale, at) => {
      const [min, max] = ends(scale.range);
      u.setScale(scaleName(at), { min, max });
    });
  });
}

type TextsOfMarks = (u: uPlot, marks: number[], at: number, space: number, step: number) => string[];

type AxisOfTexts = Partial<uPlot.Axis> & { readonly values: TextsOfMarks };

/** The space of a text along a horizontal and a vertical logarithmic axis, in px. */
const logTextSpace = { across: 46, down: 20 };

const numbers = (isLog: boolean | undefined, isVertical: boolean, times: number): AxisOfTexts =>
  isLog
    ? {
        splits: (_u, _at, from, to) => logMarks(from, to),
        filter: (u, marks, at) => {
          const { min, max } = u.scales[u.axes[at]?.scale ?? ''] ?? {};
          return labelledLogMarks(marks, {
            from: min ?? 1,
            to: max ?? 10,
            length: (isVertical ? u.bbox.height : u.bbox.width) / (devicePixelRatio * times),
            space: isVertical ? logTextSpace.down : logTextSpace.across,
          });
        },
        values: (_u, marks) => markTexts(marks, null),
      }
    : { values: (_u, marks, _at, _space, step) => markTexts(marks, step) };

function common(colors: ChartColors): uPlot.Axis {
  return {
    font,
    labelFont: font,
    labelGap: 2,
    stroke: colors.text,
    grid: { stroke: colors.line, width: 1 },
    ticks: { stroke: colors.line, width: 1, size: 4 },
    gap: 4,
  };
}

function alongAxis(spec: ChartSpec, colors: ChartColors, times: number): uPlot.Axis {
  const { shape, along, label, axis, isLog } = spec;
  const down = shape === 'track';
  const texts: AxisOfTexts =
    along.show === 'time'
      ? {
          // The library's own marks follow the clock changes of this computer, too.
          splits: (_u, _at, from, to, step) => timeMarks(from, to, step, along.zone),
          values: (_u, marks, _at, _space, step) => timeTexts(marks, step, along.zone),
          incrs: timeSteps,
          space: 72,
        }
      : along.show === 'elapsed'
        ? {
            values: (_u, marks, _at, _space, step) => marks.map((mark) => elapsedText(mark, step)),
            incrs: elapsedSteps,
            space: 80,
          }
        : numbers(isLog, down, times);
  return {
    ...common(colors),
    scale: 'x',
    side: down ? 3 : 2,
    ...texts,
    ...(down && along.show !== 'number' ? { space: 40 } : {}),
    ...(down ? { values: withoutCutText(texts.values, times) } : {}),
    ...(axis
      ? { label, labelSize, size: down ? trackAxisWidth(along) - labelSize : along.show === 'time' ? 36 : 24 }
      : { size: 0, values: () => [], ticks: { show: false } }),
  };
}

/** Half of the height of a text of the axis, in px. */
const halfText = 7;

/** The texts beside tracks: one at the upper edge would be cut. */
const withoutCutText =
  (texts: TextsOfMarks, times: number): TextsOfMarks =>
  (u, marks, at, space, step) => {
    const { min, max } = u.scales['x'] ?? {};
    const [from, to] = [min ?? 0, max ?? 1];
    const first = from + ((to - from) * halfText * devicePixelRatio * times) / u.bbox.height;
    return texts(u, marks, at, space, step).map((text, index) => ((marks[index] ?? to) < first ? '' : text));
  };

/** Approximate width of a letter of a label, in px. */
const letter = 7;

/** A label shortened to a plot of this height in px; the table of values has the full name. */
function shortened(label: string, height: number): string {
  const maxLetters = Math.floor(height / letter);
  return label.length <= maxLetters ? label : maxLetters < 4 ? '' : `${label.slice(0, maxLetters - 1)}…`;
}

/** The width of an axis for its labels, in pixels. */
const valueAxisSize = (texts: readonly string[] | null): number =>
  Math.max(46, 14 + 6.5 * maxOf([0, ...(texts ?? []).map((text) => text.length)]));

/** The same for all panels, in pixels: for numbers of nine characters. */
const panelAxisSize = 72;
/** The minimum distance of its marks, in pixels: a panel is low. */
const panelTickSpace = 18;

function valueAxis(spec: ChartSpec, at: number, colors: ChartColors, times: number): uPlot.Axis {
  const { scales, isPanel = false } = spec;
  const { label, color, isLog } = scales[at] ?? { label: '' };
  const base = common(colors);
  return {
    ...base,
    ...numbers(isLog, true, times),
    scale: scaleName(at),
    ...(isPanel
      ? { space: panelTickSpace }
      : { label: (u) => shortened(label, u.bbox.height / (devicePixelRatio * times)), labelSize }),
    // Axes alternate left and right.
    side: at % 2 === 0 ? 3 : 1,
    size: (_u, texts) => (isPanel ? panelAxisSize : valueAxisSize(texts)),
    // One grid is enough.
    grid: at === 0 ? (base.grid ?? {}) : { show: false },
    ...(color === undefined || scales.length === 1 ? {} : { stroke: colorAt(colors.series, color) }),
  };
}
