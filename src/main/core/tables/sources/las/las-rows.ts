import { nullTest } from '../null-test.ts';
import type { SourceRow } from '../source.ts';
import { splitLine } from '../text/split-line.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import type { AppError } from '../../../../../shared/errors/errors.ts';
import type { LasTable } from './las-tables.ts';
import { isDateAndTime, valuesOf, type RowForm } from './row-form.ts';
import { timeReaderOf } from './time-unit.ts';
import { append } from '../../../../../shared/lists.ts';

const decimalsOf = (cell: string): number => {
  const point = cell.indexOf('.');
  return point < 0 || !/^-?\d*\.\d+$/.test(cell) ? -1 : cell.length - point - 1;
};

/** The parts of a cell in which numbers follow each other without a blank, split before minus signs. */
const cutAtSigns = (cell: string): string[] => cell.split(/(?=-\d)(?<=\d\.\d*)/);

/** Splits a cell such as `7.020101130.188` after the number of decimals of the column. */
function cutAtDecimals(cell: string, decimals: number): string[] {
  const parts: string[] = [];
  let start = 0;
  for (;;) {
    const point = cell.indexOf('.', start);
    const end = point + 1 + decimals;
    if (decimals < 0 || point < 0 || end >= cell.length || !cell.includes('.', point + 1))
      return [...parts, cell.slice(start)];
    parts.push(cell.slice(start, end));
    start = end;
  }
}

/**
 * Separates numbers of fixed-width columns without blanks between them, such as `7.330-19508.961`.
 * @param width expected number of values
 * @param model a row of that width with the same decimals
 * @returns null if the result doesn't have `width` values
 */
function separateRunOn(
  cells: readonly string[],
  width: number,
  model: readonly string[] | null,
): string[] | null {
  const parts: string[] = [];
  for (const cell of cells)
    for (const part of cutAtSigns(cell)) {
      const decimals = decimalsOf(model?.[parts.length] ?? parts.at(-1) ?? '');
      append(parts, cutAtDecimals(part, decimals));
    }
  return parts.length === width ? parts : null;
}

const unpaired = (fileName: string, values: number, curves: number, place: number): AppError =>
  unsuitable(
    fileName,
    `a row has ${values} values for ${curves} curves, so its values can’t be paired with them`,
    place,
  );

/**
 * The cells of values: a null value is null, except in the index of a log, and a time in the form that its unit declares
 * is ISO 8601.
 */
function cellReader({ columns, section }: LasTable, nullText: string | null) {
  const isNull = nullTest(nullText);
  const timeReaders = columns.map(({ unit }) => timeReaderOf(unit));
  const firstNullable = section.isLog ? 1 : 0;
  return (value: string, column: number): string | null =>
    column >= firstNullable && isNull(value) ? null : (timeReaders[column]?.read(value) ?? value);
}

/** Rows of one line each. */
export class Rows {
  readonly #form: RowForm;
  readonly #fileName: string;
  readonly #width: number;
  readonly #cellOf: ReturnType<typeof cellReader>;
  /** The last row of the expected width. */
  #model: string[] | null = null;

  constructor(table: LasTable, nullText: string | null, fileName: string) {
    this.#form = table.form;
    this.#fileName = fileName;
    this.#width = table.columns.length;
    this.#cellOf = cellReader(table, nullText);
  }

  /**
   * Adds a line.
   * @returns a row when it is complete
   * @throws AppError file_unsuitable if all lines have more values than there are curves, and can't be paired with them
   */
  take(line: string, place: number): SourceRow | null {
    let cells = valuesOf(line, this.#form, this.#width);
    if (cells.length === 0 || (cells.length === 1 && cells[0] === '')) return null;
    if (this.#form.isUnpaired) throw unpaired(this.#fileName, cells.length, this.#width, place);
    if (cells.length < this.#width && this.#form.separator === 'blank')
      cells = separateRunOn(cells, this.#width, this.#model) ?? cells;
    if (cells.length === this.#width) this.#model = cells;
    return { cells: cells.map(this.#cellOf), place };
  }

  end(): SourceRow | null {
    return null;
  }
}

/** Rows of several lines: values are counted, and a row ends at a line end. */
export class WrappedRows {
  readonly #form: RowForm;
  readonly #curves: LasTable['columns'];
  readonly #width: number;
  readonly #cellOf: ReturnType<typeof cellReader>;
  readonly #fileName: string;
  /** Whether the index of each row is on a line of its own; null: not read yet. */
  #isIndexAlone: boolean | null = null;
  #cells: (string | null)[] = [];
  #place = 0;

  constructor(table: LasTable, nullText: string | null, fileName: string) {
    this.#form = table.form;
    this.#curves = table.columns;
    this.#width = table.columns.length;
    this.#cellOf = cellReader(table, nullText);
    this.#fileName = fileName;
  }

  /** @throws AppError file_unsuitable if a line has more values than its row */
  take(line: string, place: number): SourceRow | null {
    const cells = this.#valuesOf(line);
    if (cells.length === 0) return null;
    if (this.#cells.length === 0) {
      this.#place = place;
      this.#isIndexAlone ??= cells.length === 1;
      // Otherwise an earlier row has fewer values, and took the index of this one.
      if (this.#isIndexAlone && cells.length > 1)
        throw unsuitable(
          this.#fileName,
          `an earlier row has fewer values than the ${this.#width} curves, because this line should be an index`,
          place,
        );
    }
    for (const cell of cells) this.#cells.push(this.#cellOf(cell, this.#cells.length));
    if (this.#cells.length < this.#width) return null;
    if (this.#cells.length > this.#width)
      throw unpaired(this.#fileName, this.#cells.length, this.#width, place);
    return this.end();
  }

  /** The values of a line; a date with a time of day is one value if the unit of its curve declares both. */
  #valuesOf(line: string): string[] {
    const cells = splitLine(line, this.#form.separator);
    for (let at = 0; at + 1 < cells.length; at++)
      if (this.#curves[this.#cells.length + at]?.type === 'time' && isDateAndTime(cells[at], cells[at + 1]))
        cells.splice(at, 2, `${cells[at]} ${cells[at + 1]}`);
    return cells;
  }

  /** A row that is incomplete at the end of the file. */
  end(): SourceRow | null {
    if (this.#cells.length === 0) return null;
    const row = { cells: this.#cells, place: this.#place };
    this.#cells = [];
    return row;
  }
}
