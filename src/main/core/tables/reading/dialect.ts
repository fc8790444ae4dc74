import { unescapedFormula } from '../../../../shared/csv.ts';
import {
  createFieldReader,
  recordText,
  startsWithHash,
  RecordReader,
  type RawRecord,
  type RecordOptions,
  type ReadAt,
} from './records.ts';
import { hasUnitsOf, usualNumber } from '../layout/head.ts';
import type { ReadingOptions } from '../../../../shared/upload/upload.ts';
import type { Layout } from './layout.ts';
import { decoderOf, unitWidth, type Encoding } from './encoding.ts';

/** How a file is split into records and cells. */
export interface Dialect {
  readonly delimiter: string;
  /** What encloses cells; absent: quotation marks. */
  readonly quote?: "'" | undefined;
  /** Whether a CR alone ends a record. */
  readonly crEnds: boolean;
  /** Whether records that start with # are comments, except rows by {@link Layout.hashColumns}. */
  readonly comments: boolean;
  /** Whether the first line names the delimiter, as in `sep=;`, and is no row. */
  readonly hasDelimiterLine?: boolean | undefined;
  /** Whether an apostrophe before a formula is an escape and no part of the cell; absent: it isn't, as in converted tables. */
  readonly hasEscapes?: boolean | undefined;
}

/** The first records of a file in one dialect. */
export interface SampleRow {
  readonly cells: readonly string[];
  readonly line: number;
  readonly nextLine: number;
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly damaged: boolean;
  /** Whether it starts with #, like a comment. */
  readonly isHash: boolean;
}

export const delimiters = [',', ';', '\t', '|'] as const;
/** Taken only if they give each row the same cells, and the others don't. */
const rareDelimiters = ['^', '~', '}', '!'] as const;
const minRareRows = 3;
/** Share of rows with the same number of cells, from 0 to 1, with which no rare delimiter is tried. */
const minUsualShare = 0.9;
const sampleRows = 500;

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
  width: unitWidth(encoding),
  swap: encoding.name === 'UTF-16BE',
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
  const text = record ? recordText(decoderOf(encoding), reader, record) : '';
  const delimiter = delimiterLine.exec(text)?.[2];
  return delimiter !== undefined && /[\t\x20-\x7e]/.test(delimiter) ? delimiter : null;
}

/** Whether a record is the line that names the delimiter. */
export const isDelimiterLine = (
  { line }: Pick<RawRecord, 'line'>,
  { hasDelimiterLine = false }: Pick<Dialect, 'hasDelimiterLine'>,
): boolean => hasDelimiterLine && line === 1;

/** The first records of a sample without blank ones, and without the last one if the sample can cut it. */
function rowsOfSample(
  fileName: string,
  sample: Uint8Array,
  whole: boolean,
  encoding: Encoding,
  dialect: Pick<Dialect, 'delimiter' | 'quote' | 'crEnds' | 'hasDelimiterLine' | 'hasEscapes'>,
): SampleRow[] {
  const reader = new RecordReader(readFrom(sample), readerOptions(fileName, encoding, dialect));
  const fields = createFieldReader(encoding, dialect.delimiter, dialect.quote);
  const rows: SampleRow[] = [];
  for (let record = reader.next(); record && rows.length < sampleRows; record = reader.next()) {
    if (isDelimiterLine(record, dialect)) continue;
    const { cells: texts, problem } = fields.row(reader, record);
    const cells = dialect.hasEscapes === true ? texts.map(unescapedFormula) : texts;
    if (cells.length === 1 && cells[0]?.trim() === '') continue;
    const { line, nextLine, start, end, next } = record;
    const cut = !whole && next >= sample.length;
    if (!cut || rows.length === 0)
      rows.push({
        cells,
        line,
        nextLine,
        start,
        end,
        next,
        damaged: problem !== null,
        isHash: startsWithHash(cells, record.hasQuotes, () => fields.text(reader, record)),
      });
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
interface Trial {
  readonly delimiter: string;
  readonly quote?: Dialect['quote'];
  readonly rows: SampleRow[];
  readonly width: number;
  /** Share of rows with the most common width. */
  readonly share: number;
  readonly score: number;
}

function tryDialect(rows: SampleRow[], delimiter: string): Trial {
  const dataRows = rows.filter(({ isHash }) => !isHash);
  const undamagedRows = dataRows.filter((row) => !row.damaged);
  const { width, share } = usualWidth(undamagedRows);
  const soundShare = dataRows.length === 0 ? 0 : undamagedRows.length / dataRows.length;
  return {
    delimiter,
    rows,
    width,
    share,
    score: width < 2 ? 0 : share * soundShare + Math.min(width, 50) / 1000,
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
  const values = plainRows.slice(Math.min(2, plainRows.length - 1)).map(({ cells }) => cells);
  return hasUnitsOf(first, values, width);
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
): { dialect: Dialect; rows: SampleRow[]; comments: SampleRow[] } {
  const width = unitWidth(encoding);
  const bareCr = hasBareCr(sample, width, encoding.name === 'UTF-16BE');
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
    return { ...tryDialect(rowsOfSample(fileName, sample, whole, encoding, form), delimiter), quote };
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
  const old = bareCr ? tried(true) : null;
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
    rows: comments ? rows.filter(({ isHash }) => !isHash) : rows,
    comments: comments ? rows.filter(({ isHash }) => isHash) : [],
  };
}

function hasBareCr(sample: Uint8Array, width: 1 | 2, bigEndian: boolean): boolean {
  const low = width === 2 && bigEndian ? 1 : 0;
  for (let at = sample.indexOf(0x0d); at >= 0; at = sample.indexOf(0x0d, at + 1)) {
    if (width === 2 && (at % 2 !== low || sample[at + (low === 0 ? 1 : -1)] !== 0)) continue;
    if (at + width < sample.length && sample[at + width] !== 0x0a) return true;
  }
  return false;
}
