import { serveUses } from '../../world/threads.ts';
import { appErrorFrom, writeError } from '../files/file-errors.ts';
import { PageReader, type PageToRead, SeenIds, idsFile } from '../reading/reading.ts';
import {
  type FinishedFile,
  type ProgressMarks,
  type WriterSpec,
  type WrittenRecords,
  spoolOf,
} from './spec.ts';
import { dirname, join } from 'node:path';
import { createPathTree, type PathTree, RecordScanner, type ScannedPage } from '../records/scan.ts';
import { GrowingFile, realDisk } from '../files/growing-file.ts';
import { flushFolderSync } from '../files/disk.ts';
import { noMarks, type FinishSteps, type Sink, type Marks, type TableOfMarks } from './sink.ts';
import { csvForm, type CsvForm, csvHeader, CsvRows, csvHeadings, type CsvHeadings } from '../records/csv.ts';
import { createWellNamer } from '../records/well-names.ts';
import type { createCalculator } from '../records/calculator.ts';
import { createUnitConverter } from '../records/unit-changes.ts';
import { createZoneWriter, type ZoneWriter } from '../records/zone.ts';
import { writeLas } from './las-file.ts';
import { TableSink } from './table-sink.ts';
import { writeXlsx } from './xlsx-file.ts';
import { elapsedMs } from '../../world/time.ts';
import { Columns } from '../records/columns.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import { addJson, type JsonShape, verbatim } from '../records/json-lines.ts';

const newline = 10;
/** Size of reads, in bytes. */
const blockBytes = 1024 * 1024;

/** All records as NDJSON, for formats whose columns are known only after the last record. */
class Spool {
  readonly file: GrowingFile;
  readonly #lines = new TextBuffer();

  constructor(file: GrowingFile) {
    this.file = file;
  }

