import { serveUses } from '../../world/threads.ts';
import { appErrorFrom, writeError } from '../files/file-errors.ts';
import { type PageOutcome, type PageToRead, PageReader, type Batch } from '../reading/pages.ts';
import {
  type FinishedFile,
  type ProgressMarks,
  type WriterSpec,
  type WrittenRecords,
  rowsName,
  spoolName,
} from './spec.ts';
import { dirname, join } from 'node:path';
import { createPathTree, type PathTree } from '../records/path-tree.ts';
import { RecordScanner } from '../records/scan.ts';
import { GrowingFile, realDisk, type Disk } from '../files/growing-file.ts';
import { flushFolderSync } from '../files/flush.ts';
import { idsName, SeenIds } from './seen-ids.ts';
import { noMarks, type FinishSteps, type Sink, type Marks } from './sink.ts';
import { csvForm } from '../records/csv.ts';
import { csvHeadings } from '../records/csv-headings.ts';
import { createWellNamer } from '../records/well-names.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { createCalculator } from '../records/calculator.ts';
import type { ScannedPage } from '../records/scanned-page.ts';
import { createUnitConverter } from '../records/unit-changes.ts';
import { createZoneWriter } from '../records/zone.ts';
import { CsvSink } from './csv-sink.ts';
import { JsonSink } from './json-sink.ts';
import { writeLas } from './las-file.ts';
import { Spool } from './record-spool.ts';
import { SpooledSink } from './spooled-sink.ts';
import { TableSink } from './table-sink.ts';
import { writeXlsx } from './xlsx-file.ts';
import { elapsedMs } from '../../world/time.ts';

