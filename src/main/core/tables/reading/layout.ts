import * as z from 'zod';
import { unescapedFormula } from '../../../../shared/csv.ts';
import {
  createFieldReader,
  startsWithHash,
  RecordReader,
  type RawRecord,
  type RecordOptions,
} from './records.ts';
import { type ReadAt, codeUnits, type Encoding } from './source.ts';
import {
  usualNumber,
  headerInHashLines,
  unitTextsOf,
  Columns,
  isUnitRow,
  typedRow,
  findHead,
  explainHead,
} from '../layout/head.ts';
import type { ReadingOptions, Explanation } from '../../../../shared/upload/upload.ts';
import { withoutBrackets } from '../../../../shared/channels/units.ts';
import { unitInName } from '../../../../shared/channels/header.ts';
import { invalidInput, type AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import { rowPlaces } from '../../../../shared/upload/formats.ts';
import { mapsToItself } from '../../records/targets.ts';
import { isTyped } from './columns.ts';

/** How a file is split into records and cells. */
const dialectShape = {
  delimiter: z.string(),
  /** What encloses cells; absent: quotation marks. */
  quote: z.literal("'").optional(),
  /** Whether a CR alone ends a record. */
  crEnds: z.boolean(),
  /** Whether records that start with # are comments, except rows by `hashColumns`. */
  comments: z.boolean(),
  /** Whether the first line names the delimiter, as in `sep=;`, and is no row. */
  hasDelimiterLine: z.boolean().optional(),
  /** Whether an apostrophe before a formula is an escape and no part of the cell; absent: it isn't, as in converted tables. */
  hasEscapes: z.boolean().optional(),
};
type Dialect = Readonly<z.infer<z.ZodObject<typeof dialectShape>>>;

const column = z.object({
  /** The name in the header, trimmed. */
  name: z.string(),
  /** The name in a mapping: the header's name, made unique. */
  key: z.string(),
  unit: z.string().nullable(),
  /** Of nested values: the names that lead to them in the file. */
  path: z.array(z.string()).readonly().optional(),
  /** What the values are according to the file: texts, although some look like numbers, or numbers with a decimal point. */
  type: z.enum(['text', 'number']).optional(),
});
export type Column = Readonly<z.infer<typeof column>>;

/** How a file is read, in a plan or a conversion: decided once, so that each later pass gives the same rows. */
export const storedLayout = z.object({
  ...dialectShape,
  /** What is between cells in the original of a converted table, if that isn't a comma, for the notation of numbers. */
  notationDelimiter: z.string().optional(),
  /** Whether each line is a JSON object (NDJSON). */
  jsonLines: z.boolean(),
  encoding: z.object({ name: z.string(), bom: z.int() }),
  /** Line of the header, from 1; 0: the file has none. */
  headerLine: z.int(),
  /** Line of the groups above the names, which are part of them; absent: none. */
  groupLine: z.int().optional(),
  unitLine: z.int().nullable(),
  /** The header's bytes without its line end; null without a header. */
  header: z.object({ start: z.int(), end: z.int() }).nullable(),
  columns: z.array(column).readonly(),
  dataStart: z.int(),
  dataLine: z.int(),
  /**
   * The columns of numbers and times that distinguish rows from comments: a record that starts with # is a row if it has
   * as many cells as the header and a number or a time in one of these columns; absent: all such records are comments.
   */
  hashColumns: z.array(z.int()).readonly().optional(),
  /** Rows with at least this many cells, but fewer than columns, have blank ones at the end; absent: they are damaged. */
  fillFrom: z.int().optional(),
  /**
   * Whether the format stores numbers exactly, and rows only: no spreadsheet can have changed values, and no person wrote
   * totals or remarks below the rows.
   */
  isExact: z.boolean().optional(),
  /** The unit of places in a converted table; absent: lines. */
  placeKind: rowPlaces.shape.kind.optional(),
});
export interface Layout extends Readonly<z.infer<typeof storedLayout>> {
  readonly encoding: Encoding;
  readonly columns: readonly Column[];
  /** Whether the header can't be distinguished from a row of data. */
  readonly headerAssumed?: boolean;
  /** Why its first rows are its head; absent: the format says it, or the layout is that of a stored plan. */
  readonly head?: Explanation | undefined;
}

interface SampleRow extends Pick<RawRecord, 'line' | 'nextLine' | 'start' | 'end' | 'next'> {
  readonly cells: readonly string[];
  readonly damaged: boolean;
  /** Whether it starts with #, like a comment. */
  readonly isHash: boolean;
}

type SampledRows = Readonly<Record<'rows' | 'comments', readonly SampleRow[]>>;

export const delimiters = [',', ';', '\t', '|'] as const;
/** Taken only if they give each row the same cells, and the others don't. */
const rareDelimiters = ['^', '~', '}', '!'] as const;
const minRareRows = 3;
/** Share of rows with the same number of cells, from 0 to 1, with which no rare delimiter is tried. */
const minUsualShare = 0.9;
const sampleRows = 500;
/** Those of them whose numbers and times are counted. */
const typedRows = 100;
/** Lines above a row that the user set which can be a part of its head. */
const linesAbove = 10;

/** Options of a record reader for a dialect, starting after the byte order mark. */
export const readerOptions = (
  fileName: string,
  encoding: Encoding,
  {
    delimiter,
    quote,
    crEnds,
    jsonLines = false,
  }: Pick<Dialect, 'delimiter' | 'quote' | 'crEnds'> & Partial<Pick<Layout, 'jsonLines'>>,
): RecordOptions => ({
  fileName,
  start: encoding.bom,
  line: 1,
  delimiter,
  quote,
  quotes: !jsonLines,
  crEnds,
  encoding,
});

/** Reads from memory with the interface of a file. */
export const readFrom =
  (sample: Uint8Array): ReadAt =>
  (into, offset, length, position) => {
    const part = sample.subarray(position, position + length);
    into.set(part, offset);
    return part.length;
  };

const delimiterLine = /^("?)sep=([^\p{L}\d"#])\1\2*\s*$/iu;

/** The delimiter that the first line of a sample names for spreadsheets, as in `sep=;`; null: none. */
function namedDelimiter(fileName: string, sample: Uint8Array, encoding: Encoding): string | null {
  const options = { ...readerOptions(fileName, encoding, { delimiter: ',', crEnds: true }), quotes: false };
  const reader = new RecordReader(readFrom(sample), options);
  const record = reader.next();
  const text = record ? reader.text(record) : '';
  const delimiter = delimiterLine.exec(text)?.[2];
  return delimiter !== undefined && /[\t\x20-\x7e]/.test(delimiter) ? delimiter : null;
}

/** Whether a record is the line that names the delimiter. */
export const isDelimiterLine = (
  { line }: Pick<RawRecord, 'line'>,
  { hasDelimiterLine = false }: Pick<Dialect, 'hasDelimiterLine'>,
): boolean => hasDelimiterLine && line === 1;

/**
 * The first records of a file, or those from a line on, without blank ones, and without the last one if its sample can cut it.
 * @param end of the sample, in bytes; Infinity: that of the file
 */
function rowsOfSample(
  fileName: string,
  read: ReadAt,
  end: number,
  encoding: Encoding,
  dialect: Pick<Dialect, 'delimiter' | 'quote' | 'crEnds' | 'hasDelimiterLine' | 'hasEscapes'>,
  firstLine = 1,
): SampleRow[] {
  const reader = new RecordReader(read, readerOptions(fileName, encoding, dialect));
  const readFields = createFieldReader(dialect.delimiter, dialect.quote);
  const rows: SampleRow[] = [];
  for (const record of reader.all()) {
    if (rows.length >= sampleRows) break;
    if (record.line < firstLine || isDelimiterLine(record, dialect)) continue;
    const { cells: texts, problem } = readFields(reader, record);
    const cells = dialect.hasEscapes === true ? texts.map(unescapedFormula) : texts;
    if (cells.length === 1 && cells[0]?.trim() === '') continue;
    const isCut = record.next >= end;
    const isHash = startsWithHash(cells, reader, record);
    if (!isCut || rows.length === 0) rows.push({ ...record, cells, damaged: problem !== null, isHash });
  }
  return rows;
}

/** The most common number of cells in a row. */
export function usualWidth(rows: readonly Pick<SampleRow, 'cells'>[]): { width: number; share: number } {
  const width = usualNumber(rows.map(({ cells }) => cells.length)) || 1;
  const usual = rows.filter(({ cells }) => cells.length === width);
  return { width, share: usual.length / Math.max(1, rows.length) };
}

/** A sample split by one delimiter, with its score. */
type Trial = ReturnType<typeof tryDialect> & { readonly quote?: Dialect['quote'] };

function tryDialect(rows: SampleRow[], delimiter: string) {
  const dataRows = rows.filter(({ isHash }) => !isHash);
  const undamagedRows = dataRows.filter(({ damaged }) => !damaged);
  const { width, share } = usualWidth(undamagedRows);
  const soundShare = dataRows.length === 0 ? 0 : undamagedRows.length / dataRows.length;
  const fullRows = undamagedRows.filter(({ cells }) => cells.length === width).slice(0, typedRows);
  const texts = fullRows.flatMap(({ cells }) =>
    cells.map((cell) => cell.trim()).filter((cell) => cell !== ''),
  );
  const typedShare = width < 2 ? 0 : texts.filter(isTyped).length / Math.max(1, texts.length);
  return {
    delimiter,
    rows,
    width,
    share,
    // Numbers and times, if most cells are, tell delimiters from decimal commas, which split all rows as regularly, and into
    // more cells.
    score:
      width < 2
        ? 0
        : share * soundShare + (typedShare > 0.5 ? typedShare / 10 : 0) + Math.min(width, 50) / 1000,
  };
}

/**
 * Whether apostrophes enclose cells: all rows have the same cells with them, and without them either not, or all cells
 * that begin with one end with one.
 */
function isQuotedBy(quoted: Trial, usual: Trial): boolean {
  const cells = usual.rows.flatMap((row) => row.cells.map((cell) => cell.trim()));
  const opened = cells.filter((cell) => cell.startsWith("'"));
  const areClosed = opened.every((cell) => cell.length > 1 && cell.endsWith("'"));
  return (
    opened.length * 2 >= usual.rows.length &&
    quoted.rows.length >= 2 &&
    quoted.width > 1 &&
    quoted.share === 1 &&
    quoted.rows.every(({ damaged }) => !damaged) &&
    (areClosed || usual.share < 1)
  );
}

/** Whether a lone CR as a line end gives more rows that are at least as regular. */
function endsByCr(usual: Trial, old: Trial): boolean {
  if (old.width < 2) return usual.width < 2 && usual.rows.length <= 1;
  return old.rows.length > usual.rows.length && old.share >= usual.share;
}

/**
 * Lines that start with # are comments unless they are most of the file and have as many cells as the other rows, or the
 * header starts with #.
 */
function hasComments(rows: readonly SampleRow[], chosen: ReadingOptions['hashLines']): boolean {
  if (chosen !== undefined) return chosen === 'comments';
  const comments = rows.filter(({ isHash }) => isHash);
  const plainRows = rows.filter(({ isHash }) => !isHash);
  const { width } = usualWidth(plainRows);
  const fitting = comments.filter(({ cells }) => cells.length === width);
  if (comments.length === 0 || plainRows.length === 0 || fitting.length > rows.length / 2) return false;
  const [first, second] = rows;
  if (comments.length > 1 || !first?.isHash || first.cells.length !== second?.cells.length) return true;
  // The first ones can be the header and a unit row.
  const values = plainRows.slice(Math.min(2, plainRows.length - 1));
  const texts = unitTextsOf(first);
  return texts.length === width && isUnitRow(texts, columnsOf(values));
}

/**
 * Detects delimiter, record ends, and comments from a sample, except where the user set them.
 * A file with one column has no delimiter: a comma is assumed.
 * @param hasEscapes as in a {@link Dialect}
 */
export function detectDialect(
  fileName: string,
  sample: Uint8Array,
  whole: boolean,
  encoding: Encoding,
  chosen: Pick<ReadingOptions, 'delimiter' | 'hashLines'>,
  hasEscapes = false,
): SampledRows & { readonly dialect: Dialect } {
  const named = namedDelimiter(fileName, sample, encoding);
  const hasDelimiterLine = named !== null;
  const trialOf = (crEnds: boolean, delimiter: string, quote?: "'"): Trial => {
    const form = {
      delimiter,
      quote,
      crEnds,
      hasDelimiterLine,
      hasEscapes: hasEscapes && quote === undefined,
    };
    const end = whole ? Infinity : sample.length;
    return { ...tryDialect(rowsOfSample(fileName, readFrom(sample), end, encoding, form), delimiter), quote };
  };
  const triedOf = (crEnds: boolean, those: readonly string[]): Trial =>
    those
      .map((delimiter) => trialOf(crEnds, delimiter))
      .reduce((best, trial) => (trial.score > best.score ? trial : best));
  const tried = (crEnds: boolean): Trial => {
    if (chosen.delimiter !== undefined) return triedOf(crEnds, [chosen.delimiter]);
    const byLine = named === null ? null : triedOf(crEnds, [named]);
    // A file that was saved with another delimiter since has one column by that of its first line.
    if (byLine && byLine.width > 1) return byLine;
    const usual = triedOf(crEnds, named === null ? delimiters : [named, ...delimiters]);
    if (usual.width > 1 && usual.share >= minUsualShare) return usual;
    const rare = triedOf(crEnds, rareDelimiters);
    const isSure = rare.width > 2 && rare.share === 1 && rare.rows.length >= minRareRows;
    return isSure ? rare : usual;
  };
  const usual = tried(false);
  const old = hasBareCr(codeUnits(sample, encoding)) ? tried(true) : null;
  const crEnds = old !== null && endsByCr(usual, old);
  const byMarks = crEnds ? old : usual;
  const hasApostrophes =
    hasEscapes && byMarks.rows.some(({ cells }) => cells.some((cell) => cell.includes("'")));
  const byApostrophes = hasApostrophes ? trialOf(crEnds, byMarks.delimiter, "'") : null;
  const { delimiter, quote, rows } =
    byApostrophes && isQuotedBy(byApostrophes, byMarks) ? byApostrophes : byMarks;
  const comments = hasComments(rows, chosen.hashLines);
  return {
    dialect: {
      delimiter,
      ...(quote === undefined ? {} : { quote }),
      crEnds,
      comments,
      ...(hasDelimiterLine ? { hasDelimiterLine } : {}),
      ...(hasEscapes && quote === undefined ? { hasEscapes } : {}),
    },
    ...rowsAndComments(rows, comments),
  };
}

/** @param comments as in a {@link Dialect} */
const rowsAndComments = (rows: SampleRow[], comments: boolean): SampledRows => ({
  rows: comments ? rows.filter(({ isHash }) => !isHash) : rows,
  comments: comments ? rows.filter(({ isHash }) => isHash) : [],
});

/** The records around a line that the user set far below the first ones. */
export const rowsAround = (
  line: number,
  fileName: string,
  read: ReadAt,
  encoding: Encoding,
  dialect: Dialect,
): SampledRows =>
  rowsAndComments(
    rowsOfSample(fileName, read, Infinity, encoding, dialect, line - linesAbove),
    dialect.comments,
  );

function hasBareCr(units: Uint8Array | Uint16Array): boolean {
  for (let at = units.indexOf(0x0d); at >= 0; at = units.indexOf(0x0d, at + 1))
    if (at + 1 < units.length && units[at + 1] !== 0x0a) return true;
  return false;
}

export const maxColumns = 10_000;

/** Whether a header differs from the rows below only in its words. */
const isAssumed = ({ cells }: SampleRow, below: readonly SampleRow[]): boolean =>
  below.length > 0 && !cells.some((cell) => mapsToItself(cell.trim())) && !columnsOf(below).hasTyped;

const columnsOf = (rows: readonly Pick<SampleRow, 'cells'>[]): Columns =>
  new Columns(rows.map(({ cells }) => typedRow(cells)));

/**
 * The row that the user set.
 * @param what it has
 * @param place of the row, in words
 * @throws AppError invalid_input if the file has no such row
 */
export function chosenRow<T>(row: T | undefined, what: 'header' | 'unit', place: string): T {
  if (row !== undefined) return row;
  const message = `There is no ${what} row ${place}. Set a row that has text.`;
  throw invalidInput(message, { field: what === 'header' ? 'headerRow' : 'unitRow' });
}

const rowAtLine = (rows: readonly SampleRow[], line: number, what: 'header' | 'unit'): SampleRow =>
  chosenRow(
    rows.find((row) => row.line === line),
    what,
    `on line ${line}`,
  );

/**
 * The columns that distinguish rows that start with # from comments; empty: rows can't start with # because the first
 * column has numbers or times, so that such a row was made a comment.
 */
function hashColumnsOf(rows: readonly SampleRow[], width: number): readonly number[] {
  const firsts = rows.map(({ cells }) => cells[0]?.trim() ?? '').filter((cell) => cell !== '');
  if (firsts.filter(isTyped).length * 2 >= firsts.length) return [];
  const columns = columnsOf(rows);
  return columns.indexes.filter((column) => column < width && columns.isTyped(column));
}

interface UnitLine {
  readonly row: SampleRow;
  readonly texts: readonly string[];
}

const unitsOf = (row: SampleRow, comments: readonly SampleRow[]): UnitLine => ({
  row,
  texts: comments.includes(row) ? unitTextsOf(row) : row.cells.map((cell) => cell.trim()),
});

/** The units in a row below the header, or else in a line with # directly above or below it; null: none. */
function unitsAt(
  header: SampleRow,
  unitRow: SampleRow | undefined,
  below: readonly SampleRow[],
  comments: readonly SampleRow[],
): UnitLine | null {
  if (unitRow) return unitsOf(unitRow, comments);
  const [first, ...others] = below;
  if (!first || comments.length === 0) return null;
  const ofFirst = unitsOf(first, comments);
  if (comments.includes(header) && others.length > 0 && isUnitRow(ofFirst.texts, columnsOf(others)))
    return ofFirst;
  const columns = columnsOf(below);
  const nearest = [
    ...comments.filter(({ line }) => line > header.line && line < first.line),
    ...comments.filter(({ nextLine }) => nextLine === header.line),
  ];
  return (
    nearest
      .map((row) => unitsOf(row, comments))
      .find(({ texts }) => texts.length === header.cells.length && isUnitRow(texts, columns)) ?? null
  );
}

const tooWide = (fileName: string, columns: number, line?: number): AppError =>
  unsuitable(fileName, `it has ${columns} columns; Wellbench reads up to ${maxColumns}`, line);

/**
 * Detects the header and unit rows among the first rows, or uses those that the user set.
 * @throws AppError invalid_input if such a row doesn't exist; file_unsuitable for more than 10,000 columns, or without a
 * row with text
 */
export function findLayout(
  fileName: string,
  encoding: Encoding,
  dialect: Dialect,
  { rows, comments }: SampledRows,
  chosen: Pick<ReadingOptions, 'headerRow' | 'unitRow' | 'hashLines'>,
): Layout {
  const lines = [...rows, ...comments];
  const usual = usualWidth(rows).width;
  // Before they are compared with each other.
  if (usual > maxColumns) throw tooWide(fileName, usual, rows[0]?.line);
  const chosenHeader = chosen.headerRow ? rowAtLine(lines, chosen.headerRow, 'header') : null;
  const typed = rows.map(({ cells }) => typedRow(cells));
  const head = findHead(
    typed,
    chosen.headerRow === undefined ? undefined : rows.findIndex((row) => row === chosenHeader),
  );
  const first = rows[head.first];
  const candidate = chosenHeader ?? rows[head.header] ?? first ?? rows[0];
  if (!candidate) throw unsuitable(fileName, 'its first rows are all empty');
  const maxWidth = Math.max(candidate.cells.length, usual);
  if (maxWidth > maxColumns) throw tooWide(fileName, maxWidth, candidate.line);
  const rowsAfter = ({ line }: SampleRow): SampleRow[] => rows.filter((row) => row.line > line);
  const named = chosenHeader ?? rows[head.header];
  const hashHeader =
    named || chosen.headerRow !== undefined ? null : headerInHashLines(candidate, rows, comments);
  const header = named ?? hashHeader;
  const width = hashHeader ? candidate.cells.length : (header?.cells.length ?? usual);
  const units =
    chosen.unitRow === undefined
      ? header && unitsAt(header, rows[head.units], rowsAfter(header), comments)
      : chosen.unitRow > 0
        ? unitsOf(rowAtLine(lines, chosen.unitRow, 'unit'), comments)
        : null;
  const unitRow = units && !comments.includes(units.row) ? units.row : null;
  const before = header && unitRow && unitRow.line < header.line ? header : (unitRow ?? header);
  const dataRows = before ? rowsAfter(before) : rows.slice(rows.indexOf(candidate));
  const group = rows[head.group];
  const nameTexts = group ? head.names : (header?.cells ?? []);
  const names = Array.from({ length: width }, (_, index) => nameTexts[index]?.trim() ?? '');
  const keys = uniqueKeys(names);
  const hashColumns =
    dialect.comments && chosen.hashLines === undefined ? hashColumnsOf(dataRows, width) : [];
  return {
    ...dialect,
    jsonLines: false,
    encoding,
    headerLine: header?.line ?? 0,
    unitLine: units?.row.line ?? null,
    ...(group ? { groupLine: group.line } : {}),
    header: header && { start: (group ?? header).start, end: header.end },
    columns: names.map((name, index) => ({
      name: header ? name : (keys[index] ?? name),
      key: keys[index] ?? name,
      unit: withoutBrackets(units?.texts[index] ?? '') || unitInName(name),
    })),
    ...(hashColumns.length > 0 ? { hashColumns } : {}),
    dataStart: before?.next ?? candidate.start,
    dataLine: before?.nextLine ?? candidate.line,
    ...(chosen.headerRow === undefined && header && !units && isAssumed(header, rowsAfter(header))
      ? { headerAssumed: true }
      : {}),
    head: explainHead(head, typed, (row) => rows[row]?.line ?? 0),
  };
}

/**
 * Unique names of columns: an empty name becomes `column_4` (from 1), a repeated one `name (2)`. A name in the file
 * itself is never given to another column.
 */
export function uniqueKeys(names: readonly string[]): string[] {
  const taken = new Set<string>(names.filter((name) => name !== ''));
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const free = (name: string): string => {
    for (let count = counts.get(name) ?? 2; ; count++) {
      const candidate = `${name} (${count})`;
      counts.set(name, count + 1);
      if (!taken.has(candidate)) return candidate;
    }
  };
  return names.map((name, index) => {
    let key = name === '' ? `column_${index + 1}` : name;
    if (seen.has(key) || (name === '' && taken.has(key))) key = free(key);
    seen.add(key);
    taken.add(key);
    return key;
  });
}
