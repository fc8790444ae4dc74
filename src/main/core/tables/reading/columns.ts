import { isExcelDamaged } from '../../records/decimal.ts';
import {
  nullsOf,
  defaultExceptionShare,
  mayBeNullOfFiles,
  type NullTexts,
} from '../../../../shared/upload/null-tokens.ts';
import {
  timePatterns,
  type Example,
  compactPattern,
  timeReadings,
  hasZone,
  TimeRange,
  ZonedTexts,
  type Extreme,
  type TimeEnds,
} from '../../records/time-patterns.ts';
import { minOf } from '../../../../shared/lists.ts';
import { apiLengths } from '../../../../shared/wells/wells.ts';

/** The kind of a single cell; the type of a column follows from all of its cells. */
export type CellKind =
  | 'empty'
  | 'null_word'
  | 'integer'
  | 'number'
  /** One comma followed by digits that can't be thousands: 0,368. */
  | 'comma_number'
  /** One group of three digits after a comma: 1,338 means thousands in some countries, 1.338 in others. */
  | 'comma_ambiguous'
  /** 229,932.50 or 1,234,567 */
  | 'thousands'
  /** 229.932,50 or 1.234.567 */
  | 'point_thousands'
  /** 00, 01071: a code, whose leading zeros matter. */
  | 'code'
  /** 113A, B-12, H: a name, as integers are often too. */
  | 'label'
  | 'boolean'
  | 'time'
  | 'date'
  | 'text';

/** Kinds of cells that are numbers in one notation or another. */
const notationKinds = [
  'integer',
  'number',
  'comma_number',
  'comma_ambiguous',
  'thousands',
  'point_thousands',
] as const;
const numberKinds: ReadonlySet<CellKind> = new Set<CellKind>([...notationKinds, 'code']);

/** Whether a kind is that of numbers in any notation. */
export const isNumberKind = (kind: CellKind): boolean => numberKinds.has(kind);

const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const integer = /^[+-]?\d+$/;
const label = /^(?:[A-Z]|\d{1,8}[A-Z]{1,2}|[A-Z]{1,3}[-/]?\d{1,8})$/;
const leadingZero = /^[+-]?0\d/;
const thousands = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
const oneGroup = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const pointThousands = /^[+-]?[1-9]\d{0,2}(?:(?:\.\d{3}){2,}|(?:\.\d{3})+,\d+)$/;
const pointGroup = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const commaNumber = /^[+-]?\d+,\d+(?:[eE][+-]?\d+)?$/;
/** Also with the day of the year; a number such as 2025-073 without a time of day may be a code. */
const isoTime =
  /^\d{4}-(?:\d\d-\d\d$|(?:\d\d-\d\d|\d{3})[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?$)/;
/** Only these can be dates: a time of day alone can't. */
const mayBeDate = /^\d{1,4}(?:[./-]\d{1,2}[./-]|([ ./-])[A-Za-z]{3,9}\1)\d/;

const usualNulls: ReadonlySet<string> = new Set(nullsOf({}));

const booleans: ReadonlySet<string> = new Set(['true', 'false', 'TRUE', 'FALSE', 'True', 'False']);

/** Maximum number of digits that a double keeps exactly. */
const maxExactDigits = 15;

/**
 * The value of a number that has only decimal digits, like nearly all cells: the result of `Number`, in one pass over
 * the text.
 * @returns NaN for any other cell
 */
function plainNumber(cell: string): number {
  const { length } = cell;
  const isNegative = cell.charCodeAt(0) === 0x2d;
  const start = isNegative ? 1 : 0;
  let digits = 0;
  let fraction = -1;
  let value = 0;
  for (let at = start; at < length; at++) {
    const digit = cell.charCodeAt(at) - 0x30;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digits++;
      if (fraction >= 0) fraction++;
    } else if (digit === -2 && fraction < 0 && digits > 0) fraction = 0;
    else return NaN;
  }
  const hasLeadingZero = digits > 1 && fraction !== digits - 1 && cell.charCodeAt(start) === 0x30;
  if (digits === 0 || digits > maxExactDigits || hasLeadingZero) return NaN;
  // Both operands are exact, so the quotient is rounded once, like `Number`.
  const absolute = fraction > 0 ? value / 10 ** fraction : value;
  return isNegative ? -absolute : absolute;
}

