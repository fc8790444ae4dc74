import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { isWellColumn } from '../../../shared/wells/wells.ts';

/** An array or an empty object as a cell: the number of parts, and the start of its JSON. */
export interface Nested {
  readonly parts: number;
  readonly array: boolean;
  readonly preview: string;
}

/** A cell. `undefined`: the record has no such field. */
export type Cell = undefined | null | boolean | number | bigint | string | Nested;

/** A cell in the worker, with complete nested values. */
export type StoredCell = Exclude<Cell, Nested> | JsonValue[] | JsonObject;

/**
 * The kind of a column. `time`: Unix milliseconds; `date`: ISO 8601 with an offset; `mixed`: several;
 * `empty`: only null; `well`: the name of the well whose asset id is beside it, which records don't have.
 */
export type ColumnKind =
  | 'time'
  | 'date'
  | 'integer'
  | 'number'
  | 'text'
  | 'boolean'
  | 'nested'
  | 'mixed'
  | 'empty'
  | 'well';

/** A path with a value that isn't an object in at least one record. */
export interface ColumnHead {
  readonly path: readonly string[];
  readonly kind: ColumnKind;
  /** The width of its widest cell among the first rows, in characters. */
  readonly characters: number;
}

/**
 * Whether the values of a column with this name are wells. Fractions are none, and whole numbers named API that are shorter
 * than an API number are gravities.
 */
export const areWells = (name: string, { kind, characters }: Omit<ColumnHead, 'path'>): boolean =>
  isWellColumn(name) &&
  kind !== 'number' &&
  (kind !== 'integer' || characters >= 10 || !/(?:^|[._])api(?:_\d+)?$/i.test(name));

export const isTime = ({ kind }: Pick<ColumnHead, 'kind'>): boolean => kind === 'time' || kind === 'date';

export interface Column extends ColumnHead {
  readonly cells: ArrayLike<Cell>;
}

/** Records `from` to `from + rows` (exclusive) as columns in display order. */
export interface Slice {
  readonly from: number;
  readonly rows: number;
  readonly columns: readonly Column[];
}

export function isNested(cell: Cell): cell is Nested {
  return typeof cell === 'object' && cell !== null;
}
