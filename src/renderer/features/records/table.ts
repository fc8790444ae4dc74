import type { JsonObject, JsonValue } from '../../../shared/json.ts';

/** A nested array, or an object without keys, as a cell shows it: how many parts, and how its JSON text begins. */
export interface Nested {
  readonly parts: number;
  readonly array: boolean;
  readonly preview: string;
}

/** What a cell holds. `undefined`: the record has no such field; `null`: it has it, and it is null. */
export type Cell = undefined | null | boolean | number | bigint | string | Nested;

/** A cell as it is held beside the records' thread, where what is nested stays whole. */
export type HeldCell = Exclude<Cell, Nested> | JsonValue[] | JsonObject;

/**
 * What a column holds, as far as one word can say it. `time`: Unix milliseconds; `date`: ISO 8601 texts that say their
 * offset; `mixed`: more than one kind; `empty`: nothing but null.
 */
export type ColumnKind =
  'time' | 'date' | 'integer' | 'number' | 'text' | 'boolean' | 'nested' | 'mixed' | 'empty';

/** What is known of a column: a path at which at least one record has a value that is not an object. */
export interface ColumnHead {
  readonly path: readonly string[];
  readonly kind: ColumnKind;
  /** How many characters its widest cell takes, of those that came first. */
  readonly characters: number;
}

/** A column with the cells of some rows, one for each, in their order. */
export interface Column extends ColumnHead {
  readonly cells: ArrayLike<Cell>;
}

/** Records `from` to `from + rows` (not included) as columns, ordered for reading. */
export interface Slice {
  readonly from: number;
  readonly rows: number;
  readonly columns: readonly Column[];
}

/** Whether a cell is a {@link Nested}. */
export function isNested(cell: Cell): cell is Nested {
  return typeof cell === 'object' && cell !== null;
}
