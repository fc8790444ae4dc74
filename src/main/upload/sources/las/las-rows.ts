import { nullTest } from '../null-test.ts';
import type { SourceRow } from '../source.ts';
import { splitLine } from '../text/split-line.ts';
import type { Separator } from '../text/split-line.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import type { LasTable } from './las-tables.ts';
import { separateRunOn } from './run-on.ts';

/** Rows of one line each. */
export class Rows {
  readonly #separator: Separator;
  readonly #width: number;
  readonly #isNull: (cell: string) => boolean;
  /** The index of a log has no null values. */
  readonly #firstNullable: number;
  /** The last row of the expected width. */
  #model: string[] | null = null;

  constructor({ separator, columns, section }: LasTable, nullText: string | null) {
    this.#firstNullable = section.isLog ? 1 : 0;
    this.#separator = separator;
    this.#width = columns.length;
    this.#isNull = nullTest(nullText);
  }

  /** Adds a line. @returns a row when it is complete @throws AppError file_unsuitable if a line has more values than its row */
  take(line: string, place: number): SourceRow | null {
    let cells = splitLine(line, this.#separator);
    if (cells.length === 0 || (cells.length === 1 && cells[0] === '')) return null;
    if (cells.length < this.#width && this.#separator === 'blank')
      cells = separateRunOn(cells, this.#width, this.#model) ?? cells;
    // A delimiter at the end of a line doesn't start another value.
    while (cells.length > this.#width && cells.at(-1) === '') cells.pop();
    if (cells.length === this.#width) this.#model = cells;
    return {
      cells: cells.map((cell, at) => (at >= this.#firstNullable && this.#isNull(cell) ? null : cell)),
      place,
    };
  }

  end(): SourceRow | null {
    return null;
  }
}

/** Rows of several lines: values are counted, and a row ends at a line end. */
export class WrappedRows {
  readonly #separator: Separator;
  readonly #width: number;
  readonly #isNull: (cell: string) => boolean;
  readonly #fileName: string;
  #cells: (string | null)[] = [];
  #place = 0;

  constructor({ separator, columns }: LasTable, nullText: string | null, fileName: string) {
    this.#separator = separator;
    this.#width = columns.length;
    this.#isNull = nullTest(nullText);
    this.#fileName = fileName;
  }

  /** @throws AppError file_unsuitable if a line has more values than its row */
  take(line: string, place: number): SourceRow | null {
    const cells = splitLine(line, this.#separator);
    if (cells.length === 0) return null;
    if (this.#cells.length === 0) this.#place = place;
    for (const cell of cells) this.#cells.push(this.#isNull(cell) ? null : cell);
    if (this.#cells.length < this.#width) return null;
    if (this.#cells.length > this.#width)
      throw unsuitable(
        this.#fileName,
        `a wrapped row has ${this.#cells.length} values, but the file has ${this.#width} curves`,
        place,
      );
    return this.end();
  }

  /** A row that is incomplete at the end of the file. */
  end(): SourceRow | null {
    if (this.#cells.length === 0) return null;
    const row = { cells: this.#cells, place: this.#place };
    this.#cells = [];
    return row;
  }
}
