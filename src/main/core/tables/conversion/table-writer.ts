import { csvCell } from '../../../../shared/csv.ts';
import type { RecordProblem } from '../reading/fields.ts';
import { placeNumber } from '../reading/places.ts';
import { GrowingFile, realDisk } from '../../files/growing-file.ts';

const flushBytes = 1 << 20;

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
export class TableWriter {
  readonly #table: GrowingFile;
  readonly #places: GrowingFile;
  #text: string[] = [];
  #textLength = 0;
  #numbers: number[] = [];
  #lines = 0;

  /** @throws AppError file_unwritable, disk_full */
  constructor(paths: { readonly table: string; readonly places: string }, file: string) {
    const open = (path: string): GrowingFile => new GrowingFile({ disk: realDisk, path, name: file }, 0);
    this.#table = open(paths.table);
    this.#places = open(paths.places);
  }

  /** Bytes flushed so far. */
  get bytes(): number {
    return this.#table.length;
  }

  /** Lines written, including line breaks in cells. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Adds a row.
   * @param place of the row in the original
   * @param problem why its cells are unreliable; null: they are reliable
   * @throws AppError disk_full, file_unwritable
   */
  add(cells: readonly (string | null)[], place: number, problem: RecordProblem | null = null): void {
    let line = '';
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] ?? null;
      if (index > 0) line += ',';
      if (cell !== null) line += csvCell(cell);
    }
    this.#text.push(line);
    this.#textLength += line.length + 1;
    const lines = 1 + (line.includes('\n') ? lineFeedsIn(cells) : 0);
    for (let count = 0; count < lines; count++) this.#numbers.push(placeNumber(place, problem));
    this.#lines += lines;
    if (this.#textLength > flushBytes) this.flush();
  }

  /** Writes the buffered rows. @throws AppError disk_full, file_unwritable */
  flush(): void {
    if (this.#text.length === 0) return;
    const bytes = Buffer.from(`${this.#text.join('\n')}\n`);
    this.#table.append(bytes);
    this.#places.append(Buffer.from(Uint32Array.from(this.#numbers).buffer));
    this.#text = [];
    this.#textLength = 0;
    this.#numbers = [];
  }

  /** Writes the remaining rows. @throws AppError disk_full, file_unwritable */
  close(): void {
    try {
      this.flush();
      this.#table.sync();
      this.#places.sync();
    } finally {
      this.#table.close();
      this.#places.close();
    }
  }
}
