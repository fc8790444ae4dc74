import { type PathTree, RecordScanner, type ScannedPage } from '../records/scan.ts';
import { addJson, asItCame } from '../records/json-lines.ts';
import { Lines } from '../records/lines.ts';
import type { GrowingFile } from './growing-file.ts';

const newline = 10;
/** How much is read at a time. */
const block = 1024 * 1024;

/** All records so far as NDJSON, for formats whose columns are known only when the last record has been seen. */
export class Spool {
  readonly file: GrowingFile;
  readonly #lines = new Lines();

  constructor(file: GrowingFile) {
    this.file = file;
  }

  append(page: ScannedPage, records: readonly number[]): void {
    for (const record of records) {
      addJson(this.#lines, page, record, asItCame);
      this.#lines.byte(newline);
    }
    this.file.append(this.#lines.take());
  }

  /** Reads it all again, a megabyte or two at a time; a page is good until the next one. */
  *pages(tree: PathTree): Generator<ScannedPage> {
    const scanner = new RecordScanner({ tree, keyField: null });
    let bytes = Buffer.allocUnsafeSlow(Math.min(block, this.file.length));
    let held = 0;
    for (let at = 0; at < this.file.length;) {
      const got = this.file.readInto(bytes.subarray(held), at);
      at += got;
      held += got;
      const end = bytes.lastIndexOf(newline, held - 1) + 1;
      if (end === 0) {
        // A record that is longer than all there is room for.
        const larger = Buffer.allocUnsafeSlow(bytes.length * 2);
        bytes.copy(larger, 0, 0, held);
        bytes = larger;
        continue;
      }
      const page = scanner.scanLines(bytes.subarray(0, end));
      yield page;
      scanner.release(page);
      bytes.copy(bytes, 0, end, held);
      held -= end;
    }
  }
}
