import { join } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import type { ColumnNames } from '../../../shared/export/export.ts';
import type { StartTableEngine } from '../duckdb/duckdb.ts';
import { sizeOf } from '../files/output-file.ts';
import { openPageThread, transferable } from '../processes/page-thread.ts';
import { type ReadInThread, idsFile } from '../reading/reading.ts';
import type { ExportCalls } from './export-worker.ts';
import { columnsBefore, type FolderTarget } from './folder/table-state.ts';
import { updateTable, type UpdatedTable } from './folder/update-table.ts';
import { writeSlice } from './parquet/folder-rows.ts';
import { tablesName, writeTable } from './parquet/write-table.ts';
import {
  rowsName,
  slicesName,
  spoolBytesOf,
  spoolName,
  spoolOf,
  type Checkpoint,
  type Slice,
  type FinishedFile,
  type ProgressMarks,
  type WriterSpec,
  type WrittenRecords,
} from './spec.ts';
import { noMarks, noTable, type TableMarks } from './sink.ts';
import { rm } from '../../world/files.ts';

interface RecordWriterOptions {
  /** Null: the format isn't a table. */
  readonly startTables: StartTableEngine | null;
  readonly signal: AbortSignal | undefined;
  readonly columnNames: ColumnNames;
  /** The folder whose table gets the rows; absent: they become one file. */
  readonly folder?: FolderTarget | undefined;
}

/** Which rows of a folder are written, without what the thread doesn't need to know of it. */
const rowPlaces = (target: FolderTarget): WriterSpec['places'] => {
  const { partition, maxTimeMs, cutMs, replaced } = target;
  return { partition, maxTimeMs, cutMs, replaced, columns: columnsBefore(target) };
};

/** What was finished: a file, or the table of a folder. */
export type Finished = FinishedFile | UpdatedTable;

/** What was written before the end. */
export interface Spooled {
  /** Null: no records. */
  readonly marks: ProgressMarks | null;
  readonly slices?: readonly Slice[];
}

/**
 * Writes records to a file or a folder: a thread for their pages, and the engine that makes a table of their rows. Both
 * start at once, because the first page is on its way.
 */
export class RecordWriter {
  readonly #options: RecordWriterOptions;
  readonly #thread = openPageThread<ExportCalls>('export');
  readonly #tables: { readonly engine: ReturnType<StartTableEngine>; readonly loaded: Promise<void> } | null;
  #spec: WriterSpec | null = null;

  constructor(options: RecordWriterOptions) {
    this.#options = options;
    this.#thread.start();
    const engine = options.startTables?.(options.signal) ?? null;
    this.#tables = engine && { engine, loaded: engine.load() };
    // Awaited with the first page; without a listener an earlier rejection would be unhandled.
    this.#tables?.loaded.catch(() => undefined);
  }

  /** Opens the files, cut to a checkpoint. @throws AppError `disk_full`, `file_unwritable`, `sql_unavailable` */
  async open(spec: WriterSpec, from: ProgressMarks | null): Promise<void> {
    await this.#tables?.loaded;
    this.#spec = spec;
    const { folder } = this.#options;
    await this.#thread.calls.open({ spec: { ...spec, places: folder && rowPlaces(folder) }, from });
  }

  /** Reads a page in the thread. @throws AppError `bad_answer` */
  readonly read: ReadInThread = (page, options) => this.#thread.calls.read(page, options);

  /** Writes the records of the page that was read last. @throws AppError `disk_full`, `file_unwritable` */
  write(): Promise<WrittenRecords> {
    return this.#thread.calls.write();
  }

  /**
   * Writes a response with all records, duplicate ids included.
   * @param content its memory moves to the thread
   * @throws AppError `bad_answer`, `disk_full`, `file_unwritable`
   */
  async writeWhole(content: Uint8Array<ArrayBuffer>): Promise<WrittenRecords> {
    const origin = { overlaps: false, endsBelow: 0 };
    await this.read({ at: { at: 'whole' }, content, origin }, { transfer: transferable(content) });
    return this.write();
  }

