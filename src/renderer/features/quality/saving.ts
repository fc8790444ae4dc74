import { csvCell } from '../../../shared/csv.ts';
import type { QualityReport } from '../../../shared/quality/quality-report.ts';
import { tokenColors, textFont } from '../../ui/tokens.ts';
import { words } from '../../words/words.ts';
import { drawStrip, stripRows } from './strip.ts';

type CsvValue = string | number | boolean | null;

/** @param rows cells in the order of the head; those that a row lacks are empty */
export function csvBlob(head: readonly string[], rows: readonly (readonly CsvValue[])[]): Blob {
  const lines = [head, ...rows].map((cells) =>
    head.map((_, column) => csvCell(String(cells[column] ?? ''))).join(','),
  );
  return new Blob([[...lines, ''].join('\r\n')], { type: 'text/csv;charset=utf-8' });
}

/** A place of an index in a CSV file: a time in UTC, or a number. */
export const csvPlace = (value: number, kind: QualityReport['index']['kind']): string => {
  const time = kind === 'time' ? new Date(value) : null;
  return time === null || Number.isNaN(time.getTime()) ? String(value) : time.toISOString();
};

/** The completeness of each field by range of the index, in percent. */
export function completenessCsv(report: QualityReport): Blob {
  const { from, width, rows } = report.completeness;
  const strips = stripRows(report);
  const { chart } = words.quality;
  const { kind } = report.index;
  const lines = rows.map((_, bucket) => [
    csvPlace(from + bucket * width, kind),
    csvPlace(from + (bucket + 1) * width, kind),
    ...strips.map(({ shares }) => shares[bucket] ?? 0),
  ]);
  return csvBlob([chart.from, chart.to, ...strips.map(({ name }) => name)], lines);
}

const picture = {
  width: 1400,
  labels: 260,
  rowHeight: 20,
  top: 64,
  bottom: 36,
  margin: 16,
  ratio: 2,
} as const;

/** The strip chart as a picture for a report, dark on white. @throws Error when the canvas can't be had */
export function stripPicture(
  report: QualityReport,
  title: string,
  subtitle: string,
  ends: readonly [string, string],
): Promise<Blob> {
  const rows = stripRows(report);
  const { width, labels, rowHeight, top, bottom, margin, ratio } = picture;
  const canvas = document.createElement('canvas');
  canvas.width = width * ratio;
  canvas.height = (top + rows.length * rowHeight + bottom) * ratio;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('there is no canvas to draw on');
  const colors = tokenColors('light');
  context.fillStyle = colors.color('--surface');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(ratio, ratio);
  context.fillStyle = colors.color('--text');
  context.font = `600 15px ${textFont}`;
  context.fillText(title, margin, margin + 14, width - 2 * margin);
  context.fillStyle = colors.color('--text-quiet');
  context.font = `12px ${textFont}`;
  context.fillText(subtitle, margin, margin + 33, width - 2 * margin);
  rows.forEach(({ name }, row) =>
    context.fillText(name, margin, top + (row + 0.5) * rowHeight + 4, labels - margin),
  );
  const end = top + rows.length * rowHeight + 18;
  context.fillText(ends[0], labels, end);
  context.textAlign = 'right';
  context.fillText(ends[1], width - margin, end);
  context.setTransform(1, 0, 0, 1, labels * ratio, top * ratio);
  drawStrip(
    context,
    rows,
    { width: width - labels - margin, rowHeight, ratio },
    { full: colors.color('--accent'), empty: colors.color('--line-faint') },
  );
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png');
  });
}
