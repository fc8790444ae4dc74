import { FixedOffsetZone, IANAZone, DateTime } from 'luxon';
import { minPlausibleMs } from '../../../shared/instants.ts';
import { countInWords, maxOf, minOf } from '../../../shared/lists.ts';
import type { FileWarning } from '../../../shared/upload/upload.ts';
import {
  type ColumnFacts,
  type FileRow,
  type Layout,
  type Scan,
  openTableFile,
  type NamedFile,
} from '../tables/tables.ts';
import { isZone, offsetMinutes } from '../records/zone-names.ts';
import { wallMs } from '../../world/time.ts';
import { withCalendarDate, withPlainBlanks, withZoneOffset } from '../records/time-patterns.ts';
import type { RepeatedReading, WellColumn, RepeatedHour } from './upload-plan.ts';
import { assetKey } from '../../../shared/wells/wells.ts';
import type { RecordRow } from './record-writer.ts';
import { nullWords } from '../../../shared/upload/null-tokens.ts';

type Finding = NonNullable<Scan['comments']>;

/** A time in UTC, in milliseconds. */
export interface ResolvedTime {
  readonly ms: number;
  /** The second time, if the local time occurs twice because clocks go back; null: it occurs once. */
  readonly laterMs: number | null;
}

/** Converts local times, as milliseconds as if they were UTC, to UTC. */
type LocalToUtc = (localMs: number) => ResolvedTime | 'gap';

const minute = 60_000;
const day = 86_400_000;

/** Minutes east of UTC in a zone at a time: an IANA name, an offset, or `UTC`. */
export function offsetAt(zone: string, ms: number): number {
  return offsetMinutes(zone) ?? (IANAZone.isValidZone(zone) ? IANAZone.create(zone).offset(ms) : 0);
}

/**
 * Converts local times of a zone to UTC: an IANA name, an offset, or `UTC`. The result for the last minute is cached,
 * which makes rows in time order fast.
 */
export function localToUtc(zone: string): LocalToUtc {
  const fixed = offsetMinutes(zone);
  if (fixed !== null) return (localMs) => ({ ms: localMs - fixed * minute, laterMs: null });
  const named = IANAZone.isValidZone(zone) ? IANAZone.create(zone) : FixedOffsetZone.utcInstance;
  let lastMinute = Number.NaN;
  let last: Offsets | 'gap' = 'gap';
  return (localMs) => {
    const minuteKey = Math.floor(localMs / minute);
    if (minuteKey !== lastMinute) {
      lastMinute = minuteKey;
      last = offsetsFor(minuteKey * minute, (ms) => named.offset(ms));
    }
    if (last === 'gap') return 'gap';
    const { first, second } = last;
    return { ms: localMs - first * minute, laterMs: second === null ? null : localMs - second * minute };
  };
}

/** The offsets of a local time in minutes: two where clocks go back. */
interface Offsets {
  readonly first: number;
  readonly second: number | null;
}

/** The offsets of a local time: valid if the clock with this offset shows that time. */
function offsetsFor(localMs: number, offsetOf: (ms: number) => number): Offsets | 'gap' {
  const before = offsetOf(localMs - day);
  const after = offsetOf(localMs + day);
  const near = offsetOf(localMs - before * minute);
  const valid = [...new Set([before, near, after])].filter(
    (offset) => offsetOf(localMs - offset * minute) === offset,
  );
  if (valid.length === 0) return 'gap';
  return { first: maxOf(valid), second: valid.length > 1 ? minOf(valid) : null };
}

const searchStep = 7 * day;
/** Clocks of other centuries were set by the sun or by decree. */
const searched = { from: Date.UTC(1900, 0, 1), to: Date.UTC(2100, 0, 1) };

/**
 * Whether the clocks of a zone go back in a range of times, or within two days of it.
 * @param fromMs the earliest time, in milliseconds
 * @param toMs the latest time
 */
