import type { PathTree } from '../records/paths.ts';
import { addJson, asItCame } from '../records/json-lines.ts';
import { Lines } from '../records/lines.ts';
import { RecordScanner, type ScannedPage } from '../records/scan.ts';
import type { GrowingFile } from './growing-file.ts';

const newline = 10;

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

  /** Reads it all again, some megabytes at a time. */
  *pages(tree: PathTree): Generator<ScannedPage> {
    const scanner = new RecordScanner({ tree, keyField: null });
    let rest: Buffer = Buffer.alloc(0);
    for (const bytes of this.file.read(0)) {
      const all = Buffer.concat([rest, bytes]);
      const end = all.lastIndexOf(newline) + 1;
      if (end > 0) yield scanner.scanLines(all.subarray(0, end));
      rest = all.subarray(end);
    }
  }
}
