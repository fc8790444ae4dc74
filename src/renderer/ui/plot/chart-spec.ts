/** A part of an axis. */
export interface ChartRange {
  readonly from: number;
  readonly to: number;
}

/** How the values along an axis are written: a point in time in a zone (an IANA name), a time since a beginning, or a plain number. */
export type Along =
  | { readonly show: 'time'; readonly zone: string }
  | { readonly show: 'elapsed' | 'number' };

/** Points in the order of x; NaN for y leaves the line open. */
export interface ChartLine {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Of the colours for series, from 0. */
  readonly color: number;
  /** Of the patterns of a line, from 0: drawn through. */
  readonly dash: number;
  /** Which of the scales its values stand on. */
  readonly scale: number;
}

export interface ChartScale {
  readonly label: string;
  readonly range: ChartRange;
  /** The colour of its only line; absent: it has several. */
  readonly color?: number | undefined;
}

/** What a chart shows. */
export interface ChartSpec {
  /** `track`: the axis runs downwards, values to the right. */
  readonly shape: 'lines' | 'track' | 'dots';
  readonly along: Along;
  readonly label: string;
  readonly range: ChartRange;
  /** Whether the axis is drawn; tracks side by side share one. */
  readonly axis: boolean;
  readonly scales: readonly ChartScale[];
  readonly lines: readonly ChartLine[];
  /** Parts of the axis that are shaded, because records are missing there. */
  readonly gaps?: readonly ChartRange[];
}

/** How many colours and patterns there are before they come again. */
export const seriesColors = 8;
export const seriesDashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];
