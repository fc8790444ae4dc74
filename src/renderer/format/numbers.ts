import { formatStyle } from './style.ts';

interface Formats {
  readonly locale: Intl.NumberFormat;
  readonly plain: Intl.NumberFormat;
}

/** A number with so many digits behind the sign at most, in both styles. */
const upTo = (maximumFractionDigits: number): Formats => ({
  locale: new Intl.NumberFormat(undefined, { maximumFractionDigits }),
  plain: new Intl.NumberFormat('en', { maximumFractionDigits, useGrouping: false }),
});
const whole = upTo(0);
const oneDigit = upTo(1);
const twoDigits = upTo(2);
const sixDigits = upTo(6);

const write = (formats: Formats, value: number | bigint): string =>
  formats[formatStyle().numbers].format(value);

/** A count with the thousands separators of the style. */
export function formatCount(count: number | bigint): string {
  return write(whole, count);
}

/** A depth, or a length between depths, with no more digits than anybody reads; its unit is the dataset's. */
export function formatDepth(depth: number): string {
  return write(twoDigits, depth);
}

/** A value with up to six digits behind the sign. */
export function formatValue(value: number): string {
  return write(sixDigits, value);
}

const byteSteps = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size in steps of 1,000: `4.1 MB`. */
export function formatBytes(bytes: number): string {
  let step = 0;
  let size = bytes;
  while (size >= 1000 && step < byteSteps.length - 1) {
    size /= 1000;
    step += 1;
  }
  return `${write(step === 0 ? whole : oneDigit, size)} ${byteSteps[step]}`;
}

/** A share from 0 to 1 as a whole percentage; 100 % only when all is done. */
export function formatPercent(share: number): string {
  return `${Math.min(Math.floor(share * 100), 100)} %`;
}
