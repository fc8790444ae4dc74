import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import { writeError } from '../files/file-errors.ts';
import type { SourcePlace } from '../files/files.ts';
import type { RecordColumn, RecordColumnType, TableRecords } from '../duckdb/record-columns.ts';
import type { Conversions } from '../tables/conversion/conversions.ts';
import { decideConversion, fileFacts } from './decide.ts';
import type { ColumnRule } from '../tables/model/rules.ts';
import type { ColumnFacts } from '../tables/reading/column-facts.ts';
import { columnType } from '../tables/reading/column-type.ts';
import type { Layout } from '../tables/reading/layout.ts';
import type { Scan } from '../tables/reading/scan.ts';
import { scannedFile } from './readable-file.ts';
import type { CsvThread } from './thread/csv-thread.ts';

/** Rows and bytes of a batch. */
const batch = { rows: 20_000, bytes: 8 << 20 };
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
): { readonly rule: ColumnRule; readonly column: RecordColumn; readonly notes: readonly string[] } | null {
  const column = layout.columns[index];
  const facts = columns[index];
  if (!column || !facts) return null;
  const { key: name, unit } = column;
  const key = `c${index}`;
  const file = fileFacts({ layout, columns }, 0);
  const { type } = columnType(facts, file.notation, 0);
  const match = { index, join: [], column: name, path: [key], unit, wanted: {} };
  const decide = (kind: 'timestamp' | 'auto'): ColumnRule['conversion'] | null => {
    const decided = decideConversion({ ...match, kind }, file, undefined);
    return 'message' in decided ? null : decided.conversion;
  };
  const plan = (
    conversion: ColumnRule['conversion'],
    type: RecordColumnType,
    notes: readonly string[] = [],
  ) => ({
    rule: { index, column: name, path: [key], conversion },
    column: { key, name, type, unit },
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

const rowsInWords = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

/**
 * Writes the rows of a file to a JSON file with an array of records, read and converted as for an upload.
 * @param jsonPath created; the caller removes it
 * @param reading how the file is read; detected where absent
 * @throws AppError file_unreadable, file_unsuitable, file_changed, invalid_input, disk_full, file_unwritable, cancelled
 */
export async function writeTableRecords(
  source: SourcePlace,
  jsonPath: string,
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
): Promise<TableRecords> {
  const nulls = nullsOf({});
  const choices = { nulls, distinct: [] };
  const { file, scan } = await scannedFile(source, reading, conversions, thread, signal, choices);
  const { path, fileName, places } = file;
  const named = { path, fileName, places };
  const { layout, rows } = scan;
  const planned = layout.columns.flatMap((_, index) => planColumn(scan, index) ?? []);
  const rules = { columns: planned.map(({ rule }) => rule), constants: [], nulls, required: [] };
  await thread.calls.open({ ...named, layout, rules, rows });
  const skipped = await writeBatches({ thread, layout, rows, jsonPath, signal });
  return {
    columns: planned.map(({ column }) => column),
    rows: rows - skipped.rows,
    notes: [
      ...(skipped.rows > 0
        ? [
            `${rowsInWords(skipped.rows)} can’t be read and ${skipped.rows === 1 ? 'is' : 'are'} left out, the first at ${layout.placeKind ?? 'line'} ${skipped.firstLine}.`,
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
      ...planned.flatMap(({ notes }) => notes),
    ],
  };
}

interface BatchesToWrite {
  readonly thread: CsvThread;
  readonly layout: Layout;
  readonly rows: number;
  readonly jsonPath: string;
  readonly signal: AbortSignal | undefined;
}

/** Writes all rows; returns how many have problems. Blank rows have none. */
async function writeBatches({ thread, layout, rows, jsonPath, signal }: BatchesToWrite) {
  const skipped = { rows: 0, firstLine: 0 };
  let handle: FileHandle | null = null;
  try {
    handle = await open(jsonPath, 'wx', 0o600);
    let separator = '[';
    let byte = layout.dataStart;
    let line = layout.dataLine;
    for (let row = 0; row < rows;) {
      if (signal?.aborted) throw new AppError('cancelled', {});
      const prepared = await thread.calls.prepare({ byte, line, row, ...batch, body: true });
      if (prepared.body) {
        await handle.write(separator);
        // Without its brackets.
        await handle.write(prepared.body.subarray(1, -1));
        separator = ',\n';
      }
      for (const { code, count, lines } of prepared.problems) {
        if (code === 'empty_row') continue;
        skipped.rows += count;
        skipped.firstLine ||= lines[0] ?? 0;
      }
      ({ to: byte, nextLine: line } = prepared);
      row += prepared.rows;
    }
    await handle.write(separator === '[' ? '[]' : ']');
    return skipped;
  } catch (error) {
    throw error instanceof AppError ? error : writeError(error, basename(jsonPath));
  } finally {
    await handle?.close();
  }
}
