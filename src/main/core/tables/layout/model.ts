import { IANAZone } from 'luxon';
import { areUnits, looksLikeUnit } from '../../../../shared/channels/unit-text.ts';
import { unitOf } from '../../../../shared/channels/units.ts';
import { isPageNumber } from '../reading/block-values.ts';
import { cellKind, isDecimalNumber, isNumberKind } from '../reading/cells.ts';
import { isTyped } from '../reading/typed-columns.ts';

// What the cells of a row say about its role: names, units, a group above names, or values. Each feature has its weight
// here; `search.ts` adds them up for whole layouts, and takes the best.

/** A value of a row, and its kind: as a workbook stores it, or as its text looks. */
export interface TypedCell {
  readonly text: string;
  readonly kind: 'text' | 'number' | 'time' | 'boolean' | 'error';
}

/** The cells of a row by column, from 0; null: no value. */
export interface TypedRow {
  readonly cells: readonly (TypedCell | null)[];
  /** Whether it is a line of words that aren't split as those of the rows: no header is above it. */
  readonly isTitle?: boolean;
}

/** A time of day, and a date in any notation, also a wrong one: no name. */
const timeLike = /^\d{1,2}:\d{2}(?!\d)|^\d{1,4}([-/.])\d{1,2}\1\d{1,4}/;

/** The cells of a row of text. */
export const typedRow = (texts: readonly string[]): TypedRow => ({
  cells: texts.map((cell): TypedCell | null => {
    const text = cell.trim();
    const kind = cellKind(text);
    if (kind === 'empty') return null;
    if (isNumberKind(kind)) return { text, kind: 'number' };
    if (kind === 'time' || kind === 'date' || timeLike.test(text)) return { text, kind: 'time' };
    return { text, kind: kind === 'boolean' ? 'boolean' : 'text' };
  }),
});

/** The values of a row. */
export const valuesOf = ({ cells }: TypedRow): TypedCell[] => cells.flatMap((cell) => cell ?? []);

/** Weights, in units of one name above a column of numbers. */
export const weights = {
  /** A word above a column of numbers, times, or Boolean values. */
  nameAboveValues: 1,
  /** A word above words, of which it is none. */
  nameAboveWords: 0.35,
  /** A word that is also a value of its column. */
  repeatedWord: -1,
  /** A number of a series, such as a year, that can be a name. */
  numberAsName: 0.35,
  /** A number, a time, or a Boolean value where a name should be. */
  value: -2,
  blankName: -0.3,
  /** A name that another column has, too. */
  sameName: -0.4,
  /** A word in brackets, as units have them. */
  bracketed: -0.5,
  /** The names of a table together, whatever their number. */
  names: 4,
  units: 1.2,
  /** A group above names that gives some of them what distinguishes them. */
  group: 0.5,
  /** A row of values above the names. */
  valuesAbove: -1.5,
  /** A row as full as a row of a table of words, above the names. */
  wordsAbove: -0.6,
  /** Any other row above them, such as a title. */
  titleAbove: -0.1,
  /** A first row without values in columns of values. */
  wordsFirst: -2,
} as const;

/** What most values of a column are; null: it has none. */
type ColumnKind = 'number' | 'value' | 'text' | null;

/** Minimum share of a column's values, from 0 to 1, that tells its kind: a file can have the header of each page. */
const minShare = 0.6;

/** Whether a cell has no value: an error of a formula, or a word for null. */
const isNothing = ({ kind, text }: TypedCell): boolean =>
  kind === 'error' || (kind === 'text' && cellKind(text.trim()) === 'null_word');

/** What the columns of a table have, by its rows. */
export class Columns {
  readonly #kinds: readonly ColumnKind[];
  readonly #rows: readonly TypedRow[];
  /** Those with a value. */
  readonly indexes: readonly number[];
  readonly hasTyped: boolean;

  constructor(rows: readonly TypedRow[]) {
    this.#rows = rows;
    const counts: { number: number; value: number; text: number }[] = [];
    for (const { cells } of rows)
      for (const [at, cell] of cells.entries()) {
        if (!cell || isNothing(cell)) continue;
        const count = (counts[at] ??= { number: 0, value: 0, text: 0 });
        count[cell.kind === 'number' ? 'number' : cell.kind === 'text' ? 'text' : 'value'] += 1;
      }
    this.#kinds = Array.from(counts, (count): ColumnKind => {
      if (!count) return null;
      const all = count.number + count.value + count.text;
      if (count.number >= all * minShare) return 'number';
      return count.number + count.value >= all * minShare ? 'value' : 'text';
    });
    this.indexes = this.#kinds.flatMap((kind, at) => (kind === null ? [] : [at]));
    this.hasTyped = this.indexes.some((at) => this.isTyped(at));
  }

  /** Number of columns with a value. */
  get used(): number {
    return this.indexes.length;
  }

  isNumbers(column: number): boolean {
    return this.#kinds[column] === 'number';
  }

  /** Whether a column has numbers, times, or Boolean values. */
  isTyped(column: number): boolean {
    const kind = this.#kinds[column] ?? null;
    return kind === 'number' || kind === 'value';
  }

  /** Whether a text is a value of another row of its column. */
  isRepeated(row: TypedRow, column: number): boolean {
    const text = row.cells[column]?.text;
    return this.#rows.some((other) => other !== row && other.cells[column]?.text === text);
  }

  /** Whether a row has values where its columns have them; null: it has nothing there. */
  fits({ cells }: TypedRow): boolean | null {
    let values = 0;
    let words = 0;
    for (const [at, cell] of cells.entries()) {
      if (!cell || isNothing(cell) || !this.isTyped(at)) continue;
      if (cell.kind === 'text') words += 1;
      else values += 1;
    }
    return values + words === 0 ? null : values >= words;
  }
}

