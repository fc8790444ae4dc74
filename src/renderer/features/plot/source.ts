import type { Groups } from '../records/groups.ts';
import type { ColumnKind } from '../records/table.ts';

/** A field that a plot can show or run along. */
export interface PlotField {
  /** Its path as one text, such as `data.rop`. */
  readonly id: string;
  readonly kind: ColumnKind;
}

/** The records that a plot is drawn from: all that plots know of results. Every rejection is an AppError. */
export interface PlotSource {
  readonly rows: number;
  /** Which of the rows that match they are, to be said in the name of a file; null: all of them. */
  readonly part: { readonly selected: false; readonly count: number; readonly gaps: number } | null;
  readonly fields: readonly PlotField[];
  /** The fields' numbers, one for each record, for the caller to keep; times in Unix milliseconds; NaN: there is none. */
  readonly numbers: (ids: readonly string[]) => Promise<Float64Array<ArrayBuffer>[]>;
  /** Groups the records by the values of these fields. */
  readonly groups: (ids: readonly string[]) => Promise<Groups>;
}

const axes = new Set<ColumnKind>(['time', 'date', 'integer', 'number', 'mixed']);

/** What can stand on an axis. */
export const isNumeric = ({ kind }: PlotField): boolean => axes.has(kind);

/** What is a point in time. */
export const isTime = ({ kind }: PlotField): boolean => kind === 'time' || kind === 'date';
