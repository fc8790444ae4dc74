import { instantOf } from '../../../shared/instants.ts';

/** A date without a time of day, a time of day without a date, or both. Months are numbers or English names. */
const shape =
  /^(?:(\d{1,4})([ ./-])(\d{1,2}|[A-Za-z]{3,9})\2(\d{1,4}))?([ T])?(?:(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:([.,])(\d+))?)?(\s?)([AaPp][Mm])?)?$/;

const monthNames =
  'january february march april may june july august september october november december'.split(' ');

const isMonth = (digits: string): boolean =>
  digits.length <= 2 && Number(digits) >= 1 && Number(digits) <= 12;
const isDay = (digits: string): boolean => digits.length <= 2 && Number(digits) >= 1 && Number(digits) <= 31;

const otherBlanks = /[\u00A0\u202F]/g;

/** A text with plain blanks in place of those that don't break a line, which some programs write before AM and PM. */
export const withPlainBlanks = (text: string): string =>
  // Most texts are ASCII, which the test skips fastest.
  text.search(otherBlanks) < 0 ? text : text.replaceAll(otherBlanks, ' ');

const dayOfYear = /^(\d{4})-(\d{3})(?=$|[Tt ])/;

/** A text whose date is a year and a day of it, as ISO 8601 has them, with year, month, and day: 2025-073 is 2025-03-14. */
export const withCalendarDate = (text: string): string =>
  text.replace(dayOfYear, (ordinal, year: string, days: string) => {
    const date = new Date(Date.UTC(Number(year), 0, Number(days)));
    return date.getUTCFullYear() === Number(year) && days !== '000'
      ? date.toISOString().slice(0, 10)
      : ordinal;
  });

/** The offsets that abbreviations mean in the United States; elsewhere, CST is China Standard Time. */
const zoneOffsets: Readonly<Record<string, string>> = {
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
};
const zoneAbbreviation = /(?<=\d ?|[AaPp][Mm] ?)(?:[ECMP][SD]T)(?![A-Za-z])/;

/** A text with an offset in place of the abbreviation of a zone of the United States; null: it has none. */
export function withZoneOffset(text: string): string | null {
  const offset = zoneOffsets[zoneAbbreviation.exec(text)?.[0] ?? ''];
  return offset === undefined ? null : text.replace(zoneAbbreviation, offset);
}

interface TimeReading {
  readonly pattern: string;
  /** Milliseconds, as if the text were UTC: for the order of texts of one pattern, or of ISO 8601. */
  readonly order: number;
}

/** Two digits of a year are those of 1961 to 2060, as the parser reads them. */
export const fullYear = (digits: string): number => {
  const year = Number(digits);
  return digits.length > 2 ? year : year + (year > 60 ? 1900 : 2000);
};

const dayOrder = (year: string, month: number, dayOfMonth: string): number =>
  Date.UTC(fullYear(year), month - 1, Number(dayOfMonth));

/** A date with the name of a month: `11-MAY-1985`. */
function namedDate(first: string, mark: string, name: string, last: string): TimeReading[] {
  const lower = name.toLowerCase();
  const index = monthNames.findIndex((month) => month === lower || month.slice(0, 3) === lower);
  if (index < 0) return [];
  // May is its own abbreviation.
  const months = lower === 'may' ? ['MMM', 'MMMM'] : [lower.length === 3 ? 'MMM' : 'MMMM'];
  const readings = (letters: (month: string) => readonly string[], year: string, dayOfMonth: string) =>
    months.map((month) => ({
      pattern: letters(month).join(mark),
      order: dayOrder(year, index + 1, dayOfMonth),
    }));
  if (first.length === 4) return isDay(last) ? readings((month) => ['yyyy', month, 'd'], first, last) : [];
  if (!isDay(first) || (last.length !== 4 && last.length !== 2)) return [];
  const year = last.length === 4 ? 'yyyy' : 'yy';
  return readings((month) => ['d', month, year], last, first);
}

