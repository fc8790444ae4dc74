import { patternOf, type TableEngine } from '../../duckdb/duckdb.ts';
import { literal, quoted } from '../../../../shared/sql/names.ts';
import type { PartitionPlan } from '../census/partition.ts';
import type { PartStats } from '../census/tally.ts';
import { readStats } from './folder-rows.ts';
import { engineType, storedMs } from './table-sql.ts';
import type { WrittenColumn } from './write-table.ts';

interface KeptOptions {
  readonly partition: PartitionPlan;
  /** Times from here on, in milliseconds, are wrong. */
  readonly maxTimeMs: number;
  /** All columns of the table; a file can lack those that are newer. */
  readonly columns: readonly WrittenColumn[];
}

/** The rows of a table's files that an update keeps. */
export function keptRows({ partition, maxTimeMs, columns }: KeptOptions) {
  const empty = columns.map(({ name, type }) => `CAST(NULL AS ${engineType(type)}) AS ${quoted(name)}`);
  const names = columns.map(({ name }) => quoted(name));
  const of = (path: string | null): readonly WrittenColumn[] =>
    columns.filter((column) => column.path === path);
  const first = (values: readonly string[], none: string): string =>
    values.length === 0 ? none : `COALESCE(${values.join(', ')})`;
  const ms = first(
    of(partition.timePath).map((column) => storedMs(quoted(column.name), column, maxTimeMs)),
    'CAST(NULL AS DOUBLE)',
  );
  const id = first(
    of('_id').map(({ name }) => `CAST(${quoted(name)} AS VARCHAR)`),
    'CAST(NULL AS VARCHAR)',
  );
  const from = (path: string, beforeMs: number | null): string =>
    `(SELECT ${empty.join(', ')} WHERE false UNION ALL BY NAME SELECT * FROM read_parquet(${literal(patternOf(path))}, hive_partitioning = false))${beforeMs === null ? '' : ` WHERE (${ms}) IS NULL OR (${ms}) < ${beforeMs}`}`;
  return {
    /** The statement for the rows of a file before a time, and those without one; null: all. */
    rows: (path: string, beforeMs: number | null): string =>
      `SELECT ${names.join(', ')} FROM ${from(path, beforeMs)}`,

    /** What these rows are. @throws AppError `file_unreadable`, `sql_unavailable`, `cancelled` */
    async stats(
      engine: TableEngine,
      path: string,
      { beforeMs, belowMs }: { readonly beforeMs: number | null; readonly belowMs: number | null },
    ): Promise<PartStats | null> {
      const rows = `(SELECT ${literal('')} AS folder, ${ms} AS ms, ${id} AS id, CAST(NULL AS UBIGINT) AS digest FROM ${from(path, beforeMs)})`;
      return (await readStats(engine, rows, belowMs)).get('') ?? null;
    },
  };
}
