import type { PathTree } from '../records/path-tree.ts';
import { RecordScanner, type ScannedPage } from '../records/scan.ts';
import { addJson, verbatim } from '../records/json-lines.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import type { GrowingFile } from '../files/growing-file.ts';
import type { FinishSteps, Marks, Sink } from './sink.ts';

const newline = 10;
/** Size of reads, in bytes. */
const blockBytes = 1024 * 1024;

/** All records as NDJSON, for formats whose columns are known only after the last record. */
export class Spool {
  readonly file: GrowingFile;
  readonly #lines = new TextBuffer();

  constructor(file: GrowingFile) {
    this.file = file;
  }

  /** Appends records of a page. @throws AppError `bad_answer` for a line break inside a text */
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

/** Spools the records of a format whose columns are known only after the last one; the file is written at the end. */
export class SpooledSink implements Sink {
  readonly needsValues = false;
  readonly #files: SpooledFiles;
  readonly #finish: () => FinishSteps;

  /** @param finish writes the file from the spool */
  constructor(files: SpooledFiles, finish: () => FinishSteps) {
    this.#files = files;
    this.#finish = finish;
  }

  write(page: ScannedPage, records: readonly number[]): void {
    this.#files.spool.append(page, records);
  }

  finish(): FinishSteps {
    return this.#finish();
  }

  marks(): Marks {
    return { partial: 0, spool: this.#files.spool.file.length, columns: null };
  }

  sync(): void {
    this.#files.spool.file.sync();
    this.#files.file.sync();
  }

  close(): void {
    this.#files.file.close();
    this.#files.spool.file.close();
  }
}
