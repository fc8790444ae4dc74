import type { ColumnKind } from '../results/table.ts';

/** A field that a plot can show or run along. */
export interface PlotField {
  /** Its path as one text, such as `data.rop`. */
  readonly id: string;
  readonly kind: ColumnKind;
}

/** Which group each record belongs to, such as its well. */
export interface PlotGroups {
  readonly codes: Uint16Array;
  /** For each code the values of the fields that make the group, as text. */
  readonly names: readonly (readonly string[])[];
}

/** The records that a plot is drawn from. All that plots know of results is this. */
export interface PlotSource {
  readonly rows: number;
  readonly fields: readonly PlotField[];
  /** A field's numbers, one for each record, for the caller to keep; times in Unix milliseconds; NaN: there is none. @throws AppError */
  readonly numbers: (id: string) => Promise<Float64Array>;
  /** Groups the records by the values of these fields; null: all are one. @throws AppError */
  readonly groups: (ids: readonly string[]) => Promise<PlotGroups | null>;
}

/** What can stand on an axis. */
export const isNumeric = ({ kind }: PlotField): boolean =>
  kind === 'time' || kind === 'integer' || kind === 'number' || kind === 'mixed';
