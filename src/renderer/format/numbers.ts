import { formatStyle } from './style.ts';

const makers = {
  locale: (maximumFractionDigits: number) => new Intl.NumberFormat(undefined, { maximumFractionDigits }),
  plain: (maximumFractionDigits: number) =>
    new Intl.NumberFormat('en', { maximumFractionDigits, useGrouping: false }),
};
/** Created on demand: together they took a third of the time before the first screen. */
const made = { locale: new Map<number, Intl.NumberFormat>(), plain: new Map<number, Intl.NumberFormat>() };

/** A number with a maximum number of decimals, in the style of the window. */
function write(digits: number, value: number | bigint): string {
  const { numbers } = formatStyle();
  let format = made[numbers].get(digits);
  if (!format) {
    format = makers[numbers](digits);
    made[numbers].set(digits, format);
  }
  return format.format(value);
}

/** A count with the thousands separators of the style. */
export function formatCount(count: number | bigint): string {
  return write(0, count);
}

/** A depth, or a length between depths, rounded to a useful number of decimals; the unit is that of the dataset. */
export function formatDepth(depth: number): string {
  return write(2, depth);
}

/** A value with up to six decimals. */
export function formatValue(value: number): string {
  return write(6, value);
}

/** A number calculated of measurements, such as their mean, with eight significant digits. */
export const formatCalculated = (value: number): string => String(Number(value.toPrecision(8)));

const byteSteps = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size in steps of 1,000: `4.1 MB`. */
export function formatBytes(bytes: number): string {
  let step = 0;
  let size = bytes;
  while (size >= 1000 && step < byteSteps.length - 1) {
    size /= 1000;
    step += 1;
  }
  return `${write(step === 0 ? 0 : 1, size)} ${byteSteps[step]}`;
}

/** A share from 0 to 1 as an integer percentage; 100% only for 1. */
export function formatPercent(share: number): string {
  // 0.29 * 100 is 28.999999999999996.
  return `${Math.min(Math.floor(Number((share * 100).toPrecision(12))), 100)}%`;
}
