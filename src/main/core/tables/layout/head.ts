import { IANAZone } from 'luxon';
import { channelOf, noSynonyms } from '../../../../shared/channels/channels.ts';
import { areUnits, looksLikeUnit } from '../../../../shared/channels/header.ts';
import { quantitiesOf, unitOf } from '../../../../shared/channels/units.ts';
import { canNameWells, isCommonWord } from '../../../../shared/wells/wells.ts';
import { cellKind, isDecimalNumber, isNumberKind, isTyped } from '../reading/columns.ts';
import type { RowPlaces } from '../../../../shared/upload/formats.ts';
import type { Explanation, HeadCandidate, JudgedLine } from '../../../../shared/upload/upload.ts';

export interface CellRow {
  /** Without blanks around them. */
  readonly cells: readonly string[];
  /** Its line, or row of a sheet, from 1. */
  readonly line: number;
}

export type NotedLines = Pick<Explanation, 'lines' | 'omitted'>;

/** Maximum number of lines that are explained, and of the characters of each. */
const maxNotes = 200;
const maxNoteLength = 80;

/** Lines that are no plain rows, the first of them with what they were taken for. */
export class LineNotes implements NotedLines {
  readonly lines: JudgedLine[] = [];
  omitted = 0;

  /** @param why in short words */
  add(kind: JudgedLine['kind'], why: string, { cells, line }: CellRow): void {
    if (this.lines.length >= maxNotes) this.omitted++;
    else this.lines.push({ line, kind, why, text: textOf(cells) });
  }
}

const textOf = (cells: readonly string[]): string => {
  const text = cells.slice(0, maxNoteLength).join(' | ');
  return text.length > maxNoteLength ? `${text.slice(0, maxNoteLength)}…` : text;
};

/** The explanation of a file by those of its parts, in the order of its lines. */
export function explanationOf(
  heads: Explanation['heads'],
  parts: readonly (NotedLines | null | undefined)[],
): Explanation {
  const lines = new Map<number, JudgedLine>();
  let omitted = 0;
  for (const part of parts) {
    omitted += part?.omitted ?? 0;
    for (const line of part?.lines ?? []) if (!lines.has(line.line)) lines.set(line.line, line);
  }
  const sorted = [...lines.values()].toSorted((a, b) => a.line - b.line);
  return {
    heads,
    lines: sorted.slice(0, maxNotes),
    omitted: omitted + Math.max(0, sorted.length - maxNotes),
  };
}

/** A value of a line above rows, such as `WELLNAME A-1`, which holds for these rows. */
export interface BlockValue {
  readonly name: string;
  readonly value: string;
  /** Whether it may as well be the words of a title, such as `Well Completion 2024`. */
  readonly canBeTitle?: boolean;
  /** Whether a colon or an equals sign follows its name; lines without one are in another notation. */
  readonly hasColon?: boolean;
}

/** Whether a value may as well be the words of a title. */
export const isTitle = ({ canBeTitle = false }: Pick<BlockValue, 'canBeTitle'>): boolean => canBeTitle;

const pair = /^(\p{L}[^:=]{0,39})[:=](.*)$/su;
/** Whether a colon is that of a time, such as `At 12:30`. */
const isClock = (name: string, rest: string): boolean => /\d$/.test(name) && /^\d/.test(rest);
/** Whether a line begins with a name and a value, not with words and a comma, or a time. */
function beginsWithPair(line: string): boolean {
  const [, name = '', rest = ''] = pair.exec(line) ?? [];
  return name !== '' && !/[,;]/.test(name) && !isClock(name, rest);
}
const gap = /\s{2,}|\t/;
/** What separates the names and values of a line that begins with them: commas and semicolons only before a name. */
const betweenPairs = /\s{2,}|\t|[,;]\s*(?=\p{L}[^:=,;]{0,39}[:=])/u;
/** A pair behind a comma or a semicolon whose value has a digit. */
const laterPair = /[,;]\s*(\p{L}[^:=,;]{0,39})[:=][^:=,;]*\d/u;
const wordAndRest = /^(\p{L}[\p{L}\d_]{0,39})\s+(\S.*)$/u;
/** Names of values beside those of wells, also without a colon behind them. */
const otherUsual = /^(?:date|time|field|run|bore|rig|company|zone|test|sample|stage|interval|pass)$/i;
/** Whether a name is one that lines above rows have, such as `Well` or `Date`. */
export const isUsualName = (name: string): boolean => canNameWells(name) || otherUsual.test(name);

