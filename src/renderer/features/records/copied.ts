import { stringifyJson } from '../../../shared/json.ts';
import { plainText, type TimeZone } from './cell-text.ts';
import { recordOf } from './spread.ts';
import type { ColumnHead, HeldCell } from './table.ts';

/** The forms in which records are copied. */
export const copyFormats = ['tsv', 'csv', 'json', 'markdown'] as const;
export type CopyFormat = (typeof copyFormats)[number];

/** The forms in which records are saved as a file: CSV as it is copied, or a record as JSON on each line. */
export const savedFormats = ['csv', 'ndjson'] as const;
export type SavedFormat = (typeof savedFormats)[number];

/** Turns rows of cells into text, one row after the other. */
export interface Copying {
  readonly add: (cells: readonly HeldCell[]) => void;
  readonly text: () => string;
}

const separated = (cells: readonly string[], separator: string, quote: RegExp) =>
  cells.map((cell) => (quote.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator);

/** Spreadsheets take a cell in quotes with line breaks and tabs in it for one cell. */
const lines = {
  tsv: (cells: readonly string[]) => separated(cells, '\t', /["\t\r\n]/),
  csv: (cells: readonly string[]) => separated(cells, ',', /[",\r\n]/),
  markdown: (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/[\\|]/g, String.raw`\$&`).replaceAll(/\r?\n/g, ' ')).join(' | ')} |`,
} as const;

/**
 * Copies rows under the dotted paths of their columns. JSON keeps what a record is, null and absent told apart; the
 * others leave both blank and show times in the zone.
 */
export function copying(
  columns: readonly ColumnHead[],
  format: CopyFormat | SavedFormat,
  zone: TimeZone,
): Copying {
  if (format === 'json' || format === 'ndjson') {
    const records: string[] = [];
    const paths = columns.map(({ path }) => path);
    return {
      add: (cells) =>
        void records.push(stringifyJson(recordOf(paths, cells), format === 'json' ? 2 : undefined)),
      text: () =>
        format === 'ndjson'
          ? records.map((record) => `${record}\n`).join('')
          : records.length === 1
            ? (records[0] ?? '')
            : `[\n${records.join(',\n')}\n]`,
    };
  }
  const line = lines[format];
  const written = [line(columns.map(({ path }) => path.join('.')))];
  if (format === 'markdown')
    written.push(line(columns.map(({ kind }) => (kind === 'number' || kind === 'integer' ? '--:' : '---'))));
  return {
    add: (cells) => void written.push(line(columns.map(({ kind }, at) => plainText(cells[at], kind, zone)))),
    text: () => `${written.join('\n')}\n`,
  };
}