// The thread that parses, formats, and writes the pages of an export, so the main thread never stalls.

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
  readonly #seenIds: SeenIds;
  #rows: number;
  readonly #jobFolder: string;
  readonly #targetFolder: string;
  #flushedAt = elapsedMs();
  #finishSteps: FinishSteps | undefined;

  /** Opens the files and cuts them to the checkpoint. @throws AppError `disk_full`, `file_unwritable` */
  constructor(spec: WriterSpec, from: ProgressMarks | null, disk: Disk = realDisk) {
    const start = from ?? { rows: 0, ids: 0, marks: noMarks };
    const tree = createPathTree();
    this.#jobFolder = spec.folder;
    this.#targetFolder = dirname(spec.partial);
    this.#rows = start.rows;
    // It can be on another disk than the file that is written.
    const workName = `the working file of ${spec.name} in the data folder`;
    const inFolder = (name: string, length: number): GrowingFile =>
      new GrowingFile({ disk, path: join(spec.folder, name), name: workName }, length);
    this.#seenIds = new SeenIds((length) => inFolder(idsName, length), start.ids);
    const edit = spec.wellNames && createWellNamer(spec.wellNames);
    this.#reader = new PageReader({ rule: spec.rule, tree, ids: this.#seenIds, edit });
    this.#file = new GrowingFile(
      { disk, path: spec.partial, name: spec.name, isHashed: true },
      start.marks.partial,
    );
    this.#edits = editsOf(spec, tree);
    this.#sink = openSink(spec, { tree, file: this.#file, marks: start.marks, inFolder });
  }

  /**
   * Reads a page; its records are written next.
   * @throws AppError `bad_answer` when the content isn't an array of records
   */
  read(page: PageToRead): PageOutcome {
    return this.#reader.read(page, this.#sink.needsValues || this.#edits.length > 0);
  }

  /** Writes the records of the page that was read last. @throws AppError `disk_full`, `file_unwritable` */
  write(): WrittenRecords {
    this.#reader.use((batch) => this.#writeRecords(batch));
    const marks = { rows: this.#rows, ids: this.#seenIds.count, marks: this.#sink.marks() };
    return { ...marks, durable: this.#flushRegularly() };
  }

  /**
   * Flushes everything so far to disk, the names of the files too: the last checkpoint is durable then.
   * @throws AppError `disk_full`, `file_unwritable`
   */
  flush(): void {
    this.#flushedAt = elapsedMs();
    this.#file.checkExists();
    this.#sink.sync();
    this.#seenIds.sync();
    this.#flushFolders(new Set([this.#jobFolder, this.#targetFolder]));
  }

  /** Begins the spool again, after its records were written elsewhere. @throws AppError `file_unwritable` */
  restartSpool(): void {
    this.#sink.restart?.();
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
    if (!done) return null;
    this.flush();
    return {
      bytes: this.#file.length,
      sha256: this.#file.sha256(),
      columns: [...value.columns],
      warnings: [...(value.warnings ?? [])],
    };
  }

  close(): void {
    this.#sink.close();
    this.#seenIds.close();
  }

  /** Writes records as the export changes them. Pages are cut by the values as stored. */
  #writeRecords(batch: Batch, at = 0): void {
    const { page, records } = batch;
    if (at === 0) this.#rows += records.length;
    const edit = this.#edits[at];
    if (!edit) {
      this.#sink.write(page, records);
      return;
    }
    const edited = edit.scanner.scanArray(edit.write(page, records));
    this.#writeRecords({ page: edited, records: [...Array(edited.count).keys()] }, at + 1);
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
function editsOf({ calculation, unitChanges = {} }: WriterSpec, tree: PathTree): Edit[] {
  const writers = [
    ...(calculation ? [createCalculator(calculation, tree)] : []),
    ...(Object.keys(unitChanges).length > 0 ? [createUnitConverter(unitChanges, tree)] : []),
  ];
  return writers.map((write) => ({ write, scanner: new RecordScanner({ tree, keyField: null }) }));
}

interface SinkFiles {
  readonly tree: PathTree;
  readonly file: GrowingFile;
  /** The lengths of the files. */
  readonly marks: Marks;
  readonly inFolder: (name: string, length: number) => GrowingFile;
}

function openSink(
  {
    format,
    places,
    csv,
    layout,
    nullValues,
    about,
    fields,
    timeZone,
    timeColumns,
    omittedFields,
    calculation,
  }: WriterSpec,
  { tree, file, marks, inFolder }: SinkFiles,
): Sink {
  const style = format === 'csv' ? layout.times : 'iso';
  const zone = timeZone === null ? null : createZoneWriter(timeZone, { style, columns: timeColumns });
  if (format === 'ndjson' || format === 'json') {
    return new JsonSink(
      file,
      { omittedFields: new Set(omittedFields), zone },
      { isArray: format === 'json' },
    );
  }
  if (format === 'parquet')
    return new TableSink(inFolder(rowsName, marks.spool), {
      tree,
      fields,
      places: places ?? null,
      marks: marks.table ?? null,
    });
  const files = { file, spool: new Spool(inFolder(spoolName, marks.spool)) };
  switch (format) {
    case 'las': {
      const calculated = calculation?.columns.map(({ name }) => pathId([name])) ?? [];
      return new SpooledSink(files, () => writeLas(files, { fields, calculated, about, nullValues }));
    }
    case 'xlsx':
      return new SpooledSink(files, () =>
        writeXlsx(files, { fields, about, layout, timeColumns, nullValues }),
      );
    case 'csv': {
      const form = csvForm(csv);
      const headings = csvHeadings(layout, timeZone, timeColumns);
      const { timeAndWellFirst: isTimeAndWellFirst } = layout;
      const options = { tree, fields, zone, form, nullValues, isTimeAndWellFirst, headings };
      return new CsvSink(files, options, marks.columns);
    }
  }
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
    open({ spec, from }: { readonly spec: WriterSpec; readonly from: ProgressMarks | null }): void {
      close();
      writer = new ExportWriter(spec, from);
    },
    read: (page: PageToRead): PageOutcome => openWriter().read(page),
    write: (): WrittenRecords => openWriter().write(),
    flush: (): void => openWriter().flush(),
    restartSpool: (): void => openWriter().restartSpool(),
    finishStep: (): FinishedFile | null => openWriter().finishStep(),
    close,
  };
}
export type ExportCalls = ReturnType<typeof createExportCalls>;

serveUses(createExportCalls, appErrorFrom);
