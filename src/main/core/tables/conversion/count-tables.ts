import type { FileTable } from '../../../../shared/upload/formats.ts';
import type { SourceFile, SourceTable } from '../sources/source.ts';

/**
 * The tables with their row counts. Rows are counted if the format doesn't store their number; null if counting fails.
 * @param namedTables its tables, with the names that they get
 * @param selected index of the table whose count is known
 * @param tell called with the number of rows read so far
 * @throws AppError cancelled
 */
export async function countTables(
  file: SourceFile,
  namedTables: readonly SourceTable[],
  selected: number,
  rows: number,
  signal: AbortSignal,
  tell: (rows: number) => void,
): Promise<FileTable[]> {
  const tables: FileTable[] = [];
  for (const [index, table] of namedTables.entries()) {
    const counted = index === selected ? rows : (table.rows ?? (await countRows(file, index, signal, tell)));
    const { name, columns, isHidden } = table;
    tables.push({ name, rows: counted, columns: columns.length, isHidden });
  }
  return tables;
}

async function countRows(
  file: SourceFile,
  table: number,
  signal: AbortSignal,
  tell: (rows: number) => void,
): Promise<number | null> {
  let rows = 0;
  try {
    for await (const batch of file.readRows(table, signal))
      tell((rows += batch.filter(({ isHeader = false }) => !isHeader).length));
    return rows;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
