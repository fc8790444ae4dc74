import { minPlausibleMs } from '../../../../shared/instants.ts';
import { literal, quoted } from '../../../../shared/sql/names.ts';
import { list, patternOf } from '../../duckdb/duckdb.ts';
import type { ColumnType } from '../../records/column-types.ts';
import type { WrittenColumn } from './write-table.ts';

/** A line's length is limited only by the memory; the engine reads blocks of twice this length. */
const minBlockBytes = 1 << 20;

/** The size of row groups: engines read whole groups, and skip them by their statistics. */
const groupSize = { maxRows: 122_880, minRows: 2048, cells: 2_400_000, bytes: 64 << 20 };

/** The maximum number of rows in a group. @param rowBytes the average length of a row as text */
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

/** The types in SQL. */
export const engineType = {
  BOOLEAN: 'BOOLEAN',
  INT64: 'BIGINT',
  DOUBLE: 'DOUBLE',
  STRING: 'VARCHAR',
  TIMESTAMP: 'TIMESTAMPTZ',
} as const;

/** A value of a type, from its text in the record. */
export const typedValue = (text: string, { path, type }: TypedPath): string =>
  type === 'STRING'
    ? text
    : type === 'TIMESTAMP'
      ? instantOf(text, path)
      : `CAST(${text} AS ${engineType[type]})`;

const isNumber = (text: string): string =>
  String.raw`regexp_full_match(${text}, '-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?')`;

/**
 * Whether a column of a type has the value of a text: by the value, not by how it is written. It is never null, so that its
 * opposite is none either.
 */
const fits: Readonly<Record<ColumnType, (text: string, column: FieldPart) => string>> = {
  BOOLEAN: (text) => `coalesce(${text} IN ('true', 'false'), false)`,
  INT64: (text) =>
    `coalesce(regexp_full_match(${text}, '-?(0|[1-9]\\d{0,17})') OR (${isNumber(text)} AND TRY_CAST(${text} AS DECIMAL(38, 18)) = TRY_CAST(${text} AS BIGINT)), false)`,
  // A text such as a long code would lose digits; it isn't told apart from a number where numbers have as many.
  DOUBLE: (text, { hasLongIntegers = false }) =>
    hasLongIntegers
      ? `coalesce(${isNumber(text)}, false)`
      : `coalesce(${isNumber(text)} AND isfinite(TRY_CAST(${text} AS DOUBLE)) AND (length(${text}) <= 15 OR NOT regexp_full_match(${text}, '-?\\d+') OR TRY_CAST(TRY_CAST(${text} AS DOUBLE) AS DECIMAL(38, 0)) = TRY_CAST(${text} AS DECIMAL(38, 0))), false)`,
  TIMESTAMP: (text, column) =>
    column.path === 'timestamp'
      ? `(${fits.INT64(text, column)} AND coalesce(abs(TRY_CAST(${text} AS DOUBLE)) < 1e15, false))`
      : `coalesce(regexp_matches(${text}, '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?(Z|[+-]\\d\\d:\\d\\d)$') AND TRY_CAST(${text} AS TIMESTAMPTZ) IS NOT NULL, false)`,
  STRING: () => 'true',
};

/** The value of a column whose field has values of several types, of which it has those that no column before it can have. */
export function sharedValue(text: string, column: WrittenColumn): string {
  const { type, before = [], isLast = true } = column;
  const conditions = [
    ...before.map((earlier) => `NOT ${fits[earlier](text, column)}`),
    ...(isLast ? [] : [fits[type](text, column)]),
  ];
  const value = typedValue(text, column);
  return conditions.length === 0 ? value : `CASE WHEN ${conditions.join(' AND ')} THEN ${value} END`;
}

type FieldPart = Pick<WrittenColumn, 'path' | 'hasLongIntegers'>;

type TypedPath = Pick<WrittenColumn, 'path' | 'type'>;

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
