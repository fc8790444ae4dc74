import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { RowPlaces } from '../../../shared/upload/formats.ts';
import type { FileWarning, ReadingOptions } from '../../../shared/upload/upload.ts';
import type { TableColumnType } from '../duckdb/convert.ts';
import type { SourcePlace } from '../files/files.ts';
import {
  type Conversions,
  type ColumnFacts,
  columnType,
  type Scan,
  type NamedFile,
  fileWarnings,
} from '../tables/tables.ts';
import type { ColumnRule } from './plan.ts';
import { decideConversion, fileFacts } from './decide.ts';
import { scannedFile } from './readable-file.ts';
import type { CsvThread } from './thread/csv-thread.ts';
import { rowsInWords } from '../../../shared/lists.ts';

/** A column of a table, and how its cells become values. */
export interface TableColumn {
  readonly name: string;
  readonly type: TableColumnType;
  readonly unit: string | null;
  readonly rule: ColumnRule;
}

/** A file that was read whole, and the table that it becomes. */
export interface TablePlan {
  readonly file: NamedFile;
  readonly scan: Scan;
  readonly columns: readonly TableColumn[];
  /** Texts that are null values. */
  readonly nulls: readonly string[];
  /** What is to be known about the file. */
  readonly warnings: readonly FileWarning[];
  /** What the numbers of their lines count. */
  readonly rowPlaces: RowPlaces;
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
  const plan = (conversion: ColumnRule['conversion'], kind: TableColumnType): TableColumn => ({
    name,
    type: kind,
    unit,
    rule: { index, column: name, path: [key], conversion },
  });
  const text = { kind: 'string', json: false, trim: true } as const;
  if (type === 'time') {
    const conversion = decide('timestamp');
    return conversion ? plan(conversion, 'time') : plan(text, 'text');
  }
  const conversion = decide('auto');
  if (conversion?.kind === 'boolean') return plan(conversion, 'boolean');
  if (conversion?.kind !== 'number' || hasMoreDigits(facts, maxLargeDigits)) return plan(text, 'text');
  if (type !== 'integer') return plan(conversion, 'number');
  return plan(conversion, hasMoreDigits(facts, maxIntegerDigits) ? 'large_integer' : 'integer');
}

/** What a table has in place of what a mapping would settle. */
const assumptions: Partial<Record<FileWarning['code'], string>> = {
  zone_missing: 'times without a time zone are read as UTC.',
  ambiguous_dates: 'the dates are ambiguous and stay text.',
};

function withAssumption(warning: FileWarning): FileWarning {
  const assumed = assumptions[warning.code];
  return assumed === undefined ? warning : { ...warning, message: `${warning.column ?? ''}: ${assumed}` };
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
  const warnings = fileWarnings(file, scan, 0).map(withAssumption);
  const rowPlaces = file.facts.places;
  return { file: { path, fileName, places }, scan, columns, nulls, warnings, rowPlaces };
}

/** Rows that can't be read. */
export interface SkippedRows {
  readonly rows: number;
  readonly firstLine: number;
}

/** How many rows were left out because they can't be read, as sentences. */
export const skippedNotes = ({ scan }: TablePlan, { rows, firstLine }: SkippedRows): readonly string[] =>
  rows > 0
    ? [
        `${rowsInWords(rows)} can’t be read and ${rows === 1 ? 'is' : 'are'} left out, the first at ${scan.layout.placeKind ?? 'line'} ${firstLine}.`,
      ]
    : [];