export function clocksGoBack(zone: string, fromMs: number, toMs: number): boolean {
  if (offsetMinutes(zone) !== null || !IANAZone.isValidZone(zone)) return false;
  const named = IANAZone.create(zone);
  const end = Math.min(toMs + 2 * day, searched.to);
  let at = Math.max(fromMs - 2 * day, searched.from);
  let offset = named.offset(at);
  while (at < end) {
    at = Math.min(at + searchStep, end);
    const next = named.offset(at);
    if (next < offset) return true;
    offset = next;
  }
  return false;
}

const unixFormats = ['unix_s', 'unix_ms', 'unix_us', 'unix_ns'] as const;
type UnixFormat = (typeof unixFormats)[number];

/** Whether a format counts time since 1970. */
export const isUnixFormat = (format: string): format is UnixFormat =>
  unixFormats.some((unix) => unix === format);

/** How many of each make a millisecond. */
const unitsPerMs: Readonly<Record<UnixFormat, number>> = {
  unix_s: 0.001,
  unix_ms: 1,
  unix_us: 1000,
  unix_ns: 1_000_000,
};

export const unixUnitNames: Readonly<Record<UnixFormat, string>> = {
  unix_s: 'seconds',
  unix_ms: 'milliseconds',
  unix_us: 'microseconds',
  unix_ns: 'nanoseconds',
};

/** The digits of numbers from 1973 to 5138 in each format: three digits apart, so that each number fits one of them. */
const digitsOf: Readonly<Record<UnixFormat, { readonly from: number; readonly to: number }>> = {
  unix_s: { from: 9, to: 11 },
  unix_ms: { from: 12, to: 14 },
  unix_us: { from: 15, to: 17 },
  unix_ns: { from: 18, to: 20 },
};

/** The end of next year: plans reach that far. */
const maxPlausibleMs = (): number => Date.UTC(new Date(wallMs()).getUTCFullYear() + 2, 0, 1);

/** Whether records of wells can be of this time, in Unix milliseconds: from 1950 to the end of next year. */
export const isPlausibleTime = (ms: number): boolean => ms >= minPlausibleMs && ms < maxPlausibleMs();

/** The format of a number by its size; null: too small or too large to tell. */
const formatOf = (value: number): UnixFormat | null => {
  const digits = String(Math.trunc(Math.abs(value))).length;
  return (
    unixFormats.find((format) => digits >= digitsOf[format].from && digits <= digitsOf[format].to) ?? null
  );
};

const countIn = ({ digits }: ColumnFacts, format: UnixFormat): number =>
  digits.slice(digitsOf[format].from, digitsOf[format].to + 1).reduce((total, count) => total + count, 0);

export type UnixUnit = UnixFormat | 'mixed' | 'unknown';

/**
 * What the numbers of a column look like, by their sizes. `mixed`: several formats. `unknown`: counts since another
 * time, or times before 1950 or after next year.
 */
export function unixUnit(facts: ColumnFacts): UnixUnit {
  const ends = [facts.min, facts.max].flatMap((end) => end ?? []);
  const formats = new Set(ends.flatMap(({ value }) => formatOf(value) ?? []));
  for (const format of unixFormats) if (countIn(facts, format) > 0) formats.add(format);
  const [format, ...others] = formats;
  if (format === undefined) return 'unknown';
  if (others.length > 0) return 'mixed';
  const isPlausible = ends.some(({ value }) => isPlausibleTime(value / unitsPerMs[format]));
  return isPlausible ? format : 'unknown';
}

/**
 * Warnings about numbers of a column that don't fit its format: they would be times of 1970, before 1950, or of the far
 * future.
 */
