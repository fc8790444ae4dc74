import type { DuckDBConnection } from '@duckdb/node-api';
import { literal, quoted } from '../../../shared/sql/sql-name.ts';

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

/** Each thread has twice this memory at once. */
const maxRecordBytes = 16 << 20;

/** Writes a JSON file as Parquet. */
export async function convertToParquet(
  connection: DuckDBConnection,
  { json, parquet, columns }: Conversion,
): Promise<void> {
  const read = columns.map(
    ({ key, type }) => `${literal(key)}: ${literal(type === 'time' ? 'BIGINT' : type)}`,
  );
  const selected = columns.map(({ key, name, type }) => {
    const value = type === 'time' ? `epoch_ms(${quoted(key)})::TIMESTAMPTZ` : quoted(key);
    return `${value} AS ${quoted(name)}`;
  });
  await connection.run(
    `COPY (SELECT ${selected.join(', ')} FROM read_json(${literal(json)}, format = 'array', columns = {${read.join(', ')}}, maximum_object_size = ${maxRecordBytes})) TO ${literal(parquet)} (FORMAT parquet)`,
  );
}
