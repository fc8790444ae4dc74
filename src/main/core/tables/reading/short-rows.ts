import type { Finding } from './gathering.ts';
import { isTyped, TypedColumns } from './typed-columns.ts';

/** Minimum number of short rows, and their minimum share of all rows, for a file to omit blank cells at the ends. */
const minRows = 3;
const minShare = 0.05;
/** Maximum share of short rows with a word in a column of numbers or times. */
const maxOdd = 0.02;

/** Counts rows with fewer cells than the header, and decides whether the missing ones are blank. */
export class ShortRows {
  readonly #names: readonly string[];
  /** Number of short rows by their number of cells, and the first line of each. */
  readonly #byWidth = new Map<number, { count: number; line: number }>();
  /** The columns of numbers and times, in rows with all cells. */
  readonly #typed = new TypedColumns();
  /** Number of words in each column of the short rows. */
  readonly #words: number[] = [];
  #rows = 0;
  #widest = 0;
  #hasBlankEnds = false;

  /** @param names of the columns in the header */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  add(cells: readonly string[], line: number): void {
    this.#rows++;
    const { length } = cells;
    const width = this.#names.length;
    this.#widest = Math.max(this.#widest, length);
    if (length > 1 && cells[length - 1]?.trim() === '') this.#hasBlankEnds = true;
    if (length >= width) {
      if (!this.#typed.isStudied) this.#typed.study(cells.slice(0, width));
      return;
    }
    const entry = this.#byWidth.get(length);
    if (entry) entry.count++;
    else this.#byWidth.set(length, { count: 1, line });
    for (const [index, cell] of cells.entries())
      if (cell.trim() !== '' && !isTyped(cell.trim())) this.#words[index] = (this.#words[index] ?? 0) + 1;
  }

  /**
   * The minimum number of cells of rows whose missing cells are blank; null: none, because short rows may be cut off or
   * broken. A program that omits blank cells at the ends of rows never writes some, and its header has a name for each
   * cell. Rows with one of several cells can be titles or remarks.
   */
  fillFrom(): number | null {
    const from = this.#names.length > 2 ? 2 : 1;
    const { count } = this.shorter(from);
    if (count < minRows || count < this.#rows * minShare || this.#hasBlankEnds) return null;
    if (this.#names.slice(this.#widest).some((name) => name !== '')) return null;
    const doesFit = this.#typed.indexes.every((index) => (this.#words[index] ?? 0) <= count * maxOdd);
    return doesFit ? from : null;
  }

  /** The short rows with at least a number of cells, at most another one. */
  shorter(from: number, to = this.#names.length - 1): Finding {
    let count = 0;
    let line = Infinity;
    for (const [width, entry] of this.#byWidth)
      if (width >= from && width <= to) {
        count += entry.count;
        line = Math.min(line, entry.line);
      }
    return { count, line };
  }
}
