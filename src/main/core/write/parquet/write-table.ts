import { join } from 'node:path';
import type { ColumnNames } from '../../../../shared/export/export.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { parquetCopy, type TableEngine } from '../../duckdb/duckdb.ts';
import { firstInWords } from '../../../../shared/lists.ts';
import { quoted } from '../../../../shared/sql/names.ts';
import { moveFile } from '../../files/move-file.ts';
import { columnNames } from '../../records/column-names.ts';
import { mixtureInWords, roundedInWords, typeOf, type ColumnType } from '../../records/column-types.ts';
import { Columns } from '../../records/columns.ts';
import { createPathTree } from '../../records/scan.ts';
import { parquetMetadata, type About } from '../../records/about.ts';
import { rowsName, type FinishedFile, type ProgressMarks, type WriterSpec } from '../spec.ts';
import { noTable, type TableMarks } from '../sink.ts';
import { groupRows, spooledRows, spooledValue, typedValue } from './table-sql.ts';

/** Folder of the engine in a job's folder. */
export const tablesName = 'tables';

/** Memory of the engine beside that for lines, of which it has several copies. */
const baseMemoryMb = 256;
const copiesOfLine = 10;

/** The memory limit of an engine that reads spooled rows. @param maxLineBytes in bytes */
export const memoryMbFor = (maxLineBytes: number): number =>
  baseMemoryMb + Math.ceil((maxLineBytes * copiesOfLine) / 1e6);

export interface WrittenColumn {
  readonly path: string;
  readonly type: ColumnType;
  readonly name: string;
  /** The number of its value in a spooled row. */
  readonly number: number;
  /** The types of the columns before it that have values of the same field; absent: it has all of them. */
  readonly before?: readonly ColumnType[];
  /** Whether no other one follows. */
  readonly isLast?: boolean;
  /** Whether the field has integers that no double is; absent: it has none. */
  readonly hasLongIntegers?: boolean;
}

/** The columns of a table, from what was spooled. Parquet needs one; an empty export has `_id`, which every record has. */
function writtenColumns(
  { columns: existing }: TableMarks,
  fields: readonly string[],
  names: ColumnNames,
): WrittenColumn[] {
  const columns = new Columns(createPathTree(), fields, { isTyped: true, existing });
  const all = columns.inOrder();
  const shown = all.length > 0 ? all : [{ path: '_id', kinds: 0 }];
  const texts = columnNames(
    shown.map(({ path }) => path),
    names,
  );
  return shown.map((column, at) => ({
    path: column.path,
    type: typeOf(column),
    name: texts[at] ?? '',
    number: columns.numberOf(column.path),
  }));
}

interface ParquetFile {
  /** The file to write, in the folder of the engine. */
  readonly path: string;
  readonly columns: readonly WrittenColumn[];
  /** The number of its rows, and their average length as text, in bytes. */
  readonly rows: number;
  readonly rowBytes: number;
  readonly about: About;
}

/**
 * Writes the rows of a statement as a Parquet file.
 * @throws AppError `disk_full`, `file_unwritable`, `file_unreadable`, `sql_unavailable`, `cancelled`; `internal` if there are
 *   more rows, or fewer
 */
export async function writeRows(
  engine: TableEngine,
  select: string,
  { path, columns, rows, rowBytes, about }: ParquetFile,
): Promise<void> {
  const metadata = parquetMetadata(
    about,
    // The unit of a time is in its type.
    columns.map((column) => ({ name: column.name, path: column.path, hasUnit: column.type !== 'TIMESTAMP' })),
  );
  const copy = parquetCopy(select, { path, groupRows: groupRows(columns.length, rowBytes), metadata });
  const [[written] = []] = await engine.run(copy);
  if (Number(written) !== rows)
    throw new AppError('internal', { problem: `a file has ${written} rows instead of ${rows}` });
}

/**
 * Writes spooled rows as a Parquet file.
 * @throws AppError `disk_full`, `file_unwritable`, `sql_unavailable`, `cancelled`
 */
export async function writeTable(
  engine: TableEngine,
  { folder, partial, name, about, fields }: WriterSpec,
  names: ColumnNames,
  { rows, marks }: Pick<ProgressMarks, 'rows' | 'marks'>,
): Promise<FinishedFile> {
  const table = marks.table ?? noTable;
  const columns = writtenColumns(table, fields, names);
  const spool = join(folder, rowsName);
  const out = join(folder, tablesName);
  const memoryMb = memoryMbFor(table.maxLineBytes);
  await engine.open({ folder: out, reads: [{ path: spool, name }], name, memoryMb });
  const selected = columns.map((column) => {
    const text = column.number < 0 ? 'CAST(NULL AS VARCHAR)' : spooledValue(column.number);
    return `${typedValue(text, column)} AS ${quoted(column.name)}`;
  });
  const path = join(out, 'table.parquet');
  const select = `SELECT ${selected.join(', ')} FROM ${spooledRows(spool, table.maxLineBytes)}`;
  await writeRows(engine, select, { path, columns, rows, rowBytes: marks.spool / Math.max(1, rows), about });
  const digest = await moveFile(path, partial, name);
  return {
    ...digest,
    columns: columns.map((column) => column.name),
    warnings: typeWarnings(table, columns),
  };
}

/** Warnings about columns that are texts because no other type has all of their values, and about rounded integers. */
export function typeWarnings({ columns: spooled }: TableMarks, written: readonly WrittenColumn[]): string[] {
  const texts = new Set(written.filter(({ type }) => type === 'STRING').map(({ path }) => path));
  const mixtures = spooled
    .filter(({ path }) => texts.has(path))
    .flatMap((column) => mixtureInWords(column) ?? []);
  return [
    ...warningOf('Columns with values of several types are written as text', mixtures),
    ...roundedWarnings(spooled, written),
  ];
}

/** A warning that names some columns or values; none without any. */
export const warningOf = (what: string, named: readonly string[]): string[] =>
  named.length === 0 ? [] : [`${what}: ${firstInWords(named)}.`];

/** A warning about integers that became the nearest double, because no other type has all numbers of their column. */
export function roundedWarnings(
  spooled: TableMarks['columns'],
  written: readonly Pick<WrittenColumn, 'path' | 'type'>[],
): string[] {
  const pathsOf = (wanted: ColumnType) =>
    new Set(written.filter(({ type }) => type === wanted).map(({ path }) => path));
  const [doubles, integers] = [pathsOf('DOUBLE'), pathsOf('INT64')];
  const rounded = spooled
    .filter(({ path }) => doubles.has(path) && !integers.has(path))
    .flatMap((column) => roundedInWords(column) ?? []);
  return warningOf('Integers are rounded to the nearest number of their column', rounded);
}
