import { pathId } from '../../../shared/column-paths.ts';
import type { Groups } from '../records/figures.ts';
import type { ColumnHead, ColumnKind } from '../records/table.ts';

export interface PlotField {
  /** Its path as one text, such as `data.rop`. */
  readonly id: string;
  readonly kind: ColumnKind;
  /** The width of its widest first values, in characters; absent: unknown. */
  readonly characters?: number;
}

export const plotFieldOf = ({ path, kind, characters }: ColumnHead): PlotField => ({
  id: pathId(path),
  kind,
  characters,
});

/** The records of a plot: the only interface between plots and results. Every rejection is an AppError. */
export interface PlotSource {
  readonly rows: number;
  /** Which of the matching rows they are, for the name of a file; null: all of them. */
  readonly part: { readonly selected: false; readonly count: number; readonly gaps: number } | null;
  /** The steps of which these are the minimum and the maximum, in words; absent: they are records. */
  readonly steps?: string | undefined;
  /** The rows after which records of their group are missing; absent: where they are is computed of all positions. */
  readonly breaks?: readonly number[] | undefined;
  readonly fields: readonly PlotField[];
  /** The fields' numbers, one for each record, owned by the caller; times in Unix milliseconds; NaN: no value. */
  readonly numbers: (ids: readonly string[]) => Promise<Float64Array<ArrayBuffer>[]>;
  readonly groups: (ids: readonly string[]) => Promise<Groups>;
}

const axes = new Set<ColumnKind>(['time', 'date', 'integer', 'number', 'mixed']);

/** Whether a field can be an axis. */
export const isNumeric = ({ kind }: PlotField): boolean => axes.has(kind);
