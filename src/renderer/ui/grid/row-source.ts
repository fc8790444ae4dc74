/** Rows `from` to `to` (not included). */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Rows that come when they are looked at. */
export interface RowSource {
  /** Told which rows are in view now, each time that changes. */
  readonly see: (range: RowRange) => void;
  /** Tells which rows are to be drawn anew, until the returned function is called. */
  readonly onCome: (listener: (range: RowRange) => void) => () => void;
}
