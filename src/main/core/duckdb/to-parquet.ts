import { basename, join } from 'node:path';
import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { literal, quoted } from '../../../shared/sql/names.ts';
import { parquetCopy, patternOf } from './sql-text.ts';
import type { ColumnNames } from '../../../shared/export/export.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { columnNames } from '../records/column-names.ts';
import { parquetMetadata, type About } from '../records/about.ts';
import { renameUnflushed } from '../files/disk.ts';
import { withWriteErrors } from '../files/file-errors.ts';
import { withTables, type StartTableEngine, type TableEngine } from './table-engine.ts';
import { pathId } from '../../../shared/column-paths.ts';

export type TableColumnType = 'integer' | 'large_integer' | 'number' | 'boolean' | 'time' | 'text';

/** The types of converted columns in a table. `time`: Unix milliseconds in the file, a timestamp in the table. */
export const engineTypes = {
  integer: 'BIGINT',
  large_integer: 'DECIMAL(38,0)',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'time',
  text: 'VARCHAR',
} as const satisfies Record<TableColumnType, string>;

type ConvertedType = (typeof engineTypes)[keyof typeof engineTypes];

export interface Conversion {
  /** A file with a JSON array of objects. */
  readonly json: string;
  /** The Parquet file to write. */
  readonly parquet: string;
  /** `key`: the column's name in the JSON file, where names that differ only in case are not told apart. */
  readonly columns: readonly { readonly key: string; readonly name: string; readonly type: ConvertedType }[];
}

/** Where statements of Wellbench itself run: each call of this file in an engine of its own. */
export interface TablesPlace {
  readonly startTables: StartTableEngine;
  readonly signal: AbortSignal | undefined;
}

type Run = TableEngine['run'];

/** Conversions read and write in order; each thread has buffers of its own, of up to 32 MB. */
const conversionLimits = { memoryMb: 256, threads: 4 };
/** Sorting and counting take all the memory that they may. */
const placesLimits = { memoryMb: 96, threads: 1 };

interface OneFile {
  readonly from: string;
  readonly to: string;
  readonly limits: typeof conversionLimits;
}

/** Writes a file from another one: completely, or not at all. @throws AppError as {@link withTables} */
async function writeFrom(
  { startTables, signal }: TablesPlace,
  { from, to, limits }: OneFile,
  write: (run: Run, out: string) => Promise<unknown>,
): Promise<void> {
  const name = basename(to);
  const folder = `${to}.engine`;
  const files = { folder, reads: [{ path: from, name: basename(from) }], name, ...limits };
  await withTables(startTables, files, signal, async (run) => {
    const out = join(folder, name);
    await write(run, out);
    await withWriteErrors(name, async () => renameUnflushed(out, to));
  });
}

/** Each thread has twice this memory at once. */
const maxRecordBytes = 16 << 20;

/**
 * Writes a JSON file as Parquet.
 * @throws AppError `disk_full`, `file_unreadable`, `file_unwritable`, `sql_unavailable`, `internal`, `cancelled`
 */
export async function convertToParquet(
  place: TablesPlace,
  { json, parquet, columns }: Conversion,
): Promise<void> {
  const read = columns.map(
    ({ key, type }) => `${literal(key)}: ${literal(type === 'time' ? 'BIGINT' : type)}`,
  );
  const selected = columns.map(({ key, name, type }) => {
    const value = type === 'time' ? `epoch_ms(${quoted(key)})::TIMESTAMPTZ` : quoted(key);
    return `${value} AS ${quoted(name)}`;
  });
  const rows = `SELECT ${selected.join(', ')} FROM read_json(${literal(patternOf(json))}, format = 'array', columns = {${read.join(', ')}}, maximum_object_size = ${maxRecordBytes})`;
  await writeFrom(place, { from: json, to: parquet, limits: conversionLimits }, async (run, out) =>
    run(`COPY (${rows}) TO ${literal(out)} (FORMAT parquet)`),
  );
}

/** How the text of a cell becomes a value. Cells of other forms fail the statement. */
export type TextValue =
  | { readonly kind: 'text' | 'boolean' | 'integer' | 'large_integer' }
  | { readonly kind: 'number'; readonly decimal: '.' | ',' }
  /** `format`: of the engine; null: ISO 8601. Times without a zone are in UTC. */
  | { readonly kind: 'time'; readonly format: string | null };