  /** @throws AppError `bad_answer` for a line break inside a text */
  append(page: ScannedPage, records: readonly number[]): void {
    for (const record of records) {
      addJson(this.#lines, page, record, verbatim);
      this.#lines.byte(newline);
    }
    this.file.append(this.#lines.take());
  }

  /** Reads all records in pages of 1 to 2 MB; a page is valid until the next one. */
  *pages(tree: PathTree): Generator<ScannedPage> {
    const scanner = new RecordScanner({ tree, keyField: null });
    let bytes = Buffer.allocUnsafeSlow(Math.min(blockBytes, this.file.length));
    let heldBytes = 0;
    for (let at = 0; at < this.file.length;) {
      const readBytes = this.file.readInto(bytes.subarray(heldBytes), at);
      at += readBytes;
      heldBytes += readBytes;
      const end = bytes.lastIndexOf(newline, heldBytes - 1) + 1;
      if (end === 0) {
        // A record is longer than the buffer.
        const larger = Buffer.allocUnsafeSlow(bytes.length * 2);
        bytes.copy(larger, 0, 0, heldBytes);
        bytes = larger;
        continue;
      }
      const page = scanner.scanLines(bytes.subarray(0, end));
      yield page;
      scanner.release(page);
      bytes.copy(bytes, 0, end, heldBytes);
      heldBytes -= end;
    }
  }
}

export interface SpooledFiles {
  readonly file: GrowingFile;
  readonly spool: Spool;
}

/** Spools the records of a format whose columns are known only after the last one. @param finish writes the file from the spool */
const spooledSink = (spool: Spool, finish: () => FinishSteps): Sink => ({
  needsValues: false,
  write: (page, records) => spool.append(page, records),
  finish,
});

// The thread that parses, formats, and writes the pages of an export, so the main thread never stalls.

/** Writes records as JSON, one per line: NDJSON, or the lines of a JSON array. */
class JsonSink implements Sink {
  readonly needsValues = false;
  readonly #file: GrowingFile;
  readonly #shape: JsonShape;
  readonly #isArray: boolean;
  readonly #lines = new TextBuffer();

  constructor(file: GrowingFile, shape: JsonShape, { isArray }: { isArray: boolean }) {
    this.#file = file;
    this.#shape = shape;
    this.#isArray = isArray;
  }

  /** @throws AppError `bad_answer` for a line break inside a text */
  write(page: ScannedPage, records: readonly number[]): void {
    const lines = this.#lines;
    for (const record of records) {
      if (this.#isArray) lines.text(this.#file.length + lines.length === 0 ? '[\n' : ',\n');
      addJson(lines, page, record, this.#shape);
      if (!this.#isArray) lines.text('\n');
    }
    this.#file.append(lines.take());
  }

  // oxlint-disable-next-line require-yield -- nothing is left to do but the closing bracket
  *finish(): FinishSteps {
    if (this.#isArray) this.#file.append(this.#file.length === 0 ? '[]\n' : '\n]\n');
    return { columns: [] };
  }
}

interface CsvOptions extends Pick<WriterSpec, 'fields' | 'nullValues'> {
  readonly tree: PathTree;
  readonly zone: ZoneWriter | null;
  readonly form: CsvForm;
  readonly isTimeAndWellFirst: boolean;
  readonly headings: CsvHeadings;
}

/**
 * Writes records as CSV. The columns are the union over all records, known only at the end, so records are
 * spooled. As long as no record adds a column, the table is also written at once with the columns of the
 * first page, and is then complete at the end; a new column stops that, and the table is written from the
 * spool.
 */
class CsvSink implements Sink {
  readonly #file: GrowingFile;
  readonly #spool: Spool;
  readonly #options: CsvOptions;
  #columns: Columns;
  /** The table that is being written; null: not begun, or given up. */
  #table: { readonly paths: readonly string[]; readonly rows: CsvRows } | null = null;
  #checkedChanges = 0;
  readonly #lines = new TextBuffer();
  #isDirect: boolean;

  /**
   * @param existingColumns columns of the table in the file; null: none
   * @throws AppError `disk_full`, `file_unwritable`
   */
  constructor(files: SpooledFiles, options: CsvOptions, existingColumns: readonly string[] | null) {
    this.#file = files.file;
    this.#spool = files.spool;
    this.#options = options;
    this.#columns = new Columns(options.tree, options.fields, {
      existing: (existingColumns ?? []).map((path) => ({ path, kinds: 0 })),
      isTimeAndWellFirst: options.isTimeAndWellFirst,
    });
    this.#isDirect = existingColumns !== null || this.#spool.file.length === 0;
    if (existingColumns) this.#beginTable(existingColumns);
  }

  get needsValues(): boolean {
    return this.#isDirect;
  }

  /** @throws AppError `disk_full`, `file_unwritable` */
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

  marks(): TableOfMarks {
    return { columns: this.#table ? [...this.#table.paths] : null };
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

  #rows(page: ScannedPage, records: Iterable<number>): Uint8Array {
    for (const record of records) this.#table?.rows.add(this.#lines, page, record);
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
    const previous = this.#table?.paths;
    return previous?.length === paths.length && previous.every((path, at) => path === paths[at]);
  }

  #paths(): string[] {
    return this.#columns.inOrder().map(({ path }) => path);
  }
}

/** Interval of flushing to disk, in milliseconds. */
const flushIntervalMs = 1000;

/**
 * Writes the file of an export: the records of each page, after a reader has found them. It is synchronous and runs in
 * its own thread.
 */
export class ExportWriter {
  readonly #reader: PageReader;
  readonly #sink: Sink;
  /** Changes of records before they are written, in order. */
  readonly #edits: readonly Edit[];
  readonly #file: GrowingFile;
  /** Records of a format whose columns are known only after the last one; null: none. */
  readonly #spool: GrowingFile | null;
  readonly #seenIds: SeenIds;
  #rows: number;
  readonly #jobFolder: string;
  readonly #targetFolder: string;
  #flushedAt = elapsedMs();
  #finishSteps: FinishSteps | undefined;

  /** Opens the files and cuts them to the checkpoint. Calculated columns need a calculator. @throws AppError `disk_full`, `file_unwritable` */
  constructor(spec: WriterSpec, from: ProgressMarks | null, calculator?: typeof createCalculator) {
    const start = from ?? { rows: 0, ids: 0, marks: noMarks };
    const tree = createPathTree();
    this.#jobFolder = spec.folder;
    this.#targetFolder = dirname(spec.partial);
    this.#rows = start.rows;
    // It can be on another disk than the file that is written.
    const workName = `the working file of ${spec.name} in the data folder`;
    const inFolder = (name: string, length: number): GrowingFile =>
      new GrowingFile({ disk: realDisk, path: join(spec.folder, name), name: workName }, length);
    this.#seenIds = new SeenIds((length) => inFolder(idsFile.name, length), start.ids);
    this.#reader = new PageReader({ rule: spec.rule, tree, ids: this.#seenIds });
    this.#file = new GrowingFile(
      { disk: realDisk, path: spec.partial, name: spec.name, isHashed: true },
      start.marks.partial,
    );
    this.#edits = editsOf(spec, tree, calculator);
    const spool = spoolOf(spec.format);
    this.#spool = spool === null ? null : inFolder(spool, start.marks.spool);
    this.#sink = openSink(spec, { tree, file: this.#file, spool: this.#spool, marks: start.marks });
  }

  /**
   * Reads a page; its records are written next.
   * @throws AppError `bad_answer` when the content isn't an array of records
   */
  read(page: PageToRead): ReturnType<PageReader['read']> {
    return this.#reader.read(page, this.#sink.needsValues || this.#edits.length > 0);
  }

  /** Writes the records of the page that was read last. @throws AppError `disk_full`, `file_unwritable` */
  write(): WrittenRecords {
    this.#reader.use(({ page, records }) => this.#writeRecords(page, records));
    const lengths = { partial: this.#file.length, spool: this.#spool?.length ?? 0 };
    const marks = { ...lengths, columns: null, ...this.#sink.marks?.() };
    return { rows: this.#rows, ids: this.#seenIds.count, marks, durable: this.#flushRegularly() };
  }

  /**
   * Flushes everything so far to disk, the names of the files too: the last checkpoint is durable then.
   * @throws AppError `disk_full`, `file_unwritable`
   */
  flush(): void {
    this.#flushedAt = elapsedMs();
    this.#file.checkExists();
    this.#spool?.sync();
    // A table is written to it at the end.
    if (this.#file.length > 0) this.#file.sync();
    this.#seenIds.sync();
    this.#flushFolders(new Set([this.#jobFolder, this.#targetFolder]));
  }

  /** Begins the spool again, after its records were written elsewhere. @throws AppError `file_unwritable` */
  restartSpool(): void {
    this.#spool?.cutTo(0);
  }

  /**
   * Does one step of finishing the file.
   * @returns the finished file; null: more steps follow
   * @throws AppError `disk_full`, `file_unwritable`
   */
  finishStep(): FinishedFile | null {
    this.#finishSteps ??= this.#sink.finish?.();
    if (!this.#finishSteps) throw new Error('the engine of tables finishes this file');
    const { done, value } = this.#finishSteps.next();
    if (!done) {
      this.#flushRegularly();
      return null;
    }
    this.flush();
    return {
      bytes: this.#file.length,
      sha256: this.#file.sha256(),
      columns: [...value.columns],
      warnings: [...(value.warnings ?? [])],
    };
  }

  close(): void {
    this.#file.close();
    this.#spool?.close();
    this.#seenIds.close();
  }

  /** Writes records as the export changes them. Pages are cut by the values as stored. */
  #writeRecords(page: ScannedPage, records: readonly number[], at = 0): void {
    if (at === 0) this.#rows += records.length;
    const edit = this.#edits[at];
    if (!edit) {
      this.#sink.write(page, records);
      return;
    }
    const edited = edit.scanner.scanArray(edit.write(page, records));
    this.#writeRecords(edited, [...Array(edited.count).keys()], at + 1);
    edit.scanner.release(edited);
  }

  #flushFolders(folders: Iterable<string>): void {
    try {
      for (const folder of folders) flushFolderSync(folder);
    } catch (error) {
      throw writeError(error, this.#file.name, this.#file.length);
    }
  }

  /** Flushes if the last flush was long ago. @returns whether it flushed */
  #flushRegularly(): boolean {
    if (elapsedMs() - this.#flushedAt < flushIntervalMs) return false;
    this.flush();
    return true;
  }
}

/** A change of records: a function that writes them as JSON, and the scanner of what it writes. */
interface Edit {
  readonly write: (page: ScannedPage, records: readonly number[]) => Uint8Array;
  readonly scanner: RecordScanner;
}

/** Columns are calculated of values as they are stored. */
function editsOf(
  { wellNames, calculation, unitChanges = {} }: WriterSpec,
  tree: PathTree,
  calculator: typeof createCalculator | undefined,
): Edit[] {
  if (calculation && !calculator) throw new Error('calculated columns need a calculator');
  const writers = [
    ...(wellNames ? [createWellNamer(wellNames, tree)] : []),
    ...(calculation && calculator ? [calculator(calculation, tree)] : []),
    ...(Object.keys(unitChanges).length > 0 ? [createUnitConverter(unitChanges, tree)] : []),
  ];
  return writers.map((write) => ({ write, scanner: new RecordScanner({ tree, keyField: null }) }));
}

interface SinkFiles {
  readonly tree: PathTree;
  readonly file: GrowingFile;
  readonly spool: GrowingFile | null;
  readonly marks: Marks;
}

function openSink(spec: WriterSpec, { tree, file, spool, marks }: SinkFiles): Sink {
  const { format, places = null, layout, fields, timeZone, timeColumns } = spec;
  const style = format === 'csv' ? layout.times : 'iso';
  const zone = timeZone === null ? null : createZoneWriter(timeZone, { style, columns: timeColumns });
  if (!spool) {
    const shape = { omittedFields: new Set(spec.omittedFields), zone };
    return new JsonSink(file, shape, { isArray: format === 'json' });
  }
  if (format === 'parquet') return new TableSink(spool, { tree, fields, places, marks: marks.table ?? null });
  const files = { file, spool: new Spool(spool) };
  if (format === 'las') return spooledSink(files.spool, () => writeLas(files, spec));
  if (format === 'xlsx') return spooledSink(files.spool, () => writeXlsx(files, spec));
  const options = {
    tree,
    fields,
    zone,
    form: csvForm(spec.csv),
    nullValues: spec.nullValues,
    isTimeAndWellFirst: layout.timeAndWellFirst,
    headings: csvHeadings(layout, timeZone, timeColumns),
  };
  return new CsvSink(files, options, marks.columns);
}

/** An {@link ExportWriter} as calls of a thread; all but `open` and `close` need one that is open. */
export function createExportCalls() {
  let writer: ExportWriter | null = null;

  function openWriter(): ExportWriter {
    if (!writer) throw new Error('the export is not open');
    return writer;
  }

  function close(): void {
    writer?.close();
    writer = null;
  }

  return {
    /** Opens the files of an export, cut to a checkpoint. @throws AppError `disk_full`, `file_unwritable` */
    async open({ spec, from }: { readonly spec: WriterSpec; readonly from: ProgressMarks | null }) {
      close();
      // Loaded on use: few exports calculate columns.
      const calculator = spec.calculation && (await import('../records/calculator.ts')).createCalculator;
      writer = new ExportWriter(spec, from, calculator);
    },
    read: (page: PageToRead) => openWriter().read(page),
    write: (): WrittenRecords => openWriter().write(),
    flush: (): void => openWriter().flush(),
    restartSpool: (): void => openWriter().restartSpool(),
    finishStep: (): FinishedFile | null => openWriter().finishStep(),
    close,
  };
}
export type ExportCalls = ReturnType<typeof createExportCalls>;

serveUses(createExportCalls, appErrorFrom);