const maxLabelLength = 12;
const isLabel = (cell: string): boolean => cell.length <= maxLabelLength && label.test(cell);

/** Whether a trimmed text is a number with a decimal point, or an integer. */
export const isDecimalNumber = (text: string): boolean => decimalNumber.test(text);

/** The kind of a trimmed cell. @param nulls texts that are null values */
export function cellKind(cell: string, nulls: ReadonlySet<string> = usualNulls): CellKind {
  if (cell === '') return 'empty';
  if (!startsLikeNumber(cell)) {
    if (nulls.has(cell)) return 'null_word';
    if (booleans.has(cell)) return 'boolean';
    return isLabel(cell) ? 'label' : 'text';
  }
  if (!Number.isNaN(plainNumber(cell))) return cell.includes('.') ? 'number' : 'integer';
  if (decimalNumber.test(cell)) {
    if (leadingZero.test(cell) && !/[.eE]/.test(cell)) return 'code';
    return integer.test(cell) ? 'integer' : 'number';
  }
  if (nulls.has(cell)) return 'null_word';
  if (isoTime.test(cell)) return 'time';
  // With the abbreviation of a zone, a format has to say that the file is of the United States.
  if (mayBeDate.test(cell) && !cell.endsWith('T') && timePatterns(cell).length > 0) return 'date';
  if (oneGroup.test(cell)) return 'comma_ambiguous';
  if (thousands.test(cell)) return 'thousands';
  if (pointThousands.test(cell)) return 'point_thousands';
  if (commaNumber.test(cell)) return 'comma_number';
  return isLabel(cell) ? 'label' : 'text';
}

/** Whether a number has one group of three digits after a point: 1.338 means 1,338 where commas are decimal. */
const isPointGroup = (cell: string): boolean =>
  cell.charCodeAt(cell.length - 4) === 0x2e && cell.length <= 8 && pointGroup.test(cell);

/** Rows at the start of a table whose cells show which of its columns have numbers or times. */
const studiedRows = 50;

/** Whether a text begins like a number or a time, from its first character. */
export function startsLikeNumber(cell: string): boolean {
  let code = cell.charCodeAt(0);
  for (let at = 1; code === 0x20; at++) code = cell.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e;
}

const isTypedKind = (kind: CellKind): boolean => isNumberKind(kind) || kind === 'time' || kind === 'date';

/** Whether a trimmed cell is a number or a time. */
export const isTyped = (cell: string): boolean => isTypedKind(cellKind(cell));

/** Counts of values in the columns of a table, until enough rows were studied. */
export class TypedColumns {
  readonly #typed: number[] = [];
  readonly #others: number[] = [];
  #rows = 0;
  /** Indexes of the columns with numbers or times only, those with most values first. */
  indexes: readonly number[] = [];

  get isStudied(): boolean {
    return this.#rows >= studiedRows;
  }

