import { areUnits, looksLikeUnit, unitInName } from '../../../shared/channels/unit-text.ts';
import { unitOf } from '../../../shared/channels/units.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { RowPlaces } from '../../../shared/upload/formats.ts';
import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import { mapsToItself } from '../model/targets.ts';
import { isPageNumber } from './block-values.ts';
import { cellKind } from './cells.ts';
import type { CellKind } from './cells.ts';
import { usualWidth } from './dialect.ts';
import type { Dialect, SampleRow } from './dialect.ts';
import type { Encoding } from './encoding.ts';
import { isTyped } from './typed-columns.ts';
import { unsuitable } from '../model/unsuitable.ts';

/** How a file is read: decided once, so that each later pass gives the same rows. */
export interface Layout extends Dialect {
  /** Whether each line is a JSON object (NDJSON). */
  readonly jsonLines: boolean;
  readonly encoding: Encoding;
  /** Line of the header, from 1; 0: the file has none. */
  readonly headerLine: number;
  readonly unitLine: number | null;
  /** The header's bytes without its line end; null without a header. */
  readonly header: { readonly start: number; readonly end: number } | null;
  readonly columns: readonly Column[];
  /** Start of the rows. */
  readonly dataStart: number;
  readonly dataLine: number;
  /** Whether the format stores numbers exactly, so that a spreadsheet can't have changed them. */
  readonly isExact?: boolean | undefined;
  /** The unit of places in a converted table; absent: lines. */
  readonly placeKind?: RowPlaces['kind'] | undefined;
  /**
   * The columns of numbers and times that distinguish rows from comments: a record that starts with # is a row if it has
   * as many cells as the header and a number or a time in one of these columns; absent: all such records are comments.
   */
  readonly hashColumns?: readonly number[] | undefined;
  /** Rows with at least this many cells, but fewer than columns, have blank ones at the end; absent: they are damaged. */
  readonly fillFrom?: number | undefined;
  /** Whether the header can't be distinguished from a row of data. */
  readonly headerAssumed?: boolean;
}

/** Maximum number of columns of a table. */
export const maxColumns = 10_000;

export interface Column {
  /** The name in the header, trimmed. */
  readonly name: string;
  /** The name in a mapping: the header's name, made unique. */
  readonly key: string;
  readonly unit: string | null;
  /** Of nested values: the names that lead to them in the file. */
  readonly path?: readonly string[] | undefined;
  /** Whether the values are text according to the file, although some look like numbers. */
  readonly isText?: boolean;
}

const isNumeric = (cell: string): boolean => {
  const kind = cellKind(cell.trim());
  return (
    kind === 'integer' ||
    kind === 'number' ||
    kind.startsWith('comma') ||
    kind === 'thousands' ||
    kind === 'code'
  );
};
const filled = ({ cells }: SampleRow): number => cells.filter((cell) => cell.trim() !== '').length;

/** For each column, whether most of its nonblank cells are numbers. */
function numericColumns(rows: readonly SampleRow[], width: number): boolean[] {
  return Array.from({ length: width }, (_, column) => {
    let numbers = 0;
    let others = 0;
    for (const { cells } of rows) {
      const cell = cells[column]?.trim() ?? '';
      const kind = cellKind(cell);
      if (kind === 'empty' || kind === 'null_word') continue;
      if (isNumeric(cell)) numbers++;
      else others++;
    }
    return numbers > 0 && numbers >= others * 4;
  });
}

/** Whether a row ends with the number of a page. */
const isTitle = ({ cells }: SampleRow): boolean =>
  isPageNumber(cells.findLast((cell) => cell.trim() !== '')?.trim() ?? '');

/** The first row with enough cells to name the columns; earlier rows are a preamble. */
function findHeader(rows: readonly SampleRow[]): number {
  const { width } = usualWidth(rows);
  const found = rows.findIndex((row) => {
    const needed = width <= 2 ? (row.cells.length === width ? 1 : 2) : Math.ceil(width / 2);
    return filled(row) >= needed && !isTitle(row);
  });
  return Math.max(0, found);
}