export function oddUnixTimes(column: string, format: string, facts: ColumnFacts): FileWarning[] {
  if (!isUnixFormat(format)) return [];
  const warning = (message: string, end: ColumnFacts['min'], count: number): FileWarning => ({
    code: 'implausible_times',
    message: `Column “${column}”: ${message}`,
    line: end?.line ?? null,
    column,
    count,
    ...(end ? { cell: end.text } : {}),
  });
  const otherFormats = unixFormats.filter((other) => other !== format && countIn(facts, other) > 0);
  if (otherFormats.length > 0)
    return otherFormats.map((other) => {
      const count = countIn(facts, other);
      const example = [facts.min, facts.max].find((end) => end && formatOf(end.value) === other) ?? null;
      const words = `${count === 1 ? '1 number looks' : `${count} numbers look`} like ${unixUnitNames[other]}${example ? `, such as ${example.text}` : ''}. They are read as ${format}; correct them in the file.`;
      return warning(words, example, count);
    });
  return [facts.min, facts.max].flatMap((end) => {
    if (!end || isPlausibleTime(end.value / unitsPerMs[format])) return [];
    const time = new Date(end.value / unitsPerMs[format]);
    const day = Number.isNaN(time.getTime()) ? '' : ` is ${time.toISOString().slice(0, 10)}, which`;
    return [warning(`${end.text} as ${format}${day} isn't a plausible time.`, end, 1)];
  });
}

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

