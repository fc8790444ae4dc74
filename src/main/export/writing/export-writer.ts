import { join } from 'node:path';
import { atEnd, type Cursor, type Readable } from '../../paging/cursor.ts';
import { idKey } from '../../paging/id-set.ts';
import {
  createPathTree,
  idOf,
  keyOf,
  RecordScanner,
  type ScannedPage,
  type PathTree,
} from '../records/scan.ts';
import type { PageKeys, PageOrigin, Step } from '../../paging/rule.ts';
import { advanceRun } from '../../paging/runs.ts';
import { advanceWindow } from '../../paging/windows.ts';
import { GrowingFile, realDisk, type Disk } from './growing-file.ts';
import { idsName, SeenIds } from './seen-ids.ts';
import { noMarks, type Finishing, type Sink, type Marks } from './sink.ts';
import type { AnswerOrigin, FinishStep, PageOutcome, ProgressMarks, WriterSpec } from './spec.ts';
import { csvForm } from '../records/csv.ts';
import { createZoneWriter } from '../records/zone.ts';
import { CsvSink } from './csv-sink.ts';
import { JsonSink } from './json-sink.ts';
import { ParquetSink } from './parquet-sink.ts';
import { Spool } from './spool.ts';

/** How often everything written is flushed to the disk, in milliseconds. */
const syncEvery = 1000;

/**
 * Makes a file of pages: reads each page, works out the next cursor, and writes the page's records. It works
 * synchronously, in a thread of its own.
 */
export class ExportWriter {
  readonly #rule: WriterSpec['rule'];
  readonly #scanner: RecordScanner;
  readonly #sink: Sink;
  readonly #file: GrowingFile;
  readonly #seen: SeenIds;
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
   * Reads a page and writes its records. Nothing of it is written when it is detached, or when windows can't be trusted.
   * @throws AppError bad_answer when the content is not an array of records; disk_full, file_unwritable
   */
  write(at: Readable, content: string | Uint8Array, { overlaps, endsBelow }: AnswerOrigin): PageOutcome {
    this.#scanner.leaves = this.#sink.needsValues;
    const page = this.#scanner.scanArray(content);
    try {
      const origin = { overlaps, isLast: page.count < endsBelow };
      const step = this.#advance(at, page, origin);
      if (!('emit' in step)) return step;
      const { emit, next, passed = 0 } = step;
      if (emit.length > 0) this.#sink.write(page, emit);
      if (at.at === 'run') this.#seen.append(emit.map((record) => idKey(idOf(page, record))));
      this.#rows += emit.length;
      const marks = { rows: this.#rows, ids: this.#seen.written, marks: this.#sink.marks() };
      return {
        checkpoint: { ...marks, cursor: next },
        durable: this.#sync(),
        added: emit.length,
        records: page.count,
        passed,
      };
    } finally {
      this.#release(page);
    }
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

  /** What a page leads to: the records to write, in order, and the next cursor; or why windows can't be trusted. */
  #advance(at: Readable, page: ScannedPage, origin: PageOrigin): Step<Cursor> {
    if (at.at === 'whole') return { emit: [...Array(page.count).keys()], next: atEnd };
    const keys = keysOf(page);
    if (at.at === 'run') return advanceRun(this.#rule, at, keys, this.#seen.of(at), origin);
    if (this.#rule === null) return { giveUp: 'there is no field to cut windows by' };
    return advanceWindow(this.#rule, at, keys, { ids: this.#seen.written, ...origin });
  }

  /** Frees the memory of a page at once: left to the collector, that of dozens would add up. */
  #release(page: ScannedPage): void {
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

const keysOf = (page: ScannedPage): PageKeys => ({
  count: page.count,
  id: (record) => idOf(page, record),
  value: (record) => keyOf(page, record),
});

export const spoolName = 'spool.ndjson';

interface SinkFiles {
  readonly tree: PathTree;
  readonly file: GrowingFile;
  /** How far the files go. */
  readonly marks: Marks;
  readonly inFolder: (name: string, length: number) => GrowingFile;
}

function openSink(
  { format, csv, fields, timeZone, without }: WriterSpec,
  { tree, file, marks, inFolder }: SinkFiles,
): Sink {
  const zone = timeZone === null ? null : createZoneWriter(timeZone);
  if (format === 'ndjson' || format === 'json') {
    return new JsonSink(file, { without: new Set(without), zone }, { array: format === 'json' });
  }
  const spool = new Spool(inFolder(spoolName, marks.spool));
  return format === 'parquet'
    ? new ParquetSink({ file, spool }, { fields, zone })
    : new CsvSink({ file, spool }, { tree, fields, zone, form: csvForm(csv) }, marks.columns);
}
