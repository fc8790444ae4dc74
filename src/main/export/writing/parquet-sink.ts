import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { Columns } from '../records/columns.ts';
import { createPathTree, type ScannedPage } from '../records/scan.ts';
import { TypedRows } from '../records/typed-columns.ts';
import type { CsvOptions } from './csv-sink.ts';
import type { GrowingFile } from './growing-file.ts';
import type { Finishing, Marks, Sink } from './sink.ts';
import type { Spool } from './spool.ts';

/**
 * A group of rows is held in memory column by column: so many values at most, and so many rows. What the library makes
 * of a group is several times as large, and garbage at once.
 */
const groupSize = { cells: 300_000, leastRows: 500, mostRows: 16_000 };

const rowsOf = (columns: number): number => {
  const { cells, leastRows, mostRows } = groupSize;
  return Math.min(mostRows, Math.max(leastRows, Math.floor(cells / columns)));
};

/** Collects the bytes of a group of rows, then hands them to the file. */
class FileBytes extends ByteWriter {
  readonly #file: GrowingFile;

  constructor(file: GrowingFile) {
    super(1024 * 1024);
    this.#file = file;
  }

  flush(): void {
    this.#file.append(this.getBytes());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

/**
 * Writes records as Parquet with typed columns and statistics. Columns and types are the union over all records, so
 * records are spooled and the file is made of them at the end.
 */
export class ParquetSink implements Sink {
  readonly needsValues = false;
  readonly #file: GrowingFile;
  readonly #spool: Spool;
  readonly #options: Pick<CsvOptions, 'fields' | 'zone'>;

  constructor(files: { file: GrowingFile; spool: Spool }, options: Pick<CsvOptions, 'fields' | 'zone'>) {
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

  *finish(): Generator<Finishing, readonly string[]> {
    const { fields, zone } = this.#options;
    const tree = createPathTree();
    const columns = new Columns(tree, fields, { typed: true });
    for (const page of this.#spool.pages(tree)) {
      for (let record = 0; record < page.count; record += 1) columns.see(page, record);
      yield { rows: 0 };
    }
    // A table without columns can't be written; an empty export keeps the one that every record has.
    if (columns.inOrder().length === 0) columns.of(tree.child(tree.root, '"_id"').index);
    const table = new TypedRows(columns, zone, rowsOf);
    const most = rowsOf(table.columns.length);
    this.#file.cutTo(0);
    const writer = new ParquetWriter({
      writer: new FileBytes(this.#file),
      schema: schemaFromColumnData({ columnData: table.columns.map((column) => ({ ...column, data: [] })) }),
      createdBy: 'Wellbench',
    });
    const group = (): void => {
      const { rows } = table;
      if (rows > 0) void writer.write({ columnData: table.take(), rowGroupSize: rows });
    };
    let rows = 0;
    for (const page of this.#spool.pages(tree)) {
      for (let record = 0; record < page.count; record += 1) {
        table.add(page, record);
        if (table.rows >= most) group();
      }
      rows += page.count;
      yield { rows };
    }
    group();
    void writer.finish();
    return table.columns.map(({ name }) => name);
  }

  close(): void {
    this.#file.close();
    this.#spool.file.close();
  }
}