/** Numbers that are valid names: years or steps across the sheet, after at least one name in words. */
function isRunOfNumbers(cells: readonly string[]): boolean {
  const numbers = cells.filter(isNumeric).map(Number);
  if (numbers.length === 0 || numbers.length === cells.length) return false;
  if (numbers.every((value) => Number.isInteger(value) && value >= 1800 && value <= 2200)) return true;
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  return (
    numbers.length >= 3 &&
    step !== 0 &&
    numbers.every((value, index) => index === 0 || value - (numbers[index - 1] ?? 0) === step)
  );
}

/** Kinds of cells that distinguish a column of values from its name. */
const valueKinds: readonly (readonly CellKind[])[] = [['time', 'date'], ['boolean']];

/** The most common kind of each column; null: its cells aren't numbers, times, or Boolean values. */
function typedColumns(rows: readonly SampleRow[], width: number): (((cell: string) => boolean) | null)[] {
  const numeric = numericColumns(rows, width);
  return numeric.map((isNumbers, column) => {
    if (isNumbers) return isNumeric;
    const kinds = rows.flatMap(({ cells }) => {
      const kind = cellKind(cells[column]?.trim() ?? '');
      return kind === 'empty' || kind === 'null_word' ? [] : [kind];
    });
    const typed = valueKinds.find(
      (fitting) =>
        kinds.length > 0 && kinds.filter((kind) => fitting.includes(kind)).length * 5 >= kinds.length * 4,
    );
    return typed ? (cell) => typed.includes(cellKind(cell.trim())) : null;
  });
}

/**
 * Whether most cells of a row are repeated in their columns, like values and unlike names; a row repeated as a whole is
 * a repeated header.
 */
function comesAgain({ cells }: SampleRow, below: readonly SampleRow[]): boolean {
  const words = cells.flatMap((cell, column) => (cell.trim() === '' ? [] : [{ cell: cell.trim(), column }]));
  const again = words.filter(({ cell, column }) => below.some((row) => row.cells[column]?.trim() === cell));
  const isRepeated = below.some((row) =>
    words.every(({ cell, column }) => row.cells[column]?.trim() === cell),
  );
  return words.length > 1 && again.length * 2 >= words.length && !isRepeated;
}

/**
 * Whether a row in the position of a header is data: it has numbers, times, or Boolean values in the same columns as
 * the rows below.
 */
function isData(row: SampleRow, below: readonly SampleRow[]): boolean {
  const typed = typedColumns(below, row.cells.length);
  const inPlace = row.cells.some((cell, column) => typed[column]?.(cell) === true);
  if (inPlace) return !isRunOfNumbers(row.cells);
  return typed.every((fits) => fits === null) && comesAgain(row, below);
}

/** Whether a header differs from the rows below only in its words. */
const isAssumed = ({ cells }: SampleRow, below: readonly SampleRow[]): boolean =>
  below.length > 0 &&
  !cells.some((cell) => mapsToItself(cell.trim())) &&
  typedColumns(below, cells.length).every((fits) => fits === null);

/**
 * Whether the row after the header has units: short words, most of them known units, above columns of numbers; or known
 * units above most of these columns; or nothing but known units above some of them.
 */
function isUnitRow(row: SampleRow | undefined, below: readonly SampleRow[]): boolean {
  if (!row || row.cells.length < 1 || below.length === 0) return false;
  const words = row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (words.some((word) => isNumeric(word) || word.length > 15)) return false;
  const isNumbers = numericColumns(below, row.cells.length);
  if (areUnits(row.cells.filter((_, column) => isNumbers[column] === true))) return true;
  const isAlone = row.cells.every(
    (cell, column) => cell.trim() === '' || (isNumbers[column] === true && unitOf(cell.trim()) !== undefined),
  );
  if (isAlone && words.length > 0) return true;
  const units = words.filter(looksLikeUnit).length;
  const numeric = isNumbers.filter(Boolean).length;
  return (
    words.length * 2 >= row.cells.length && units * 5 >= words.length * 3 && numeric * 2 >= row.cells.length
  );
}

