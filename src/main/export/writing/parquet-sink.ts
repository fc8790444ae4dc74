import { Columns } from '../records/columns.ts';
import { createPathTree, type ScannedPage } from '../records/scan.ts';
import { TypedRows } from '../records/typed-columns.ts';
import type { GrowingFile } from '../../files/growing-file.ts';
import { groupRows, ParquetTable, type ParquetOptions } from './parquet-table.ts';
import type { FinishedTable, FinishProgress, Marks, Sink } from './sink.ts';
import type { Spool } from './spool.ts';

/**
 * Writes records as Parquet. Columns and types are the union over all records, so records are spooled and the file
 * is written at the end.
 */
export class ParquetSink implements Sink {
  readonly needsValues = false;
  readonly #file: GrowingFile;
  readonly #spool: Spool;
  readonly #options: ParquetOptions & { readonly fields: readonly string[] };

  constructor(
    files: { file: GrowingFile; spool: Spool },
    options: ParquetOptions & { readonly fields: readonly string[] },
  ) {
    this.#file = files.file;
    this.#spool = files.spool;
    this.#options = options;
  }

  write(page: ScannedPage, records: readonly number[]): void {
    this.#spool.append(page, records);
  }

  marks(): Marks {
    return { partial: 0, spool: this.#spool.file.length, columns: null };
  }

  sync(): void {
    this.#spool.file.sync();
    this.#file.sync();
  }

  *finish(): Generator<FinishProgress, FinishedTable> {
    const tree = createPathTree();
    const columns = new Columns(tree, this.#options.fields, { isTyped: true });
    for (const page of this.#spool.pages(tree)) {
      for (let record = 0; record < page.count; record += 1) columns.addRecord(page, record);
      yield { rows: 0 };
    }
    // Parquet needs a column; an empty export has `_id`, which every record has.
    if (columns.inOrder().length === 0) columns.of(tree.child(tree.root, '"_id"').index);
    const table = new ParquetTable(this.#file, new TypedRows(columns, groupRows), this.#options);
    let rows = 0;
    for (const page of this.#spool.pages(tree)) {
      for (let record = 0; record < page.count; record += 1) table.add(page, record);
      rows += page.count;
      yield { rows };
    }
    table.finish();
    return { columns: table.names };
  }

  close(): void {
    this.#file.close();
    this.#spool.file.close();
  }
}
