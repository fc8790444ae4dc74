import { minOf } from '../../../../shared/lists.ts';
import { isNullOfFiles, numericNulls } from '../../../../shared/upload/null-tokens.ts';
import { cellKind, isExcelDamaged, isPointGroup, plainNumber, type CellKind } from './cells.ts';
import { areExceptions, isShort } from './exceptions.ts';
import type { Finding } from './gathering.ts';
import { compactPattern, timeReadings } from './time-patterns.ts';
import { hasZone, TimeRange, ZonedTexts, type Example, type Extreme, type TimeEnds } from './time-range.ts';

/** How the numbers of a column are written. */
export interface NumberStyle {
  readonly decimal: '.' | ',';
  /** Whether groups of three digits are separated: by commas, or by points where commas are decimal. */
  readonly thousands: boolean;
}

/** The content of a column, from all of its cells. */
export interface ColumnType {
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'time' | 'empty';
  readonly style: NumberStyle;
}

/** Facts about a column from one pass over the file; their size doesn't grow with the file. */
export interface ColumnFacts {
  readonly counts: Record<CellKind, number>;
  readonly firsts: Partial<Record<CellKind, Example>>;
  /** Minimum and maximum as numbers, over the cells that are numbers. */
  readonly min: Extreme | null;
  readonly max: Extreme | null;
  /** The same with every comma as a decimal sign. */
  readonly minComma: Extreme | null;
  readonly maxComma: Extreme | null;
  /** Minimum and maximum as text, by code units. */
  readonly minText: string | null;
  readonly maxText: string | null;
  readonly excelDamage: { readonly count: number; readonly first: Example } | null;
  /** Number of times without a zone. */
  readonly zoneless: number;
  /**
   * The patterns that match the texts of the column as dates or times of day, except a few that differ from all others;
   * null: it has no texts.
   */
  readonly patterns: readonly string[] | null;
  /** The earliest and the latest text as a time, if all texts are times in one known order of day and month. */
  readonly timeRange: TimeEnds | null;
  /** The pattern of all integers but a few as compact times, such as `yyyyMMddHHmmss`; null: they aren't. */
  readonly compactTime: string | null;
  /** Number of numbers such as 1.338, which have one group of three digits after a point. */
  readonly pointGroups: number;
  /** Number of numbers with a point that often mean null, such as -999.25. */
  readonly pointNulls: number;
  /** Number of integers by digit count, up to 30; Unix times have ten or thirteen digits. */
  readonly digits: readonly number[];
  /** Numbers such as -999.25 that are often null values, each with its count. */
  readonly sentinels: ReadonlyMap<string, number>;
  /** The lowest and the highest number that is none of them; null: there is none. */
  readonly minMeasured: number | null;
  readonly maxMeasured: number | null;
  /**
   * The different cells that aren't numbers, each with its count; those such as `<0.01` count as the first of them.
   * Null: there are many, as in a column of text.
   */
  readonly words: ReadonlyMap<string, number> | null;
  /** The texts that are null values, except blank cells, each with its count and first line. */
  readonly nulls: ReadonlyMap<string, Finding>;
  /** Number of values with leading or trailing blanks. */
  readonly outerBlanks: Finding | null;
  /** Number of values with U+FFFD, which programs write for an unreadable character. */
  readonly lostCharacters: Finding | null;
}

/** The minimum and maximum number of a column whose numbers have this decimal sign. */
export const numberEnds = (
  { min, max, minComma, maxComma }: Pick<ColumnFacts, 'min' | 'max' | 'minComma' | 'maxComma'>,
  decimal: NumberStyle['decimal'],
): Pick<ColumnFacts, 'min' | 'max'> => (decimal === ',' ? { min: minComma, max: maxComma } : { min, max });

/** Numbers between them aren't null values. */
const [maxSentinel, minSentinel] = [-999, 1e30];
const maxTextLength = 200;
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

