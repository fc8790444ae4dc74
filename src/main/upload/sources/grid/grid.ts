/** A cell of a worksheet with a value. */
export interface GridCell {
  readonly text: string;
  readonly kind: 'text' | 'number' | 'time' | 'boolean' | 'error';
}

/** A row of a worksheet that has at least one value. */
export interface GridRow {
  /** The row of the sheet, from 1. */
  readonly place: number;
  /** By column, from 0; null: no value. */
  readonly cells: readonly (GridCell | null)[];
}
