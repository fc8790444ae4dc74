import type { FileFacts } from '../../../shared/upload/formats.ts';
import type { FileWarning, Inspection } from '../../../shared/upload/upload.ts';
import type { ColumnFacts } from './column-facts.ts';
import { columnType } from './column-type.ts';
import type { Column } from './layout.ts';
import type { Scan } from './scan.ts';
import { scanWarnings } from './warnings.ts';

function newlineOf({ endings }: Scan): Inspection['newline'] {
  const used = (['LF', 'CRLF', 'CR'] as const).filter((ending) => endings[ending] > 0);
  return used.length > 1 ? 'mixed' : (used[0] ?? 'none');
}

/** Numbers as numbers where a double holds them, else as they stand in the file. */
const extreme = (found: { value: number; text: string } | null): number | string | null => {
  if (!found) return null;
  const exact = !Number.isInteger(found.value) || Number.isSafeInteger(found.value);
  return exact && Number.isFinite(found.value) ? found.value : found.text;
};

function inspectedColumn(
  { name, key, unit }: Column,
  facts: ColumnFacts,
  delimiter: string,
  exceptionShare: number | undefined,
): Inspection['columns'][number] {
  const { type, style } = columnType(facts, delimiter, exceptionShare);
  const commas = style.decimal === ',';
  const numeric = type === 'integer' || type === 'number';
  return {
    name,
    ...(key === name ? {} : { key }),
    unit,
    type,
    nulls: facts.counts.empty + facts.counts.null_word,
    min: numeric ? extreme(commas ? facts.minComma : facts.min) : facts.minText,
    max: numeric ? extreme(commas ? facts.maxComma : facts.max) : facts.maxText,
  };
}

/** What one reading of a table tells, as the contract has it. */
export type InspectedTable = Omit<Inspection, keyof FileFacts>;

/**
 * What the importer makes of a table, as the contract tells it.
 * @param exceptionShare the share of values, from 0 to 1, under which exceptions don't change a column's type
 */
export function inspectionOf(scan: Scan, exceptionShare?: number): InspectedTable {
  const { layout } = scan;
  return {
    encoding: layout.encoding.name,
    delimiter: layout.delimiter,
    newline: newlineOf(scan),
    headerRow: layout.headerLine,
    unitRow: layout.unitLine,
    rows: scan.rows,
    footerRows: scan.footer?.count ?? 0,
    columns: layout.columns.flatMap((column, index) => {
      const facts = scan.columns[index];
      return facts ? [inspectedColumn(column, facts, layout.delimiter, exceptionShare)] : [];
    }),
    warnings: scanWarnings(scan, exceptionShare),
  };
}

/** What is known of a file beside its rows. */
interface InspectedFile {
  readonly facts: FileFacts;
  /** Of its conversion. */
  readonly warnings: readonly FileWarning[];
  /** The map of its converted table to places; null: it is read as it is. */
  readonly places?: string | null | undefined;
}

/**
 * What the importer makes of a file: what it is, and what the table that is read holds.
 * @param exceptionShare as of {@link inspectionOf}
 */
export function inspectionOfFile(
  { facts, warnings, places = null }: InspectedFile,
  scan: Scan,
  exceptionShare?: number,
): Inspection {
  const table = inspectionOf(scan, exceptionShare);
  const tables = facts.tables.map((each, index) =>
    index === facts.tableNumber - 1 ? { ...each, rows: scan.rows, columns: table.columns.length } : each,
  );
  // The delimiter and line ends of a converted table are not the file's.
  const form = places === null ? {} : ({ delimiter: '', newline: 'none' } as const);
  return { ...facts, tables, ...table, ...form, warnings: [...warnings, ...table.warnings] };
}
