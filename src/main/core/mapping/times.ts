import { DateTime } from 'luxon';
import { withCalendarDate, withPlainBlanks, withZoneOffset } from '../records/time-patterns.ts';
import { isZone, localToUtc, offsetMinutes, type LocalToUtc, type ResolvedTime } from './zones.ts';
import { isUnixFormat, unitsPerMs, type UnixFormat } from './unix-times.ts';

/** A time as UTC milliseconds, or the reason why the text isn't a time. */
type TimeResult = ResolvedTime | 'gap' | 'unreadable';
type ReadTime = (text: string) => TimeResult;

const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?)?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?$/;
const numberPattern = /^-?\d+(?:\.\d+)?$/;

/** Milliseconds as if the fields were UTC; null for a day or time that doesn't exist. 24:00 is 0:00 of the next day. */
function utcFields(
  year: number,
  month: number,
  dayOfMonth: number,
  hour: number,
  minute: number,
  second: number,
): number | null {
  if (hour > 24 || minute > 59 || second > 59 || (hour === 24 && minute + second > 0)) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, dayOfMonth);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== dayOfMonth) return null;
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000;
}

function readIso(toUtc: LocalToUtc): ReadTime {
  return (text) => {
    const match = isoPattern.exec(text) ?? isoPattern.exec(withCalendarDate(text));
    if (!match) return 'unreadable';
    const [, year, month, dayOfMonth, hour = 0, minute = 0, second = 0, fraction = '', zone] = match;
    const whole = utcFields(
      Number(year),
      Number(month),
      Number(dayOfMonth),
      Number(hour),
      Number(minute),
      Number(second),
    );
    if (whole === null) return 'unreadable';
    const local = whole + Math.floor(Number(`0.${fraction || '0'}`) * 1000 + 1e-6);
    if (zone === undefined) return toUtc(local);
    const offset = offsetMinutes(zone);
    return offset === null ? 'unreadable' : { ms: local - offset * 60_000, laterMs: null };
  };
}

/** The last moment that has a date. */
const maxTimeMs = 8_640_000_000_000_000;

const readUnix =
  (format: UnixFormat): ReadTime =>
  (text) => {
    if (!numberPattern.test(text)) return 'unreadable';
    const perMs = unitsPerMs[format];
    // Nanoseconds have more digits than a double. Parts of a millisecond are dropped.
    const ms = perMs <= 1 ? Math.round(Number(text) / perMs) : floorDivide(text, perMs);
    return Math.abs(ms) <= maxTimeMs ? { ms, laterMs: null } : 'unreadable';
  };

function floorDivide(text: string, divisor: number): number {
  const whole = BigInt(text.replace(/\..*$/, ''));
  const by = BigInt(divisor);
  const quotient = whole / by;
  const isBelow = text.startsWith('-') && (whole % by !== 0n || /\.0*[1-9]/.test(text));
  return Number(isBelow ? quotient - 1n : quotient);
}

/** Day 0 of spreadsheets, in milliseconds: that of Excel, and that of workbooks from old Macintosh computers. */
const dayZero = { excel_1900: Date.UTC(1899, 11, 30), excel_1904: Date.UTC(1904, 0, 1) } as const;
const msPerDay = 86_400_000;

/** Days in a spreadsheet, with the time of day as a fraction. They have no time zone. */
function readDays(system: keyof typeof dayZero, toUtc: LocalToUtc): ReadTime {
  return (text) => {
    if (!numberPattern.test(text)) return 'unreadable';
    const day = Number(text);
    // Excel counts February 29, 1900, which didn't exist; earlier days are ambiguous.
    if (day < (system === 'excel_1900' ? 61 : 0) || day >= 2_958_466) return 'unreadable';
    return toUtc(dayZero[system] + Math.round(day * msPerDay));
  };
}

/** Tokens of a pattern that parse a time zone; quoted text isn't a token. */
export const bringsZone = (pattern: string): boolean => /[Zz]|[Xx]/.test(pattern.replaceAll(/'[^']*'/g, ''));

/** A pattern in the letters of the parser, which has the day of the year as `ooo`. */
const parserPattern = (pattern: string): string =>
  withPlainBlanks(pattern).replaceAll(/'[^']*'|DDD/g, (part) => (part === 'DDD' ? 'ooo' : part));

function readPattern(pattern: string, toUtc: LocalToUtc): ReadTime {
  const parser = DateTime.buildFormatParser(parserPattern(pattern), { locale: 'en-US' });
  const absolute = bringsZone(pattern);
  // The letter z stands for a name such as America/Chicago, or for an abbreviation.
  const offsetPattern = parserPattern(pattern).replaceAll(/'[^']*'|z/g, (part) =>
    part === 'z' ? 'ZZ' : part,
  );
  const offsetParser = DateTime.buildFormatParser(offsetPattern, { locale: 'en-US' });
  const hasName = offsetPattern !== parserPattern(pattern);
  return (cell) => {
    const text = withPlainBlanks(cell);
    const offsetText = hasName ? withZoneOffset(text) : null;
    // The parser takes BST for the time of Dhaka.
    const name = hasName && offsetText === null ? /[A-Za-z_]+(?:\/[\w+-]+)*$/.exec(text)?.[0] : undefined;
    if (name !== undefined && !isZone(name)) return 'unreadable';
    const time = DateTime.fromFormatParser(offsetText ?? text, offsetText === null ? parser : offsetParser, {
      zone: 'utc',
      locale: 'en-US',
    });
    if (!time.isValid) return 'unreadable';
    return absolute ? { ms: time.toMillis(), laterMs: null } : toUtc(time.toMillis());
  };
}

/** Why a pattern is invalid; null: it is valid. */
export function patternProblem(pattern: string): string | null {
  const parsed = parserPattern(pattern);
  const tokens = parsed.replaceAll(/'[^']*'/g, '');
  if (/[YD]/.test(tokens))
    return `“${pattern}” has Y or D; write the year as yyyy, the day as dd, and the day of the year as DDD`;
  if (!/y|o|X|x|[DtTfF]/.test(tokens)) return `“${pattern}” has no year (yyyy)`;
  const { invalidReason } = DateTime.fromFormatExplain('', parsed, { locale: 'en-US' });
  return invalidReason === undefined || invalidReason === null
    ? null
    : `“${pattern}” can't be read as a time: ${invalidReason}`;
}

/**
 * Parses texts of one format as times.
 * @param format `iso`, `unix_s`, `unix_ms`, `unix_us`, `unix_ns`, `excel_1900`, `excel_1904`, or a pattern such as `yyyy-MM-dd HH:mm:ss`
 * @param zone for texts without one: an IANA name, an offset, or `UTC`
 */
export function timeReader(format: string, zone: string): ReadTime {
  if (isUnixFormat(format)) return readUnix(format);
  const toUtc = localToUtc(zone);
  if (format === 'excel_1900' || format === 'excel_1904') return readDays(format, toUtc);
  return format === 'iso' ? readIso(toUtc) : readPattern(format, toUtc);
}
