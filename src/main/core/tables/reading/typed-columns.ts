import { cellKind, isNumberKind, type CellKind } from './cells.ts';

/** Rows at the start of a table whose cells show which of its columns have numbers or times. */
const studiedRows = 50;

/** Whether a text begins like a number or a time, from its first character. */
export function startsLikeNumber(cell: string): boolean {
  let code = cell.charCodeAt(0);
  for (let at = 1; code === 0x20; at++) code = cell.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e;
}

const isTypedKind = (kind: CellKind): boolean => isNumberKind(kind) || kind === 'time' || kind === 'date';

/** Whether a trimmed cell is a number or a time. */
export const isTyped = (cell: string): boolean => isTypedKind(cellKind(cell));

/** Counts of values in the columns of a table, until enough rows were studied. */
export class TypedColumns {
  readonly #typed: number[] = [];
  readonly #others: number[] = [];
  #rows = 0;
  /** Indexes of the columns with numbers or times only, those with most values first. */
  indexes: readonly number[] = [];

  get isStudied(): boolean {
    return this.#rows >= studiedRows;
  }

  /** Counts the values of a row. */
  study(cells: readonly string[]): void {
    this.#rows++;
    for (const [index, cell] of cells.entries()) {
      const kind = cellKind(cell.trim());
      if (kind === 'empty' || kind === 'null_word') continue;
      const counts = isTypedKind(kind) ? this.#typed : this.#others;
      counts[index] = (counts[index] ?? 0) + 1;
    }
    this.indexes = [...this.#typed.keys()]
      .filter((index) => (this.#typed[index] ?? 0) > 0 && (this.#others[index] ?? 0) === 0)
      .toSorted((a, b) => (this.#typed[b] ?? 0) - (this.#typed[a] ?? 0));
  }
}
