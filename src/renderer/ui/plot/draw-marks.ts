import { textFont } from '../text-font.ts';
import { colorAt, type ChartMark, type ChartSpec } from './chart-spec.ts';
import { clipTo, placeAcross, placeAlong, type Pen, type Sheet } from './sheet.ts';

/** Options for drawing the texts of marks. */
type TextPen = Pen &
  Pick<CanvasRenderingContext2D, 'fillText' | 'font' | 'measureText' | 'textAlign' | 'textBaseline'>;

/** The colors of marks. */
export interface MarkColors {
  readonly text: string;
  readonly surface: string;
  readonly series: readonly string[];
}

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
  colors: MarkColors,
  times = 1,
): void {
  const { marks = [], areMarksAcross = false } = spec;
  if (marks.length === 0) return;
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio * times;
  const isRow = spec.shape === 'track' || areMarksAcross;
  const place = areMarksAcross ? placeAcross(u, spec, 0) : placeAlong(u, spec);
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
    const text = shortened(ctx, mark, maxLabel * ratio);
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

function shortened(ctx: TextPen, { text }: ChartMark, max: number): string {
  let shown = text;
  while (shown.length > 1 && ctx.measureText(shown).width > max) shown = `${shown.slice(0, -2).trimEnd()}…`;
  return shown;
}
