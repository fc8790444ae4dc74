import { formatValue } from '../../format/numbers.ts';
import { formatZoned, offsetAt, timesAt } from '../../format/zoned.ts';
import type { Along, ChartScale } from './chart-spec.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const stepsBelowDay: readonly number[] = [
  ...[1, 10, 100].flatMap((n) => [n, 2 * n, 5 * n]),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
];

/** Steps between the marks of a time axis, in milliseconds; marks of 30 and 365 days are months and years. */
export const timeSteps: number[] = [
  ...stepsBelowDay,
  ...[1, 2, 3, 5, 10, 15].map((n) => n * day),
  ...[1, 2, 3, 4, 6].map((n) => n * 30 * day),
  ...[1, 2, 5, 10, 25, 50, 100].map((n) => n * 365 * day),
];

/** Steps between the marks of elapsed time, in milliseconds. */
export const elapsedSteps: number[] = [
  ...stepsBelowDay,
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((n) => n * day),
];

/** The start of a month as if it were UTC, in milliseconds. @param month counted from year 0 */
const monthStart = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12);
const monthOf = (wall: number): number => {
  const date = new Date(wall);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** The local times of whole steps around a range, as if they were UTC: of years, months, days, or parts of a day. */
function wallMarks(from: number, to: number, step: number): number[] {
  const marks: number[] = [];
  if (step < 30 * day) {
    for (let wall = Math.floor(from / step) * step; wall <= to; wall += step) marks.push(wall);
    return marks;
  }
  const months = step < 365 * day ? Math.round(step / (30 * day)) : 12 * Math.round(step / (365 * day));
  for (let month = Math.floor(monthOf(from) / months) * months; monthStart(month) <= to; month += months)
    marks.push(monthStart(month));
  return marks;
}

/**
 * The marks of a time axis: whole steps of the local time in a zone. Where clocks are set back, steps up to an hour have
 * marks in both of the hours; a mark that clocks skip is where they are set forward.
 */
export function timeMarks(from: number, to: number, step: number, zone: string): number[] {
  const marks = wallMarks(from + offsetAt(from, zone) - day, to + offsetAt(to, zone) + day, step).flatMap(
    (wall) => {
      const times = timesAt(wall, zone);
      if (times.length === 0) return step < day ? [] : [wall - offsetAt(wall - day / 2, zone)];
      return step <= hour ? times : times.slice(0, 1);
    },
  );
  return [...new Set(marks)].filter((ms) => ms >= from && ms <= to).toSorted((a, b) => a - b);
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** Elapsed time, such as `4:05:30`, with days before it and thousandths after it if there are any. */
export function elapsedText(ms: number, step = 1): string {
  const sign = ms < 0 ? '−' : '';
  const all = Math.round(Math.abs(ms));
  const days = Math.floor(all / day);
  const hours = Math.floor((all % day) / hour);
  const minutes = pad(Math.floor((all % hour) / minute));
  const seconds = step >= minute ? '' : `:${pad(Math.floor((all % minute) / second))}`;
  const thousandths = all % second;
  const fraction = step >= second || thousandths === 0 ? '' : `.${String(thousandths).padStart(3, '0')}`;
  return `${sign}${days > 0 ? `${days} d ` : ''}${hours}:${minutes}${seconds}${fraction}`;
}

/**
 * The labels of a time axis: the date at the first mark and at the start of each day, else the time of day, with the
 * precision of the step.
 */
export function timeTexts(marks: readonly number[], step: number, zone: string): string[] {
  let shown = '';
  return marks.map((ms) => {
    const text = formatZoned(ms, zone);
    const date = text.slice(0, 10);
    if (step >= day) return date;
    // The offset follows the time of day where a clock change repeats it.
    const [clock = '', ...offset] = text.slice(11).split(' ');
    const time = [step >= minute ? clock.slice(0, 5) : clock, ...offset].join(' ');
    if (date === shown) return time;
    shown = date;
    return `${time}\n${date}`;
  });
}

/** A value in a readout: up to six decimals; very small and very large ones in scientific notation. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e12) ? value.toExponential(4) : formatValue(value);
}

/** The digits of an extent that a person reads; all digits of larger whole parts. */
const extentDigits = 7;

/** The lowest or highest value of a line, which may be calculated, with as many decimals as a person reads. */
export function extentText(value: number): string {
  const wholeDigits = Math.abs(value) < 1 ? 0 : Math.floor(Math.log10(Math.abs(value))) + 1;
  const isRead = Number.isInteger(value) || wholeDigits >= extentDigits;
  return numberText(isRead ? value : Number(value.toPrecision(extentDigits)));
}

/**
 * The labels of an axis of numbers, all with the digits of its step: 0.0005, 0.001, 0.0015.
 * @param marks the values; null: without a label
 * @param step the distance between marks; null: it isn't the same everywhere
 * @returns a text for each mark
 */
export function markTexts(marks: readonly (number | null)[], step: number | null): string[] {
  const decimals = step === null ? 0 : Math.min(Math.max(Math.ceil(-Math.log10(step)) + 1, 0), maxDigits);
  return marks.map((mark) => {
    if (mark === null) return '';
    if (step === null) return numberText(Number(mark.toPrecision(6)));
    return decimals > maxDecimals ? mark.toFixed(decimals) : numberText(Number(mark.toFixed(decimals)));
  });
}

/** The decimals of {@link numberText}. */
const maxDecimals = 6;

/** The value at an edge of a scale: up to four digits, fewer than other values need. */
export const limitText = (limit: number): string => numberText(Number(limit.toPrecision(4)));

/** The limits of a track for its heading, with marks where they cut values off. */
export const headLimits = ({ range, beyond }: Pick<ChartScale, 'range' | 'beyond'>) => ({
  left: `${beyond?.left ? '‹ ' : ''}${limitText(range.from)}`,
  right: `${limitText(range.to)}${beyond?.right ? ' ›' : ''}`,
});

/** @param span visible length of the axis, which limits the digits to those of a pixel */
export function alongText(value: number, along: Along, span: number): string {
  if (along.show === 'number') return numberText(Number(value.toPrecision(digitsFor(value, span))));
  const step = span > 10 * minute ? second : 1;
  const ms = Math.round(value / step) * step;
  return along.show === 'time' ? formatZoned(ms, along.zone) : elapsedText(ms);
}

const maxDigits = 15;

/** Enough digits for a thousandth of the span. */
function digitsFor(value: number, span: number): number {
  const size = Math.max(Math.abs(value), span);
  if (size === 0 || span <= 0) return maxDigits;
  return Math.min(Math.max(Math.ceil(Math.log10(size / span)) + 4, 1), maxDigits);
}
