import { maxFileValueLength, maxPageLength, maxSqlValueLength } from '../../shared/sql/sql.ts';

/** How much of the rows of a statement is read at once. */
export interface RowLimits {
  readonly rows: number;
  /** A page ends with the row that reaches this number of characters of JSON. */
  readonly pageLength: number;
  /** The maximum length of a value, in characters of JSON. */
  readonly valueLength: number;
  /** The maximum number of items of a list. */
  readonly listLength: number;
  /** Whether longer values are cut; otherwise they end the statement. */
  readonly cutsValues: boolean;
}

/** A page for a writer: enough to keep it busy, few enough to keep memory flat. Its values are complete. */
export const filePage: RowLimits = {
  rows: 5000,
  pageLength: 16 << 20,
  valueLength: maxFileValueLength,
  listLength: 1_000_000,
  cutsValues: false,
};

/** The page for a window. @param rows the maximum number of rows */
export const windowPage = (rows: number): RowLimits => ({
  rows,
  pageLength: maxPageLength,
  valueLength: maxSqlValueLength,
  listLength: 10_000,
  cutsValues: true,
});
