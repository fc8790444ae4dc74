import { isVerticalDepth } from '../../../../shared/channels/channels.ts';
import { unitInName } from '../../../../shared/channels/header.ts';
import type { FileFacts, RowPlaces, SourceFormat } from '../../../../shared/upload/formats.ts';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import type { Explanation, FileWarning, ReadingOptions } from '../../../../shared/upload/upload.ts';
import type { WarningCode } from '../../../../shared/upload/warnings.ts';
import { entriesIn, type CellRow, type NotedLines, type TypedCell } from '../layout/head.ts';
import type { RecordProblem, Source } from '../reading/source.ts';

/** First characters, other than its own, with which an equal number can begin. */
const otherFirsts = '+.0';

/**
 * Returns a function that tells whether a cell is null. Numbers are compared by value, so that -999.2500 equals
 * -999.25.
 * @param texts null values of a column
 */
export function nullTest(texts: readonly string[]): (cell: string) => boolean {
  const words = new Set(texts);
  const lengths = new Set(texts.map(({ length }) => length));
  const numbers = new Set(
    texts
      .filter((text) => text.trim() !== '')
      .map(Number)
      .filter(Number.isFinite),
  );
  const firsts = [...numbers].map((number) => String(number)[0] ?? '').join('') + otherFirsts;
  // The length or first character decides nearly all cells, without hashing a text or parsing a number.
  return (cell) =>
    (lengths.has(cell.length) && words.has(cell)) ||
    (numbers.size > 0 && cell.length > 0 && firsts.includes(cell.charAt(0)) && numbers.has(Number(cell)));
}

const depthNames =
  /^(?:dept|depth|md|tvd|tvdss|mdepth|depth[_ ]?md|dmea|dbtm|measured[_ ]?depth|hole[_ ]?depth|bit[_ ]?depth)$/i;
const timeNames = /^(?:time|date|datetime|date[_ ]?time|etim|timestamp|elapsed[_ ]?time)$/i;
const depthUnits = /^(?:m|f|ft|feet|meters?|metres?|km|cm|in|\.1in|0\.1 ?in)$/i;
const timeUnits = /^(?:s|sec|secs|seconds?|ms|min|h|hr|hours?|d|days?|hhmmss)$/i;

const depthKind = (name: string) => (isVerticalDepth(name) ? 'vertical_depth' : 'depth');

/**
 * The index of a table, if its first column is a depth or a time.
 * @param fromUnit whether a unit of length or time makes a column the index, whatever its name
 * @returns null if neither name nor unit says so
 */
export function indexOfFirst(columns: readonly SourceColumn[], fromUnit: boolean): SourceIndex | null {
  const [first] = columns;
  if (!first) return null;
  const { name, unit } = first;
  if (timeNames.test(name)) return { name, unit, kind: 'time' };
  if (depthNames.test(name)) return { name, unit, kind: depthKind(name) };
  if (!fromUnit || unit === null) return null;
  if (depthUnits.test(unit)) return { name, unit, kind: depthKind(name) };
  return timeUnits.test(unit) ? { name, unit, kind: 'time' } : null;
}

/** The kind of an index, by the type that its format states. */
export function indexKind(type: string): SourceIndex['kind'] {
  if (/time/i.test(type)) return 'time';
  return /depth/i.test(type) ? depthKind(type) : 'other';
}

export interface SourceColumn {
  readonly name: string;
  readonly unit: string | null;
  /** The type of its values according to the format; null: detected from the values. */
  readonly type: 'text' | 'number' | 'time' | null;
  /** Whether numbers that a sheet shows as percentages are fractions: 0.5, not 50. */
  readonly isFraction?: boolean;
  /** Whether no unit is named, and `unit` is inferred from how most numbers of the sheet are shown. */
  readonly hasGuessedUnit?: boolean;
  /** Of nested values: the names that lead to them. */
  readonly path?: readonly string[];
  /** Texts that are null values in this column; absent: those of the table. */
  readonly nulls?: readonly string[];
}

/** A column of which the file has the name and perhaps a unit. @param unit null or empty: that in the name, if any */
export const column = (name: string, unit: string | null = null): SourceColumn => ({
  name,
  unit: unit || unitInName(name),
  type: null,
});

/** A table of a file: a worksheet, a log, a data section. */
export interface SourceTable {
  /** The name in the file; several tables can have the same name. */
  readonly name: string;
  readonly columns: readonly SourceColumn[];
  /** Null: not counted yet. */
  readonly rows: number | null;
  readonly isHidden?: boolean;
  /** Of tables that follow each other: the index of the sheet or the text that has them; absent: it is one of its own. */
  readonly sheet?: number;
  /** The place of the row with the names, from 1; 0: none, and names are generated; absent: names aren't in a row. */
  readonly headerRow?: number;
  /** The place of the row of units; absent: none. */
  readonly unitRow?: number;
  readonly index: SourceIndex | null;
  /** The header of this table, in a file whose tables have one each; absent: that of the file. */
  readonly header?: readonly HeaderEntry[];
  /** The rows above its header, which can give values such as the name of a well; absent: none. */
  readonly above?: readonly CellRow[];
  /** Whether its lines are cut at fixed positions, which another table below it doesn't share. */
  readonly isFixedWidth?: boolean;
  /** Why its first rows are its head; absent: the format says it. */
  readonly explanation?: Explanation;
  /** Texts that are null values according to the format, which its rows still have; absent: none. */
  readonly nulls?: readonly string[];
}

