import { isNullNumber } from '../../../shared/upload/null-tokens.ts';

/** A straight line through points, by least squares; on a logarithmic axis of the logarithms to base 10. */
export interface Fit {
  readonly intercept: number;
  readonly slope: number;
  /** The share of the variance that the line explains, R². */
  readonly explained: number;
  readonly count: number;
}

export interface LogAxes {
  readonly x: boolean;
  readonly y: boolean;
}

/**
 * Fits a line to points. Points without a value, with a null value such as -999.25, or without a logarithm where one is
 * needed are left out.
 * @param xs positions
 * @param ys values, one for each position
 * @returns null: there are fewer than three points, or all have one position
 */
export function fitOf(xs: ArrayLike<number>, ys: ArrayLike<number>, log: LogAxes): Fit | null {
  const of = (value: number | undefined, isLog: boolean): number =>
    value === undefined || !Number.isFinite(value) || isNullNumber(value)
      ? Number.NaN
      : isLog
        ? value > 0
          ? Math.log10(value)
          : Number.NaN
        : value;
  let [count, meanX, meanY] = [0, 0, 0];
  for (let at = 0; at < xs.length; at += 1) {
    const [x, y] = [of(xs[at], log.x), of(ys[at], log.y)];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    count += 1;
    meanX += (x - meanX) / count;
    meanY += (y - meanY) / count;
  }
  // Around the means: sums of squares of large values would lose the digits of their differences.
  let [xx, xy, yy] = [0, 0, 0];
  for (let at = 0; at < xs.length; at += 1) {
    const [x, y] = [of(xs[at], log.x) - meanX, of(ys[at], log.y) - meanY];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  if (count < minFitted || xx === 0) return null;
  const slope = xy / xx;
  return { slope, intercept: meanY - slope * meanX, explained: yy === 0 ? 1 : (xy * xy) / (xx * yy), count };
}

const minFitted = 3;

const digits = (value: number): string => String(Number(value.toPrecision(5))).replace('-', '−');
const signed = (value: number): string => (value < 0 ? `− ${digits(-value)}` : `+ ${digits(value)}`);

/** The equation of a line with five digits, such as `y = 0.5·x + 3`; a power or an exponential function where y is logarithmic. */
export function equationOf({ slope, intercept }: Fit, log: LogAxes): string {
  if (log.x && log.y) return `y = ${digits(10 ** intercept)}·x^${digits(slope)}`;
  if (log.y) return `y = ${digits(10 ** intercept)}·10^(${digits(slope)}·x)`;
  return `y = ${digits(slope)}·${log.x ? 'log₁₀ x' : 'x'} ${signed(intercept)}`;
}
