import { patternOf, type TableEngine } from '../../duckdb/duckdb.ts';
import { literal } from '../../../../shared/sql/names.ts';
import type { DeltaColumn, DeltaType } from './schema.ts';

/** Readers use those of the first columns, as Spark writes them. */
const maxColumns = 32;

/** The type of the texts of statistics; null: they are cut, or say nothing. */
const compared: Readonly<Record<DeltaType, string | null>> = {
  long: 'BIGINT',
  double: 'DOUBLE',
  timestamp: 'TIMESTAMPTZ',
  date: 'DATE',
  string: null,
  boolean: null,
};

/** Statistics are in milliseconds: the lowest rounded down, the highest up. */
function ends(column: string, type: DeltaType): [lowest: string, highest: string] {
  const cast = (stat: string): string => `TRY_CAST(${stat} AS ${compared[type]})`;
  const of = (aggregate: 'min' | 'max', stat: string): string =>
    `${aggregate}(${cast(stat)}) FILTER (path_in_schema = ${literal(column)})`;
  const [lowest, highest] = [of('min', 'stats_min_value'), of('max', 'stats_max_value')];
  const iso = (value: string): string => `strftime(${value}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  return type === 'timestamp'
    ? [iso(lowest), iso(`${highest} + INTERVAL 999 MICROSECOND`)]
    : [`CAST(${lowest} AS VARCHAR)`, `CAST(${highest} AS VARCHAR)`];
}

/** Years of four digits, which all readers have. */
const isTime = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/;
const isNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A value as JSON, with all its digits; undefined: it has none. */
function jsonOf(text: unknown, type: DeltaType): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (type === 'timestamp' || type === 'date') return isTime.test(text) ? JSON.stringify(text) : undefined;
  return isNumber.test(text) ? text : undefined;
}

const objectJson = (entries: readonly (readonly [name: string, json: string])[]): string =>
  `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

/**
 * The statistics of a Parquet file that the engine may read, from the file's own: number of rows, and of each column the
 * lowest value, the highest one, and the number of nulls.
 * @returns JSON for the log
 * @throws AppError `file_unreadable`, `sql_unavailable`, `cancelled`
 */
export async function fileStats(
  engine: TableEngine,
  path: string,
  columns: readonly DeltaColumn[],
): Promise<string> {
  const file = literal(patternOf(path));
  const counted = columns.slice(0, maxColumns);
  const nulls = counted.map(
    ({ name }) => `CAST(sum(stats_null_count) FILTER (path_in_schema = ${literal(name)}) AS VARCHAR)`,
  );
  const ranged = counted.filter(({ type }) => compared[type] !== null);
  const selected = [...nulls, ...ranged.flatMap(({ name, type }) => ends(name, type))];
  const [[rows] = []] = await engine.run(
    `SELECT CAST(num_rows AS VARCHAR) FROM parquet_file_metadata(${file})`,
  );
  const [values = []] =
    selected.length === 0
      ? []
      : await engine.run(`SELECT ${selected.join(', ')} FROM parquet_metadata(${file})`);
  const ofColumns = (
    described: readonly DeltaColumn[],
    valueAt: (at: number) => unknown,
    type?: DeltaType,
  ): string =>
    objectJson(
      described.flatMap((column, at) => {
        const json = jsonOf(valueAt(at), type ?? column.type);
        return json === undefined ? [] : [[column.name, json] as const];
      }),
    );
  return objectJson([
    ['numRecords', String(rows)],
    ['minValues', ofColumns(ranged, (at) => values[nulls.length + at * 2])],
    ['maxValues', ofColumns(ranged, (at) => values[nulls.length + at * 2 + 1])],
    ['nullCount', ofColumns(counted, (at) => values[at], 'long')],
  ]);
}