/** Days in a spreadsheet, with the time of day as a fraction. They have no time zone. */
function readDays(system: keyof typeof dayZero, toUtc: LocalToUtc): ReadTime {
  return (text) => {
    if (!numberPattern.test(text)) return 'unreadable';
    const days = Number(text);
    // Excel counts February 29, 1900, which didn't exist; earlier days are ambiguous.
    if (days < (system === 'excel_1900' ? 61 : 0) || days >= 2_958_466) return 'unreadable';
    return toUtc(dayZero[system] + Math.round(days * day));
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

const usualNulls: ReadonlySet<string> = new Set(nullWords);

/**
 * The text of a column, with those of the columns joined to it: separated by blanks, without null values.
 * @param nulls texts that are null values, beside the usual ones
 */
export function joinedText(
  row: RecordRow,
  { index, join = [] }: { readonly index: number; readonly join?: readonly number[] | undefined },
  nulls: ReadonlySet<string> = usualNulls,
): string {
  if (join.length === 0) return row.text(index);
  return [index, ...join]
    .map((at) => row.text(at).trim())
    .filter((cell) => cell !== '' && !nulls.has(cell) && !usualNulls.has(cell))
    .join(' ');
}

/** Longer names are compared by their start. */
const maxWellLength = 200;

/**
 * The text that is the same for all rows of a well.
 * @param wells the columns that name it; none: all rows are of one well
 */
const wellText = (row: RecordRow, wells: readonly WellColumn[]): string =>
  wells
    .map(({ index, by }) =>
      assetKey(by === 'api_number' ? by : 'name', row.text(index)).slice(0, maxWellLength),
    )
    .join('\n');

/** The hour that contains a position; undefined: none. @param hours in the order of the file */
function hourAt(hours: readonly RepeatedHour[], at: number): RepeatedHour | undefined {
  let low = 0;
  let high = hours.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hours[middle]?.from ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const hour = hours[low - 1];
  return hour && at <= hour.to ? hour : undefined;
}

/** Determines for rows which of two times their local time has. */
export function repeatedReader({
  reading,
  wells,
  hours,
}: RepeatedReading): (row: RecordRow | null) => 'first' | 'second' {
  const byWell = new Map(hours.map((wellHours) => [wellHours.well, wellHours.hours]));
  return (row) => {
    const at = row?.record.start ?? -1;
    const hour = row && byWell.size > 0 ? hourAt(byWell.get(wellText(row, wells)) ?? [], at) : undefined;
    if (!hour) return reading;
    return at < hour.turn === hour.isRising ? 'first' : 'second';
  };
}

/** A longer step against the order of rows is the start of another part of the file, not disorder. */
const maxDisorderMs = 3_600_000;

/** A step against the order of rows. */
interface Step {
  readonly sizeMs: number;
  /** Position of the row after it. */
  readonly at: number;
  /** Number of rows of the hour before it. */
  readonly rowsBefore: number;
}

/** The two longest steps in one direction. */
class LongestSteps {
  first: Step | null = null;
  #secondMs = -1;

  add(step: Step): void {
    if (this.first === null || step.sizeMs > this.first.sizeMs) {
      this.#secondMs = this.first?.sizeMs ?? -1;
      this.first = step;
    } else this.#secondMs = Math.max(this.#secondMs, step.sizeMs);
  }

  /**
   * The step at which the clocks went back; null: none can be told from the others.
   * @param disorderMs the longest step against the order elsewhere, in milliseconds; -1: none
   * @param rows of the hour
   */
  turn(disorderMs: number, rows: number): Step | null {
    const { first } = this;
    if (first === null || first.sizeMs <= disorderMs) return null;
    // Equal times are the two times of an hourly row, or duplicates.
    if (first.sizeMs === 0) return rows === 2 ? first : null;
    return this.#secondMs * 2 < first.sizeMs ? first : null;
  }
}

/** Consecutive rows of a well whose local times occur twice at one change of the clocks. */
class Hour {
  readonly from: number;
  to: number;
  rows = 1;
  rises = 0;
  falls = 0;
  readonly back = new LongestSteps();
  readonly ahead = new LongestSteps();

  constructor(at: number) {
    this.from = at;
    this.to = at;
  }

  add(stepMs: number, at: number): void {
    if (stepMs > 0) this.rises++;
    if (stepMs < 0) this.falls++;
    if (stepMs <= 0) this.back.add({ sizeMs: -stepMs, at, rowsBefore: this.rows });
    if (stepMs >= 0) this.ahead.add({ sizeMs: stepMs, at, rowsBefore: this.rows });
    this.rows++;
    this.to = at;
  }
}

/** The decisions about the hours of a well, and their numbers of rows. */
interface DecidedHours {
  readonly hours: readonly RepeatedHour[];
  readonly first: number;
  readonly second: number;
  readonly undecided: number;
  /** Position of the first row without a decision; null: none. */
  readonly undecidedAt: number | null;
}

const isInSameHour = (a: ResolvedTime, b: ResolvedTime): boolean =>
  a.laterMs !== null && b.laterMs !== null && Math.abs(a.ms - b.ms) < a.laterMs - a.ms;

/**
 * Decides by the order of a well's rows which of two times a local time has that occurs twice because clocks go back:
 * times rise from row to row, or fall, so that the step against this order is where the clocks went back.
 */
class TimeOrder {
  #last: ResolvedTime | null = null;
  #open: Hour | null = null;
  readonly #hours: Hour[] = [];
  /** Of steps between times that differ in both readings. */
  #rises = 0;
  #falls = 0;
  /** The longest steps of at most an hour against each order; 0: equal times, -1: none. */
  #maxBackMs = -1;
  #maxAheadMs = -1;

  /**
   * Adds the time of the next row.
   * @param at its position in the file
   * @returns whether a new hour begins that occurs twice
   */
  add(time: ResolvedTime, at: number): boolean {
    const last = this.#last;
    this.#last = time;
    if (this.#open && last && isInSameHour(last, time)) {
      this.#open.add(time.ms - last.ms, at);
      return false;
    }
    if (last) this.#count(last, time);
    this.#open = time.laterMs === null ? null : new Hour(at);
    if (this.#open) this.#hours.push(this.#open);
    return this.#open !== null;
  }

  /** Counts a step by the readings that are closest to each other. */
  #count(from: ResolvedTime, to: ResolvedTime): void {
    const backMs = from.ms - (to.laterMs ?? to.ms);
    const aheadMs = to.ms - (from.laterMs ?? from.ms);
    if (backMs > 0) this.#falls++;
    if (aheadMs > 0) this.#rises++;
    if (backMs >= 0 && backMs <= maxDisorderMs) this.#maxBackMs = Math.max(this.#maxBackMs, backMs);
    if (aheadMs >= 0 && aheadMs <= maxDisorderMs) this.#maxAheadMs = Math.max(this.#maxAheadMs, aheadMs);
  }

  /** Whether times rise or fall from row to row; null: neither. */
  #isRising(): boolean | null {
    const rises = this.#rises;
    const falls = this.#falls;
    if (rises + falls > 0) return falls * 4 <= rises ? true : rises * 4 <= falls ? false : null;
    const inside = this.#hours.reduce((sum, hour) => sum + hour.rises - hour.falls, 0);
    return inside === 0 ? null : inside > 0;
  }

  /** The decisions, after the last row. */
  decide(): DecidedHours {
    const isRising = this.#isRising();
    const decided = { hours: [] as RepeatedHour[], first: 0, second: 0, undecided: 0 };
    let undecidedAt: number | null = null;
    for (const { from, to, rows, back, ahead } of this.#hours) {
      const turn =
        isRising === null
          ? null
          : isRising
            ? back.turn(this.#maxBackMs, rows)
            : ahead.turn(this.#maxAheadMs, rows);
      if (turn === null || isRising === null) {
        decided.undecided += rows;
        undecidedAt ??= from;
        continue;
      }
      decided.hours.push({ from, turn: turn.at, to, isRising });
      const before = turn.rowsBefore;
      decided.first += isRising ? before : rows - before;
      decided.second += isRising ? rows - before : before;
    }
    return { ...decided, undecidedAt };
  }
}

/** Maximum number of wells whose rows are followed, and of hours of all of them. */
const maxWells = 10_000;
const maxHours = 10_000;

interface LocalTimeColumn {
  readonly index: number;
  readonly join: readonly number[];
  readonly format: string;
  readonly zone: string;
}

/** The columns of local times that can occur twice, and the columns that name the well of a row. */
export interface LocalTimes {
  readonly columns: readonly LocalTimeColumn[];
  readonly wells: readonly WellColumn[];
}

export interface RowsRequest extends NamedFile {
  readonly layout: Layout;
  readonly rows: number;
}

/**
 * The data rows of a file; with `fleeting`, each is valid until the next is read. Blocks: for worker threads.
 * @throws AppError file_unreadable, file_unsuitable, file_changed
 */
export function* dataRows(
  { layout, rows: total, ...file }: RowsRequest,
  fleeting: boolean,
): Generator<FileRow> {
  using source = openTableFile(file, layout);
  yield* source.rows({ fleeting }).all().take(total);
}

interface RepeatedTimesRequest extends RowsRequest, LocalTimes {
  readonly nulls: readonly string[];
}

/** The local times of a column that occur twice because clocks go back. */
export interface RepeatedTimes {
  readonly index: number;
  readonly all: Finding;
  /** Number of rows that are the first and the second time, by the order of rows. */
  readonly first: number;
  readonly second: number;
  /** Those for which the order of rows decides nothing; null: none. */
  readonly undecided: Finding | null;
  readonly wells: readonly WellColumn[];
  readonly hours: RepeatedReading['hours'];
}

class ColumnOrder {
  readonly column: LocalTimeColumn;
  readonly #read: ReturnType<typeof timeReader>;
  readonly #orders = new Map<string, TimeOrder>();
  readonly #lines = new Map<number, number>();
  #hours = 0;
  #count = 0;
  #firstLine = 0;
  #areTooMany = false;

  constructor(column: LocalTimeColumn) {
    this.column = column;
    this.#read = timeReader(column.format, column.zone);
  }

  add(text: string, well: string, { line, start }: { readonly line: number; readonly start: number }): void {
    const time = this.#read(text);
    if (typeof time === 'string') return;
    if (time.laterMs !== null && this.#count++ === 0) this.#firstLine = line;
    if (this.#areTooMany) return;
    let order = this.#orders.get(well);
    if (!order) this.#orders.set(well, (order = new TimeOrder()));
    if (order.add(time, start)) {
      this.#hours++;
      this.#lines.set(start, line);
    }
    if (this.#hours <= maxHours && this.#orders.size <= maxWells) return;
    this.#areTooMany = true;
    this.#orders.clear();
  }

  /** Null: no time occurs twice. */
  end(wells: readonly WellColumn[]): RepeatedTimes | null {
    if (this.#count === 0) return null;
    const all = { count: this.#count, line: this.#firstLine };
    const counts = { index: this.column.index, all, wells };
    if (this.#areTooMany) return { ...counts, first: 0, second: 0, undecided: all, hours: [] };
    const hours: RepeatedReading['hours'] = [];
    let [first, second, undecided, undecidedAt] = [0, 0, 0, Infinity];
    for (const [well, order] of this.#orders) {
      const decided = order.decide();
      if (decided.hours.length > 0) hours.push({ well, hours: [...decided.hours] });
      first += decided.first;
      second += decided.second;
      undecided += decided.undecided;
      undecidedAt = Math.min(undecidedAt, decided.undecidedAt ?? Infinity);
    }
    const line = this.#lines.get(undecidedAt) ?? all.line;
    return {
      ...counts,
      first,
      second,
      undecided: undecided === 0 ? null : { count: undecided, line },
      hours,
    };
  }
}

/**
 * Reads a file once for the local times that occur twice, and decides about them by the order of rows. The decisions are
 * by position in the file, so that they are the same wherever a later reader starts. Blocks: for worker threads.
 * @throws AppError file_unreadable, file_unsuitable, file_changed
 */
export function scanRepeatedTimes(request: RepeatedTimesRequest): RepeatedTimes[] {
  const { columns, wells } = request;
  const nulls = new Set(request.nulls);
  const orders = columns.map((column) => new ColumnOrder(column));
  for (const row of dataRows(request, true)) {
    if (row.problem !== null) continue;
    const well = wellText(row, wells);
    for (const order of orders) {
      const text = joinedText(row, order.column, nulls).trim();
      if (text !== '' && !nulls.has(text)) order.add(text, well, row.record);
    }
  }
  return orders.flatMap((order) => order.end(wells) ?? []);
}

/** That local times, which occur twice, were read as the first, as a sentence. */
export const firstUsed = (count: number): string =>
  `${countInWords(count, 'local time', 'local times')} occurred twice because of daylight saving time; the first was used.`;

const timesOf = (count: number): string =>
  count === 1 ? '1 local time occurs' : `${count} local times occur`;

/**
 * Warnings about the local times of a column that occur twice, with the times that are used.
 * @param setting the reading that the mapping sets
 */
export function repeatedTimesWarnings(
  column: string,
  { all, first, second, undecided }: RepeatedTimes,
  setting: 'order' | 'first' | 'second',
): FileWarning[] {
  const about = (count: number) => `Column “${column}”: ${timesOf(count)} twice because clocks go back`;
  if (setting !== 'order') {
    const message = `${about(all.count)}; the ${setting} time is used, as set in the mapping.`;
    return [{ code: 'times_by_setting', message, column, ...all }];
  }
  const warnings: FileWarning[] = [];
  const count = first + second;
  if (count > 0) {
    const message = `${about(count)}. By the order of rows, ${first} ${first === 1 ? 'is' : 'are'} the first time and ${second} the second. To use one time for all, set "repeatedTimes" in a mapping to "first" or "second".`;
    warnings.push({ code: 'times_by_order', message, column, line: all.line, count });
  }
  if (undecided) {
    const message = `${about(undecided.count)}, and the order of rows doesn't decide which time is meant; the first is used. To use the second, set "repeatedTimes" in a mapping to "second".`;
    warnings.push({ code: 'time_twice', message, column, ...undecided });
  }
  return warnings;
}
