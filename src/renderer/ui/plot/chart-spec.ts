export interface ChartRange {
  readonly from: number;
  readonly to: number;
}

/** The format of values along an axis: times in a zone (an IANA name), elapsed time, or numbers. */
export type Along =
  | { readonly show: 'time'; readonly zone: string }
  | { readonly show: 'elapsed' | 'number' };

/** Points in the order of x; a NaN for y is a gap. */
export interface ChartLine {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Index of the series' color, from 0. */
  readonly color: number;
  /** Index of the line pattern, from 0: solid. */
  readonly dash: number;
  /** Index of the scale of its values. */
  readonly scale: number;
  /** The values that color its dots; absent: all have its color. */
  readonly colorValues?: Float64Array | undefined;
  /** What is filled beside it; absent: nothing. */
  readonly fill?: ChartFill | undefined;
}

/** An area beside a line of a track, up to an edge, a value, or another line of the chart, by its index. */
export type ChartFill =
  | { readonly to: 'left' | 'right' }
  | { readonly to: 'value'; readonly value: number }
  | { readonly to: 'line'; readonly line: number };

export interface ChartScale {
  readonly label: string;
  /** The values at its ends: left and right in a track, below and above elsewhere. `from` can be above `to`. */
  readonly range: ChartRange;
  readonly isLog?: boolean | undefined;
  /** Whether values beyond an edge of a track go on from the other one. */
  readonly isWrapped?: boolean | undefined;
  /** At which ends of a track values are not drawn; absent: at none. */
  readonly beyond?: { readonly left: boolean; readonly right: boolean } | undefined;
  /** The color of its only line; absent: it has several. */
  readonly color?: number | undefined;
  /** Values that are limits, drawn where they are in view. */
  readonly limits?: readonly number[];
}

/** A named position on an axis, or a range of it. */
export interface ChartMark {
  readonly text: string;
  readonly from: number;
  /** The other end; null: it is one position. */
  readonly to: number | null;
  /** Index of its color; null: that of texts. */
  readonly color: number | null;
}

export interface ChartFit {
  readonly intercept: number;
  readonly slope: number;
  /** Index of its color. */
  readonly color: number;
}

export interface ChartSpec {
  /** `track`: the axis runs downwards, values to the right; its scales are in a heading of the parent. */
  readonly shape: 'lines' | 'track' | 'dots';
  readonly along: Along;
  readonly label: string;
  readonly range: ChartRange;
  readonly isLog?: boolean | undefined;
  /** Whether the axis is drawn; tracks side by side share one. */
  readonly axis: boolean;
  /** Whether it is one of several below each other, of which the parent has the names: their plot areas line up. */
  readonly isPanel?: boolean;
  readonly scales: readonly ChartScale[];
  readonly lines: readonly ChartLine[];
  /** Parts of the axis that are shaded, because records are missing there. */
  readonly gaps?: readonly ChartRange[];
  /** Named positions, in order; tracks after the first have no names. */
  readonly marks?: readonly ChartMark[];
  /** Whether dots are joined in their order. */
  readonly isPath?: boolean | undefined;
  /** Whether both axes have the same scale, as those of a map. */
  readonly isToScale?: boolean | undefined;
  /** The range of the values that color dots. */
  readonly colorRange?: ChartRange | undefined;
  /** Straight lines through dots; on logarithmic axes of the logarithms. */
  readonly fits?: readonly ChartFit[] | undefined;
  /** How many dots are in each equal part of both axes, drawn at their edges. */
  readonly histograms?: { readonly x: readonly number[]; readonly y: readonly number[] } | undefined;
  /** Whether the marks are on the axis upwards. */
  readonly areMarksAcross?: boolean;
}

/** Number of colors before they repeat. */
export const seriesColors = 8;

/** The color of a series; colors repeat. */
export const colorAt = (colors: readonly string[], index: number): string =>
  colors[index % colors.length] ?? '';

const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

/** A line pattern: lengths in pixels that are drawn and left out in turns. Patterns repeat. */
export const dashOf = (index: number): readonly number[] => dashes[index % dashes.length] ?? [];

/** The width of the axis beside the first track, with its label, in pixels. */
export const trackAxisWidth = ({ show }: Along): number => (show === 'number' ? 68 : 92);

/** Colors from the lowest value to the highest, of equal steps for the eye and for color-blind people (viridis). */
const stops: readonly (readonly [red: number, green: number, blue: number])[] = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];

/** The colors of a dark theme begin later, because the first ones can't be seen there. */
const darkStart = 0.25;

const steps = 64;

/** CSS colors of values, from the lowest to the highest. @param isDark whether they are on a dark surface */
export function colorSteps(isDark: boolean): string[] {
  const start = isDark ? darkStart : 0;
  // The brightest ones can't be seen on white.
  const end = isDark ? 1 : 0.92;
  return Array.from({ length: steps }, (_, at) => {
    const place = (start + (at / (steps - 1)) * (end - start)) * (stops.length - 1);
    const low = stops[Math.floor(place)] ?? [0, 0, 0];
    const high = stops[Math.ceil(place)] ?? low;
    const channel = (index: 0 | 1 | 2) =>
      Math.round(low[index] + (high[index] - low[index]) * (place - Math.floor(place)));
    return `rgb(${channel(0)}, ${channel(1)}, ${channel(2)})`;
  });
}