/** What replaces the null values of a table in the cells of its rows. */
export function nullsRemover({
  columns,
  nulls = [],
}: SourceTable): (cells: SourceRow['cells']) => SourceRow['cells'] {
  const ofTable = nullTest(nulls);
  const tests = columns.map((column) => (column.nulls ? nullTest(column.nulls) : ofTable));
  return (cells) => cells.map((cell, at) => (cell !== null && (tests[at] ?? ofTable)(cell) ? null : cell));
}

export type SourceIndex = NonNullable<FileFacts['index']>;

/** A cell of a worksheet with a value. */
export interface SheetCell extends TypedCell {
  /** Whether it is shown as a percentage: 0.5 as 50%. */
  readonly isPercent?: boolean;
}

/** A row with as many cells as in the file: a row of another width than the table's is rejected later. */
export interface SourceRow {
  /** Numbers keep their text, times are ISO 8601; null: no value. */
  readonly cells: readonly (string | null)[];
  /** The line, sheet row, or element in the original, from 1. */
  readonly place: number;
  /** Why its cells are unreliable, so that it is rejected; absent or null: they are reliable. */
  readonly problem?: RecordProblem | null;
  /** Whether it repeats the names of the columns, or names a value for the rows below it, and is no row. */
  readonly isHeader?: boolean;
  /** Its cells as a worksheet has them; absent: they are text. */
  readonly typed?: readonly (SheetCell | null)[];
}

export type HeaderEntry = FileFacts['header'][number];

/** An entry of a header; an empty description is none. */
export const headerEntry = (
  group: string,
  name: string,
  value: string,
  unit: string | null = null,
  description: string | null = null,
): HeaderEntry => ({ group, name, value, unit, description: description || null });

/** The names and values of rows above a header, such as `Well: A-1`. */
export const entriesOf = (above: readonly CellRow[]): HeaderEntry[] =>
  above.flatMap(({ cells }) => entriesIn(cells).map(({ name, value }) => headerEntry('Header', name, value)));

export interface SourceWarning extends Omit<FileWarning, 'line' | 'column' | 'cells' | 'digits'> {
  /** The index of its column: names can repeat. */
  readonly column?: number;
  /** Counted as {@link SourceRow.place}; null: it applies to the table or the file. */
  readonly place: number | null;
  /** The index of its table; null: it applies to the file. */
  readonly table: number | null;
}

/** An open file. Only one table is read at a time. */
export interface SourceFile {
  readonly tables: readonly SourceTable[];
  readonly header: readonly HeaderEntry[];
  /** Grows while rows are read; complete after the last batch. */
  readonly warnings: readonly SourceWarning[];
  readonly placeKind: RowPlaces['kind'];
  /** What is between cells, of which numbers have none; absent: numbers are written as elsewhere. */
  readonly delimiter?: string;
  /** Of text in columns: the positions between them, in characters; null: blanks separate them. */
  readonly columnEdges?: readonly number[] | null;
  /** Its lines that are no plain rows, as far as rows were read; absent: the format has no such lines. */
  readonly notes?: NotedLines;
  /** The columns of a table by its own rows, once they are read; undefined or absent: those of {@link tables}. */
  columnsOf?(table: number): readonly SourceColumn[] | undefined;
  /** What the lines of a table were taken for, once its rows are read. */
  explain?(table: number): Explanation;
  /** Of text in columns: its first lines. */
  readonly lines?: readonly RawLine[];
  /**
   * The rows of a table in batches, in the file's order, with memory that doesn't grow with the file.
   * @param table an index of {@link tables}
   * @throws AppError file_unsuitable with the place, cancelled
   */
  readRows(table: number): AsyncGenerator<readonly SourceRow[]>;
  /** Frees what it holds beside its source; absent: nothing. */
  close?(): void;
}

/** How a file is read: absent choices are detected. The header and unit rows are places in the selected table. */
export interface OpenOptions extends Omit<ReadingOptions, 'table' | 'footerRows'> {
  /** The index of the table to which `headerRow` and `unitRow` apply. */
  readonly table?: number | undefined;
}

/** A reader of one format. It runs in a worker thread, so reads can block. */
export interface SourceAdapter {
  readonly format: SourceFormat;
  /**
   * Whether a file has this format, by its content; the name decides only if the content fits two formats.
   * @param start the first 64 kB, decompressed
   * @param fileName without the extension of a compression
   */
  recognize(start: Uint8Array, fileName: string): boolean;
  /**
   * Reads the tables and the header, and only as many rows as necessary.
   * @param source that stays open until the last row is read
   * @throws AppError file_unsuitable with reason and place, file_unreadable, cancelled
   */
  open(source: Source, options: OpenOptions): SourceFile | Promise<SourceFile>;
}

/** Counts what a warning is about. */
export class Tally {
  count = 0;
  /** The first one; null: none. */
  place: number | null = null;

  add(place: number): void {
    this.count++;
    this.place ??= place;
  }

  /** The warning about them. @returns none if there are none */
  warnings(
    code: WarningCode,
    table: number | null,
    message: (count: number, place: number) => string,
  ): SourceWarning[] {
    const { count, place } = this;
    return place === null ? [] : [{ code, message: message(count, place), place, table, count }];
  }
}

export const batchRows = 1000;

/** Items in lists of a size; the last one can be shorter. */
export function* batched<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** What is made of an open file, which is closed if that fails. @throws what `make` throws */
export async function orClose<T extends { close(): void }, R>(
  file: T,
  make: (file: T) => R | Promise<R>,
): Promise<R> {
  try {
    return await make(file);
  } catch (error) {
    file.close();
    throw error;
  }
}
