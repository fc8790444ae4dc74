import type { FileTable } from '../../../shared/upload/formats.ts';
import type { SourceFile } from '../sources/source.ts';

/**
 * The tables with their rows, counted where the format doesn't say how many they are; null where that fails.
 * @param selected the index of the table whose rows are known
 * @param tell told how many rows are read
 * @throws AppError cancelled
 */
export async function countTables(
  file: SourceFile,
  selected: number,
  rows: number,
  signal: AbortSignal,
  tell: (rows: number) => void,
): Promise<FileTable[]> {
  const tables: FileTable[] = [];
  for (const [index, table] of file.tables.entries()) {
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
    for await (const batch of file.readRows(table, signal)) tell((rows += batch.length));
    return rows;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
