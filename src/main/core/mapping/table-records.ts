import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import { writeError } from '../files/file-errors.ts';
import type { SkippedRows, TablePlan } from './table-plan.ts';
import type { CsvThread } from './thread/csv-thread.ts';

/** Rows and bytes of a batch. */
const batch = { rows: 20_000, bytes: 8 << 20 };

/**
 * Writes the rows of a table to a JSON file with an array of records, read and converted as for an upload.
 * @param jsonPath created; the caller removes it
 * @returns the rows that can't be read; blank rows are none
 * @throws AppError file_unreadable, file_unsuitable, file_changed, disk_full, file_unwritable, cancelled
 */
export async function writeTableRecords(
  { file, scan: { layout, rows }, columns, nulls }: TablePlan,
  jsonPath: string,
  { thread, signal }: { readonly thread: CsvThread; readonly signal: AbortSignal | undefined },
): Promise<SkippedRows> {
  const rules = { columns: columns.map(({ rule }) => rule), constants: [], nulls: [...nulls], required: [] };
  await thread.calls.open({ ...file, layout, rules, rows });
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