function rowAtLine(rows: readonly SampleRow[], line: number, what: 'header' | 'unit'): number {
  const found = rows.findIndex((row) => row.line === line);
  if (found < 0)
    throw invalidInput(
      `There is no ${what} row on line ${line}. Set a line near the start of the file that has text.`,
      {
        field: what === 'header' ? 'headerRow' : 'unitRow',
      },
    );
  return found;
}

/**
 * The columns by which rows that start with # are told from comments; empty: rows can't start with # because the first
 * column has numbers or times, so that such a row was made a comment.
 */
function hashColumnsOf(rows: readonly SampleRow[], width: number): readonly number[] {
  const firsts = rows.map(({ cells }) => cells[0]?.trim() ?? '').filter((cell) => cell !== '');
  if (firsts.filter(isTyped).length * 2 >= firsts.length) return [];
  return typedColumns(rows, width).flatMap((fits, column) => (fits ? [column] : []));
}

/**
 * Detects the header and unit rows among the first rows, or uses those that the user set.
 * @throws AppError invalid_input if such a row doesn't exist; file_unsuitable for more than 10,000 columns, or without a
 * row with text
 */
export function findLayout(
  fileName: string,
  encoding: Encoding,
  dialect: Dialect,
  rows: readonly SampleRow[],
  chosen: Pick<ReadingOptions, 'headerRow' | 'unitRow' | 'hashLines'>,
): Layout {
  const headerAt = chosen.headerRow ? rowAtLine(rows, chosen.headerRow, 'header') : findHeader(rows);
  const candidate = rows[headerAt];
  if (!candidate) throw unsuitable(fileName, 'its first rows are all empty');
  const usual = usualWidth(rows).width;
  const most = Math.max(candidate.cells.length, usual);
  if (most > maxColumns)
    throw unsuitable(fileName, `it has ${most} columns; Wellbench reads up to ${maxColumns}`, candidate.line);
  const noHeader =
    chosen.headerRow === 0 || (chosen.headerRow === undefined && isData(candidate, rows.slice(headerAt + 1)));
  const header = noHeader ? null : candidate;
  const unitAt = chosen.unitRow ? rowAtLine(rows, chosen.unitRow, 'unit') : headerAt + 1;
  const hasUnits =
    chosen.unitRow === undefined
      ? header !== null && isUnitRow(rows[unitAt], rows.slice(unitAt + 1))
      : chosen.unitRow > 0;
  const unitRow = hasUnits ? rows[unitAt] : undefined;
  const before = unitRow ?? header;
  const width = header?.cells.length ?? usual;
  const names = Array.from({ length: width }, (_, index) => header?.cells[index]?.trim() ?? '');
  const keys = uniqueKeys(names);
  const hashColumns =
    dialect.comments && chosen.hashLines === undefined
      ? hashColumnsOf(rows.slice(before ? rows.indexOf(before) + 1 : headerAt), width)
      : [];
  return {
    ...dialect,
    jsonLines: false,
    encoding,
    headerLine: header?.line ?? 0,
    unitLine: unitRow?.line ?? null,
    header: header && { start: header.start, end: header.end },
    columns: names.map((name, index) => ({
      name: header ? name : (keys[index] ?? name),
      key: keys[index] ?? name,
      unit: unitRow?.cells[index]?.trim() || unitInName(name),
    })),
    ...(hashColumns.length > 0 ? { hashColumns } : {}),
    dataStart: before?.next ?? candidate.start,
    dataLine: before?.nextLine ?? candidate.line,
    ...(chosen.headerRow === undefined && header && !unitRow && isAssumed(header, rows.slice(headerAt + 1))
      ? { headerAssumed: true }
      : {}),
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
