import type { GrowingFile } from '../files/growing-file.ts';
import type { ScannedPage } from '../records/scanned-page.ts';
import type { FinishSteps, Marks, Sink } from './sink.ts';
import type { Spool } from './record-spool.ts';

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