/** A column, and what its values must be, as another reader found them. */
export interface TextColumn {
  readonly name: string;
  readonly value: TextValue;
  /** Whether some cells are blank, or have blanks around their text. */
  readonly hasBlanks: boolean;
  /** Texts that are null values. */
  readonly nulls: readonly string[];
  /** The number of its values that aren't null. */
  readonly values: number;
  /** Its lowest and highest number; null: they aren't compared. */
  readonly range: readonly [lowest: number, highest: number] | null;
}

/** How rows and cells are separated. */
export type TextRows =
  | {
      /** The same number of cells in each row, and quotes by RFC 4180. */
      readonly form: 'delimited';
      /** One ASCII character. */
      readonly delimiter: string;
      readonly lineEnd: 'LF' | 'CRLF';
      /** The number of lines before the first row. */
      readonly skippedLines: number;
    }
  /** A JSON object in each line, whose values have no parts. `names`: those of the columns in the objects. */
  | { readonly form: 'json'; readonly names: readonly string[] };

/** A file of rows as text in UTF-8, which the engine reads without any guess. */
export interface TextTable {
  readonly path: string;
  readonly rows: TextRows;
  readonly columns: readonly TextColumn[];
}

/** What `trim` of JavaScript removes. */
const blanks =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
/** Forms of ISO 8601 that the engine reads as Wellbench does. */
const isoForm = String.raw`\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-3]):[0-5]\d)?)?`;

/** A cell without the blanks around it. The engine may not read quotes after blanks as quotes. */
function trimmed(cell: string): string {
  const text = `nullif(trim(${cell}, ${literal(blanks)}), '')`;
  return `CASE WHEN starts_with(${text}, '"') THEN error('a quote after blanks') ELSE ${text} END`;
}

/** A cell as text, without the blanks around it; NULL for null values. */
function cellText(cell: string, { hasBlanks, nulls }: TextColumn): string {
  const text = hasBlanks ? trimmed(cell) : cell;
  if (nulls.length === 0) return text;
  return `CASE WHEN ${text} IN (${nulls.map(literal).join(', ')}) THEN NULL ELSE ${text} END`;
}

function typedCell(text: string, value: TextValue): string {
  if (value.kind === 'text') return text;
  if (value.kind === 'time') {
    const instant =
      value.format === null
        ? `CASE WHEN regexp_full_match(${text}, ${literal(isoForm)}) THEN CAST(${text} AS TIMESTAMPTZ) WHEN ${text} IS NOT NULL THEN error('a time has another form') END`
        : `CAST(strptime(${text}, ${literal(value.format)}) AS TIMESTAMPTZ)`;
    return `date_trunc('millisecond', ${instant})`;
  }
  const hasCommas = value.kind === 'number' && value.decimal === ',';
  return `CAST(${hasCommas ? `replace(${text}, ',', '.')` : text} AS ${engineTypes[value.kind]})`;
}

function delimitedCells(
  path: string,
  { delimiter, lineEnd, skippedLines }: Extract<TextRows, { form: 'delimited' }>,
  columns: readonly TextColumn[],
): string {
  const options = [
    'auto_detect = false',
    'all_varchar = true',
    'header = false',
    'strict_mode = true',
    // Several threads would look for the starts of rows in the middle of the file.
    'parallel = false',
    `compression = 'none'`,
    `delim = ${literal(delimiter)}`,
    `new_line = ${lineEnd === 'LF' ? String.raw`'\n'` : String.raw`'\r\n'`}`,
    `quote = '"'`,
    `escape = '"'`,
    `skip = ${skippedLines}`,
    `columns = {${columns.map((_, index) => `'c${index}': 'VARCHAR'`).join(', ')}}`,
  ];
  return `read_csv(${literal(patternOf(path))}, ${options.join(', ')})`;
}

/** Numbers lose the form that they have in the file, so that they can't be texts. */
function jsonCells(path: string, names: readonly string[], columns: readonly TextColumn[]): string {
  const cells = columns.map(({ value }, index) => {
    const name = quoted(names[index] ?? '');
    const isOther =
      value.kind === 'text'
        ? `json_type(${name}) NOT IN ('VARCHAR', 'NULL')`
        : `json_type(${name}) IN ('OBJECT', 'ARRAY')`;
    return `CASE WHEN ${isOther} THEN error('a value of another type') ELSE ${name} ->> '$' END AS c${index}`;
  });
  const read = names.map((name) => `${literal(name)}: 'JSON'`);
  return `(SELECT ${cells.join(', ')} FROM read_json(${literal(patternOf(path))}, format = 'newline_delimited', records = true, compression = 'uncompressed', columns = {${read.join(', ')}}))`;
}

