import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { writeError } from '../../files/file-errors.ts';

const flushBytes = 1 << 20;

/** A file that is written in pieces. Blocks: for worker threads. */
class Output {
  readonly #fd: number;
  readonly #file: string;
  #bytes = 0;

  /** @throws AppError file_unwritable, disk_full */
  constructor(path: string, file: string) {
    this.#file = file;
    this.#fd = this.#named(() => openSync(path, 'wx', 0o600));
  }

  #named<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw writeError(error, this.#file, this.#bytes);
    }
  }

  write(bytes: Buffer): void {
    this.#named(() => {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    });
    this.#bytes += bytes.length;
  }

  close(): void {
    try {
      this.#named(() => fdatasyncSync(this.#fd));
    } finally {
      closeSync(this.#fd);
    }
  }
}

const special = /[",\r\n]/;
const quoted = (cell: string): string => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Line feeds in a cell: each starts another line of the table. */
function lineFeedsIn(cells: readonly (string | null)[]): number {
  let count = 0;
  for (const cell of cells)
    if (cell !== null) for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}

/**
 * Writes a table as CSV (UTF-8, LF) that parses to the same cells, and a map from its lines to places in the original,
 * with 32 bits for each line. Blocks: for worker threads.
 */
export class SpoolWriter {
  readonly #table: Output;
  readonly #places: Output;
  #text: string[] = [];
  #textLength = 0;
  #numbers: number[] = [];
  #bytes = 0;
  #lines = 0;

  /** @throws AppError file_unwritable, disk_full */
  constructor(paths: { readonly table: string; readonly places: string }, file: string) {
    this.#table = new Output(paths.table, file);
    this.#places = new Output(paths.places, file);
  }

  /** Bytes flushed so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Lines written, including line breaks in cells. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Adds a row.
   * @param place of the row in the original
   * @throws AppError disk_full, file_unwritable
   */
  add(cells: readonly (string | null)[], place: number): void {
    let line = '';
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] ?? null;
      if (index > 0) line += ',';
      if (cell !== null) line += quoted(cell);
    }
    this.#text.push(line);
    this.#textLength += line.length + 1;
    const lines = 1 + (line.includes('\n') ? lineFeedsIn(cells) : 0);
    for (let count = 0; count < lines; count++) this.#numbers.push(place);
    this.#lines += lines;
    if (this.#textLength > flushBytes) this.flush();
  }

  /** Writes the buffered rows. @throws AppError disk_full, file_unwritable */
  flush(): void {
    if (this.#text.length === 0) return;
    const bytes = Buffer.from(`${this.#text.join('\n')}\n`);
    this.#table.write(bytes);
    this.#bytes += bytes.length;
    this.#places.write(Buffer.from(Uint32Array.from(this.#numbers).buffer));
    this.#text = [];
    this.#textLength = 0;
    this.#numbers = [];
  }

  /** Writes the remaining rows. @throws AppError disk_full, file_unwritable */
  close(): void {
    try {
      this.flush();
    } finally {
      this.#table.close();
      this.#places.close();
    }
  }
}