const pageNumber = /[\s,;(-]{0,4}\bpage\s{1,4}\d{1,6}(?:\s{0,4}(?:of|\/)\s{0,4}\d{1,6})?\)?$/iu;

/** Whether a text is the number of a page, such as `page 2 of 7`. */
export const isPageNumber = (text: string): boolean => pageNumber.exec(text)?.index === 0;

const plainValue = (text: string): string =>
  text
    .trim()
    .replace(pageNumber, '')
    .replace(/^(["'])(.*)\1$/s, '$2');

/**
 * The names and values of a row: `Well: A-1` in one cell or in two, several of them in cells or in a line with two blanks
 * or a comma between them, or a usual name without a colon, such as `WELL A-1`.
 * @returns `isWhole`: whether the row has nothing else
 */
export function pairsOf(cells: readonly string[]): {
  readonly values: readonly BlockValue[];
  readonly isWhole: boolean;
} {
  const texts = cells.flatMap((cell) => cell.trim() || []);
  const isLine = texts.length === 1;
  const [line = ''] = texts;
  // Words before the name of a well are a title, such as `Survey, Well: A-1`; otherwise they are a remark.
  const hasPairs = beginsWithPair(line) || canNameWells(laterPair.exec(line)?.[1] ?? '');
  const parts = isLine ? line.split(hasPairs ? betweenPairs : gap) : texts;
  const values: BlockValue[] = [];
  let unpaired = 0;
  for (let at = 0; at < parts.length; at++) {
    // The colon can be apart from the name.
    const isApart = /^[:=]/.test(parts[at + 1] ?? '');
    const text = `${parts[at]}${isApart ? parts[at + 1] : ''}`;
    const [, name = '', rest = ''] = pair.exec(text) ?? [];
    const next = parts[at + (isApart ? 2 : 1)] ?? '';
    const isNext = rest.trim() === '' && !pair.test(next);
    const value = plainValue(isNext ? next : rest);
    if (name === '' || value === '' || isClock(name, rest)) {
      unpaired++;
      continue;
    }
    values.push({ name: name.trim(), value, hasColon: true });
    at += (isApart ? 1 : 0) + (isNext ? 1 : 0);
  }
  if (values.length === 0) return withoutColon(parts);
  return { values, isWhole: isLine || unpaired === 0 };
}

/** The names and values of a row, without words that can be a title. */
export const entriesIn = (cells: readonly string[]): BlockValue[] =>
  pairsOf(cells).values.filter((value) => !isTitle(value));

/** Whether a row has a usual name with a value, such as `WELL NAME: A-1`. */
export const isUsualEntry = (cells: readonly string[]): boolean =>
  pairsOf(cells).values.some(({ name }) => isUsualName(name));

/** The names and values of a line above the rows, such as `# Well: A-1` or `Well,A-1`; a comma in quotes is a part of its value. */
export function entriesInLine(line: string): BlockValue[] {
  const text = withoutMark(line.trim().replace(/^[;%~\s]+/, ''));
  // LAS files have the unit, the value, and a description between a point and the end of the line.
  const pairs = text.replace(/^(\w+)\s*\.\s+(.*?)\s:.*$/, '$1:,"$2"');
  const cells = pairs.match(/(?<=^|[,;\t])(?:[^,;\t":=]*[:=])? *"[^"]*" *(?=[,;\t]|$)|[^,;\t]+/g) ?? [];
  return entriesIn(cells.map((cell) => cell.replaceAll('"', ''))).map((entry) => ({
    ...entry,
    value: entry.value.split(/\s:/)[0] ?? '',
  }));
}

/** A line without the mark of a remark: `#`, `!`, or `--`. */
export const withoutMark = (line: string): string => line.replace(/^[\s#!]*[#!]\s*|^\s*--(?!-)\s*/, '');

const year = /\b(?:19|20)\d\d\b(?:[-/.]\d{1,2}){0,2}/g;

/** A usual name without a colon, and its value: that of a well may lack digits if it ends the row or another name follows it. */
function withoutColon(parts: readonly string[]): ReturnType<typeof pairsOf> {
  const isLine = parts.length === 1;
  const [first = '', second = '', third = '', fourth = ''] = parts;
  const [, name = '', rest = ''] = isLine ? (wordAndRest.exec(first) ?? []) : ['', first, second];
  const value = plainValue(rest);
  const words = value.split(/\s+/);
  const isNamed = words.length <= 3 && /\d/.test(value);
  const isOfWell = canNameWells(name);
  const areFew = parts.length === 2;
  const arePairs = parts.length % 2 === 0;
  const isPair = areFew || (isOfWell && arePairs && isColumnName(third) && !isColumnName(fourth));
  // Other words are a sentence, or the names of columns; C-1 can be a well, but C1 and H2S are channels.
  const isValue = isLine
    ? (isNamed || (isOfWell && words.length <= 2)) && !words.some((word) => isCommonWord(word))
    : isOfWell
      ? (isPair && isNamed && /[-\s#/]\d/.test(value)) || (!isColumnName(value) && (isPair || isNamed))
      : areFew || (arePairs && isNamed);
  if (!isUsualName(name) || !isValue || value === '') return { values: [], isWhole: false };
  const canBeTitle = isLine && isOfWell && !/\d/.test(value.replaceAll(year, ''));
  return { values: [{ name, value, ...(canBeTitle ? { canBeTitle } : {}) }], isWhole: parts.length < 3 };
}

/** Columns of lists of wells that are no channels. */
const wellFact = /^(?:operator|contractor|lease|county|state|country|status|latitude|longitude)$/i;
const isColumnName = (text: string): boolean =>
  isUsualName(text) || wellFact.test(text) || channelOf(text, { synonyms: noSynonyms }) !== undefined;

// What the cells of a row say about its role: names, units, a group above names, or values. Each feature has its weight
// here; `findHead` adds them up for whole layouts, and takes the best.

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

const valuesOf = ({ cells }: TypedRow): TypedCell[] => cells.flatMap((cell) => cell ?? []);

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

/** Whether a cell is a word: a name, a unit, or a value of a table of words. */
const isWord = ({ kind, text }: TypedCell): boolean => kind === 'text' && !isDecimalNumber(text.trim());

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
function scoreOfNames(row: TypedRow, columns: Columns): number {
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
  const all = texts.flatMap((text, column) => (text === '' ? [] : [{ text, column }]));
  // A mark such as - is a unit, or no value: other words tell which, if there are any.
  const unmarked = all.filter(({ text }) => cellKind(text) !== 'null_word');
  const isBlank = unmarked.length > 0 && !unmarked.some(({ column }) => columns.isNumbers(column));
  const words = isBlank ? unmarked : all;
  const isUnit = (text: string): boolean =>
    looksLikeUnit(text) || timeForm.test(text) || IANAZone.isValidZone(text);
  if (words.length === 0) return false;
  if (words.some(({ text }) => isTyped(text) || (text.length > maxUnitLength && !isUnit(text)))) return false;
  if (!isBlank && areUnits(texts.filter((_, column) => columns.isNumbers(column)))) return true;
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

/** The rows above the values of a table, by their indexes; -1: there is no such row. */
export interface Head {
  readonly header: number;
  /** The row above the header with words for several columns each, which are part of their names. */
  readonly group: number;
  readonly units: number;
  readonly first: number;
  /** The name of each column, with its group; none without a header. */
  readonly names: readonly string[];
  readonly score: number;
}

/** The best head, and the second best one with another header; null: no other row can be the header. */
interface JudgedHead extends Head {
  readonly rival: Head | null;
}

/** The most frequent of some numbers, and of equally frequent ones the largest; 0: there are none. */
export function usualNumber(numbers: readonly number[]): number {
  const groups = [...Map.groupBy(numbers, (number) => number)];
  return groups.toSorted(([a, { length }], [b, same]) => same.length - length || b - a)[0]?.[0] ?? 0;
}

/** Rows at the start of a table among which its header is. */
const maxHeaderRows = 50;

const textsOf = ({ cells }: TypedRow): string[] => cells.map((cell) => cell?.text.trim() ?? '');
const filledIn = (row: TypedRow): number => row.cells.reduce((sum, cell) => sum + (cell ? 1 : 0), 0);
const hasValue = ({ cells }: TypedRow): boolean =>
  cells.some((cell) => cell !== null && cell.kind !== 'text' && cell.kind !== 'error');

/** Whether a row has nothing but a value for the rows below it, such as `Well: A-1`. */
const isEntry = (row: TypedRow): boolean => {
  const { values, isWhole } = pairsOf(textsOf(row));
  return isWhole && !values.some(isTitle);
};

/**
 * The best layout of the first rows of a table. Each possible one has a score: of its names, units, and groups, and of
 * what it leaves above them.
 * @param rows the first rows with a value
 * @param header the row that the user set; -1: none; absent: the best one
 */
export function findHead(rows: readonly TypedRow[], header?: number): JudgedHead {
  const columns = new Columns(bodyOf(rows));
  const above = costsAbove(rows, columns);
  let best = headless(rows, columns, above, header === -1);
  let rival: Head | null = null;
  if (header === -1) return { ...best, rival };
  if (header !== undefined) return { ...headsAt(rows, header, columns, above).reduce(better), rival };
  const end = Math.min(maxHeaderRows, rows.length);
  for (let at = remarkRows(rows); at < end; at++) {
    // Costs never shrink.
    if ((above[at] ?? 0) + weights.names + weights.units + weights.group < best.score) break;
    if (rows[at]?.isTitle === true || rows[at + 1]?.isTitle === true) continue;
    const head = headsAt(rows, at, columns, above).reduce(better);
    const other: Head = better(best, head) === best ? head : best;
    if (other.score > (rival?.score ?? Number.NEGATIVE_INFINITY)) rival = other;
    best = better(best, head);
  }
  return { ...best, rival };
}

const better = (a: Head, b: Head): Head => (b.score > a.score ? b : a);

/** Number of first rows that are remarks with #; a single one can be a header whose first name is #. */
function remarkRows(rows: readonly TypedRow[]): number {
  const end = rows.findIndex((row) => !valuesOf(row)[0]?.text.startsWith('#'));
  return end > 1 ? end : 0;
}

/** The rows that show what the columns have: those with numbers or times; of a table of words, the most usual ones. */
function bodyOf(rows: readonly TypedRow[]): readonly TypedRow[] {
  const typed = rows.filter(hasValue);
  const some = typed.length > 0 ? typed : rows;
  const widths = some.map(filledIn);
  const usual = usualNumber(widths);
  return some.filter((_, at) => (widths[at] ?? 0) * 2 >= usual);
}

/** For each row, the cost of all rows before it, if a table begins with it. */
function costsAbove(rows: readonly TypedRow[], columns: Columns): number[] {
  const costs = [0];
  let sum = 0;
  for (const row of rows.slice(0, maxHeaderRows)) {
    const share = filledIn(row) / Math.max(1, columns.used);
    if (isEntry(row)) sum += weights.titleAbove;
    else if (columns.hasTyped && share >= 0.5 && columns.fits(row) === true) sum += weights.valuesAbove;
    else if (!columns.hasTyped && share >= 0.7) sum += weights.wordsAbove;
    else sum += weights.titleAbove;
    costs.push(sum);
  }
  return costs;
}

/**
 * The layout without a header: rows with less than half of the columns are above the first one, unless they have a value
 * and a place for each column, and rows of words above values, unless the user said that there is no header.
 */
function headless(
  rows: readonly TypedRow[],
  columns: Columns,
  above: readonly number[],
  isChosen: boolean,
): Head {
  const needed = columns.used <= 2 ? columns.used : Math.ceil(columns.used / 2);
  const width = (columns.indexes.at(-1) ?? 0) + 1;
  const isSparse = (row: TypedRow): boolean => row.cells.length >= width && hasValue(row) && !isEntry(row);
  const isFirst = (row: TypedRow): boolean =>
    (filledIn(row) >= needed || isSparse(row)) && (isChosen || columns.fits(row) !== false);
  const first = Math.max(0, rows.slice(0, maxHeaderRows).findIndex(isFirst));
  return { header: -1, group: -1, units: -1, first, names: [], score: above[first] ?? 0 };
}

/** The layouts with a row as the header: with a group above it and units below it, where they can be. */
function headsAt(
  rows: readonly TypedRow[],
  header: number,
  columns: Columns,
  above: readonly number[],
): Head[] {
  const row = rows[header];
  if (!row) return [];
  const next = rows[header + 1];
  const hasUnits =
    next !== undefined &&
    (header + 2 < rows.length ? isUnits(next, columns) : areUnitsOf(textsOf(row), textsOf(next)));
  const score = (of: TypedRow, top: number): number => {
    const names = scoreOfNames(of, columns);
    if (names <= 0) return Number.NEGATIVE_INFINITY;
    const first = rows[header + (hasUnits ? 2 : 1)];
    const isWordsFirst = first !== undefined && (columns.fits(first) === false || isEntry(first));
    return (
      names + (above[top] ?? 0) + (hasUnits ? weights.units : 0) + (isWordsFirst ? weights.wordsFirst : 0)
    );
  };
  const head = { header, units: hasUnits ? header + 1 : -1, first: header + (hasUnits ? 2 : 1) };
  const single: Head = { ...head, group: -1, names: textsOf(row), score: score(row, header) };
  const group = rows[header - 1];
  const joined = group ? withGroup(group, row) : null;
  if (!joined) return [single];
  return [
    single,
    {
      ...head,
      group: header - 1,
      names: textsOf(joined),
      score: score(joined, header - 1) + weights.group,
    },
  ];
}

const isUnits = (row: TypedRow, columns: Columns): boolean =>
  valuesOf(row).every(({ kind }) => kind === 'text') && isUnitRow(textsOf(row), columns);

/**
 * Whether the last row has nothing but units, and at least two measure what the names say. No row below shows what the
 * columns have, and a row of words such as `meter,m` stays a row.
 */
const areUnitsOf = (names: readonly string[], texts: readonly string[]): boolean =>
  texts.every((text) => text === '' || unitOf(text) !== undefined) &&
  texts.filter((unit, at) => {
    const quantity = channelOf(names[at] ?? '', { unit, synonyms: noSynonyms })?.channel.quantity;
    return quantity && quantitiesOf(unit).includes(quantity);
  }).length >= 2;

/**
 * Names with the group above them, if some need it because they are the same in several groups. A group reaches over
 * the blank cells behind it whose names are the same as others.
 * @returns null: it isn't a group, or the names don't need it
 */
function withGroup(group: TypedRow, header: TypedRow): TypedRow | null {
  const groups = textsOf(group);
  const names = textsOf(header);
  const words = valuesOf(group);
  if (words.length < 2 || !words.every(isWord) || pairsOf(groups).isWhole) return null;
  if (!valuesOf(header).every(isWord) || areMostlyUnits(names)) return null;
  const sameNames = Map.groupBy(names, (name) => name);
  // A row of words for null is no header.
  const isShared = (name: string): boolean =>
    name !== '' && cellKind(name) !== 'null_word' && (sameNames.get(name)?.length ?? 0) > 1;
  if (!names.some(isShared) || !names.some((name, at) => isShared(name) && groups[at] !== '')) return null;
  let current = '';
  const joined = Array.from({ length: Math.max(names.length, groups.length) }, (_, at): string => {
    const name = names[at] ?? '';
    const text = groups[at] ?? '';
    if (text !== '' || !isShared(name)) current = text;
    return [current, name].filter((part) => part !== '').join(' ');
  });
  return { cells: joined.map((text) => (text === '' ? null : { text, kind: 'text' })) };
}

/** What can be before units in a line with a number sign. */
export const unitLabel = /^units?\s*[:=]\s*/i;
const otherDelimiters = /[,;\t|]/;
const maxNameLength = 40;
const maxNameWords = 4;

/** The cells of a line without the mark of a remark. */
export function cellsAfterHash({ cells }: CellRow): string[] {
  const [first = '', ...others] = cells;
  return [withoutMark(first), ...others].map((cell) => cell.trim());
}

/** The texts of a line with a number sign that can be units, as in `# m, ft/h` or `# units: m, ft/h`. */
export function unitTextsOf(line: CellRow): string[] {
  const [first = '', ...others] = cellsAfterHash(line);
  const rest = first.replace(unitLabel, '');
  // After the word, commas separate units in files with other delimiters, too.
  if (rest !== first && others.length === 0) return rest.split(otherDelimiters).map((text) => text.trim());
  return [rest, ...others];
}

/** Whether a text can be the name of a column rather than a sentence. */
const canBeName = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  !isTyped(text) &&
  text.length <= maxNameLength &&
  text.split(/\s+/).length <= maxNameWords;

/**
 * The line with a number sign that names the columns of rows without a header, or most of them: the last one above them,
 * except a line of units; null: none.
 */
export function headerInHashLines<T extends CellRow>(
  { cells: { length: width }, line: firstLine }: CellRow,
  rows: readonly CellRow[],
  comments: readonly T[],
): T | null {
  const columns = new Columns(rows.map(({ cells }) => typedRow(cells)));
  const above = comments.filter(({ line }) => line < firstLine).slice(-2);
  const isUnits = (row: CellRow): boolean => {
    const texts = unitTextsOf(row);
    return texts.length > 1 && texts.length <= width && isUnitRow(texts, columns);
  };
  const header = above.findLast((row) => !isUnits(row));
  if (!header || above.some((row) => row.line > header.line && !isUnits(row))) return null;
  const cells = cellsAfterHash(header);
  const names = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
  const { length } = names;
  // A remark such as `# ACME, Houston, TX` can have nearly as many cells; units below it tell.
  const hasUnits = above.some((row) => row.line > header.line);
  const isShort =
    hasUnits && length > 2 && length * 3 >= width * 2 && !names.some((name) => /[:=]/.test(name));
  const areNames = (length === width ? width > 1 : length < width && isShort) && names.every(canBeName);
  return areNames && new Set(names).size === length ? header : null;
}

/** Maximum difference of two scores that are alike, and the score of a header below which its words fit poorly. */
const alike = 0.5;
const poor = 0.5;
const maxNamesShown = 6;

/**
 * Why the first rows of a table are its head, and which other one is likely.
 * @param rows those of which it is the head
 * @param lineOf the line of a row by its index
 */
export function explainHead(
  head: JudgedHead,
  rows: readonly TypedRow[],
  lineOf: (row: number) => number,
): Explanation {
  const columns = new Columns(bodyOf(rows));
  const { header, group, units, first, rival } = head;
  const notes = new LineNotes();
  for (const [at, row] of rows.slice(0, first + 1).entries()) {
    const cells = textsOf(row);
    const words = valuesOf(row).length;
    const add = (kind: JudgedLine['kind'], why: string): void =>
      notes.add(kind, why, { cells, line: lineOf(at) });
    if (at === header) {
      const typed = cells.filter((cell, column) => cell !== '' && columns.isTyped(column)).length;
      add('header', `${typed} of ${words} words above numbers or times; score ${head.score.toFixed(1)}`);
    } else if (at === group) add('group', 'words above names that are the same');
    else if (at === units) add('units', 'units below the names');
    else if (at === first) add('row', 'the first row of the table');
    else if (isEntry(row)) add('value', 'a name and its value');
    else if (columns.fits(row) === true) add('title', 'values above the header');
    else add('title', `words in ${words} of ${columns.used} columns`);
  }
  const candidateOf = ({ names, score, ...at }: Head): HeadCandidate => ({
    headerRow: at.header < 0 ? 0 : lineOf(at.header),
    unitRow: at.units < 0 ? null : lineOf(at.units),
    names: [...names],
    score: Math.round(score * 100) / 100,
  });
  return explanationOf([head, ...(rival ? [rival] : [])].map(candidateOf), [notes]);
}

/**
 * The question which of two likely headers is right, or that a header fits poorly; null: neither.
 * @param what a place is
 * @returns `line` of the other header, from 1; null: there is none. `cells` show the headers, the one that is used first.
 */
export function headQuestion(
  { heads: [best, rival] }: Explanation,
  what: RowPlaces['kind'],
): { readonly message: string; readonly line: number | null; readonly cells: string[] } | null {
  if (!best) return null;
  const preview = ({ headerRow, unitRow, names }: HeadCandidate): string => {
    if (headerRow === 0) return 'no header';
    const shown = names.slice(0, maxNamesShown).map((name) => `“${name.slice(0, 40)}”`);
    const units = unitRow === null ? '' : `, with units on ${what} ${unitRow}`;
    return `${what} ${headerRow} (${shown.join(', ')}${names.length > maxNamesShown ? ', …' : ''}${units})`;
  };
  if (rival && best.score - rival.score < alike) {
    const { headerRow: line, unitRow } = rival;
    const option = `--header-row ${line}${unitRow === null ? '' : ` --unit-row ${unitRow}`}`;
    return {
      message: `Two headers fit the rows almost equally well: ${preview(best)}, which is used, and ${preview(rival)}. To use the other one, set the header row to ${line} (${option}).`,
      line: line === 0 ? null : line,
      cells: [preview(best), preview(rival)],
    };
  }
  if (best.headerRow === 0 || best.score >= poor) return null;
  return {
    message: `The header fits the rows poorly: ${preview(best)}. Check it, and set the header row if another one is right (--header-row; 0: no header).`,
    line: null,
    cells: [preview(best)],
  };
}
