import { jsonLine, type JsonShape } from '../records/json-lines.ts';
import type { ScannedPage } from '../records/scan.ts';
import type { GrowingFile } from './growing-file.ts';
import type { Finishing, Marks, Sink } from './sink.ts';

/** Writes records as JSON, one on each line: NDJSON, or the lines of one JSON array. */
export class JsonSink implements Sink {
  readonly needsValues = false;
  readonly #file: GrowingFile;
  readonly #shape: JsonShape;
  readonly #array: boolean;

  constructor(file: GrowingFile, shape: JsonShape, { array }: { array: boolean }) {
    this.#file = file;
    this.#shape = shape;
    this.#array = array;
  }

  write(page: ScannedPage, records: readonly number[]): void {
    let text = '';
    for (const record of records) {
      const before = !this.#array ? '' : this.#file.length === 0 && text === '' ? '[\n' : ',\n';
      text += before + jsonLine(page, record, this.#shape) + (this.#array ? '' : '\n');
    }
    this.#file.append(text);
  }

  marks(): Marks {
    return { partial: this.#file.length, spool: 0, columns: null };
  }

  sync(): void {
    this.#file.sync();
  }

  // eslint-disable-next-line require-yield -- nothing is left to do but the closing bracket
  *finish(): Generator<Finishing, readonly string[]> {
    if (this.#array) this.#file.append(this.#file.length === 0 ? '[]\n' : '\n]\n');
    return [];
  }

  close(): void {
    this.#file.close();
  }
}
