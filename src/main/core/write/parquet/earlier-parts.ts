import type { TableEngine } from '../../duckdb/table-engine.ts';
import { literal, quoted } from '../../duckdb/sql-text.ts';
import type { PartitionPlan } from '../census/partition.ts';
import { type PartStats } from '../census/tally.ts';
import { folderTypes, typedColumns, type TypedColumn } from '../../records/column-types.ts';
import { type Column, Columns } from '../../records/columns.ts';
import { createPathTree } from '../../records/path-tree.ts';
import { readStats } from './folder-rows.ts';
import { changedValue, parquetRows, storedMs } from './table-sql.ts';
import type { WrittenColumn } from './write-table.ts';

interface EarlierOptions {
  readonly partition: PartitionPlan;
  /** Times from here on, in milliseconds, are wrong. */
  readonly maxTimeMs: number;
  /** The kinds of values by column when the files were written. */
  readonly columns: readonly Column[];
}

/** The files of a folder that an earlier run wrote with the same columns. */
export class EarlierParts {
  readonly #columns: readonly TypedColumn[];
  readonly #names: readonly string[];
  readonly #ms: string;
  readonly #id: string;

  constructor({ partition, maxTimeMs, columns }: EarlierOptions) {
    const existing = new Columns(createPathTree(), [], { isTyped: true, existing: columns });
    this.#columns = typedColumns(existing, folderTypes(partition));
    this.#names = this.#columns.map((_, at) => `p${at}`);
    const time = this.#columns.findIndex(({ path }) => path === partition.timePath);
    const column = this.#columns[time];
    this.#ms = column ? storedMs(`p${time}`, column, maxTimeMs) : 'CAST(NULL AS DOUBLE)';
    const id = this.#columns.findIndex(({ path }) => path === '_id');
    this.#id = id < 0 ? 'CAST(NULL AS VARCHAR)' : `CAST(p${id} AS VARCHAR)`;
  }

  /** Whether they have these columns, so that they can stay as they are. */
  hasColumns(columns: readonly TypedColumn[]): boolean {
    const isSame = ({ path, type }: TypedColumn, at: number): boolean =>
      columns[at]?.path === path && columns[at].type === type;
    return this.#columns.length === columns.length && this.#columns.every(isSame);
  }

  /** The rows of a file before a time, and those without one; null: all. */
  rows(path: string, beforeMs: number | null, columns: readonly WrittenColumn[]): string {
    const at = new Map(this.#columns.map((column, position) => [column.path, position]));
    const selected = columns.map((column) => {
      const position = at.get(column.path) ?? -1;
      const earlier = this.#columns[position];
      const value = earlier
        ? changedValue(`p${position}`, earlier.type, column)
        : changedValue('CAST(NULL AS VARCHAR)', 'STRING', column);
      return `${value} AS ${quoted(column.name)}`;
    });
    return `SELECT ${selected.join(', ')} FROM ${this.#from(path)}${this.#before(beforeMs)}`;
  }

  /**
   * What these rows are.
   * @throws AppError `file_unreadable`, `sql_unavailable`, `cancelled`
   */
  async stats(
    engine: TableEngine,
    path: string,
    { beforeMs, belowMs }: { readonly beforeMs: number | null; readonly belowMs: number | null },
  ): Promise<PartStats | null> {
    const rows = `(SELECT ${literal('')} AS folder, ${this.#ms} AS ms, ${this.#id} AS id, CAST(NULL AS UBIGINT) AS digest FROM ${this.#from(path)}${this.#before(beforeMs)})`;
    return (await readStats(engine, rows, belowMs)).get('') ?? null;
  }

  #from(path: string): string {
    return parquetRows([path], this.#names);
  }

  #before(ms: number | null): string {
    return ms === null ? '' : ` WHERE (${this.#ms}) IS NULL OR (${this.#ms}) < ${ms}`;
  }
}
