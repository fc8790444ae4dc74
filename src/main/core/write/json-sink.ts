import { addJson, type JsonShape } from '../records/json-lines.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import type { ScannedPage } from '../records/scanned-page.ts';
import type { GrowingFile } from '../files/growing-file.ts';
import type { FinishSteps, Marks, Sink } from './sink.ts';

/** Writes records as JSON, one per line: NDJSON, or the lines of a JSON array. */
export class JsonSink implements Sink {
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

  /** Writes records of a page. @throws AppError `bad_answer` for a line break inside a text */
  write(page: ScannedPage, records: readonly number[]): void {
    const lines = this.#lines;
    for (const record of records) {
      if (this.#isArray) lines.text(this.#file.length + lines.length === 0 ? '[\n' : ',\n');
      addJson(lines, page, record, this.#shape);
      if (!this.#isArray) lines.text('\n');
    }
    this.#file.append(lines.take());
  }

  marks(): Marks {
    return { partial: this.#file.length, spool: 0, columns: null };
  }

  sync(): void {
    this.#file.sync();
  }

  // oxlint-disable-next-line require-yield -- nothing is left to do but the closing bracket
  *finish(): FinishSteps {
    if (this.#isArray) this.#file.append(this.#file.length === 0 ? '[]\n' : '\n]\n');
    return { columns: [] };
  }

  close(): void {
    this.#file.close();
  }
}
