import { list, literal, patternOf, quoted } from '../../duckdb/sql-text.ts';
import { minPlausibleMs } from '../census/partition.ts';
import type { ColumnType } from '../../records/column-types.ts';

/** A line's length is limited only by the memory; the engine reads blocks of twice this length. */
const minBlockBytes = 1 << 20;

/** The size of row groups: engines read whole groups, and skip them by their statistics. */
const groupSize = { maxRows: 122_880, minRows: 2048, cells: 2_400_000, bytes: 64 << 20 };

/**
 * The maximum number of rows in a group.
 * @param rowBytes the average length of a row as text
 */
export function groupRows(columns: number, rowBytes: number): number {
  const { maxRows, minRows, cells, bytes } = groupSize;
  const fitting = Math.min(cells / Math.max(1, columns), bytes / Math.max(1, rowBytes));
  return Math.min(maxRows, Math.max(minRows, Math.floor(fitting)));
}

/** Spooled rows, each a list of texts named `r`. @param maxLineBytes in bytes */
export const spooledRows = (path: string, maxLineBytes: number): string =>
  `read_json(${literal(patternOf(path))}, format = 'newline_delimited', records = false, maximum_object_size = ${Math.max(minBlockBytes, maxLineBytes + 1)}, columns = {r: 'VARCHAR[]'})`;

/** The value of a column in a spooled row, as text. @param position from 0, with those before the columns */
export const spooledValue = (position: number): string => `r[${position + 1}]`;

/** Files as a table whose columns have names of our own, by their position. */
export const parquetRows = (paths: readonly string[], names: readonly string[]): string =>
  `read_parquet(${list(paths.map(patternOf))}, hive_partitioning = false) AS part(${names.map(quoted).join(', ')})`;

/** The time of the text of a value, in a field of times. */
const instantOf = (text: string, path: string): string =>
  path === 'timestamp' ? `make_timestamptz(CAST(${text} AS BIGINT) * 1000)` : `CAST(${text} AS TIMESTAMPTZ)`;

const engineTypes = { BOOLEAN: 'BOOLEAN', INT64: 'BIGINT', DOUBLE: 'DOUBLE', STRING: 'VARCHAR' } as const;

/** A value of a type, from its text in the record. */
export const typedValue = (text: string, { path, type }: TypedPath): string =>
  type === 'STRING'
    ? text
    : type === 'TIMESTAMP'
      ? instantOf(text, path)
      : `CAST(${text} AS ${engineTypes[type]})`;

interface TypedPath {
  readonly path: string;
  readonly type: ColumnType;
}

/** A value of an earlier type as another type; text has the form of the value in a record. */
export function changedValue(value: string, from: ColumnType, { path, type }: TypedPath): string {
  if (from === type) return value;
  if (type !== 'STRING') return typedValue(textOf(value, from, path), { path, type });
  return textOf(value, from, path);
}

function textOf(value: string, type: ColumnType, path: string): string {
  if (type === 'TIMESTAMP')
    return path === 'timestamp'
      ? `CAST(epoch_ms(${value}) AS VARCHAR)`
      : `strftime(${value}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  // The engine writes 5 as 5.0.
  return type === 'DOUBLE'
    ? `regexp_replace(CAST(${value} AS VARCHAR), '\\.0$', '')`
    : `CAST(${value} AS VARCHAR)`;
}

/**
 * The time of a stored value in milliseconds; null if it isn't plausible.
 * @param maxTimeMs times from here on are wrong
 */
export function storedMs(value: string, { path, type }: TypedPath, maxTimeMs: number): string {
  const ms = msOf(value, { path, type });
  return `CASE WHEN ${ms} >= ${minPlausibleMs} AND ${ms} < ${maxTimeMs} THEN ${ms} END`;
}

function msOf(value: string, { path, type }: TypedPath): string {
  if (type === 'TIMESTAMP') return `epoch_ms(${value})`;
  if (path === 'timestamp') return type === 'BOOLEAN' ? 'NULL' : `TRY_CAST(${value} AS DOUBLE)`;
  return type === 'STRING'
    ? `CASE WHEN regexp_matches(${value}, '^\\d{4}-\\d\\d-\\d\\d') THEN epoch_ms(TRY_CAST(${value} AS TIMESTAMPTZ)) END`
    : 'NULL';
}
