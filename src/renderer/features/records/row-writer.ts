import { csvCell, quotedCell } from '../../../shared/csv.ts';
import { stringifyJson, valueUnder } from '../../../shared/json.ts';
import { columnTexts, pathId } from '../../../shared/column-paths.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { cellConverter, type UnitChanges, plainText, sheetValue, type TimeZone } from './shown-cells.ts';
import { createSheet } from '../../format/sheet-html.ts';
import { recordOf } from './chunk.ts';
import type { ColumnHead, StoredCell } from './table.ts';

export const copyFormats = ['tsv', 'csv', 'json', 'markdown'] as const;
export type CopyFormat = (typeof copyFormats)[number];

/** The formats to save records in: CSV, or one JSON record per line. */
export const savedFormats = ['csv', 'ndjson'] as const;
export type SavedFormat = (typeof savedFormats)[number];

/** Converts rows to text one by one. */
interface RowWriter {
  readonly add: (cells: readonly StoredCell[]) => void;
  readonly text: () => string;
  /** The rows as spreadsheets paste them; null: the format isn’t for spreadsheets, or they are too large. */
  readonly html: () => string | null;
}

const isNullCell = (cell: StoredCell): boolean => typeof cell === 'number' && isNullNumber(cell);

interface HeaderOptions {
  readonly hasHeader?: boolean | undefined;
  readonly headNotes?: Readonly<Record<string, string>> | undefined;
  readonly changes?: UnitChanges | undefined;
}

/** Headings of columns: their names, and the notes by path id. */
function headingsOf(columns: readonly ColumnHead[], notes: Readonly<Record<string, string>>): string[] {
  const ids = columns.map(({ path }) => pathId(path));
  return columnTexts(ids).map((name, at) => {
    const note = valueUnder(notes, ids[at] ?? '');
    return note === undefined ? name : `${name} (${note})`;
  });
}

/** Spreadsheets read quoted cells with line breaks and tabs as one cell. */
const lines = {
  tsv: (cells: readonly string[]) =>
    cells.map((cell) => (/["\t\r\n]/.test(cell) ? quotedCell(cell) : cell)).join('\t'),
  csv: (cells: readonly string[]) => cells.map(csvCell).join(','),
  markdown: (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/[\\|]/g, String.raw`\$&`).replaceAll(/\r?\n/g, ' ')).join(' | ')} |`,
} as const;

/**
 * Writes rows under the dotted paths of their columns. JSON distinguishes null and absent; other formats
 * leave both blank and show times in the zone.
 * Tables leave null values such as -999.25 blank.
 * @param hasHeader for TSV and CSV
 * @param changes the columns of tables that are written in another unit
 * @param headNotes what the header adds to the path of a column, such as its unit, by path id
 */
export function createRowWriter(
  columns: readonly ColumnHead[],
  format: CopyFormat | SavedFormat,
  zone: TimeZone,
  { hasHeader = true, headNotes = {}, changes = {} }: HeaderOptions = {},
): RowWriter {
  if (format === 'json' || format === 'ndjson') {
    const records: string[] = [];
    const paths = columns.map(({ path }) => path);
    // An unlisted well has no name, only the id beside it.
    const isName = (cell: StoredCell, at: number) => columns[at]?.kind !== 'well' || typeof cell === 'string';
    return {
      add(cells) {
        const named = cells.map((cell, at) => (isName(cell, at) ? cell : undefined));
        records.push(stringifyJson(recordOf(paths, named), format === 'json' ? 2 : undefined));
      },
      text: () =>
        format === 'ndjson'
          ? records.map((record) => `${record}\n`).join('')
          : records.length === 1
            ? (records[0] ?? '')
            : `[\n${records.join(',\n')}\n]`,
      html: () => null,
    };
  }
  const line = lines[format];
  const converters = columns.map(({ path }) => cellConverter(changes, pathId(path)));
  const sheet = format === 'tsv' ? createSheet() : null;
  const headings = hasHeader ? headingsOf(columns, headNotes) : null;
  const written = headings ? [line(headings)] : [];
  if (headings) sheet?.add(headings);
  if (format === 'markdown')
    written.push(line(columns.map(({ kind }) => (kind === 'number' || kind === 'integer' ? '--:' : '---'))));
  return {
    add(cells) {
      const shown = converters.map((convert, at) => {
        const cell = cells[at];
        return isNullCell(cell) ? null : convert ? convert(cell) : cell;
      });
      written.push(line(columns.map(({ kind }, at) => plainText(shown[at], kind, zone))));
      sheet?.add(columns.map(({ kind }, at) => sheetValue(shown[at], kind, zone)));
    },
    text: () => `${written.join('\n')}\n`,
    html: () => sheet?.html() ?? null,
  };
}
