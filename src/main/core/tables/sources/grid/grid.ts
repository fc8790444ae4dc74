import type { TypedCell } from '../../layout/head.ts';

/** A cell of a worksheet with a value. */
export interface GridCell extends TypedCell {
  /** Whether it is shown as a percentage: 0.5 as 50%. */
  readonly isPercent?: boolean;
}

/** A row of a worksheet that has at least one value. */
export interface GridRow {
  /** The row of the sheet, from 1. */
  readonly place: number;
  /** By column, from 0; null: no value. */
  readonly cells: readonly (GridCell | null)[];
}