/** Whether a row is a word in each of its cells: names, units, or values of a table of words. */
export const isWord = ({ kind, text }: TypedCell): boolean =>
  kind === 'text' && !isDecimalNumber(text.trim());

/** Whether numbers have equal steps, such as 1, 2, 3: they can be names of columns. */
function areSteps(numbers: readonly number[]): boolean {
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  return (
    numbers.length >= 3 &&
    step !== 0 &&
    numbers.every((value, index) => index === 0 || value - (numbers[index - 1] ?? 0) === step)
  );
}

/** Numbers that are valid names beside words: years or steps across the sheet. */
const canBeNames = (numbers: readonly number[]): boolean =>
  areSteps(numbers) || numbers.every((value) => Number.isInteger(value) && value >= 1800 && value <= 2200);

/**
 * How well the cells of a row name the columns below it.
 * @returns at most {@link weights.names}; at most 0: they don't
 */
export function scoreOfNames(row: TypedRow, columns: Columns): number {
  const values = valuesOf(row);
  const words = values.filter((cell) => isWord(cell) && !isNothing(cell));
  if (words.length === 0 || isPageNumber(values.at(-1)?.text.trim() ?? '')) return -1;
  const areNames = canBeNames(values.filter(({ kind }) => kind === 'number').map(({ text }) => Number(text)));
  const seen = new Set<string>();
  const isAlone = words.length === 1;
  let sum = 0;
  const indexes = columns.used > 0 ? columns.indexes : row.cells.map((_, at) => at);
  for (const at of indexes) {
    const cell = row.cells[at];
    if (!cell || isNothing(cell)) sum += weights.blankName;
    else if (cell.kind === 'number') sum += areNames ? weights.numberAsName : weights.value;
    else if (cell.kind !== 'text') sum += weights.value;
    else {
      // A text that looks like a number is a code, which can be a name above numbers, and is a value above texts.
      if (columns.isTyped(at)) sum += weights.nameAboveValues;
      else if (!isWord(cell)) sum += weights.value;
      else if (isAlone || !columns.isRepeated(row, at)) sum += weights.nameAboveWords;
      else sum += weights.repeatedWord;
      if (/^[([].*[)\]]$/.test(cell.text)) sum += weights.bracketed;
      if (seen.has(cell.text)) sum += weights.sameName;
      seen.add(cell.text);
    }
  }
  return (sum / Math.max(1, indexes.length)) * weights.names;
}

/** Maximum length of a unit that isn't known. */
const maxUnitLength = 15;

/** Whether most of these words are units. */
export function areMostlyUnits(words: readonly string[], isUnit = looksLikeUnit): boolean {
  const filled = words.filter((word) => word !== '');
  return filled.length > 0 && filled.filter((word) => isUnit(word)).length * 5 >= filled.length * 3;
}

/** The form of times instead of a unit, as in `MM/DD/YY` and `HH:MM:SS`. */
const timeForm = /^(?=.*[:/.-])[DMYHS]{1,8}(?:[:/. -][DMYHS]{1,8})+$/i;

/**
 * Whether the row after a header has units: short words, most of them units or the time zones of times, most of them
 * above numbers or times; or known units above most columns of numbers; or nothing but known units
 * and time zones above some of their columns.
 * @param texts trimmed; blank: no unit
 */
export function isUnitRow(texts: readonly string[], columns: Columns): boolean {
  const words = texts.flatMap((text, column) => (text === '' ? [] : [{ text, column }]));
  const isUnit = (text: string): boolean =>
    looksLikeUnit(text) || timeForm.test(text) || IANAZone.isValidZone(text);
  if (words.length === 0) return false;
  if (words.some(({ text }) => isTyped(text) || (text.length > maxUnitLength && !isUnit(text)))) return false;
  if (areUnits(texts.filter((_, column) => columns.isNumbers(column)))) return true;
  const isAbove = ({ text, column }: (typeof words)[number]): boolean =>
    columns.isNumbers(column)
      ? unitOf(text) !== undefined
      : columns.isTyped(column) && IANAZone.isValidZone(text);
  if (words.every(isAbove)) return true;
  return (
    words.length * 2 >= columns.used &&
    words.filter(({ column }) => columns.isTyped(column)).length * 2 >= words.length &&
    areMostlyUnits(
      words.map(({ text }) => text),
      isUnit,
    )
  );
}
