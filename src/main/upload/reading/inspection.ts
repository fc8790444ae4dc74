import type { Inspection } from '../../../shared/upload/upload.ts';
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

/**
 * What the importer makes of a file, as the contract tells it.
 * @param exceptionShare the share of values, from 0 to 1, under which exceptions don't change a column's type
 */
export function inspectionOf(scan: Scan, exceptionShare?: number): Inspection {
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
