import { join } from 'node:path';
import { columnNames } from '../records/column-names.ts';
import { type Column, Columns, valueKinds } from '../records/columns.ts';
import { createPathTree, type PathTree } from '../records/path-tree.ts';
import { RecordScanner, type ScannedPage } from '../records/scan.ts';
import { type TypedColumn, typedColumns, typeOf, type TypesOptions } from '../records/typed-columns.ts';
import type { PartitionPlan } from '../census/partition.ts';
import { partRecords } from './part-records.ts';
import type { ParquetOptions } from './parquet-table.ts';

interface WrittenOptions extends Pick<ParquetOptions, 'names'> {
  readonly folder: string;
  readonly partition: PartitionPlan;
  /** The kinds of values by column when they were written. */
  readonly columns: readonly Column[];
}

/** Files of a folder that have the same columns, written by this or an earlier run. */
export class WrittenFiles {
  readonly #folder: string;
  readonly #columns: readonly TypedColumn[];
  readonly #pathOf: ReadonlyMap<string, string>;

  constructor({ folder, partition, columns, names }: WrittenOptions) {
    this.#folder = folder;
    const existing = new Columns(createPathTree(), [], { isTyped: true, existing: columns });
    this.#columns = typedColumns(existing, typesOf(partition));
    const paths = this.#columns.map(({ path }) => path);
    this.#pathOf = new Map(columnNames(paths, names).map((name, at) => [name, paths[at] ?? name]));
  }

  /** Whether they have these columns, so that they can stay as they are. */
  hasColumns(columns: readonly TypedColumn[]): boolean {
    const isSame = ({ path, type }: TypedColumn, at: number): boolean =>
      columns[at]?.path === path && columns[at].type === type;
    return this.#columns.length === columns.length && this.#columns.every(isSame);
  }

  /**
   * The records of a file, in pages that are valid until the next one.
   * @throws AppError `file_unreadable`
   */
  async *pages(path: string, tree: PathTree): AsyncGenerator<ScannedPage> {
    const scanner = new RecordScanner({ tree, keyField: null });
    for await (const json of partRecords(join(this.#folder, path), path, this.#pathOf)) {
      const page = scanner.scanArray(json);
      yield page;
      scanner.release(page);
    }
  }
}

/**
 * The types of a folder's columns, without those whose values are in the names of folders. A number of the payload is a
 * `DOUBLE` even if all values so far are whole: the next day can have fractions, and then all files would change.
 * Integers that a double can't hold stay `INT64`.
 */
export function typesOf({ assetPath }: PartitionPlan): TypesOptions {
  const { integer, inexact, number } = valueKinds;
  const isWhole = ({ path, kinds }: Column): boolean =>
    path.startsWith('data.') && (kinds & integer) !== 0 && (kinds & inexact) === 0;
  return {
    omittedPaths: new Set(assetPath === 'asset_id' ? [assetPath] : []),
    typeOf: (column) => typeOf(isWhole(column) ? { ...column, kinds: column.kinds | number } : column),
  };
}
