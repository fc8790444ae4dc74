import type { GrowingFile } from '../../files/growing-file.ts';
import type { ScannedPage } from '../records/scan.ts';
import type { Slice } from '../folder/slice.ts';
import type { FinishProgress, Marks, Sink } from './sink.ts';
import type { Spool } from './spool.ts';

export interface SpooledFiles {
  readonly file: GrowingFile;
  readonly spool: Spool;
}

/** Spools the records of a format whose columns are known only after the last one; the file is written at the end. */
export class SpooledSink implements Sink {
  readonly needsValues = false;
  readonly #files: SpooledFiles;
  readonly #finish: Sink['finish'];
  readonly #cut: Sink['cut'];
  #isCut = false;

  /**
   * @param finish writes the file from the spool
   * @param cut divides the records of the spool; absent: they stay there until the end
   */
  constructor(files: SpooledFiles, finish: Sink['finish'], cut?: Sink['cut']) {
    this.#files = files;
    this.#finish = finish;
    this.#cut = cut;
  }

  write(page: ScannedPage, records: readonly number[]): void {
    this.#emptyAfterCut();
    this.#files.spool.append(page, records);
  }

  /** Divides the records of the spool. @throws Error for a format that needs all of them */
  async *cut(): AsyncGenerator<FinishProgress, Slice> {
    if (!this.#cut) throw new Error('these records can’t be divided');
    const slice = yield* this.#cut();
    this.#isCut = true;
    return slice;
  }

  finish(): ReturnType<Sink['finish']> {
    this.#emptyAfterCut();
    return this.#finish();
  }

  /** Until the pieces are in the journal, a resume needs the spool. */
  #emptyAfterCut(): void {
    if (this.#isCut) this.#files.spool.file.cutTo(0);
    this.#isCut = false;
  }

  marks(): Marks {
    return { partial: 0, spool: this.#isCut ? 0 : this.#files.spool.file.length, columns: null };
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
