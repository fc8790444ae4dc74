import { withoutBrackets } from '../../../../shared/channels/brackets.ts';
import { unitInName } from '../../../../shared/channels/unit-text.ts';
import { invalidInput, type AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import type { RowPlaces } from '../../../../shared/upload/formats.ts';
import type { Explanation, ReadingOptions } from '../../../../shared/upload/upload.ts';
import { mapsToItself } from '../model/targets.ts';
import { usualWidth, type Dialect, type SampleRow } from './dialect.ts';
import type { Encoding } from './encoding.ts';
import {
  headerInHashLines,
  unitTextsOf,
  Columns,
  isUnitRow,
  typedRow,
  findHead,
  explainHead,
} from '../layout/head.ts';
import { isTyped } from './cells.ts';

/** How a file is read: decided once, so that each later pass gives the same rows. */
export interface Layout extends Dialect {
  /** Whether each line is a JSON object (NDJSON). */
  readonly jsonLines: boolean;
  readonly encoding: Encoding;
  /** Line of the header, from 1; 0: the file has none. */
  readonly headerLine: number;
  /** Line of the groups above the names, which are part of them; absent: none. */
  readonly groupLine?: number | undefined;
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
  /** Why its first rows are its head; absent: the format says it, or the layout is that of a stored plan. */
  readonly head?: Explanation | undefined;
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

/** Whether a header differs from the rows below only in its words. */
const isAssumed = ({ cells }: SampleRow, below: readonly SampleRow[]): boolean =>
  below.length > 0 && !cells.some((cell) => mapsToItself(cell.trim())) && !columnsOf(below).hasTyped;

/** What the columns of rows have. */
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
  const message = `There is no ${what} row ${place}. Set a row near the start of the file that has text.`;
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
  { rows, comments }: { readonly rows: readonly SampleRow[]; readonly comments: readonly SampleRow[] },
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
  const header =
    chosenHeader ??
    rows[head.header] ??
    (chosen.headerRow === undefined ? headerInHashLines(candidate, rows, comments) : null);
  const width = header?.cells.length ?? usual;
  const units =
    chosen.unitRow === undefined
      ? header && unitsAt(header, rows[head.units], rowsAfter(header), comments)
      : chosen.unitRow > 0
        ? unitsOf(rowAtLine(lines, chosen.unitRow, 'unit'), comments)
        : null;
  const unitRow = units && !comments.includes(units.row) ? units.row : null;
  const before = unitRow ?? header;
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
