import type { TimeChoice } from '../../../shared/upload/preview.ts';
import { timeReader } from './times.ts';

const dated =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:([ T])(\d{1,2}):\d\d(:\d\d)?(?:([.,])\d+)?(\s?)([AaPp][Mm])?)?$/;
const numeric = /^\d+(?:\.\d+)?$/;
const counted = ['unix_ms', 'unix_s', 'excel_1900', 'excel_1904'] as const;
/** Years that a count of days or seconds is believed to mean. */
const likelyYears = { from: Date.UTC(1971, 0, 1), to: Date.UTC(2100, 0, 1) };

/** A part of a pattern: as many letters as digits stand there, one where their number changes. */
const digits = (letter: string, texts: readonly (string | undefined)[]): string =>
  texts.every((text) => text?.length === 2) ? letter.repeat(2) : letter;

/** The patterns that the shape of the cells leaves open: which of two numbers is the day shows in no shape. */
function patternsFor(cells: readonly string[]): string[] {
  const found = cells.map((cell) => dated.exec(cell));
  const [shape] = found;
  if (!shape) return [];
  const [, first = '', mark = '', , last = '', between, hour, seconds, decimal, space = '', half] = shape;
  const part = (at: number) => found.map((each) => each?.[at]);
  const hours = digits(half ? 'h' : 'H', part(6));
  const clock =
    hour === undefined
      ? ''
      : `${between === 'T' ? "'T'" : ' '}${hours}:mm${seconds ? ':ss' : ''}${decimal ? `${decimal}u` : ''}${half ? `${space}a` : ''}`;
  const date = (...parts: string[]) => `${parts.join(mark)}${clock}`;
  if (first.length === 4) return [date('yyyy', digits('M', part(3)), digits('d', part(4)))];
  const year = last.length === 4 ? 'yyyy' : 'yy';
  const [ones, twos] = [part(1), part(3)];
  return [
    date(digits('d', ones), digits('M', twos), year),
    date(digits('M', ones), digits('d', twos), year),
    ...(year === 'yy' && first.length === 2 ? [date('yy', digits('M', twos), digits('d', part(4)))] : []),
  ];
}

/** The local time that a cell stands for, in milliseconds as if it were UTC; null: it can't be read so. */
function localTime(cell: string, format: string): number | null {
  const read = timeReader(format, 'UTC')(cell);
  return typeof read === 'string' ? null : read.ms;
}

/**
 * The formats that all of these cells can be read by, each with what it makes of one of them: the first of which they
 * make different times. Empty where nothing is left open, or nothing fits.
 * @param cells of one column, filled, without blanks at their ends
 */
export function timeChoices(cells: readonly string[]): TimeChoice[] {
  if (cells.every((cell) => localTime(cell, 'iso') !== null)) return [];
  const isCount = cells.every((cell) => numeric.test(cell));
  const fitting = (isCount ? counted : patternsFor(cells)).flatMap((format) => {
    const times = cells.map((cell) => localTime(cell, format));
    const fits = times.every(
      (ms) => ms !== null && (!isCount || (ms >= likelyYears.from && ms < likelyYears.to)),
    );
    return fits ? [{ format, times }] : [];
  });
  const apart = cells.findIndex((_, at) => new Set(fitting.map(({ times }) => times[at])).size > 1);
  const at = Math.max(apart, 0);
  return fitting.map(({ format, times }) => ({
    format,
    cell: cells[at] ?? '',
    local: times[at] ?? 0,
  }));
}
