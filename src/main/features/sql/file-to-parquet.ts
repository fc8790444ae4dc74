import { isAppError, AppError } from '../../../shared/errors/errors.ts';
import type { RowPlaces } from '../../../shared/upload/formats.ts';
import type { FileWarning, ReadingOptions } from '../../../shared/upload/upload.ts';
import { engineTypes } from '../../core/duckdb/convert.ts';
import type { SqlEngine } from '../../core/duckdb/sql-engine.ts';
import type { SourcePlace } from '../../core/files/files.ts';
import { textTable } from '../../core/mapping/text-table-plan.ts';
import {
  planTable,
  skippedNotes,
  type TableColumn,
  type TablePlan,
  type SkippedRows,
} from '../../core/mapping/table-plan.ts';
import { openCsvThread, withThread, type CsvThread } from '../../core/mapping/thread/csv-thread.ts';
import type { Conversions } from '../../core/tables/conversion/conversions.ts';
import { basename } from 'node:path';
import { writeError } from '../../core/files/file-errors.ts';
import { open, rm, type FileHandle } from '../../world/files.ts';

interface Context {
  readonly conversions: Conversions;
  readonly engine: Pick<SqlEngine, 'runJob'>;
  readonly signal: AbortSignal | undefined;
}

/** Nothing was left out. */
const noRows = { rows: 0, firstLine: 0 };

/**
 * Lets the engine read the file itself. A file that isn't as its first reading found it is read by Wellbench.
 * @returns whether it did
 * @throws AppError file_unreadable, disk_full, sql_unavailable, cancelled
 */
export async function isWrittenByEngine(
  plan: TablePlan,
  parquet: string,
  thread: CsvThread,
  { engine, signal }: Context,
): Promise<boolean> {
  const table = await textTable(plan);
  if (!table) return false;
  try {
    await engine.runJob(signal, async (calls, limits) =>
      calls.convertText({ table, parquet, ...limits }, { signal }),
    );
    const { bytes, mtimeMs } = await thread.calls.stat(plan.file);
    return bytes === plan.scan.bytes && mtimeMs === plan.scan.mtimeMs;
  } catch (error) {
    if (isAppError(error, 'internal')) return false;
    if (isAppError(error, 'sql_unavailable') && error.details.reason === 'stopped') return false;
    throw error;
  }
}

/**
 * Writes the values that the reader of uploads finds.
 * @returns the rows that can't be read
 * @throws AppError file_unreadable, file_changed, disk_full, file_unwritable, sql_unavailable, cancelled
 */
export async function writeByReader(
  plan: TablePlan,
  parquet: string,
  thread: CsvThread,
  { engine, signal }: Context,
): Promise<typeof noRows> {
  const json = `${parquet}.json`;
  try {
    const skipped = await writeTableRecords(plan, json, { thread, signal });
    const columns = plan.columns.map(({ name, type, rule: { path } }) => ({
      key: path.join('.'),
      name,
      type: engineTypes[type],
    }));
    await engine.runJob(signal, async (calls, limits) =>
      calls.convert({ json, parquet, columns, ...limits }, { signal }),
    );
    return skipped;
  } finally {
    await rm(json, { force: true }).catch(() => undefined);
  }
}

/**
 * Writes a file of rows as Parquet, with the columns and values of an upload. The engine reads plain CSV files itself: those
 * whose cells all have forms that it reads as Wellbench does.
 * @param parquet the file to write; the caller removes it after an error
 * @throws AppError file_unreadable, file_unsuitable, file_changed, invalid_input, disk_full, file_unwritable, sql_unavailable, cancelled
 */
export async function fileToParquet(
  source: SourcePlace,
  parquet: string,
  reading: ReadingOptions,
  context: Context,
): Promise<{
  readonly columns: readonly TableColumn[];
  readonly notes: readonly string[];
  readonly warnings: readonly FileWarning[];
  readonly places: RowPlaces;
}> {
  const { conversions, signal } = context;
  return withThread(openCsvThread, signal, async (thread) => {
    const plan = await planTable(source, reading, { conversions, thread, signal });
    const skipped = (await isWrittenByEngine(plan, parquet, thread, context))
      ? noRows
      : await writeByReader(plan, parquet, thread, context);
    const { columns, warnings, rowPlaces: places } = plan;
    return { columns, notes: skippedNotes(plan, skipped), warnings, places };
  });
}

const batch = { rows: 20_000, bytes: 8 << 20 };

/**
 * Writes the rows of a table to a JSON file with an array of records, read and converted as for an upload.
 * @param jsonPath created; the caller removes it
 * @returns the rows that can't be read; blank rows are none
 * @throws AppError file_unreadable, file_unsuitable, file_changed, disk_full, file_unwritable, cancelled
 */
async function writeTableRecords(
  { file, scan: { layout, rows, bytes, mtimeMs }, columns, nulls }: TablePlan,
  jsonPath: string,
  { thread, signal }: { readonly thread: CsvThread; readonly signal: AbortSignal | undefined },
): Promise<SkippedRows> {
  const rules = { columns: columns.map(({ rule }) => rule), constants: [], nulls: [...nulls], required: [] };
  await thread.calls.open({ ...file, expected: { bytes, mtimeMs }, layout, rules, rows });
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
        await handle.appendFile(separator);
        // Without its brackets.
        await handle.appendFile(prepared.body.subarray(1, -1));
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
    await handle.appendFile(separator === '[' ? '[]' : ']');
    return skipped;
  } catch (error) {
    throw error instanceof AppError ? error : writeError(error, basename(jsonPath));
  } finally {
    await handle?.close();
  }
}
