/** A date without a time of day, a time of day without a date, or both. */
const shape =
  /^(?:(\d{1,4})([./-])(\d{1,2})\2(\d{1,4}))?([ T])?(?:(\d{1,2}):[0-5]\d(:[0-5]\d(?:([.,])\d+)?)?(\s?)([AaPp][Mm])?)?$/;

const isMonth = (digits: string): boolean =>
  digits.length <= 2 && Number(digits) >= 1 && Number(digits) <= 12;
const isDay = (digits: string): boolean => digits.length <= 2 && Number(digits) >= 1 && Number(digits) <= 31;

/** The orders of year, month, and day in three numbers. */
function datePatterns(first: string, mark: string, second: string, last: string): string[] {
  const parts = (...letters: string[]) => letters.join(mark);
  if (first.length === 4) return isMonth(second) && isDay(last) ? [parts('yyyy', 'M', 'd')] : [];
  if (first.length > 2 || (last.length !== 4 && last.length !== 2)) return [];
  const year = last.length === 4 ? 'yyyy' : 'yy';
  return [
    ...(isDay(first) && isMonth(second) ? [parts('d', 'M', year)] : []),
    ...(isMonth(first) && isDay(second) ? [parts('M', 'd', year)] : []),
    ...(year === 'yy' && first.length === 2 && isMonth(second) && isDay(last) ? [parts('yy', 'M', 'd')] : []),
  ];
}

/**
 * The patterns that match a text as a date, a time of day, or both, without a time zone: `03/14/2024` only as
 * `M/d/yyyy`, `03/04/2024` also as `d/M/yyyy`. One letter matches one or two digits. Empty: it matches none.
 * @param text trimmed
 */
export function timePatterns(text: string): readonly string[] {
  const found = shape.exec(text);
  if (!found) return [];
  const [, first, mark = '', second = '', last = '', between, hour, seconds, decimal, space = '', half] =
    found;
  if ((first !== undefined && hour !== undefined) !== (between !== undefined)) return [];
  const dates = first === undefined ? null : datePatterns(first, mark, second, last);
  if (hour === undefined) return dates ?? [];
  if (Number(hour) > (half ? 12 : 24)) return [];
  const clock = `${half ? 'h' : 'H'}:mm${seconds ? ':ss' : ''}${decimal ? `${decimal}u` : ''}${half ? `${space}a` : ''}`;
  return dates ? dates.map((date) => `${date}${between === 'T' ? "'T'" : ' '}${clock}`) : [clock];
}

const isClock = (pattern: string): boolean => /^[Hh]/.test(pattern);
const isDate = (pattern: string): boolean => !/[Hh]/.test(pattern.replaceAll(/'[^']*'/g, ''));

/** Patterns that match all texts of a column; null: it has no texts. */
type ColumnPatterns = readonly string[] | null;

/** Whether a column has times of day without dates. */
export const areClocks = (patterns: ColumnPatterns): boolean =>
  patterns !== null && patterns.length > 0 && patterns.every(isClock);

/** Whether a column has dates without times of day. */
export const areDates = (patterns: ColumnPatterns): boolean =>
  patterns !== null && patterns.length > 0 && patterns.every(isDate);

/** Whether a format has a date without a time of day: every time is midnight. */
export const isDateFormat = (format: string): boolean => isDate(format) && /y/.test(format);

/** The patterns that match the joined texts of several columns, with a blank between them. */
export const joinPatterns = (columns: readonly ColumnPatterns[]): readonly string[] =>
  columns
    .map((patterns) => patterns ?? [])
    .reduce((joined, patterns) => joined.flatMap((before) => patterns.map((next) => `${before} ${next}`)));
