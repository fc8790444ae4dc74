import { fieldNamesOf } from '../../../shared/channels/plain-names.ts';
import { columnTexts } from '../../../shared/column-paths.ts';
import type { CsvLayout } from '../../../shared/csv.ts';
import { recordTimes, type TimeColumns } from './zone.ts';

export type CsvHeadings = (paths: readonly string[]) => string[];

/** What engineers call the columns, as the row above their names; empty: the layout has no such row. */
export function plainRow({ names }: CsvLayout, paths: readonly string[]): string[][] {
  const nameOf = names && fieldNamesOf('plain', names);
  return nameOf ? [paths.map((path) => nameOf(path).text)] : [];
}

/**
 * Creates headings with units: `data.rop (ft/h)`. A time column without offsets has its time zone instead of a
 * unit.
 * @param timeZone the time zone of times; null: unchanged times
 */
export function csvHeadings(
  { units, times }: CsvLayout,
  timeZone: string | null,
  timeColumns: TimeColumns = recordTimes,
): CsvHeadings {
  const unitOf = (path: string): string | null => {
    if (timeZone === null || timeColumns.get(path) !== 'instant') return units[path] ?? null;
    return times === 'spreadsheet' ? timeZone : null;
  };
  return (paths) => {
    const names = columnTexts(paths);
    return paths.map((path, at) => {
      const unit = unitOf(path);
      const name = names[at] ?? path;
      return unit === null ? name : `${name} (${unit})`;
    });
  };
}
