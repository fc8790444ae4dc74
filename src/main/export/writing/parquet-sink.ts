import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { Columns } from '../records/columns.ts';
import { createPathTree, type ScannedPage } from '../records/scan.ts';
import { TypedRows } from '../records/typed-columns.ts';
import type { CsvOptions } from './csv-sink.ts';
import type { GrowingFile } from '../../files/growing-file.ts';
import type { FinishProgress, Marks, Sink } from './sink.ts';
import type { Spool } from './spool.ts';

/**
 * Size of a row group in memory, in cells and rows. The library's output for a group is several times as
 * large, and garbage at once.
 */
const groupSize = { cells: 300_000, minRows: 500, maxRows: 16_000 };

const groupRows = (columns: number): number => {
  const { cells, minRows, maxRows } = groupSize;
  return Math.min(maxRows, Math.max(minRows, Math.floor(cells / columns)));
};

/** Collects the bytes of a row group, then appends them to the file. */
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
 * Writes records as Parquet with typed columns and statistics. Columns and types are the union over all
 * records, so records are spooled and the file is written at the end.
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

  *finish(): Generator<FinishProgress, readonly string[]> {
    const { fields, zone } = this.#options;
    const tree = createPathTree();
    const columns = new Columns(tree, fields, { isTyped: true });
    for (const page of this.#spool.pages(tree)) {
      for (let record = 0; record < page.count; record += 1) columns.addRecord(page, record);
      yield { rows: 0 };
    }
    // Parquet needs a column; an empty export has `_id`, which every record has.
    if (columns.inOrder().length === 0) columns.of(tree.child(tree.root, '"_id"').index);
    const table = new TypedRows(columns, zone, groupRows);
    const maxGroupRows = groupRows(table.columns.length);
    this.#file.cutTo(0);
    const writer = new ParquetWriter({
      writer: new FileBytes(this.#file),
      schema: schemaFromColumnData({ columnData: table.columns.map((column) => ({ ...column, data: [] })) }),
      createdBy: 'Wellbench',
    });
    const writeGroup = (): void => {
      const { rows } = table;
      if (rows > 0) void writer.write({ columnData: table.take(), rowGroupSize: rows });
    };
    let rows = 0;
    for (const page of this.#spool.pages(tree)) {
      for (let record = 0; record < page.count; record += 1) {
        table.add(page, record);
        if (table.rows >= maxGroupRows) writeGroup();
      }
      rows += page.count;
      yield { rows };
    }
    writeGroup();
    void writer.finish();
    return table.columns.map(({ name }) => name);
  }

  close(): void {
    this.#file.close();
    this.#spool.file.close();
  }
}