  study(cells: readonly string[]): void {
    this.#rows++;
    for (const [index, cell] of cells.entries()) {
      const kind = cellKind(cell.trim());
      if (kind === 'empty' || kind === 'null_word') continue;
      const counts = isTypedKind(kind) ? this.#typed : this.#others;
      counts[index] = (counts[index] ?? 0) + 1;
    }
    this.indexes = [...this.#typed.keys()]
      .filter((index) => (this.#typed[index] ?? 0) > 0 && (this.#others[index] ?? 0) === 0)
      .toSorted((a, b) => (this.#typed[b] ?? 0) - (this.#typed[a] ?? 0));
  }
}

/** The count of a finding, and its first line. */
export interface Finding {
  readonly count: number;
  readonly line: number;
}

/** A finding with more lines, or a new one. @param line the first one */
export function counted(finding: Finding | null | undefined, line: number, times = 1): Finding {
  return { count: (finding?.count ?? 0) + times, line: finding?.line ?? line };
}

/** From this number of values on, a single one that differs doesn't change the reading of its column. */
const minValuesForException = 3;
/** Longer texts, and those of several lines, are prose, which columns of text have. */
const maxExceptionLength = 20;

/** Whether a text can be a typing error, or mean null. */
const isShort = (text: string): boolean => text.length <= maxExceptionLength && !/[\r\n]/.test(text);

/**
 * Whether values that differ from all others of their column are errors of their rows, and don't change how the column
 * is read.
 * @param first of them; null: there is none
 * @param share maximum share of values, from 0 to 1, that can differ; 0: none
 */
const areExceptions = (
  count: number,
  first: Pick<Example, 'text'> | null,
  values: number,
  share = defaultExceptionShare,
): boolean =>
  (count === 1 && values >= minValuesForException && share > 0 && first !== null && isShort(first.text)) ||
  count < values * share;

/** How the numbers of a column are written. */
export interface NumberStyle {
  readonly decimal: '.' | ',';
  /** Whether groups of three digits are separated: by commas, or by points where commas are decimal. */
  readonly thousands: boolean;
}

export interface ColumnType {
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'time' | 'empty';
  readonly style: NumberStyle;
}

/** Numbers between them aren't null values. */
const [maxSentinel, minSentinel] = [-999, 2e9];
const maxTextLength = 200;
const maxSentinels = 8;
const maxWords = 20;
const maxWordLength = 60;
/** Number of texts before the first number from which on a column is text. */
const maxTextsBeforeNumbers = 1000;
/** Results of a laboratory below or above a limit. */
const limitedNumber = /^[<>≤≥]=?\s*[\d.,]+$/;
const maxNumberLength = 30;

const asNumber = (kind: CellKind, text: string): number | null => {
  if (kind === 'integer' || kind === 'number') return Number(text);
  if (kind === 'thousands' || kind === 'comma_ambiguous') return Number(text.replaceAll(',', ''));
  if (kind === 'comma_number') return Number(text.replace(',', '.'));
  if (kind === 'point_thousands') return Number(text.replaceAll('.', '').replace(',', '.'));
  return null;
};
/** Without the long names of months where the short ones fit too: all texts are of May. */
const distinctPatterns = (patterns: readonly string[]): readonly string[] =>
  patterns.filter(
    (pattern) => !pattern.includes('MMMM') || !patterns.includes(pattern.replace('MMMM', 'MMM')),
  );

/** Facts about a column from one pass over the file; their size doesn't grow with the file. */
class CountedFacts {
  // A plain object with all keys from the start, because counting takes most of the time here.
  readonly counts: Record<CellKind, number> = {
    empty: 0,
    null_word: 0,
    integer: 0,
    number: 0,
    comma_number: 0,
    comma_ambiguous: 0,
    thousands: 0,
    point_thousands: 0,
    code: 0,
    label: 0,
    boolean: 0,
    time: 0,
    date: 0,
    text: 0,
  };
  readonly firsts: Partial<Record<CellKind, Example>> = {};
  /** Minimum and maximum as numbers, over the cells that are numbers. */
  min: Extreme | null = null;
  max: Extreme | null = null;
  /** The same with every comma as a decimal sign. */
  minComma: Extreme | null = null;
  maxComma: Extreme | null = null;
  /** Minimum and maximum as text, by code units. */
  minText: string | null = null;
  maxText: string | null = null;
  excelDamage: { count: number; first: Example } | null = null;
  zoneless = 0;
  /** Number of numbers such as 1.338, which have one group of three digits after a point. */
  pointGroups = 0;
  /** Number of numbers with a point that often mean null, such as -999.25. */
  pointNulls = 0;
  /** Number of integers by digit count, longer ones as 30; Unix times have ten or thirteen digits. */
  readonly digits: number[] = Array.from({ length: maxNumberLength + 1 }, () => 0);
  /** Numbers such as -999.25 that are often null values, each with its count. */
  readonly sentinels = new Map<string, number>();
  /** The lowest and the highest number that is none of them; null: there is none. */
  minMeasured: number | null = null;
  maxMeasured: number | null = null;
  /**
   * The different cells that aren't numbers, each with its count; those such as `<0.01` count as the first of them.
   * Null: there are many, as in a column of text.
   */
  words: Map<string, number> | null = new Map();
  /** The texts that are null values, except blank cells, each with its count and first line. */
  readonly nulls = new Map<string, Finding>();
  /** Number of values with leading or trailing blanks. */
  outerBlanks: Finding | null = null;
  /** Number of values with U+FFFD, which programs write for an unreadable character. */
  lostCharacters: Finding | null = null;
}

export interface ColumnFacts extends Readonly<Omit<CountedFacts, 'minComma' | 'maxComma'>> {
  /** Number of values, without nulls. */
  readonly values: number;
  /** The minimum and maximum number, by the decimal sign with which numbers are read. */
  readonly ends: Readonly<Record<NumberStyle['decimal'], Pick<CountedFacts, 'min' | 'max'>>>;
  /** Whether all its numbers can be days of a spreadsheet. */
  readonly areDays: boolean;
  /** Whether its dates are a few among times: errors of their rows. */
  readonly areDatesExceptions: boolean;
  /**
   * The patterns that match the texts of the column as dates or times of day, except a few that differ from all others;
   * null: it has no texts.
   */
  readonly patterns: readonly string[] | null;
  /** The texts that differ from all others in their pattern; null: there is none. */
  readonly misfits: (Finding & Pick<Example, 'text'>) | null;
  /** The earliest and the latest text as a time, if all texts are times in one known order of day and month. */
  readonly timeRange: TimeEnds | null;
  /** The pattern of all integers but a few as compact times, such as `yyyyMMddHHmmss`; null: they aren't. */
  readonly compactTime: string | null;
}

export class ColumnCollector {
  readonly #facts = new CountedFacts();
  /** The patterns that match texts so far, each with the earliest and the latest, and the number of texts that differ. */
  readonly #patterns = new Map<
    string,
    { readonly range: TimeRange; misfits: number; first: Example | null }
  >();
  /** Number of texts that patterns were compared with. */
  #texts = 0;
  readonly #zonedTexts = new ZonedTexts();
  /** The range of texts of ISO 8601 without a zone, in any of its notations. */
  readonly #isoTexts = new TimeRange();
  /** The pattern of integers as compact times, and the number of integers that differ; null: most of them do. */
  #compactTime: { readonly pattern: string; misfits: number } | null = null;
  #integers = 0;
  /** The first text of a number below or above a limit, by its sign. */
  readonly #limited = new Map<string, string>();
  readonly #nulls: NullTexts;
  /** The current run of equal cells, which isn't counted yet: most columns repeat values. */
  #cell: string | null = null;
  #line = 0;
  #times = 0;

  constructor(nulls: NullTexts) {
    this.#nulls = nulls;
  }

  add(cell: string, line: number): void {
    if (cell === this.#cell) {
      this.#times++;
      return;
    }
    this.#countRun();
    this.#cell = cell;
    this.#line = line;
    this.#times = 1;
  }

  facts(): ColumnFacts {
    this.#countRun();
    const { minComma, maxComma, ...facts } = this.#facts;
    const { counts, firsts, min, max } = facts;
    return {
      ...facts,
      values: valueCount(counts),
      ends: { '.': { min, max }, ',': { min: minComma, max: maxComma } },
      areDays: mayBeDays(facts),
      areDatesExceptions: areExceptions(counts.date, firsts.date ?? null, counts.time + counts.date),
      patterns:
        this.#texts === 0 ? null : distinctPatterns(this.#fittingPatterns().map(([pattern]) => pattern)),
      misfits: this.#misfits(),
      timeRange: this.#timeRange(),
      compactTime: this.#compactTimeOfMost(),
    };
  }

  #countRun(): void {
    const times = this.#times;
    if (this.#cell === null || times === 0) return;
    this.#times = 0;
    const number = plainNumber(this.#cell);
    if (!Number.isNaN(number)) {
      if (this.#isNullNumber(number, this.#cell)) return this.#countNull(this.#cell, number, times);
      return this.#countKind(this.#cell.includes('.') ? 'number' : 'integer', this.#cell, number, times);
    }
    const text = this.#cell.trim();
    if (text.length !== this.#cell.length && text !== '')
      this.#facts.outerBlanks = counted(this.#facts.outerBlanks, this.#line, times);
    const kind = cellKind(text, this.#nulls.texts);
    const value = asNumber(kind, text);
    if (value === null && text.includes('\uFFFD'))
      this.#facts.lostCharacters = counted(this.#facts.lostCharacters, this.#line, times);
    const isNull =
      value === null ? text !== '' && this.#nulls.texts.has(text) : this.#isNullNumber(value, text);
    if (isNull) this.#countNull(text, value, times);
    else this.#countKind(kind, text, value, times);
  }

  #isNullNumber(value: number, text: string): boolean {
    return this.#nulls.hasDigits && (this.#nulls.numbers.has(value) || this.#nulls.texts.has(text));
  }

  /** @param value the key for a number that is null in any notation */
  #countNull(text: string, value: number | null, times: number): void {
    this.#countKind('null_word', text, null, times);
    const token = this.#nulls.texts.has(text) ? text : String(value);
    this.#facts.nulls.set(token, counted(this.#facts.nulls.get(token), this.#line, times));
  }

  #countKind(kind: CellKind, text: string, value: number | null, times: number): void {
    if (this.#facts.counts[kind] === 0)
      this.#facts.firsts[kind] = { line: this.#line, text: text.slice(0, maxTextLength) };
    this.#facts.counts[kind] += times;
    if (kind === 'empty' || kind === 'null_word') return;
    this.#countText(text, kind, times);
    if (value !== null) this.#countNumber(value, text, kind, times);
    else if (kind !== 'code') this.#countWord(text, times);
  }

  #countWord(text: string, times: number): void {
    const facts = this.#facts;
    if (facts.words === null) return;
    let word = text.slice(0, maxWordLength);
    if (limitedNumber.test(word)) {
      const sign = word.charAt(0);
      word = this.#limited.get(sign) ?? word;
      this.#limited.set(sign, word);
    }
    const count = facts.words.get(word) ?? 0;
    const isText = facts.min === null && this.#texts > maxTextsBeforeNumbers;
    if (isText || (count === 0 && facts.words.size >= maxWords)) facts.words = null;
    else facts.words.set(word, count + times);
  }

  #countNumber(value: number, text: string, kind: CellKind, times: number): void {
    const facts = this.#facts;
    const line = this.#line;
    let comma = value;
    if (kind === 'comma_ambiguous') comma = Number(text.replace(',', '.'));
    else if (kind === 'number' && isPointGroup(text)) {
      comma = Number(text.replace('.', ''));
      facts.pointGroups += times;
    }
    if (facts.min === null || value < facts.min.value) facts.min = { value, text, line };
    if (facts.max === null || value > facts.max.value) facts.max = { value, text, line };
    if (facts.minComma === null || comma < facts.minComma.value)
      facts.minComma = { value: comma, text, line };
    if (facts.maxComma === null || comma > facts.maxComma.value)
      facts.maxComma = { value: comma, text, line };
    if (kind === 'integer') this.#countInteger(text, times);
    // With a point before the decimals, because null values are written with commas between them.
    const token = kind === 'comma_number' ? text.replace(',', '.') : text;
    if ((value <= maxSentinel || value >= minSentinel) && mayBeNullOfFiles(Number(token))) {
      if (kind === 'number' && text.includes('.')) facts.pointNulls += times;
      const count = facts.sentinels.get(token);
      if (count !== undefined || facts.sentinels.size < maxSentinels)
        facts.sentinels.set(token, (count ?? 0) + times);
      return;
    }
    if (facts.minMeasured === null || value < facts.minMeasured) facts.minMeasured = value;
    if (facts.maxMeasured === null || value > facts.maxMeasured) facts.maxMeasured = value;
    if (kind === 'number' && text.includes('E') && isExcelDamaged(text)) {
      facts.excelDamage ??= { count: 0, first: { line, text } };
      facts.excelDamage.count += times;
    }
  }

  #countInteger(text: string, times: number): void {
    const { length } = text;
    const counted = Math.min(length, maxNumberLength);
    this.#facts.digits[counted] = (this.#facts.digits[counted] ?? 0) + times;
    const before = this.#integers;
    this.#integers += times;
    // Most columns of integers are no times: their first two values show it.
    if (this.#compactTime === null && before > 1) return;
    const pattern = compactPattern(text);
    if (this.#compactTime === null)
      this.#compactTime = pattern === null ? null : { pattern, misfits: before };
    else if (this.#compactTime.pattern !== pattern) this.#compactTime.misfits += times;
  }

  #compactTimeOfMost(): string | null {
    if (this.#compactTime === null) return null;
    const { pattern, misfits } = this.#compactTime;
    return misfits === 0 || areExceptions(misfits, { text: '' }, this.#integers) ? pattern : null;
  }

  /** Most columns of text match no pattern after their first two cells. */
  #fitPatterns(text: string, times: number, isIso: boolean): void {
    const before = this.#texts;
    // Prose isn't a typing error.
    this.#texts += isShort(text) ? times : Math.max(2, times);
    if (this.#patterns.size === 0 && before > 1 && !isIso) return;
    const readings = timeReadings(text);
    if (isIso && readings[0]) this.#isoTexts.add(readings[0].order, text, this.#line);
    let fitting = 0;
    for (const { pattern, order } of readings) {
      let fit = this.#patterns.get(pattern);
      // The first text can be the one that differs.
      if (!fit && before <= 1)
        this.#patterns.set(pattern, (fit = { range: new TimeRange(), misfits: before, first: null }));
      if (!fit) continue;
      fit.range.add(order, text, this.#line);
      fitting += 1;
    }
    if (fitting === this.#patterns.size) return;
    for (const [pattern, fit] of this.#patterns) {
      if (readings.some((reading) => reading.pattern === pattern)) continue;
      fit.misfits += this.#texts - before;
      fit.first ??= { text, line: this.#line };
      if (fit.misfits > 1 && fit.misfits * 2 > this.#texts) this.#patterns.delete(pattern);
    }
  }

  /** The patterns of which the fewest texts differ, if these are few. */
  #fittingPatterns() {
    const patterns = [...this.#patterns];
    const fewest = minOf(patterns.map(([, { misfits }]) => misfits));
    const areFew = fewest === 0 || areExceptions(fewest, { text: '' }, this.#texts);
    return areFew ? patterns.filter(([, { misfits }]) => misfits === fewest) : [];
  }

  #misfits(): ColumnFacts['misfits'] {
    const [, { misfits = 0, first = null } = {}] = this.#fittingPatterns()[0] ?? [];
    const example = first ?? this.#facts.firsts.date;
    return misfits > 0 && example ? { count: misfits, ...example } : null;
  }

  #timeRange(): ColumnFacts['timeRange'] {
    const { time, date, text, label } = this.#facts.counts;
    if (time + date === 0 || text + label > 0) return null;
    if (date === 0) {
      const { ends } = this.#isoTexts;
      if (this.#zonedTexts.isEmpty) return Number.isFinite(ends.min.value) ? ends : null;
      return this.#facts.zoneless > 0 ? null : this.#zonedTexts.ends;
    }
    const [first, ...others] = this.#fittingPatterns().map(([, { range }]) => range.ends);
    // Day and month may be either; the range is known if both orders have the same ends.
    const isSame = ({ min, max }: TimeEnds) => min.text === first?.min.text && max.text === first.max.text;
    if (first) return others.every(isSame) ? first : null;
    return this.#zonedTexts.ends;
  }

  #countText(text: string, kind: CellKind, times: number): void {
    const isZoned = kind === 'time' && hasZone(text);
    if (isZoned) this.#zonedTexts.add(text, this.#line);
    else if (kind === 'date' || kind === 'time') this.#facts.zoneless += times;
    if (kind === 'time' || kind === 'date' || kind === 'text' || kind === 'label')
      this.#fitPatterns(text, times, kind === 'time' && !isZoned);
    if (this.#facts.minText === null || text < this.#facts.minText)
      this.#facts.minText = text.slice(0, maxTextLength);
    if (this.#facts.maxText === null || text > this.#facts.maxText)
      this.#facts.maxText = text.slice(0, maxTextLength);
  }
}

const points: NumberStyle = { decimal: '.', thousands: false };
const commas: NumberStyle = { decimal: ',', thousands: false };
const groups: NumberStyle = { decimal: '.', thousands: true };
const pointGroups: NumberStyle = { decimal: ',', thousands: true };

type Counts = ColumnFacts['counts'];

/** How the numbers of a file are written. */
export interface Notation {
  readonly delimiter: string;
  /** The decimal sign that its columns prove; null: none, or both. */
  readonly decimal: '.' | ',' | null;
}

type TypeFacts = Pick<ColumnFacts, 'counts' | 'firsts'> &
  Partial<Pick<ColumnFacts, 'pointGroups' | 'pointNulls'>>;

/** Numbers with a point whose meaning is certain: neither a group of three digits nor a null value. */
const pointNumbers = ({ counts, pointGroups: inGroups = 0, pointNulls = 0 }: TypeFacts): number =>
  counts.number - inGroups - pointNulls;

/** The notation of the numbers in a file, from all of its columns: one column can prove what another leaves open. */
export function notationOf(columns: readonly TypeFacts[], delimiter: string): Notation {
  const hasPoints = columns.some(
    (facts) => facts.counts.thousands > 0 || (pointNumbers(facts) > 0 && commaNumbers(facts) === 0),
  );
  const hasCommas = columns.some((facts) => commaNumbers(facts) > 0 && pointNumbers(facts) === 0);
  return { delimiter, decimal: hasPoints === hasCommas ? null : hasPoints ? '.' : ',' };
}

const commaNumbers = ({ counts }: TypeFacts): number => counts.comma_number + counts.point_thousands;

interface Candidate {
  readonly type: ColumnType['type'];
  readonly style: NumberStyle;
  readonly fits: readonly CellKind[];
}

/** The possible types of a column; of those that fit equally many cells, the first wins. */
function candidates(facts: TypeFacts, { delimiter, decimal }: Notation): Candidate[] {
  const { counts, pointGroups: inGroups = 0 } = facts;
  const whole = counts.number === 0 ? 'integer' : 'number';
  const byPoints: Candidate = { type: whole, style: points, fits: ['integer', 'number'] };
  const hasCommas = commaNumbers(facts) > 0;
  // 1.338 is a thousand where commas are decimal, and -999.25 means null in any notation.
  const fitsPoints = (hasCommas || decimal === ',') && counts.number > 0 && pointNumbers(facts) === 0;
  const byCommas: Candidate = {
    type: 'number',
    style: inGroups + counts.point_thousands > 0 ? pointGroups : commas,
    fits: [
      'integer',
      'comma_number',
      'comma_ambiguous',
      'point_thousands',
      ...(fitsPoints ? (['number'] as const) : []),
    ],
  };
  const byGroups: Candidate = {
    type: 'number',
    style: groups,
    fits: ['integer', 'number', 'thousands', 'comma_ambiguous'],
  };
  const isComma = hasCommas || (decimal === null ? delimiter !== ',' : decimal === ',');
  return [
    ...(fitsPoints && inGroups > 0 ? [byCommas] : []),
    byPoints,
    ...(isComma ? [byCommas, byGroups] : [byGroups, byCommas]),
    { type: 'time', style: points, fits: counts.time >= counts.date ? ['time'] : ['date'] },
    { type: 'boolean', style: points, fits: ['boolean'] },
  ];
}

const valueCount = (counts: Counts): number =>
  Object.values(counts).reduce((total, count) => total + count, 0) - counts.empty - counts.null_word;

const sum = (counts: Counts, kinds: readonly CellKind[]): number =>
  kinds.reduce((total, kind) => total + counts[kind], 0);

export interface JudgedType extends ColumnType {
  /** Number of values that don't fit the type: their rows are rejected. */
  readonly exceptions: number;
  /** The first of them. */
  readonly exception: Example | null;
  /** Number of values, without nulls. */
  readonly values: number;
}

/**
 * Determines a column's type from all of its cells, without nulls. A single short value that differs
 * never makes a column text: it is a typing error, or means null.
 * @param notation of the file: where it proves none, a single group such as 1,338 is a decimal unless a comma is the delimiter
 * @param exceptionShare maximum share of values, from 0 to 1, that can differ without changing the type; 0: none
 */
export function columnType(
  facts: TypeFacts,
  notation: Notation,
  exceptionShare = defaultExceptionShare,
): JudgedType {
  const { counts, firsts } = facts;
  const values = valueCount(counts);
  const judged = { exceptions: 0, exception: null, values };
  if (values === 0) return { type: 'empty', style: points, ...judged };
  const best = candidates(facts, notation).reduce((first, next) =>
    sum(counts, next.fits) > sum(counts, first.fits) ? next : first,
  );
  const { type, style, fits } = best;
  const exceptions = values - sum(counts, fits);
  if (exceptions === 0) return { type, style, ...judged };
  // Numbers among codes are codes too.
  const isCode = type === 'integer' && counts.code + counts.label > 0;
  // Leading zeros before a number with decimals have no meaning.
  const fitting: readonly CellKind[] = type === 'number' ? [...fits, 'code'] : fits;
  const exception = firstOther(firsts, fitting);
  if (isCode || !areExceptions(exceptions, exception, values, exceptionShare))
    return { type: 'string', style: points, ...judged };
  return { type, style, exceptions: values - sum(counts, fitting), exception, values };
}

function firstOther(firsts: ColumnFacts['firsts'], fits: readonly CellKind[]): Example | null {
  const passed: ReadonlySet<string> = new Set<CellKind>([...fits, 'empty', 'null_word']);
  const exceptions = Object.entries(firsts).flatMap(([kind, first]) => (passed.has(kind) ? [] : [first]));
  return exceptions.reduce<Example | null>(
    (first, example) => (first && first.line <= example.line ? first : example),
    null,
  );
}

/** Kinds of cells that can be text as well; codes and labels always are. */
const plainKinds = [...notationKinds, 'boolean'] as const;

/**
 * The facts of a column whose values are text according to the file, although some look like numbers. Times stay times.
 */
export function asTexts(facts: ColumnFacts): ColumnFacts {
  const counts = { ...facts.counts };
  let first = facts.firsts.text;
  for (const kind of plainKinds) {
    counts.text += counts[kind];
    counts[kind] = 0;
    first ??= facts.firsts[kind];
  }
  const firsts = { ...facts.firsts, ...(first ? { text: first } : {}) };
  return { ...facts, counts, firsts, areDays: false, pointGroups: 0, pointNulls: 0, compactTime: null };
}

/** The facts of a column whose points are decimal signs, not thousands separators. */
export const asPoints = (facts: ColumnFacts): ColumnFacts => ({ ...facts, pointGroups: 0, pointNulls: 0 });

/** Days in a spreadsheet's count, from 1954 to 2064: integers outside this range are rarely days. */
const days = { from: 20_000, to: 60_000 } as const;

const timeName = /(?:^|[^a-z])(?:date|time|datetime|timestamp|day)(?:[^a-z]|$)/i;
const apiName = /(?:^|[^a-z])(?:api|uwi)(?:well)?(?:no|nbr|num|number)?(?:[^a-z]|$)/i;

/** Names as words: `StartTime` becomes `Start Time`, and `APINumber` `API Number`. */
const inWords = (name: string): string =>
  name.replaceAll(/\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ').replaceAll('_', ' ');

function mayBeDays({ counts, min, max }: Pick<ColumnFacts, 'counts' | 'min' | 'max'>): boolean {
  const otherCount = counts.text + counts.label + counts.code + counts.time + counts.date + counts.boolean;
  return otherCount === 0 && min !== null && max !== null && min.value >= days.from && max.value < days.to;
}

/** The first number in a column named like a time whose values can be days; null: not such a column. */
export function serialDate(name: string, facts: ColumnFacts): Example | null {
  if (!timeName.test(inWords(name)) || !facts.areDays) return null;
  return facts.firsts.number ?? facts.firsts.integer ?? null;
}

/** A value that lost its leading zeros, and the number of digits it should have; null: none. */
export function lostZeros(name: string, facts: ColumnFacts) {
  const { counts, firsts, min } = facts;
  if (!min || counts.integer === 0 || !/^\d+$/.test(min.text)) return null;
  const { text, line } = min;
  // Codes that kept their zeros show the length of all codes.
  const code = firsts.code?.text ?? '';
  if (/^\d+$/.test(code))
    return text.length < code.length && (facts.max?.text.length ?? 0) <= code.length
      ? { text, line, digits: code.length, count: shorter(facts, code.length) }
      : null;
  const digits = apiLengths.findLast((length) => (facts.digits[length - 1] ?? 0) > 0);
  // One digit fewer means a lost zero.
  const hasLost = digits !== undefined && apiLengths.includes(text.length + 1);
  return hasLost && apiName.test(inWords(name))
    ? { text, line, digits, count: shorter(facts, digits) }
    : null;
}

const shorter = (facts: ColumnFacts, digits: number): number =>
  facts.digits.slice(0, digits).reduce((total, count) => total + count, 0);