  /** Makes everything so far durable. @throws AppError `disk_full`, `file_unwritable` */
  flush(): Promise<void> {
    return this.#thread.calls.flush();
  }

  /**
   * Writes the spooled rows as a slice; the spool begins again with `restartSpool`.
   * @throws AppError `disk_full`, `file_unwritable`, `cancelled`
   */
  async writeSlice(table: TableMarks, slices: readonly Slice[]): Promise<Slice> {
    const { folder, name } = this.#opened();
    if (!this.#tables) throw new Error('only tables have slices');
    await this.flush();
    return writeSlice(this.#tables.engine, { folder, name, table, slices });
  }

  /** Begins the spool again, once the journal has its slice. @throws AppError `file_unwritable` */
  restartSpool(): Promise<void> {
    return this.#thread.calls.restartSpool();
  }

  /**
   * Completes the file, or the files of the folder.
   * @throws AppError `disk_full`, `file_unwritable`, `file_unreadable` for an earlier file, `cancelled`
   */
  async finish(spooled: Spooled): Promise<Finished> {
    if (!this.#tables) return this.#finishFile();
    await this.flush();
    await this.#thread.calls.close();
    // The engine needs the memory.
    this.#thread.close();
    const { engine } = this.#tables;
    const { columnNames: names, folder: target } = this.#options;
    const spec = this.#opened();
    const { slices = [] } = spooled;
    const { rows, marks } = spooled.marks ?? { rows: 0, marks: noMarks };
    if (!target) return writeTable(engine, spec, names, { rows, marks });
    const { folder, name, fields, about } = spec;
    const table = marks.table ?? { ...noTable, columns: columnsBefore(target) };
    const rowBytes = (spoolBytesOf(slices) + marks.spool) / Math.max(1, rows);
    const written = { folder, name, table, slices };
    return updateTable(engine, { rows: written, target, fields, names, about, rowBytes });
  }

  /** Closes the files, and ends the thread and the engine. */
  async close(): Promise<void> {
    await this.#thread.calls.close().catch(() => undefined);
    this.#thread.close();
    await this.#tables?.engine.close();
  }

  /** In steps, so that a cancel needn't wait for all of it. */
  async #finishFile(): Promise<FinishedFile> {
    for (;;) {
      if (this.#options.signal?.aborted) throw new AppError('cancelled', {});
      const file = await this.#thread.calls.finishStep();
      if (file) return file;
    }
  }

  #opened(): WriterSpec {
    if (!this.#spec) throw new Error('the writer is not open');
    return this.#spec;
  }
}

/** Removes the files of an unfinished export. Those that can't be removed now go with the job's folder. */
export async function removeSpools(folder: string): Promise<void> {
  for (const name of [spoolName, rowsName, idsFile.name, slicesName, tablesName])
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}

/**
 * The last durable checkpoint. A table whose partial file is shorter is rebuilt from the spool.
 * @returns null if everything must be read again: nothing is durable, or somebody changed or removed the files
 * @throws AppError `file_unwritable`
 */
export async function durableCheckpoint(
  { checkpoints, slices }: { readonly checkpoints: readonly Checkpoint[]; readonly slices: readonly Slice[] },
  { format, folder, partial }: Pick<WriterSpec, 'format' | 'folder' | 'partial'>,
): Promise<Checkpoint | null> {
  const size = async (path: string): Promise<number> => (await sizeOf(path)) ?? 0;
  for (const slice of slices)
    if ((await size(join(folder, slicesName, slice.file))) !== slice.bytes) return null;
  const ids = (await size(join(folder, idsFile.name))) / idsFile.idBytes;
  const spoolFile = spoolOf(format);
  const spool = spoolFile === null ? 0 : await size(join(folder, spoolFile));
  const file = await size(partial);
  const last = checkpoints.findLast(({ durable }) => durable);
  if (!last || last.ids > ids || last.marks.spool > spool) return null;
  if (last.marks.partial <= file) return last;
  return spoolFile === null ? null : { ...last, marks: { ...last.marks, partial: 0, columns: null } };
}