/** Collects the facts of one column, one cell at a time. */
export class ColumnCollector {
  // A plain object with all keys from the start, because counting takes most of the time here.
  readonly #counts: Record<CellKind, number> = {
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
  readonly #firsts: Partial<Record<CellKind, Example>> = {};
  #min: Extreme | null = null;
  #max: Extreme | null = null;
  #minComma: Extreme | null = null;
  #maxComma: Extreme | null = null;
  #minText: string | null = null;
  #maxText: string | null = null;
  #excelDamage: { count: number; first: Example } | null = null;
  #zoneless = 0;
  /** The patterns that match texts so far, each with the earliest and the latest, and the number of texts that differ. */
  readonly #patterns = new Map<string, { readonly range: TimeRange; misfits: number }>();
  /** Number of texts that patterns were compared with. */
  #texts = 0;
  readonly #zonedTexts = new ZonedTexts();
  /** The pattern of integers as compact times, and the number of integers that differ; null: most of them do. */
  #compactTime: { readonly pattern: string; misfits: number } | null = null;
  #integers = 0;
  #pointGroups = 0;
  #pointNulls = 0;
  readonly #digits: number[] = Array.from({ length: maxNumberLength + 1 }, () => 0);
  readonly #sentinels = new Map<string, number>();
  #minMeasured: number | null = null;
  #maxMeasured: number | null = null;
  /** Null: too many. */
  #words: Map<string, number> | null = new Map();
  /** The first text of a number below or above a limit, by its sign. */
  readonly #limited = new Map<string, string>();
  readonly #nullTexts = new Map<string, { count: number; line: number }>();
  #outerBlanks: { count: number; line: number } | null = null;
  #lostCharacters: { count: number; line: number } | null = null;
  readonly #nulls: ReadonlySet<string>;
  readonly #numericNulls: ReadonlySet<number>;
  readonly #hasNumericNulls: boolean;
  /** The current run of equal cells, which isn't counted yet: most columns repeat values. */
  #cell: string | null = null;
  #line = 0;
  #times = 0;

