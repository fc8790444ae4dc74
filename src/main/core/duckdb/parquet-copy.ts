import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { ColumnNames } from '../../../shared/export/export.ts';
import { columnNames } from '../records/column-names.ts';
import { parquetMetadata, type About } from '../records/about.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { literal, quoted } from '../../../shared/sql/sql-name.ts';
import { parquetCopy } from './sql-text.ts';

export interface ParquetCopy {
  /** A file in the engine's folder for output, which doesn't exist yet. */
  readonly file: string;
  readonly names: ColumnNames;
  readonly about: About;
}

/** Distinct names of columns, as the window shows them: the second `a` is `a:1`. Engines ignore case in names. */
function distinctNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let number = 1; used.has(distinct.toLowerCase()); number += 1) distinct = `${name}:${number}`;
    used.add(distinct.toLowerCase());
    return distinct;
  });
}

/**
 * Types that Parquet doesn't have. Integers of 128 bits would be DOUBLE; those with more than 38 digits fail. A value of one
 * of several types would be a structure whose fields have no names: it is text, and a value with such parts is JSON.
 */
function writtenValue(name: string, type: string): string {
  const value = quoted(name);
  const written = /^U?HUGEINT$/.test(type)
    ? `CAST(${value} AS DECIMAL(38,0))`
    : /^UNION\(.*\)$/s.test(type)
      ? `CAST(${value} AS VARCHAR)`
      : /\bUNION\(/.test(type)
        ? `CAST(to_json(${value}) AS VARCHAR)`
        : null;
  return written === null ? value : `${written} AS ${value}`;
}

/**
 * Writes the rows of a statement as Parquet, with the engine's types.
 * @param statement the prepared statement, which was checked
 * @param sql its text
 * @returns the number of rows
 */
export async function copyToParquet(
  connection: DuckDBConnection,
  { statement, sql }: { readonly statement: DuckDBPreparedStatement; readonly sql: string },
  { file, names, about }: ParquetCopy,
): Promise<number> {
  const indexes = Array.from({ length: statement.columnCount }, (_, index) => index);
  const paths = distinctNames(indexes.map((index) => statement.columnName(index))).map((name) =>
    pathId([name]),
  );
  const written = columnNames(paths, names);
  const described = paths.map((path, at) => ({ name: written[at] ?? '', path, hasUnit: true }));
  const metadata = parquetMetadata(about, described);
  const selected = written.map((name, index) => writtenValue(name, String(statement.columnType(index))));
  // `query` takes the text as one SELECT statement, whatever it has at its end.
  const rows = `SELECT ${selected.join(', ')} FROM query(${literal(sql)}) AS answer(${written.map(quoted).join(', ')})`;
  const result = await connection.runAndReadAll(parquetCopy(rows, { path: file, metadata }));
  return Number(result.getRows()[0]?.[0] ?? 0);
}
