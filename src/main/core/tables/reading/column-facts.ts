import {
  defaultExceptionShare,
  isNullOfFiles,
  type NullTexts,
} from '../../../../shared/upload/null-tokens.ts';
import {
  type Example,
  compactPattern,
  timeReadings,
  hasZone,
  TimeRange,
  ZonedTexts,
  type Extreme,
  type TimeEnds,
} from './time-patterns.ts';
import { minOf } from '../../../../shared/lists.ts';
import { cellKind, isExcelDamaged, isPointGroup, plainNumber, type CellKind } from './cells.ts';

/** The count of a finding, and its first line. */
export interface Finding {
  readonly count: number;
  readonly line: number;
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
export const areExceptions = (
  count: number,
  first: Pick<Example, 'text'> | null,
  values: number,
  share = defaultExceptionShare,
): boolean =>
  (count === 1 && values >= minValuesForException && share > 0 && first !== null && isShort(first.text)) ||
  count < values * share;

const core =
  /^(?:wells?|wellbores?|wellname|wellid|wellno|wellnumber|borehole|uwi|api|api(?:no|num|number|10|12|14)|asset|assetid)$/;
const qualifiers =
  /^(?:names?|id|identifier|no|nr|num|number|code|bore|hole|npd|npdid|wlb|common|full|short|unique|us|usa|legal|label|the|of|10|12|14)$/;

/** A name as lowercase words: `wlbWellboreName` becomes `wlb`, `wellbore`, `name`. */
export const nameInWords = (name: string): string[] =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Whether a column with this name can name wells; `Well status`, `API gravity`, and the like can't. */
export function canNameWells(name: string): boolean {
  const words = nameInWords(name);
  return (
    words.some((word) => core.test(word)) && words.every((word) => core.test(word) || qualifiers.test(word))
  );
}

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
  readonly #nulls: NullTexts;
  /** The current run of equal cells, which isn't counted yet: most columns repeat values. */
  #cell: string | null = null;
  #line = 0;
  #times = 0;

  /** @param nulls texts that are null values */
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
    const kind = cellKind(text, this.#nulls.texts);
    const value = asNumber(kind, text);
    if (value === null && text.includes('\uFFFD')) {
      this.#lostCharacters ??= { count: 0, line: this.#line };
      this.#lostCharacters.count += times;
    }
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

/** Number of values, without nulls. */
export const valueCount = (counts: Counts): number =>
  Object.values(counts).reduce((total, count) => total + count, 0) - counts.empty - counts.null_word;

const sum = (counts: Counts, kinds: readonly CellKind[]): number =>
  kinds.reduce((total, kind) => total + counts[kind], 0);

/** A column's type with the values that don't fit it. */
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

/** The first value of a kind that doesn't fit. */
function firstOther(firsts: ColumnFacts['firsts'], fits: readonly CellKind[]): Example | null {
  const passed: ReadonlySet<string> = new Set<CellKind>([...fits, 'empty', 'null_word']);
  const exceptions = Object.entries(firsts).flatMap(([kind, first]) => (passed.has(kind) ? [] : [first]));
  return exceptions.reduce<Example | null>(
    (first, example) => (first && first.line <= example.line ? first : example),
    null,
  );
}

/** Kinds of cells that can be text as well; codes and labels always are. */
const plainKinds = [
  'integer',
  'number',
  'comma_number',
  'comma_ambiguous',
  'thousands',
  'point_thousands',
  'boolean',
] as const;

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
  return { ...facts, counts, firsts, pointGroups: 0, pointNulls: 0, compactTime: null };
}

/** Days in a spreadsheet's count, from 1954 to 2064: integers outside this range are rarely days. */
const days = { from: 20_000, to: 60_000 } as const;

const timeName = /(?:^|[^a-z])(?:date|time|datetime|timestamp|day)(?:[^a-z]|$)/i;
const apiName = /(?:^|[^a-z])(?:api|uwi)(?:[^a-z]|$)/i;
/** Digits of an API number: state, county, and well; with sidetrack; with event. One digit fewer means a lost zero. */
const apiDigits = new Set([10, 12, 14]);

/** Names as words: `StartTime` becomes `Start Time`. */
const inWords = (name: string): string => name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');

/** Whether all numbers of a column can be days of a spreadsheet. */
export function mayBeDays({ counts, min, max }: Pick<ColumnFacts, 'counts' | 'min' | 'max'>): boolean {
  const otherCount = counts.text + counts.label + counts.code + counts.time + counts.date + counts.boolean;
  return otherCount === 0 && min !== null && max !== null && min.value >= days.from && max.value < days.to;
}

/** The first number in a column named like a time whose values can be days; null: not such a column. */
export function serialDate(name: string, facts: ColumnFacts): Example | null {
  if (!timeName.test(inWords(name)) || !mayBeDays(facts)) return null;
  return facts.firsts.number ?? facts.firsts.integer ?? null;
}

interface LostZeros extends Example {
  readonly digits: number;
  /** The number of values with fewer digits. */
  readonly count: number;
}

/** A value that lost its leading zeros, and the number of digits it should have; null: none. */
export function lostZeros(name: string, facts: ColumnFacts): LostZeros | null {
  const { counts, firsts, min } = facts;
  if (!min || counts.integer === 0 || !/^\d+$/.test(min.text)) return null;
  const { text, line } = min;
  // Codes that kept their zeros show the length of all codes.
  const code = firsts.code?.text ?? '';
  if (/^\d+$/.test(code))
    return text.length < code.length && (facts.max?.text.length ?? 0) <= code.length
      ? { text, line, digits: code.length, count: shorter(facts, code.length) }
      : null;
  const digits = text.length + 1;
  return apiName.test(inWords(name)) && apiDigits.has(digits)
    ? { text, line, digits, count: shorter(facts, digits) }
    : null;
}

const shorter = (facts: ColumnFacts, digits: number): number =>
  facts.digits.slice(0, digits).reduce((total, count) => total + count, 0);
