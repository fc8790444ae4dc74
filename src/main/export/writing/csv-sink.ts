import { Columns } from '../records/columns.ts';
import { type CsvForm, csvHeader, CsvRows } from '../records/csv.ts';
import { Lines } from '../records/lines.ts';
import { createPathTree, type PathTree, type ScannedPage } from '../records/scan.ts';
import type { ZoneWriter } from '../records/zone.ts';
import type { GrowingFile } from './growing-file.ts';
import type { Finishing, Marks, Sink } from './sink.ts';
import type { Spool } from './spool.ts';

export interface CsvOptions {
  readonly tree: PathTree;
  readonly fields: readonly string[];
  readonly zone: ZoneWriter | null;
  readonly form: CsvForm;
}

/**
 * Writes records as CSV. Its columns are the union over all records, known at the end only: so records are spooled.
 * While no record brings a new column the table is written at once as well, under the columns of the first page, and
 * then nothing is left to do at the end; a new column stops that, and the table is written from the spool.
 */
export class CsvSink implements Sink {
  readonly #file: GrowingFile;
  readonly #spool: Spool;
  readonly #options: CsvOptions;
  #columns: Columns;
  /** The table that is being written; null: not begun, or given up. */
  #table: { readonly paths: readonly string[]; readonly rows: CsvRows } | null = null;
  #checked = 0;
  readonly #lines = new Lines();
  #direct: boolean;

  /** @param known the columns of the table that the file holds already; null: none */
  constructor(
    files: { file: GrowingFile; spool: Spool },
    options: CsvOptions,
    known: readonly string[] | null,
  ) {
    this.#file = files.file;
    this.#spool = files.spool;
    this.#options = options;
    this.#columns = new Columns(options.tree, options.fields, { known: known ?? [] });
    this.#direct = known !== null || this.#spool.file.length === 0;
    if (known) this.#begin(known);
  }

  get needsValues(): boolean {
    return this.#direct;
  }

  write(page: ScannedPage, records: readonly number[]): void {
    this.#spool.append(page, records);
    if (!this.#direct) return;
    if (!this.#table) {
      for (const record of records) this.#columns.see(page, record);
      this.#begin(this.#paths());
    }
    // Writing a row takes note of its columns: what is written of a page that brings a new one is thrown away.
    const rows = this.#rows(page, records);
    if (this.#stillHolds()) {
      this.#file.append(rows);
      return;
    }
    this.#direct = false;
    this.#table = null;
    this.#file.cutTo(0);
  }

  marks(): Marks {
    return {
      partial: this.#file.length,
      spool: this.#spool.file.length,
      columns: this.#table ? [...this.#table.paths] : null,
    };
  }

  sync(): void {
    this.#spool.file.sync();
    this.#file.sync();
  }

  *finish(): Generator<Finishing, readonly string[]> {
    if (this.#direct && this.#table) return this.#table.paths;
    const tree = createPathTree();
    this.#columns = new Columns(tree, this.#options.fields);
    for (const page of this.#spool.pages(tree)) {
      for (let record = 0; record < page.count; record += 1) this.#columns.see(page, record);
      yield { rows: 0 };
    }
    this.#file.cutTo(0);
    const paths = this.#begin(this.#paths());
    let rows = 0;
    for (const page of this.#spool.pages(tree)) {
      this.#file.append(this.#rows(page, Array(page.count).keys()));
      rows += page.count;
      yield { rows };
    }
    return paths;
  }

  close(): void {
    this.#file.close();
    this.#spool.file.close();
  }

  #rows(page: ScannedPage, records: Iterable<number>): Uint8Array {
    const { rows } = this.#table ?? {};
    if (rows) for (const record of records) rows.add(this.#lines, page, record);
    return this.#lines.take();
  }

  /** Sets the columns, and writes the header unless it stands there already. */
  #begin(paths: readonly string[]): readonly string[] {
    this.#table = { paths, rows: new CsvRows(this.#columns, paths, this.#options) };
    this.#checked = this.#columns.changes;
    if (this.#file.length === 0) this.#file.append(csvHeader(paths, this.#options.form));
    return paths;
  }

  #stillHolds(): boolean {
    if (this.#columns.changes === this.#checked) return true;
    this.#checked = this.#columns.changes;
    const paths = this.#paths();
    const before = this.#table?.paths ?? [];
    return before.length === paths.length && before.every((path, at) => path === paths[at]);
  }

  /** The columns there are so far. */
  #paths(): string[] {
    return this.#columns.inOrder().map(({ path }) => path);
  }
}
