import type { JsonStyle } from './values.ts';
import { maxFileValueLength, maxPageLength, maxSqlValueLength } from '../../../shared/sql/sql.ts';

/** How much of the rows of a statement is read at once. */
export interface RowLimits {
  readonly rows: number;
  /** A page ends with the row that reaches this number of characters of JSON. */
  readonly pageLength: number;
  /** The maximum length of a value, in characters of JSON. */
  readonly valueLength: number;
  /** The maximum number of items of a list. */
  readonly listLength: number;
  /** Whether the rows are for a window: it cuts longer values, which otherwise end the statement, and reads numbers as doubles. */
  readonly isForWindow: boolean;
  /** How values without a form of their own in JSON are written. */
  readonly style: JsonStyle;
}

/** A page for a writer: enough to keep it busy, few enough to keep memory flat. Its values are complete. */
export const filePage: RowLimits = {
  rows: 5000,
  pageLength: 16 << 20,
  valueLength: maxFileValueLength,
  listLength: 1_000_000,
  isForWindow: false,
  style: 'result',
};

/** A page for a writer of a format that has only numbers: NaN is null. */
export const numbersPage: RowLimits = { ...filePage, style: 'record' };

/** The page for a window. @param rows the maximum number of rows */
export const windowPage = (rows: number): RowLimits => ({
  rows,
  pageLength: maxPageLength,
  valueLength: maxSqlValueLength,
  listLength: 10_000,
  isForWindow: true,
  style: 'result',
});
