/** Created on demand: together they took a third of the time before the first screen. */
const made = new Map<string, Intl.NumberFormat>();

/** A number with a maximum number of decimals, and a minimum, in the style of the window. */
function write(
  digits: number,
  value: number | bigint,
  minDigits = 0,
  numbers = formatStyle().numbers,
): string {
  const key = `${numbers} ${digits} ${minDigits}`;
  let format = made.get(key);
  if (!format) {
    const decimals = { minimumFractionDigits: minDigits, maximumFractionDigits: digits };
    format =
      numbers === 'locale'
        ? new Intl.NumberFormat(undefined, decimals)
        : new Intl.NumberFormat('en', { ...decimals, useGrouping: false });
    made.set(key, format);
  }
  return format.format(value);
}

/** A number of a column, whose numbers all have as many decimals. @param numbers absent: the style of the window */
export const formatFigure = (
  value: number | bigint,
  decimals: number,
  numbers?: FormatStyle['numbers'],
): string => write(decimals, value, decimals, numbers);

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

const minCalculatedDigits = 8;

/** A number calculated of measurements, such as their mean, with eight significant digits; of larger ones, the whole part and a decimal. */
export function formatCalculated(value: number): string {
  const whole = Math.trunc(Math.abs(value)).toString().length;
  const digits = Math.max(minCalculatedDigits, Math.min(whole + 1, 15));
  const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(digits));
  return Math.abs(rounded) < 1e15 ? write(15, rounded) : String(rounded);
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
  return `${write(step === 0 ? 0 : 1, size)} ${byteSteps[step]}`;
}

/** A share from 0 to 1 as an integer percentage; 100% only for 1. */
export function formatPercent(share: number): string {
  // 0.29 * 100 is 28.999999999999996.
  return `${Math.min(Math.floor(Number((share * 100).toPrecision(12))), 100)}%`;
}

/** A number in a field; null: the field is empty; undefined: it has no number. */
export type TypedNumber = number | null | undefined;

/** What separates the decimals of a number. @param numbers absent: the style of the window */
export const decimalMark = (numbers?: FormatStyle['numbers']): '.' | ',' =>
  write(1, 0.5, 0, numbers).charAt(1) === ',' ? ',' : '.';

/** Numbers with thousands separators, by the separator. */
const grouped = {
  ',': /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/,
  '.': /^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/,
};

/**
 * Reads a number as people type it and as the window shows it: `1,250.5`, `−5`; with a decimal comma, `1.250,5`, and also
 * `1250.5`, as files have it.
 * @returns undefined for what could be two numbers: `3,5` could be 35, and with a decimal comma, `1.250` is 1250 in the
 *   window but 1.25 in files
 */
export function typedNumber(text: string): TypedNumber {
  const trimmed = text.trim().replace('−', '-');
  if (trimmed === '') return null;
  const mark = decimalMark();
  if (mark === ',' && /^-?[1-9]\d{0,2}\.\d{3}$/.test(trimmed)) return undefined;
  const group = mark === ',' ? '.' : ',';
  const plain = grouped[group].test(trimmed) ? trimmed.replaceAll(group, '') : trimmed;
  const number = Number(plain.replace(mark, '.'));
  return Number.isFinite(number) ? number : undefined;
}

/** A number for a field, which {@link typedNumber} reads: with the decimal mark of the window, and no separators. */
export const inputText = (value: number): string => String(value).replace('.', decimalMark());

export interface FormatStyle {
  /** `locale`: as usual in the user's locale; `plain`: with a point, and no groups. */
  readonly numbers: 'locale' | 'plain';
  /** `iso`: `2026-11-21 06:58:01`; `locale`: as usual in the user's locale. */
  readonly dates: 'iso' | 'locale';
}

let style: FormatStyle = { numbers: 'locale', dates: 'iso' };

export const formatStyle = (): FormatStyle => style;

/** Components that show numbers or times must be rendered again. */
export function setFormatStyle(next: FormatStyle): void {
  style = next;
}
