import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { cellKind, isExcelDamaged } from './cells.ts';
import type { CellKind } from './cells.ts';
import type { Finding } from './gathering.ts';
import { plainKinds } from './plain-cells.ts';
import type { PlainCells } from './plain-cells.ts';
import { comparedTo, larger, smaller } from './extremes.ts';
import type { Extreme } from './extremes.ts';
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
const mayBeSentinel = -999;
const longest = 200;
const longestNumber = 30;

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
  /** Between these a number is no extreme, whichever way commas are read. */
  #low = Infinity;
  #high = -Infinity;
  #minText: string | null = null;
  #maxText: string | null = null;
  /** The first letters of these two. */
  #minFirst = 0;
  #maxFirst = 0;
  /** Numbers beyond those in the counts, of which nothing but their number was to be remembered. */
  #integers = 0;
  #numbers = 0;
  #excelDamage: { count: number; first: Example } | null = null;
  #zoneless = 0;
  #patterns: readonly string[] | null = null;
  readonly #digits: number[] = Array.from({ length: longestNumber + 1 }, () => 0);
  readonly #sentinels = new Map<string, number>();
  readonly #nullTexts = new Map<string, { count: number; line: number }>();
  #outerBlanks: { count: number; line: number } | null = null;
  #lostCharacters: { count: number; line: number } | null = null;
  readonly #nulls: ReadonlySet<string>;
  readonly #numericNulls: ReadonlySet<number>;
  /** The run of equal cells that is not counted yet: most columns repeat themselves. */
  #cell: string | null = null;
  #line = 0;
  #times = 0;

  /** @param nulls texts that stand for null */
  constructor(nulls: ReadonlySet<string>) {
    this.#nulls = nulls;
    this.#numericNulls = numericNulls([...nulls]);
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

  /** As {@link add}, without making a text of what needs none. */
  addPlain(cells: PlainCells, index: number, line: number): void {
    const kind = cells.kinds[index];
    if (kind === plainKinds.other || this.#isNullNumber(cells, index))
      return this.add(cells.text(index), line);
    if (this.#times > 0) this.#countRun();
    if (kind === plainKinds.empty) {
      if (this.#counts.empty++ === 0) this.#firsts.empty = { line, text: '' };
      return;
    }
    const value = cells.values[index] ?? 0;
    const isInteger = kind === plainKinds.integer;
    const isOrdinary =
      value >= this.#low &&
      value <= this.#high &&
      value > mayBeSentinel &&
      (isInteger ? this.#counts.integer > 0 : this.#counts.number > 0);
    if (!isOrdinary || !this.#isBetween(cells, index)) {
      this.#line = line;
      this.#cell = null;
      return this.#countKind(isInteger ? 'integer' : 'number', cells.text(index), value, 1);
    }
    if (isInteger) {
      this.#integers++;
      this.#countDigits((cells.ends[index] ?? 0) - (cells.starts[index] ?? 0), 1);
    } else this.#numbers++;
  }

  #isNullNumber({ kinds, values }: PlainCells, index: number): boolean {
    return (
      this.#numericNulls.size > 0 &&
      kinds[index] !== plainKinds.empty &&
      this.#numericNulls.has(values[index] ?? 0)
    );
  }

  /** Whether a cell is neither before the smallest nor behind the largest text. */
  #isBetween({ bytes, starts, ends }: PlainCells, index: number): boolean {
    if (this.#minText === null || this.#maxText === null) return false;
    const start = starts[index] ?? 0;
    const first = bytes[start] ?? 0;
    if (first > this.#minFirst && first < this.#maxFirst) return true;
    const end = ends[index] ?? 0;
    return (
      comparedTo(this.#minText, bytes, start, end) >= 0 && comparedTo(this.#maxText, bytes, start, end) <= 0
    );
  }

  /** What is known of the column by now. */
  facts(): ColumnFacts {
    this.#countRun();
    return {
      counts: {
        ...this.#counts,
        integer: this.#counts.integer + this.#integers,
        number: this.#counts.number + this.#numbers,
      },
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
    const text = this.#cell.trim();
    if (text.length !== this.#cell.length && text !== '') {
      this.#outerBlanks ??= { count: 0, line: this.#line };
      this.#outerBlanks.count += times;
    }
    if (text.includes('\uFFFD')) {
      this.#lostCharacters ??= { count: 0, line: this.#line };
      this.#lostCharacters.count += times;
    }
    const kind = cellKind(text, this.#nulls);
    const value = asNumber(kind, text);
    const isNull =
      text !== '' && (this.#nulls.has(text) || (value !== null && this.#numericNulls.has(value)));
    if (isNull) this.#countNull(text, value, times);
    else this.#countKind(kind, text, value, times);
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
    if (this.#counts[kind] === 0) this.#firsts[kind] = { line: this.#line, text: text.slice(0, longest) };
    this.#counts[kind] += times;
    if (kind === 'empty' || kind === 'null_word') return;
    this.#countText(text, kind, times);
    if (value !== null) this.#countNumber(value, text, kind, times);
  }

  #countNumber(value: number, text: string, kind: CellKind, times: number): void {
    this.#min = smaller(this.#min, value, text, this.#line);
    this.#max = larger(this.#max, value, text, this.#line);
    const comma = kind === 'comma_ambiguous' ? Number(text.replace(',', '.')) : value;
    this.#minComma = smaller(this.#minComma, comma, text, this.#line);
    this.#maxComma = larger(this.#maxComma, comma, text, this.#line);
    this.#low = Math.max(this.#min?.value ?? Infinity, this.#minComma?.value ?? Infinity);
    this.#high = Math.min(this.#max?.value ?? -Infinity, this.#maxComma?.value ?? -Infinity);
    if (kind === 'integer') this.#countDigits(text.length, times);
    else if (kind === 'number' && isExcelDamaged(text)) {
      this.#excelDamage ??= { count: 0, first: { line: this.#line, text } };
      this.#excelDamage.count += times;
    }
    if (value <= mayBeSentinel)
      this.#countSentinel(kind === 'comma_number' ? text.replace(',', '.') : text, times);
  }

  /** @param text with a point before its decimals, as null values are named with commas between them */
  #countSentinel(text: string, times: number): void {
    if (!isNullNumber(Number(text))) return;
    if (this.#sentinels.size >= 8 && !this.#sentinels.has(text)) return;
    this.#sentinels.set(text, (this.#sentinels.get(text) ?? 0) + times);
  }

  #countDigits(length: number, times: number): void {
    if (length <= longestNumber) this.#digits[length] = (this.#digits[length] ?? 0) + times;
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
    if (this.#minText === null || text < this.#minText) {
      this.#minText = text.slice(0, longest);
      this.#minFirst = text.charCodeAt(0);
    }
    if (this.#maxText === null || text > this.#maxText) {
      this.#maxText = text.slice(0, longest);
      this.#maxFirst = text.charCodeAt(0);
    }
  }
}
