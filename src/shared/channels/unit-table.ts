import type { Row } from './reservoir-unit-rows.ts';
import { unitRows } from './unit-rows.ts';

/** What units measure. Units of one quantity can be converted to each other. */
export type Quantity = keyof typeof unitRows;

/** A unit: a value in the quantity's base unit is `(value - offset) * factor`. */
export interface Unit {
  /** Unique, such as `klbf`. */
  readonly symbol: string;
  readonly quantity: Quantity;
  readonly factor: number;
  /** The reading of this unit at zero of the base unit; 0 except for temperatures. */
  readonly offset: number;
}

const rows: Readonly<Record<Quantity, readonly Row[]>> = unitRows;

const isQuantity = (text: string): text is Quantity => Object.hasOwn(rows, text);

/** Every unit with the spellings that mean it beside its symbol. */
export const unitTable: readonly { readonly unit: Unit; readonly spellings: readonly string[] }[] =
  Object.entries(rows).flatMap(([quantity, units]) =>
    isQuantity(quantity)
      ? units.map(([symbol, factor, spellings = '', offset = 0]) => ({
          unit: { symbol, quantity, factor, offset },
          spellings: spellings.split(' ').filter((spelling) => spelling !== ''),
        }))
      : [],
  );