function dateReadings(first: string, mark: string, second: string, last: string): TimeReading[] {
  if (/[A-Za-z]/.test(second)) return namedDate(first, mark, second, last);
  // Blanks separate numbers of other kinds too.
  if (mark === ' ') return [];
  const reading = (letters: readonly string[], year: string, month: string, dayOfMonth: string) => ({
    pattern: letters.join(mark),
    order: dayOrder(year, Number(month), dayOfMonth),
  });
  if (first.length === 4)
    return isMonth(second) && isDay(last) ? [reading(['yyyy', 'M', 'd'], first, second, last)] : [];
  if (first.length > 2 || (last.length !== 4 && last.length !== 2)) return [];
  const year = last.length === 4 ? 'yyyy' : 'yy';
  return [
    ...(isDay(first) && isMonth(second) ? [reading(['d', 'M', year], last, second, first)] : []),
    ...(isMonth(first) && isDay(second) ? [reading(['M', 'd', year], last, first, second)] : []),
    ...(year === 'yy' && first.length === 2 && isMonth(second) && isDay(last)
      ? [reading(['yy', 'M', 'd'], first, second, last)]
      : []),
  ];
}

/** The readings of days seen before: a day has many records. */
const readDays = new Map<string, readonly TimeReading[]>();
const maxReadDays = 1000;

function dayReadings(
  dayText: string,
  parts: readonly [string, string, string, string],
): readonly TimeReading[] {
  const before = readDays.get(dayText);
  if (before) return before;
  if (readDays.size >= maxReadDays) readDays.clear();
  const readings = dateReadings(...parts);
  readDays.set(dayText, readings);
  return readings;
}

/**
 * The patterns that match a text as a date, a time of day, or both, without a time zone: `03/14/2024` only as
 * `M/d/yyyy`, `03/04/2024` also as `d/M/yyyy`. One letter matches one or two digits. Empty: it matches none.
 * @param cell trimmed
 */
export function timeReadings(cell: string): readonly TimeReading[] {
  const text = withPlainBlanks(cell);
  const parts = shape.exec(text);
  if (!parts) {
    const local = text.replace(/ ?[ECMP][SD]T$/, '');
    if (local !== text && /^\d{1,4}[-./ ].*\d/.test(local)) {
      const zone = text.charAt(local.length) === ' ' ? ' z' : 'z';
      return timeReadings(local).map(({ pattern, order }) => ({ pattern: `${pattern}${zone}`, order }));
    }
    const calendarText = withCalendarDate(text);
    if (calendarText === text) return [];
    return timeReadings(calendarText).map(({ pattern, order }) => ({
      pattern: pattern.replace('yyyy-M-d', 'yyyy-ooo'),
      order,
    }));
  }
  const [, first, mark = '', second = '', last = '', between, hour] = parts;
  const minute = parts[7];
  const seconds = parts[8];
  const decimal = parts[9];
  const fraction = parts[10];
  const space = parts[11] ?? '';
  const half = parts[12];
  if ((first !== undefined && hour !== undefined) !== (between !== undefined)) return [];
  const dayLength = (first?.length ?? 0) + second.length + last.length + 2;
  const dates =
    first === undefined ? null : dayReadings(text.slice(0, dayLength), [first, mark, second, last]);
  if (hour === undefined) return dates ?? [];
  if (Number(hour) > (half ? 12 : 24)) return [];
  const clock = `${half ? 'h' : 'H'}:mm${seconds ? ':ss' : ''}${decimal ? `${decimal}u` : ''}${half ? `${space}a` : ''}`;
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
  const clockOrder =
    ((hours * 60 + Number(minute)) * 60 + Number(seconds ?? 0)) * 1000 + Number(`0.${fraction ?? 0}`) * 1000;
  if (!dates) return [{ pattern: clock, order: clockOrder }];
  const separator = between === 'T' ? "'T'" : ' ';
  return dates.map(({ pattern, order }) => ({
    pattern: `${pattern}${separator}${clock}`,
    order: order + clockOrder,
  }));
}

/** The patterns of {@link timeReadings}. */
export const timePatterns = (text: string): readonly string[] =>
  timeReadings(text).map(({ pattern }) => pattern);

/** The patterns of compact times, such as `20230101120000`, by their number of digits. */
const compactPatterns: ReadonlyMap<number, string> = new Map([
  [8, 'yyyyMMdd'],
  [12, 'yyyyMMddHHmm'],
  [14, 'yyyyMMddHHmmss'],
  [17, 'yyyyMMddHHmmssSSS'],
]);

const compact = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)([0-5]\d)(?:([0-5]\d)(?:\d{3})?)?)?$/;

/** The pattern of digits that are a date from 1950 to 2099, with or without a time of day; null: they aren't. */
export function compactPattern(digits: string): string | null {
  const pattern = compactPatterns.get(digits.length);
  const [, year, month = '', dayOfMonth = '', hour = '0'] = (pattern && compact.exec(digits)) || [];
  if (!pattern || year === undefined || Number(year) < 1950 || Number(year) > 2099) return null;
  return isMonth(month) && isDay(dayOfMonth) && Number(hour) < 24 ? pattern : null;
}

