import type { FileFacts } from '../../../../shared/upload/formats.ts';
import type { FileWarning, Inspection } from '../../../../shared/upload/upload.ts';
import { numberEnds, type ColumnFacts } from './column-facts.ts';
import { columnType, notationOf, type Notation } from './column-type.ts';
import type { Column } from './layout.ts';
import type { Scan } from './scan.ts';
import { scanWarnings } from './warnings.ts';

/** A null value is at least twice as far from zero as anything on its side that was measured. */
const maxShare = 0.5;

/**
 * Numbers such as -999 that mean null in a file: in at least one column all other numbers are far above them, and in no
 * column with them is any number near them or below; for 1e30, far below them, and near them or above.
 */
export function likelyNulls(columns: readonly ColumnFacts[], notation: Notation): string[] {
  const numeric = columns.filter((facts) => {
    const { type } = columnType(facts, notation);
    return type === 'number' || type === 'integer';
  });
  const tokens = new Set(numeric.flatMap(({ sentinels }) => [...sentinels.keys()].map(Number)));
  return [...tokens]
    .filter((token) => {
      const nearest = numeric.flatMap((facts) =>
        hasToken(facts, token) ? ((token < 0 ? facts.minMeasured : facts.maxMeasured) ?? []) : [],
      );
      return (
        nearest.length > 0 &&
        nearest.every((number) => number * Math.sign(token) < token * Math.sign(token) * maxShare)
      );
    })
    .map(String);
}

const hasToken = ({ sentinels }: ColumnFacts, token: number): boolean =>
  sentinels.keys().some((text) => Number(text) === token);

function newlineOf({ endings }: Scan): Inspection['newline'] {
  const used = (['LF', 'CRLF', 'CR'] as const).filter((ending) => endings[ending] > 0);
  return used.length > 1 ? 'mixed' : (used[0] ?? 'none');
}

/** Numbers as numbers if a double is exact, else their text in the file. */
const extreme = (end: ColumnFacts['min']): number | string | null => {
  if (!end) return null;
  const isExact = !Number.isInteger(end.value) || Number.isSafeInteger(end.value);
  return isExact && Number.isFinite(end.value) ? end.value : end.text;
};

function inspectedColumn(
  { name, key, unit }: Column,
  facts: ColumnFacts,
  notation: Notation,
  exceptionShare: number | undefined,
): Inspection['columns'][number] {
  const { type, style } = columnType(facts, notation, exceptionShare);
  const { minText, maxText, timeRange } = facts;
  const texts =
    type === 'time' ? [timeRange?.min.text ?? null, timeRange?.max.text ?? null] : [minText, maxText];
  const ends = numberEnds(facts, style.decimal);
  const isNumeric = type === 'integer' || type === 'number';
  const [min = null, max = null] = isNumeric ? [extreme(ends.min), extreme(ends.max)] : texts;
  return {
    name,
    ...(key === name ? {} : { key }),
    unit,
    type,
    nulls: facts.counts.empty + facts.counts.null_word,
    min,
    max,
  };
}

/** The result of one pass over a table, in the form of the contract. */
export type InspectedTable = Omit<Inspection, keyof FileFacts>;

/**
 * The inspection of a table, in the form of the contract.
 * @param exceptionShare maximum share of values, from 0 to 1, that can differ without changing a column's type
 */
export function inspectionOf(scan: Scan, exceptionShare?: number): InspectedTable {
  const { layout } = scan;
  const notation = notationOf(scan.columns, layout.delimiter);
  const nulls = likelyNulls(scan.columns, notation);
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
      return facts ? [inspectedColumn(column, facts, notation, exceptionShare)] : [];
    }),
    ...(nulls.length > 0 ? { likelyNulls: nulls } : {}),
    warnings: scanWarnings(scan, exceptionShare),
  };
}

interface InspectedFile {
  readonly facts: FileFacts;
  /** Of its conversion. */
  readonly warnings: readonly FileWarning[];
  /** The map from lines of its converted table to places; null: it is read directly. */
  readonly places?: string | null | undefined;
}

/**
 * The inspection of a file: its format, and the content of the selected table.
 * @param exceptionShare as in {@link inspectionOf}
 */
export function inspectionOfFile(
  { facts, warnings, places = null }: InspectedFile,
  scan: Scan,
  exceptionShare?: number,
): Inspection {
  const table = inspectionOf(scan, exceptionShare);
  const tables = facts.tables.map((item, index) =>
    index === facts.tableNumber - 1 ? { ...item, rows: scan.rows, columns: table.columns.length } : item,
  );
  // The delimiter and line ends of a converted table aren't those of the file.
  const form = places === null ? {} : ({ delimiter: '', newline: 'none' } as const);
  return { ...facts, tables, ...table, ...form, warnings: [...warnings, ...table.warnings] };
}
