import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../../shared/errors/errors.ts';
import type { ColumnNames } from '../../../../shared/export/export.ts';
import { parquetCopy } from '../../duckdb/sql-text.ts';
import type { TableEngine } from '../../duckdb/table-engine.ts';
import { writeError } from '../../files/file-errors.ts';
import { moveFile, type FileDigest } from '../../files/move-file.ts';
import type { About } from '../../records/about.ts';
import { fileStats } from '../delta/file-stats.ts';
import type { DeltaColumn } from '../delta/schema.ts';
import type { FolderTarget } from '../folder/folder-target.ts';
import type { FolderRows } from './folder-rows.ts';
import { groupRows } from './table-sql.ts';
import { metadataOf, tablesName, type WrittenColumn } from './write-table.ts';

/** Rows that become the files of a folder. */
export interface WrittenFolder {
  readonly rows: FolderRows;
  readonly target: FolderTarget;
  readonly fields: readonly string[];
  readonly names: ColumnNames;
  readonly about: About;
  /** The average length of a row as text, in bytes. */
  readonly rowBytes: number;
}

/** The rows of a file. */
interface WrittenPart {
  /** Statements whose rows it has, one after another. */
  readonly selects: readonly string[];
  /** Their number. */
  readonly rows: number;
  /** The file. */
  readonly to: string;
  /** The columns whose statistics are wanted; null: none. */
  readonly described: readonly DeltaColumn[] | null;
}

/** A file that was written. */
interface PartFile extends FileDigest {
  /** Its statistics for the log of a table, as JSON. */
  readonly stats: string;
}

/**
 * Creates a function that writes a file of a folder. Its name is on disk only after its folder was flushed.
 * @returns the function, which throws AppError `disk_full`, `file_unwritable`, `file_unreadable`, `sql_unavailable`, `cancelled`
 */
export function createPartWriter(
  engine: TableEngine,
  {
    rows: { folder, name },
    about,
    rowBytes,
  }: Pick<WrittenFolder, 'about' | 'rowBytes'> & {
    readonly rows: Pick<FolderRows, 'folder' | 'name'>;
  },
  columns: readonly WrittenColumn[],
) {
  const file = {
    path: join(folder, tablesName, 'part.parquet'),
    groupRows: groupRows(columns.length, rowBytes),
    metadata: metadataOf(about, columns),
  };
  return async ({ selects, rows, to, described }: WrittenPart): Promise<PartFile> => {
    const [[written] = []] = await engine.run(parquetCopy(selects.join(' UNION ALL '), file));
    if (Number(written) !== rows)
      throw new AppError('internal', { problem: `a file has ${written} rows instead of ${rows}` });
    await mkdir(dirname(to), { recursive: true }).catch((error: unknown) => {
      throw writeError(error, name, 0);
    });
    const stats = described ? await fileStats(engine, file.path, described) : '';
    return { ...(await moveFile(file.path, to, name, { flushesNames: false })), stats };
  };
}
