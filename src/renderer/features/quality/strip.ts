import type { QualityReport } from '../../../shared/quality/quality-report.ts';
import { words } from '../../words/words.ts';

interface StripRow {
  readonly name: string;
  /** Percent of the expected records with a value, by bucket. */
  readonly shares: readonly number[];
}

/** The rows of a strip chart: all records first, then each field. */
export const stripRows = ({ completeness, fields }: QualityReport): StripRow[] => [
  { name: words.quality.chart.records, shares: completeness.rows },
  ...fields.map(({ name }, at) => ({ name, shares: completeness.fields[at] ?? [] })),
];

interface StripSize {
  readonly width: number;
  readonly rowHeight: number;
  /** Pixels of the device for each pixel. */
  readonly ratio: number;
}

const rowGap = 3;

/** Draws a strip chart: in each column of pixels, the height is the share of expected records with a value. */
export function drawStrip(
  context: CanvasRenderingContext2D,
  rows: readonly StripRow[],
  { width, rowHeight, ratio }: StripSize,
  { full, empty }: { full: string; empty: string },
): void {
  const pixels = Math.round(width * ratio);
  const height = Math.round((rowHeight - rowGap) * ratio);
  rows.forEach(({ shares }, row) => {
    const top = Math.round((row * rowHeight + rowGap / 2) * ratio);
    context.fillStyle = empty;
    context.fillRect(0, top, pixels, height);
    context.fillStyle = full;
    for (let x = 0; x < pixels; x += 1) {
      const share = shareAt(shares, x / pixels, (x + 1) / pixels);
      if (share === 0) continue;
      // A few missing records stay visible.
      const part =
        share === 100 ? height : Math.min(height - 1, Math.max(1, Math.round((height * share) / 100)));
      context.fillRect(x, top + height - part, 1, part);
    }
  });
}

/** The mean percentage between two places from 0 to 1. Only complete is 100 %, and only nothing is 0 %. */
function shareAt(shares: readonly number[], from: number, to: number): number {
  const first = Math.floor(from * shares.length);
  const last = Math.max(first + 1, Math.ceil(to * shares.length - 1e-9));
  const part = shares.slice(first, last);
  const mean = part.reduce((sum, share) => sum + share, 0) / Math.max(1, part.length);
  return mean > 0 && mean < 100 ? Math.min(99, Math.max(1, Math.round(mean))) : mean;
}

/** Ranges of buckets in which a row has no value; `to` is exclusive. */
export function missingRanges(shares: readonly number[]): { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  shares.forEach((share, bucket) => {
    if (share > 0) return;
    const last = ranges.at(-1);
    if (last?.to === bucket) last.to = bucket + 1;
    else ranges.push({ from: bucket, to: bucket + 1 });
  });
  return ranges;
}
