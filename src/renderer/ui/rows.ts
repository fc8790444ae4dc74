/**
 * The rows of a list of any length, which need not be at hand: an array, or something that brings them in as they are
 * looked at. What changes is another one.
 */
export interface Rows<T> {
  readonly length: number;
  /** Undefined: there is no such row, or it is not at hand. */
  at(row: number): T | undefined;
  /** The rows `from` to `to` (not included), wherever they are. */
  slice(from: number, to: number): readonly T[] | Promise<readonly T[]>;
  /** Brings rows to hand; null: they are. */
  load?(from: number, to: number): Promise<void> | null;
  /** The first row from one on, round the end, whose name begins with a text; null: there is none. */
  locate?(text: string, from: number): Promise<number | null>;
}