const cellsOf = ({ path, rows, columns }: TextTable): string =>
  rows.form === 'json' ? jsonCells(path, rows.names, columns) : delimitedCells(path, rows, columns);

/**
 * Writes a file as Parquet, and compares the number of values and the ends of each column with those that another reader
 * found. Rows without a value are left out.
 * @param parquet the file to write
 * @throws AppError `internal` or `file_unreadable` if the file isn't as expected; `disk_full`, `file_unwritable`,
 *   `sql_unavailable`, `cancelled`
 */
export async function copyTextTable(
  place: TablesPlace,
  { table, parquet }: { readonly table: TextTable; readonly parquet: string },
): Promise<void> {
  const { columns } = table;
  const names = columns.map(({ name }) => quoted(name));
  const values = columns.map(
    (column, index) => `${typedCell(cellText(`c${index}`, column), column.value)} AS v${index}`,
  );
  const named = names.map((name, index) => `v${index} AS ${name}`);
  const hasValue = columns.map((_, index) => `v${index} IS NOT NULL`);
  const rows = `SELECT ${named.join(', ')} FROM (SELECT ${values.join(', ')} FROM ${cellsOf(table)}) WHERE ${hasValue.join(' OR ')}`;
  const facts = columns.flatMap(({ range }, index) => [
    `count(v${index})::DOUBLE`,
    ...(range ? [`min(v${index})::DOUBLE`, `max(v${index})::DOUBLE`] : []),
  ]);
  const expected = columns.flatMap(({ values: count, range }) => [count, ...(range ?? [])]);
  await writeFrom(place, { from: table.path, to: parquet, limits: conversionLimits }, async (run, out) => {
    await run(parquetCopy(rows, { path: out, metadata: [] }));
    const written = `read_parquet(${literal(patternOf(out))}) AS written(${columns.map((_, index) => `v${index}`).join(', ')})`;
    const [writtenFacts = []] = await run(`SELECT ${facts.join(', ')} FROM ${written}`);
    const differing = expected.findIndex((value, index) => value !== writtenFacts[index]);
    if (differing >= 0)
      throw new AppError('internal', {
        problem: `a column has ${writtenFacts[differing]} where ${expected[differing]} is expected`,
      });
  });
}

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

/** The lines of a file of places. By default, each thread would have 32 MB, beside the limit of memory. */
const placesIn = (path: string, columns: string): string =>
  `read_csv(${literal(patternOf(path))}, header = false, auto_detect = false, delim = ',', buffer_size = 1048576, max_line_size = 65536, quote = '"', escape = '"', columns = {${columns}})`;

/**
 * Sorts places of records by their index; those with the same one stay in the order of the file, those without one are last.
 * @param from a file with lines of start, bytes, line, and index
 * @param to a new file
 * @throws AppError `disk_full`, `file_unreadable`, `file_unwritable`, `sql_unavailable`, `cancelled`
 */
export async function sortPlaces(place: TablesPlace, from: string, to: string): Promise<void> {
  const columns = `'start': 'BIGINT', 'bytes': 'BIGINT', 'line': 'BIGINT', 'place': 'DOUBLE'`;
  const rows = `SELECT * FROM ${placesIn(from, columns)} ORDER BY place, start`;
  await writeFrom(place, { from, to, limits: placesLimits }, async (run, out) =>
    run(`COPY (${rows}) TO ${literal(out)} (FORMAT csv, HEADER false)`),
  );
}

/**
 * Counts how often places repeat an earlier one.
 * @param from a file with lines of well and index
 * @returns the number of repeats by well, where there are any
 * @throws AppError `disk_full`, `file_unreadable`, `sql_unavailable`, `cancelled`
 */
export async function countRepeats(
  { startTables, signal }: TablesPlace,
  from: string,
): Promise<ReadonlyMap<string, number>> {
  const columns = `'well': 'VARCHAR', 'place': 'DOUBLE'`;
  const name = basename(from);
  const files = { folder: `${from}.engine`, reads: [{ path: from, name }], name, ...placesLimits };
  const rows = await withTables(startTables, files, signal, async (run) =>
    run(
      `SELECT well, sum(records - 1)::DOUBLE FROM (
         SELECT coalesce(well, '') AS well, place, count(*) AS records
         FROM ${placesIn(from, columns)}
         GROUP BY ALL HAVING records > 1
       ) GROUP BY well`,
    ),
  );
  return new Map(rows.map(([well, repeats]) => [String(well), Number(repeats)]));
}
