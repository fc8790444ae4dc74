import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { cellKind, isExcelDamaged, plainNumber } from './cells.ts';
import type { CellKind } from './cells.ts';
import type { Finding } from './gathering.ts';
import { timePatterns } from './time-patterns.ts';
import { numericNulls } from '../../../shared/upload/null-tokens.ts';

/** How the numbers of a column are written. */
export interface NumberStyle {
  readonly decimal: '.' | ',';
  /** Whether groups of three digits are set apart by commas. */
  readonly thousands: boolean;
}

/** What a column holds, judged by all of its cells. */
export interface ColumnType {
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'time' | 'empty';
  readonly style: NumberStyle;
}

/** A cell worth naming in a message. */
export interface Example {
  readonly line: number;
  readonly text: string;
}

/** The smallest or largest number of a column, as it stands in the file. */
interface Extreme extends Example {
  readonly value: number;
}

/** Everything that is remembered of a column while the whole file passes by; its size does not grow with the file. */
export interface ColumnFacts {
  readonly counts: Record<CellKind, number>;
  readonly firsts: Partial<Record<CellKind, Example>>;
  /** Smallest and largest as numbers, over what reads as a number. */
  readonly min: Extreme | null;
  readonly max: Extreme | null;
  /** The same with every comma read as a decimal sign. */
  readonly minComma: Extreme | null;
  readonly maxComma: Extreme | null;
  /** Smallest and largest as text, in the order of code units. */
  readonly minText: string | null;
  readonly maxText: string | null;
  readonly excelDamage: { readonly count: number; readonly first: Example } | null;
  /** Times that name no zone. */
  readonly zoneless: number;
  /** The patterns by which every text of the column can be read as a date or a time of day; null: it has no texts. */
  readonly patterns: readonly string[] | null;
  /** Whole numbers by how many digits they have, up to 30; of Unix times ten or thirteen. */
  readonly digits: readonly number[];
  /** Numbers such as -999.25 that often stand for no value, each with its count. */
  readonly sentinels: ReadonlyMap<string, number>;
  /** The texts that stand for null, blank cells not among them, each with its count and its first line. */
  readonly nulls: ReadonlyMap<string, Finding>;
  /** Values with blanks before or behind them. */
  readonly outerBlanks: Finding | null;
  /** Values with U+FFFD, which programs write where they could not read a character. */
  readonly lostCharacters: Finding | null;
}

const zoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/;
const maxSentinel = -999;
const maxTextLength = 200;
const maxNumberLength = 30;

const asNumber = (kind: CellKind, text: string): number | null => {
  if (kind === 'integer' || kind === 'number') return Number(text);
  if (kind === 'thousands' || kind === 'comma_ambiguous') return Number(text.replaceAll(',', ''));
  if (kind === 'comma_number') return Number(text.replace(',', '.'));
  return null;
};
/** Collects the facts of one column, cell by cell. */
export class ColumnCollector {
  // A plain object with all its keys from the start: counting is what is done most of all here.
  readonly #counts: Record<CellKind, number> = {
    empty: 0,
    null_word: 0,
    integer: 0,
    number: 0,
    comma_number: 0,
    comma_ambiguous: 0,
    thousands: 0,
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
  #patterns: readonly string[] | null = null;
  readonly #digits: number[] = Array.from({ length: maxNumberLength + 1 }, () => 0);
  readonly #sentinels = new Map<string, number>();
  readonly #nullTexts = new Map<string, { count: number; line: number }>();
  #outerBlanks: { count: number; line: number } | null = null;
  #lostCharacters: { count: number; line: number } | null = null;
  readonly #nulls: ReadonlySet<string>;
  readonly #numericNulls: ReadonlySet<number>;
  readonly #hasNumericNulls: boolean;
  /** The run of equal cells that is not counted yet: most columns repeat themselves. */
  #cell: string | null = null;
  #line = 0;
  #times = 0;

  /** @param nulls texts that stand for null */
  constructor(nulls: ReadonlySet<string>) {
    this.#nulls = nulls;
    this.#numericNulls = numericNulls([...nulls]);
    this.#hasNumericNulls = [...nulls].some((text) => /^[-+]?[.,]?\d/.test(text));
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

  /** What is known of the column by now. */
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
      patterns: this.#patterns,
      digits: this.#digits,
      sentinels: this.#sentinels,
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

  /** @param value what a number that is null in any notation is counted under */
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
  }

  #countNumber(value: number, text: string, kind: CellKind, times: number): void {
    const comma = kind === 'comma_ambiguous' ? Number(text.replace(',', '.')) : value;
    const line = this.#line;
    if (this.#min === null || value < this.#min.value) this.#min = { value, text, line };
    if (this.#max === null || value > this.#max.value) this.#max = { value, text, line };
    if (this.#minComma === null || comma < this.#minComma.value)
      this.#minComma = { value: comma, text, line };
    if (this.#maxComma === null || comma > this.#maxComma.value)
      this.#maxComma = { value: comma, text, line };
    if (kind === 'integer') this.#countDigits(text.length, times);
    else if (kind === 'number' && text.includes('E') && isExcelDamaged(text)) {
      this.#excelDamage ??= { count: 0, first: { line: this.#line, text } };
      this.#excelDamage.count += times;
    }
    if (value <= maxSentinel)
      this.#countSentinel(kind === 'comma_number' ? text.replace(',', '.') : text, times);
  }

  /** @param text with a point before its decimals, as null values are named with commas between them */
  #countSentinel(text: string, times: number): void {
    if (!isNullNumber(Number(text))) return;
    if (this.#sentinels.size >= 8 && !this.#sentinels.has(text)) return;
    this.#sentinels.set(text, (this.#sentinels.get(text) ?? 0) + times);
  }

  #countDigits(length: number, times: number): void {
    if (length <= maxNumberLength) this.#digits[length] = (this.#digits[length] ?? 0) + times;
  }

  /** Most columns of text fit none from their first cell on. */
  #fitPatterns(text: string): void {
    if (this.#patterns?.length === 0) return;
    const fitting = timePatterns(text);
    this.#patterns = this.#patterns?.filter((pattern) => fitting.includes(pattern)) ?? fitting;
  }

  #countText(text: string, kind: CellKind, times: number): void {
    if (kind === 'date' || (kind === 'time' && !(text.length > 10 && zoned.test(text.slice(10)))))
      this.#zoneless += times;
    if (kind === 'time' || kind === 'date' || kind === 'text' || kind === 'label') this.#fitPatterns(text);
    if (this.#minText === null || text < this.#minText) this.#minText = text.slice(0, maxTextLength);
    if (this.#maxText === null || text > this.#maxText) this.#maxText = text.slice(0, maxTextLength);
  }
}
