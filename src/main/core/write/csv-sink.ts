import type { NullValues } from '../../../shared/export/export.ts';
import { Columns } from '../records/columns.ts';
import { type CsvForm, csvHeader, CsvRows } from '../records/csv.ts';
import type { CsvHeadings } from '../records/csv-headings.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import { createPathTree, type PathTree } from '../records/path-tree.ts';
import type { ScannedPage } from '../records/scanned-page.ts';
import type { ZoneWriter } from '../records/zone.ts';
import type { GrowingFile } from '../files/growing-file.ts';
import type { FinishSteps, Marks, Sink } from './sink.ts';
import type { Spool } from './record-spool.ts';

export interface CsvOptions {
  readonly tree: PathTree;
  readonly fields: readonly string[];
  readonly zone: ZoneWriter | null;
  readonly form: CsvForm;
  readonly nullValues: NullValues;
  readonly isTimeAndWellFirst: boolean;
  readonly headings: CsvHeadings;
}

/**
 * Writes records as CSV. The columns are the union over all records, known only at the end, so records are
 * spooled. As long as no record adds a column, the table is also written at once with the columns of the
 * first page, and is then complete at the end; a new column stops that, and the table is written from the
 * spool.
 */
export class CsvSink implements Sink {
  readonly #file: GrowingFile;
  readonly #spool: Spool;
  readonly #options: CsvOptions;
  #columns: Columns;
  /** The table that is being written; null: not begun, or given up. */
  #table: { readonly paths: readonly string[]; readonly rows: CsvRows } | null = null;
  #checkedChanges = 0;
  readonly #lines = new TextBuffer();
  #isDirect: boolean;

  /** @param existingColumns columns of the table in the file; null: none */
  constructor(
    files: { file: GrowingFile; spool: Spool },
    options: CsvOptions,
    existingColumns: readonly string[] | null,
  ) {
    this.#file = files.file;
    this.#spool = files.spool;
    this.#options = options;
    this.#columns = new Columns(options.tree, options.fields, {
      existingColumns: existingColumns ?? [],
      isTimeAndWellFirst: options.isTimeAndWellFirst,
    });
    this.#isDirect = existingColumns !== null || this.#spool.file.length === 0;
    if (existingColumns) this.#beginTable(existingColumns);
  }

  get needsValues(): boolean {
    return this.#isDirect;
  }

  write(page: ScannedPage, records: readonly number[]): void {
    this.#spool.append(page, records);
    if (!this.#isDirect) return;
    if (!this.#table) {
      for (const record of records) this.#columns.addRecord(page, record);
      this.#beginTable(this.#paths());
    }
    // Writing a row records its columns; rows of a page that adds a column are discarded.
    const rows = this.#rows(page, records);
    if (this.#hasSameColumns()) {
      this.#file.append(rows);
      return;
    }
    this.#isDirect = false;
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

  *finish(): FinishSteps {
    if (this.#isDirect && this.#table) return { columns: this.#table.paths };
    const tree = createPathTree();
    const { fields, isTimeAndWellFirst } = this.#options;
    this.#columns = new Columns(tree, fields, { isTimeAndWellFirst });
    for (const page of this.#spool.pages(tree)) {
      for (let record = 0; record < page.count; record += 1) this.#columns.addRecord(page, record);
      yield;
    }
    this.#file.cutTo(0);
    const paths = this.#beginTable(this.#paths());
    for (const page of this.#spool.pages(tree)) {
      this.#file.append(this.#rows(page, Array(page.count).keys()));
      yield;
    }
    return { columns: paths };
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

  /** Sets the columns, and writes the header unless the file has it. */
  #beginTable(paths: readonly string[]): readonly string[] {
    this.#table = { paths, rows: new CsvRows(this.#columns, paths, this.#options) };
    this.#checkedChanges = this.#columns.changes;
    const { form, headings } = this.#options;
    if (this.#file.length === 0) this.#file.append(csvHeader(headings(paths), form));
    return paths;
  }

  #hasSameColumns(): boolean {
    if (this.#columns.changes === this.#checkedChanges) return true;
    this.#checkedChanges = this.#columns.changes;
    const paths = this.#paths();
    const previous = this.#table?.paths ?? [];
    return previous.length === paths.length && previous.every((path, at) => path === paths[at]);
  }

  #paths(): string[] {
    return this.#columns.inOrder().map(({ path }) => path);
  }
}