  /** @param nulls texts that are null values */
  constructor(nulls: ReadonlySet<string>) {
    this.#nulls = nulls;
    this.#numericNulls = numericNulls([...nulls]);
    this.#hasNumericNulls = [...nulls].some((text) => /^[-+]?[.,]?\d[^#]*$/.test(text));
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

  /** The facts so far. */
  facts(): ColumnFacts {
    this.#countRun();
    return {
      counts: this.#counts,
      firsts: this.#firsts,
      min: this.#min,
      max: this.#max,
      minComma: this.#minComma,
      maxComma: this.#maxComma,
      minText: this.#minText,
      maxText: this.#maxText,
      excelDamage: this.#excelDamage,
      zoneless: this.#zoneless,
      patterns:
        this.#texts === 0 ? null : distinctPatterns(this.#fittingPatterns().map(([pattern]) => pattern)),
      timeRange: this.#timeRange(),
      compactTime: this.#compactTimeOfMost(),
      pointGroups: this.#pointGroups,
      pointNulls: this.#pointNulls,
      digits: this.#digits,
      sentinels: this.#sentinels,
      minMeasured: this.#minMeasured,
      maxMeasured: this.#maxMeasured,
      words: this.#words,
      nulls: this.#nullTexts,
      outerBlanks: this.#outerBlanks,
      lostCharacters: this.#lostCharacters,
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
    if (text.length !== this.#cell.length && text !== '') {
      this.#outerBlanks ??= { count: 0, line: this.#line };
      this.#outerBlanks.count += times;
    }
    const kind = cellKind(text, this.#nulls);
    const value = asNumber(kind, text);
    if (value === null && text.includes('\uFFFD')) {
      this.#lostCharacters ??= { count: 0, line: this.#line };
      this.#lostCharacters.count += times;
    }
    const isNull = value === null ? text !== '' && this.#nulls.has(text) : this.#isNullNumber(value, text);
    if (isNull) this.#countNull(text, value, times);
    else this.#countKind(kind, text, value, times);
  }

  #isNullNumber(value: number, text: string): boolean {
    return this.#hasNumericNulls && (this.#numericNulls.has(value) || this.#nulls.has(text));
  }

  /** @param value the key for a number that is null in any notation */
  #countNull(text: string, value: number | null, times: number): void {
    this.#countKind('null_word', text, null, times);
    const token = this.#nulls.has(text) ? text : String(value);
    const counted = this.#nullTexts.get(token);
    if (counted) counted.count += times;
    else this.#nullTexts.set(token, { count: times, line: this.#line });
  }

  #countKind(kind: CellKind, text: string, value: number | null, times: number): void {
    if (this.#counts[kind] === 0)
      this.#firsts[kind] = { line: this.#line, text: text.slice(0, maxTextLength) };
    this.#counts[kind] += times;
    if (kind === 'empty' || kind === 'null_word') return;
    this.#countText(text, kind, times);
    if (value !== null) this.#countNumber(value, text, kind, times);
    else if (kind !== 'code') this.#countWord(text, times);
  }

  #countWord(text: string, times: number): void {
    if (this.#words === null) return;
    let word = text.slice(0, maxWordLength);
    if (limitedNumber.test(word)) {
      const sign = word.charAt(0);
      word = this.#limited.get(sign) ?? word;
      this.#limited.set(sign, word);
    }
    const count = this.#words.get(word) ?? 0;
    const isText = this.#min === null && this.#texts > maxTextsBeforeNumbers;
    if (isText || (count === 0 && this.#words.size >= maxWords)) this.#words = null;
    else this.#words.set(word, count + times);
  }

  #countNumber(value: number, text: string, kind: CellKind, times: number): void {
    const line = this.#line;
    let comma = value;
    if (kind === 'comma_ambiguous') comma = Number(text.replace(',', '.'));
    else if (kind === 'number' && isPointGroup(text)) {
      comma = Number(text.replace('.', ''));
      this.#pointGroups += times;
    }
    if (this.#min === null || value < this.#min.value) this.#min = { value, text, line };
    if (this.#max === null || value > this.#max.value) this.#max = { value, text, line };
    if (this.#minComma === null || comma < this.#minComma.value)
      this.#minComma = { value: comma, text, line };
    if (this.#maxComma === null || comma > this.#maxComma.value)
      this.#maxComma = { value: comma, text, line };
    if (kind === 'integer') this.#countInteger(text, times);
    // With a point before the decimals, because null values are written with commas between them.
    const token = kind === 'comma_number' ? text.replace(',', '.') : text;
    if ((value <= maxSentinel || value >= minSentinel) && isNullOfFiles(Number(token)))
      return this.#countSentinel(token, times);
    if (this.#minMeasured === null || value < this.#minMeasured) this.#minMeasured = value;
    if (this.#maxMeasured === null || value > this.#maxMeasured) this.#maxMeasured = value;
    if (kind === 'number' && text.includes('E') && isExcelDamaged(text)) {
      this.#excelDamage ??= { count: 0, first: { line, text } };
      this.#excelDamage.count += times;
    }
  }

  #countSentinel(text: string, times: number): void {
    if (text.includes('.')) this.#pointNulls += times;
    if (this.#sentinels.size >= 8 && !this.#sentinels.has(text)) return;
    this.#sentinels.set(text, (this.#sentinels.get(text) ?? 0) + times);
  }

  #countInteger(text: string, times: number): void {
    const { length } = text;
    if (length <= maxNumberLength) this.#digits[length] = (this.#digits[length] ?? 0) + times;
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
  #fitPatterns(text: string, times: number): void {
    const before = this.#texts;
    // Prose isn't a typing error.
    this.#texts += isShort(text) ? times : Math.max(2, times);
    if (this.#patterns.size === 0 && before > 1) return;
    const readings = timeReadings(text);
    let fitting = 0;
    for (const { pattern, order } of readings) {
      let fit = this.#patterns.get(pattern);
      // The first text can be the one that differs.
      if (!fit && before <= 1)
        this.#patterns.set(pattern, (fit = { range: new TimeRange(), misfits: before }));
      if (!fit) continue;
      fit.range.add(order, text, this.#line);
      fitting += 1;
    }
    if (fitting === this.#patterns.size) return;
    for (const [pattern, fit] of this.#patterns) {
      if (readings.some((reading) => reading.pattern === pattern)) continue;
      fit.misfits += this.#texts - before;
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

  #timeRange(): ColumnFacts['timeRange'] {
    const { time, date, text, label } = this.#counts;
    if (time + date === 0 || text + label > 0) return null;
    const [first, ...others] = this.#fittingPatterns().map(([, { range }]) => range.ends);
    // Day and month may be either; the range is known if both orders have the same ends.
    const isSame = ({ min, max }: TimeEnds) => min.text === first?.min.text && max.text === first.max.text;
    if (first) return others.every(isSame) ? first : null;
    return this.#zonedTexts.ends;
  }

  #countText(text: string, kind: CellKind, times: number): void {
    if (kind === 'time' && hasZone(text)) this.#zonedTexts.add(text, this.#line);
    else if (kind === 'date' || kind === 'time') this.#zoneless += times;
    if (kind === 'time' || kind === 'date' || kind === 'text' || kind === 'label')
      this.#fitPatterns(text, times);
    if (this.#minText === null || text < this.#minText) this.#minText = text.slice(0, maxTextLength);
    if (this.#maxText === null || text > this.#maxText) this.#maxText = text.slice(0, maxTextLength);
  }
}
