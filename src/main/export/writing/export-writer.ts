import { join } from 'node:path';
import { atEnd, type Cursor, type Readable } from '../paging/cursor.ts';
import { idKey } from '../paging/id-set.ts';
import { createPathTree } from '../records/paths.ts';
import { idOf, keyOf, RecordScanner, type ScannedPage } from '../records/scan.ts';
import { advance } from '../paging/advance.ts';
import type { Step } from '../paging/rule.ts';
import { GrowingFile, realDisk, type Disk } from './growing-file.ts';
import { openSink } from './open-sink.ts';
import { idsName, SeenIds } from './seen-ids.ts';
import { noMarks, type Finishing, type Sink } from './sink.ts';
import type { FinishStep, ProgressMarks, Taken, WriterSpec, Written } from './spec.ts';

interface Pending {
  readonly page: ScannedPage;
  readonly emit: readonly number[];
  readonly next: Cursor;
  readonly inRun: boolean;
}

/** How often everything written is flushed to the disk, in milliseconds. */
const syncEvery = 1000;

/**
 * Makes a file of pages: reads each page, tells where the next one is, and writes its records. It works without
 * waiting for anything, in a thread of its own.
 */
export class ExportWriter {
  readonly #rule: WriterSpec['rule'];
  readonly #scanner: RecordScanner;
  readonly #sink: Sink;
  readonly #file: GrowingFile;
  readonly #seen: SeenIds;
  readonly #pending = new Map<number, Pending>();
  #pages = 0;
  #rows: number;
  #synced = performance.now();
  #finishing: Generator<Finishing, readonly string[]> | null = null;

  /**
   * Opens the files and cuts them to the checkpoint.
   * @throws AppError disk_full, file_unwritable
   */
  constructor(spec: WriterSpec, from: ProgressMarks | null, disk: Disk = realDisk) {
    const start = from ?? { rows: 0, ids: 0, marks: noMarks };
    const tree = createPathTree();
    this.#rule = spec.rule;
    this.#rows = start.rows;
    this.#scanner = new RecordScanner({ tree, keyField: spec.rule?.field ?? null });
    const inFolder = (name: string, length: number): GrowingFile =>
      new GrowingFile({ disk, path: join(spec.folder, name), name: spec.name }, length);
    this.#seen = new SeenIds((length) => inFolder(idsName, length), start.ids);
    this.#file = new GrowingFile(
      { disk, path: spec.partial, name: spec.name, hashed: true },
      start.marks.partial,
    );
    this.#sink = openSink(spec, { tree, file: this.#file, marks: start.marks, inFolder });
  }

  /**
   * Reads a page and decides what it leads to; its records wait until they are written.
   * @param seam the value at which another band takes over; null: none does
   * @throws AppError bad_answer when the content is not an array of records
   */
  take(at: Readable, content: string | Uint8Array, seam: string | null = null): Taken {
    this.#scanner.leaves = this.#sink.needsValues;
    const page = this.#scanner.scanArray(content);
    const keys = {
      count: page.count,
      id: (record: number) => idOf(page, record),
      value: (record: number) => keyOf(page, record),
    };
    const step = at.at === 'whole' ? allOf(page) : advance(this.#rule, at, keys, this.#seen, seam);
    if ('giveUp' in step) return step;
    const inRun = at.at === 'run';
    if (inRun) this.#seen.expect(step.emit.length);
    this.#pages += 1;
    this.#pending.set(this.#pages, { page, emit: step.emit, next: step.next, inRun });
    return {
      page: this.#pages,
      rows: step.emit.length,
      records: page.count,
      next: step.next,
      met: step.met ?? null,
      begins: at.at === 'window' ? beginning(page) : null,
    };
  }

  /** Forgets a page that was taken and will not be written. */
  drop(number: number): null {
    const pending = this.#pending.get(number);
    if (pending) this.#letGo(number, pending);
    return null;
  }

  /** Writes the records of a page. Those of a run are written in the order they were taken. @throws AppError disk_full, file_unwritable */
  write(number: number): Written {
    const pending = this.#pending.get(number);
    if (!pending) throw new Error(`page ${number} is not waiting`);
    const { page, emit, next, inRun } = pending;
    if (emit.length > 0) this.#sink.write(page, emit);
    if (inRun) this.#seen.append(emit.map((record) => idKey(idOf(page, record))));
    this.#rows += emit.length;
    this.#letGo(number, pending);
    return {
      cursor: next,
      rows: this.#rows,
      ids: this.#seen.written,
      marks: this.#sink.marks(),
      durable: this.#sync(),
    };
  }

  /** Goes a step further with what can only be done when all records are there. The last step tells of the file. */
  finishMore(): FinishStep {
    this.#finishing ??= this.#sink.finish();
    const { done, value } = this.#finishing.next();
    if (!done) return value;
    this.#sink.sync();
    return { bytes: this.#file.length, sha256: this.#file.sha256(), columns: [...value] };
  }

  close(): void {
    this.#sink.close();
    this.#seen.close();
  }

  /** Gives the memory of a page back at once: left to the collector, dozens of them would lie about. */
  #letGo(number: number, { page }: Pending): void {
    this.#pending.delete(number);
    this.#scanner.release(page);
    const { buffer, byteLength } = page.bytes;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  }

  #sync(): boolean {
    const now = performance.now();
    if (now - this.#synced < syncEvery) return false;
    this.#synced = now;
    this.#file.checkIsThere();
    this.#sink.sync();
    this.#seen.sync();
    return true;
  }
}

const allOf = ({ count }: ScannedPage): Step<Cursor> => ({
  emit: Array.from({ length: count }, (_, record) => record),
  next: atEnd,
});

/** More ids than these are not looked at: a value that fills pages joins no bands. */
const mostIds = 200;

/** A page's first value, and the ids of its records. */
function beginning(page: ScannedPage): { value: string | null; ids: string[] } | null {
  if (page.count === 0) return null;
  const value = keyOf(page, 0);
  const ids: string[] = [];
  for (let record = 0; record < Math.min(page.count, mostIds) && keyOf(page, record) === value; record += 1) {
    const id = idOf(page, record);
    if (id !== null) ids.push(id);
  }
  return { value, ids };
}