/** Dates of six digits, of which one reading may be a mistake: they are proposed, not read. */
const shortDates = [
  { format: 'yyyyMM', what: 'years and months', parts: /^(?<year>\d{4})(?<month>\d\d)$/ },
  { format: 'ddMMyy', what: 'days, months, and years', parts: /^(?<day>\d\d)(?<month>\d\d)(?<year>\d\d)$/ },
  { format: 'MMddyy', what: 'months, days, and years', parts: /^(?<month>\d\d)(?<day>\d\d)(?<year>\d\d)$/ },
  { format: 'yyMMdd', what: 'years, months, and days', parts: /^(?<year>\d\d)(?<month>\d\d)(?<day>\d\d)$/ },
] as const;

/** The first form of dates of six digits that fits all texts; null: none. */
export function compactDate(
  texts: readonly string[],
): { readonly format: string; readonly what: string } | null {
  const fits = (parts: RegExp, text: string): boolean => {
    const { year = '', month = '', day = '1' } = parts.exec(text)?.groups ?? {};
    const isYear = year.length < 4 || (Number(year) >= 1950 && Number(year) <= 2099);
    return isYear && isMonth(month) && isDay(day);
  };
  return shortDates.find(({ parts }) => texts.every((text) => fits(parts, text))) ?? null;
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

/** An example cell for a message. */
export interface Example {
  readonly line: number;
  readonly text: string;
}

/** The minimum or maximum number of a column, as text in the file. */
export interface Extreme extends Example {
  readonly value: number;
}

export interface TimeEnds {
  readonly min: Extreme;
  readonly max: Extreme;
}

const zone = /(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;

/** Whether a text that is a time has a zone. */
export const hasZone = (text: string): boolean => text.length > 10 && zone.test(text.slice(10));

/** The earliest and the latest text so far. Its fields change in place: nearly each row of a time column is the latest. */
export class TimeRange {
  minValue = Infinity;
  minText = '';
  minLine = 0;
  maxValue = -Infinity;
  maxText = '';
  maxLine = 0;

  add(value: number, text: string, line: number): void {
    if (value < this.minValue) {
      this.minValue = value;
      this.minText = text;
      this.minLine = line;
    }
    if (value > this.maxValue) {
      this.maxValue = value;
      this.maxText = text;
      this.maxLine = line;
    }
  }

  get ends(): TimeEnds {
    return {
      min: { value: this.minValue, text: this.minText, line: this.minLine },
      max: { value: this.maxValue, text: this.maxText, line: this.maxLine },
    };
  }
}

/** The range of texts with a zone. They are parsed only if their notations differ, else their text has their order. */
export class ZonedTexts {
  #zone = '';
  #min: Example | null = null;
  #max: Example | null = null;
  #parsed: TimeRange | null = null;

  get isEmpty(): boolean {
    return this.#min === null;
  }

  add(text: string, line: number): void {
    if (this.#parsed) return this.#parse(text, line);
    if (this.#min === null || this.#max === null) {
      this.#zone = text.slice(zone.exec(text)?.index ?? text.length);
      this.#min = this.#max = { text, line };
    } else if (!this.#isLike(this.#min.text, text)) {
      this.#parsed = new TimeRange();
      this.#parse(this.#min.text, this.#min.line);
      this.#parse(this.#max.text, this.#max.line);
      this.#parse(text, line);
    } else if (text < this.#min.text) this.#min = { text, line };
    else if (text > this.#max.text) this.#max = { text, line };
  }

  /** Whether two texts have the same length, zone, and mark between date and time of day. */
  #isLike(earlier: string, text: string): boolean {
    return text.length === earlier.length && text[10] === earlier[10] && text.endsWith(this.#zone);
  }

  #parse(text: string, line: number): void {
    const value = instantOf(withCalendarDate(text));
    if (!Number.isNaN(value)) this.#parsed?.add(value, text, line);
  }

  /** Null: there is no time, or the first or last text, such as one of month 13, is none. */
  get ends(): TimeEnds | null {
    const range = this.#parsed ?? new TimeRange();
    for (const end of this.#parsed ? [] : [this.#min, this.#max]) {
      const value = end ? instantOf(withCalendarDate(end.text)) : Number.NaN;
      if (!end || Number.isNaN(value)) return null;
      range.add(value, end.text, end.line);
    }
    return Number.isFinite(range.minValue) ? range.ends : null;
  }
}
