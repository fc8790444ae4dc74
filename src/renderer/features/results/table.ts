/** A nested array, or an object without keys, as a cell shows it: how many parts, and how its JSON text begins. */
export interface Nested {
  readonly parts: number;
  readonly array: boolean;
  readonly preview: string;
}

/** What a cell holds. `undefined`: the record has no such field; `null`: it has it, and it is null. */
export type Cell = undefined | null | boolean | number | bigint | string | Nested;

/**
 * What a column holds, as far as one word can say it. `time`: Unix milliseconds; `mixed`: more than one kind;
 * `empty`: nothing but null.
 */
export type ColumnKind = 'time' | 'integer' | 'number' | 'text' | 'boolean' | 'nested' | 'mixed' | 'empty';

/** One column: a path at which at least one record has a value that is not an object. */
export interface Column {
  readonly path: readonly string[];
  readonly kind: ColumnKind;
  /** How many characters its widest cell takes, of those looked at. */
  readonly characters: number;
  /** One for each record, in the records' order. */
  readonly cells: ArrayLike<Cell>;
}

/** Records as columns, ordered for reading. */
export interface Table {
  readonly rows: number;
  readonly columns: readonly Column[];
}

/** Whether a cell is a {@link Nested}. */
export function isNested(cell: Cell): cell is Nested {
  return typeof cell === 'object' && cell !== null;
}
