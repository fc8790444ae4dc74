import { exportFormats, type ExportFormat } from '../../../shared/export.ts';

const unsuitable = /[\\/:*?"<>|#%\p{Cc}]+/gu;

/** A file name for what a dataset gives: `wits 2026-11-21.csv`. */
export function suggestedName(dataset: string, today: Date): string {
  const day = today.toISOString().slice(0, 10);
  return `${dataset.replaceAll(unsuitable, '-').slice(0, 120)} ${day}.csv`;
}

/** The name with the ending of a format; that of another format gives way. */
export function namedFor(name: string, format: ExportFormat): string {
  const ending = exportFormats.find((other) => name.endsWith(`.${other}`));
  return `${ending === undefined ? name : name.slice(0, -ending.length - 1)}.${format}`;
}
