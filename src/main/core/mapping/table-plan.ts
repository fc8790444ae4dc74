import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import type { TableColumnType } from '../duckdb/convert.ts';
import type { SourcePlace } from '../files/files.ts';
import type { Conversions } from '../tables/conversion/conversions.ts';
import type { ColumnRule } from '../tables/model/rules.ts';
import type { ColumnFacts } from '../tables/reading/column-facts.ts';
import { columnType } from '../tables/reading/column-type.ts';
import type { Scan } from '../tables/reading/scan.ts';
import type { NamedFile } from '../tables/reading/source.ts';
import { decideConversion, fileFacts } from './decide.ts';
import { scannedFile } from './readable-file.ts';
import type { CsvThread } from './thread/csv-thread.ts';
import { escapesText, rowsInWords } from '../tables/reading/row-warnings.ts';

/** A column of a table, and how its cells become values. */
export interface TableColumn {
  readonly name: string;
  readonly type: TableColumnType;
  readonly unit: string | null;
  readonly rule: ColumnRule;
  /** What was assumed, in sentences. */
  readonly notes: readonly string[];
}

/** A file that was read whole, and the table that it becomes. */
export interface TablePlan {
  readonly file: NamedFile;
  readonly scan: Scan;
  readonly columns: readonly TableColumn[];
  /** Texts that are null values. */
  readonly nulls: readonly string[];
}

/** An integer of 64 bits can have any value of this many digits. */
const maxIntegerDigits = 18;
/** Integers with more digits aren't told apart by their facts. */
const maxLargeDigits = 29;

const hasMoreDigits = ({ digits }: ColumnFacts, max: number): boolean =>
  digits.slice(max + 1).some((count) => count > 0);

/** How a column is converted: by the rules of uploads, but no value is rejected, and times are times everywhere. */
function planColumn(
  { layout, columns }: Pick<Scan, 'layout' | 'columns'>,
  index: number,
  file: ReturnType<typeof fileFacts>,
): TableColumn | null {
  const column = layout.columns[index];
  const facts = columns[index];
  if (!column || !facts) return null;
  const { key: name, unit } = column;
  const key = `c${index}`;
  const { type } = columnType(facts, file.notation, 0);
  const match = { index, join: [], column: name, path: [key], unit, wanted: {} };
  const decide = (kind: 'timestamp' | 'auto'): ColumnRule['conversion'] | null => {
    const decided = decideConversion({ ...match, kind }, file, undefined);
    return 'message' in decided ? null : decided.conversion;
  };
  const plan = (
    conversion: ColumnRule['conversion'],
    kind: TableColumnType,
    notes: readonly string[] = [],
  ): TableColumn => ({
    name,
    type: kind,
    unit,
    rule: { index, column: name, path: [key], conversion },
    notes,
  });
  const text = { kind: 'string', json: false, trim: true } as const;
  if (type === 'time') {
    const conversion = decide('timestamp');
    if (!conversion) return plan(text, 'text', [`${name}: the dates are ambiguous and stay text.`]);
    const isAssumed = facts.zoneless > 0;
    return plan(conversion, 'time', isAssumed ? [`${name}: times without a time zone are read as UTC.`] : []);
  }
  const conversion = decide('auto');
  if (conversion?.kind === 'boolean') return plan(conversion, 'boolean');
  if (conversion?.kind !== 'number' || hasMoreDigits(facts, maxLargeDigits)) return plan(text, 'text');
  if (type !== 'integer') return plan(conversion, 'number');
  return plan(conversion, hasMoreDigits(facts, maxIntegerDigits) ? 'large_integer' : 'integer');
}

/**
 * Reads a file whole, and plans its table.
 * @param reading how the file is read; detected where absent
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled
 */
export async function planTable(
  source: SourcePlace,
  reading: ReadingOptions,
  {
    conversions,
    thread,
    signal,
  }: {
    readonly conversions: Conversions;
    readonly thread: CsvThread;
    readonly signal: AbortSignal | undefined;
  },
): Promise<TablePlan> {
  const nulls = nullsOf({});
  const choices = { nulls, distinct: [] };
  const { file, scan } = await scannedFile(source, reading, conversions, thread, signal, choices);
  const { path, fileName, places } = file;
  const facts = fileFacts(scan, 0);
  const columns = scan.layout.columns.flatMap((_, index) => planColumn(scan, index, facts) ?? []);
  return { file: { path, fileName, places }, scan, columns, nulls };
}

/** Rows that can't be read. */
export interface SkippedRows {
  readonly rows: number;
  readonly firstLine: number;
}

/** What was left out or assumed, in sentences. */
export const tableNotes = ({ scan, columns }: TablePlan, skipped: SkippedRows): readonly string[] => [
  ...(skipped.rows > 0
    ? [
        `${rowsInWords(skipped.rows)} can’t be read and ${skipped.rows === 1 ? 'is' : 'are'} left out, the first at ${scan.layout.placeKind ?? 'line'} ${skipped.firstLine}.`,
      ]
    : []),
  ...(scan.footer
    ? [`${rowsInWords(scan.footer.count)} at the end of the file are left out as footer.`]
    : []),
  ...(scan.findings.filled_rows
    ? [
        `${rowsInWords(scan.findings.filled_rows.count)} with fewer cells than the header: missing cells are null.`,
      ]
    : []),
  ...(scan.hashRows
    ? [`${rowsInWords(scan.hashRows.count)} that begin with #, the first at line ${scan.hashRows.line}.`]
    : []),
  ...(scan.escapes ? [escapesText(scan.escapes.count)] : []),
  ...columns.flatMap(({ notes }) => notes),
];
