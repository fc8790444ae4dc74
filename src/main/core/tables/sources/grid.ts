import { unitOf, withoutBrackets } from '../../../../shared/channels/units.ts';
import { unitInName } from '../../../../shared/channels/header.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import { append, maxOf } from '../../../../shared/lists.ts';
import { explainHead, findHead } from '../layout/head.ts';
import { cellKind, isDecimalNumber, isNumberKind } from '../reading/columns.ts';
import { chosenRow } from '../reading/layout.ts';
import {
  entriesOf,
  indexOfFirst,
  Tally,
  type OpenOptions,
  type SheetCell,
  type SourceColumn,
  type SourceFile,
  type SourceRow,
  type SourceTable,
  type SourceWarning,
} from './source.ts';

/** A row of a worksheet that has at least one value. */
export interface GridRow {
  /** The row of the sheet, from 1. */
  readonly place: number;
  /** By column, from 0; null: no value. */
  readonly cells: readonly (SheetCell | null)[];
}

interface GridTable extends SourceTable {
  /** The row of the names; 0: none. */
  readonly headerRow: number;
  /** The first row of the header: that of groups above the names, if there is one. */
  readonly topPlace: number;
  readonly lastHeaderPlace: number;
  /** The first column of the table in the sheet, from 0. */
  readonly firstColumn: number;
}

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /**
   * Its rows that have a value, in batches.
   * @param notes takes what these rows don't show
   * @throws AppError file_unsuitable
   */
  rows(notes: SheetNotes): AsyncIterable<readonly GridRow[]> | Iterable<readonly GridRow[]>;
}

/** Counts of what a worksheet has that its rows don't show. */
export class SheetNotes {
  readonly #tallies = {
    errors: new Tally(),
    missing: new Tally(),
    hidden: new Tally(),
    merged: new Tally(),
  };
  readonly #lastHeaderPlace: number;
  #error = '';

  /** @param lastHeaderPlace the last row before the data */
  constructor(lastHeaderPlace: number) {
    this.#lastHeaderPlace = lastHeaderPlace;
  }

  /** @param place the row, from 1 */
  add(note: 'errors' | 'missing' | 'hidden' | 'merged', place: number): void {
    if (place > this.#lastHeaderPlace) this.#tallies[note].add(place);
  }

  /** A cell with an error such as `#N/A`. */
  addError(text: string, place: number): void {
    this.#error ||= text;
    this.add('errors', place);
  }

  warnings(table: number): SourceWarning[] {
    const { errors, missing, hidden, merged } = this.#tallies;
    const cell = this.#error;
    const errorText = (count: number, place: number): string =>
      `Cells with an error such as ${cell} are read as null: ${count}, the first in row ${place}.`;
    const missingText = (count: number, place: number): string =>
      `Formulas without a stored result are read as null: ${count}, the first in row ${place}. Open and save the workbook in a spreadsheet program.`;
    const hiddenText = (count: number, place: number): string =>
      `Hidden rows, for example of a filter, are also read: ${count}, the first is row ${place}.`;
    const mergedText = (count: number, place: number): string =>
      `Merged cells have their value in the first cell; the others are blank: ${count}, the first in row ${place}. Unmerge and fill them in a spreadsheet program.`;
    return [
      ...errors.warnings('error_cells', table, errorText).map((warning) => ({ ...warning, cell })),
      ...missing.warnings('error_cells', table, missingText),
      ...hidden.warnings('hidden_rows', table, hiddenText),
      ...merged.warnings('merged_cells', table, mergedText),
    ];
  }
}

/** The type of a column from its values: texts that look like numbers stay texts, and numbers have a decimal point. */
function typeOf(rows: readonly GridRow[], column: number): SourceColumn['type'] {
  const values = rows.flatMap(({ cells }) => cells[column] ?? []).filter(({ kind }) => kind !== 'error');
  if (values.length === 0) return null;
  if (values.every(({ kind }) => kind === 'time')) return 'time';
  const texts = values.filter(({ kind }) => kind === 'text');
  if (texts.length === values.length)
    return texts.some(({ text }) => isDecimalNumber(text.trim())) ? 'text' : null;
  const hasNumbers = texts.some(({ text }) => isNumberKind(cellKind(text.trim())));
  return !hasNumbers && values.some(({ kind }) => kind === 'number') ? 'number' : null;
}

/** What the rows below a header have, which is counted in one pass over them. */
class RowsBelow {
  /** The first column that they use. */
  first = Number.POSITIVE_INFINITY;
  /** By column: the count of its numbers, and of those that are shown as percentages. */
  readonly #counts: { percents: number; numbers: number }[] = [];

  add({ cells }: GridRow): void {
    this.first = Math.min(this.first, firstOf(cells));
    for (const [at, cell] of cells.entries()) {
      if (cell?.kind !== 'number') continue;
      const count = (this.#counts[at] ??= { percents: 0, numbers: 0 });
      count.numbers++;
      if (cell.isPercent === true) count.percents++;
    }
  }

  /** Whether numbers of a column are shown as percentages: any, at least half, or all of them. */
  percentagesIn(column: number) {
    const { percents, numbers } = this.#counts[column] ?? { percents: 0, numbers: 0 };
    const hasAny = percents > 0;
    return { hasAny, areMost: hasAny && percents * 2 >= numbers, areAll: hasAny && percents === numbers };
  }
}

/** The cells of one of several tables of a sheet; they determine the types and units of its columns. */
export class TableCells {
  readonly #sample: GridRow[] = [];
  readonly #below = new RowsBelow();

  add(row: GridRow): void {
    if (this.#sample.length < sampleRows) this.#sample.push(row);
    this.#below.add(row);
  }

  /** The columns with the types and percentages of these cells. */
  judge(columns: readonly SourceColumn[]): SourceColumn[] {
    return columns.map((column, at) => {
      const { areMost } = this.#below.percentagesIn(at);
      const named = column.hasGuessedUnit === true ? null : column.unit;
      const unit = areMost ? (column.isFraction === true ? 'fraction' : '%') : named;
      return { ...column, unit, type: typeOf(this.#sample, at) };
    });
  }
}

/** The text of a cell as a sheet shows it: 0.85 as 85 in a cell of percentages, whose neighbors can be plain numbers. */
const shownText = ({ text, isPercent }: SheetCell): string =>
  isPercent === true ? String(/e/i.test(text) ? Number(text) * 100 : Number(`${text}e2`)) : text;

/** The index of a row that the user set; -1: they set none. @throws AppError invalid_input */
function indexAt(rows: readonly GridRow[], place: number, what: 'header' | 'unit'): number {
  const at = rows.findIndex((row) => row.place === place);
  if (place > 0) chosenRow(rows[at], what, `in row ${place}`);
  return at;
}

/**
 * The table of a sheet, whose header and unit rows are detected, or those that the user set.
 * @param sample the first rows with values, and those around a row that the user set, at most {@link sampleRows}
 * @param count number of rows with values; null: not counted
 * @param chosen rows from 1; 0: none; absent: detected
 * @param below what rows below the sample have, which can be a further table
 * @throws AppError invalid_input for a row without values
 */
export function gridTable(
  { name: sheet, isHidden }: Pick<Sheet, 'name' | 'isHidden'>,
  sample: readonly GridRow[],
  count: number | null,
  chosen: Pick<OpenOptions, 'headerRow' | 'unitRow'>,
  below = new RowsBelow(),
): GridTable {
  const { headerRow: chosenHeader, unitRow: chosenUnit } = chosen;
  const head = findHead(
    sample,
    chosenHeader === undefined ? undefined : indexAt(sample, chosenHeader, 'header'),
  );
  const header = sample[head.header];
  const unitAt = chosenUnit === undefined ? head.units : indexAt(sample, chosenUnit, 'unit');
  const units = sample[unitAt];
  const data = sample.slice(Math.max(head.header, unitAt) + 1);
  const used = header ? [header, ...data] : data;
  const lastColumn = maxOf(used.map(({ cells }) => cells.findLastIndex((cell) => cell !== null)));
  for (const row of data) below.add(row);
  const firstColumn =
    used.length === 0 ? 0 : Math.min(below.first, ...(header ? [firstOf(header.cells)] : []));
  const width = Math.max(0, lastColumn - firstColumn + 1);
  const columns = Array.from({ length: width }, (_, at): SourceColumn => {
    const column = firstColumn + at;
    const name = head.names[column] ?? '';
    const unitCell = units?.cells[column];
    const unitText = unitCell ? withoutBrackets(unitCell.text) : undefined;
    const { hasAny, areMost, areAll } = below.percentagesIn(column);
    const named = unitText ?? unitInName(name);
    // Beside plain numbers, a percentage is what the unit says that they are.
    const isFraction = areAll || (hasAny && named !== null && unitOf(named, 'ratio')?.symbol !== '%');
    // A few of them can be of a footer or of a further table.
    const hasGuessedUnit = !areAll && named === null && areMost;
    const unit = areAll ? 'fraction' : hasGuessedUnit ? '%' : named;
    return {
      name,
      unit,
      type: typeOf(data, column),
      ...(isFraction && { isFraction }),
      ...(hasGuessedUnit && { hasGuessedUnit }),
    };
  });
  const headerRow = header?.place ?? 0;
  const topPlace = (sample[head.group] ?? header)?.place ?? 0;
  const lastHeaderPlace = Math.max(headerRow, units?.place ?? 0);
  const above = sample
    .filter(({ place }) => place <= lastHeaderPlace && place < topPlace)
    .map(({ place, cells }) => ({ line: place, cells: cells.map((cell) => cell?.text ?? '') }));
  return {
    name: sheet,
    isHidden,
    columns,
    rows: count === null ? null : count - sample.filter(({ place }) => place <= lastHeaderPlace).length,
    index: indexOfFirst(columns, false),
    header: entriesOf(above),
    above,
    headerRow,
    explanation: explainHead(head, sample, (row) => sample[row]?.place ?? 0),
    ...(units ? { unitRow: units.place } : {}),
    topPlace,
    lastHeaderPlace,
    firstColumn,
  };
}

const firstOf = (cells: GridRow['cells']): number => cells.findIndex((cell) => cell !== null);

/** Number of rows of a sheet that are examined to find its header. */
const sampleRows = 1000;
/** Number of rows at the top of a sheet that are examined whatever row is set as its header. */
const topRows = 50;

/** The table of a sheet, if it has values. @throws AppError file_unsuitable, invalid_input */
async function tableOf(
  sheet: Sheet,
  isCounted: boolean,
  chosen: Parameters<typeof gridTable>[3],
): Promise<GridTable | null> {
  const sample: GridRow[] = [];
  let count = 0;
  const below = new RowsBelow();
  // A row that the user set can be far below, and rows at the top can name its well.
  const first = (chosen.headerRow || chosen.unitRow || 0) - sampleRows / 2;
  for await (const batch of sheet.rows(new SheetNotes(0))) {
    const rows = batch.filter(({ place }) => place <= topRows || place >= first);
    count += rows.length;
    const space = sampleRows - sample.length;
    append(sample, rows.slice(0, space));
    for (const row of rows.slice(space)) below.add(row);
    if (sample.length >= sampleRows && !isCounted) return gridTable(sheet, sample, null, chosen);
  }
  return count === 0 && first <= topRows ? null : gridTable(sheet, sample, count, chosen, below);
}

/**
 * The file of a workbook, whose sheets with values are tables.
 * @param isCounted whether the rows of all sheets are counted
 * @throws AppError file_unsuitable, invalid_input for a chosen row without values, cancelled
 */
export async function gridFile(
  fileName: string,
  allSheets: readonly Sheet[],
  options: OpenOptions,
  { isCounted, close }: { readonly isCounted: boolean; readonly close?: () => void },
): Promise<SourceFile> {
  const sheets: Sheet[] = [];
  const tables: GridTable[] = [];
  const warnings: SourceWarning[] = [];
  for (const sheet of allSheets) {
    const table = tables.length;
    const added = await tableOf(sheet, isCounted, options.table === table ? options : {});
    if (!added) continue;
    sheets.push(sheet);
    tables.push(added);
    const { headerRow: place, topPlace } = added;
    const message = `The header of sheet “${sheet.name}” is in row ${place}; the rows before it are skipped.`;
    if (topPlace > 1) warnings.push({ code: 'preamble', message, place, table, count: topPlace - 1 });
  }
  if (tables.length === 0) throw unsuitable(fileName, 'its sheets are empty');
  return {
    placeKind: 'row',
    header: [],
    tables,
    warnings,
    async *readRows(index) {
      const table = tables[index];
      const sheet = sheets[index];
      if (!table || !sheet) return;
      const notes = new SheetNotes(table.lastHeaderPlace);
      for await (const batch of sheet.rows(notes)) {
        const rows = batch.flatMap((row) => rowOf(row, table, notes) ?? []);
        if (rows.length > 0) yield rows;
      }
      append(warnings, notes.warnings(index));
    },
    ...(close && { close }),
  };
}

/** A row of a sheet as one of its table. @returns null for a row above the data */
function rowOf(
  { place, cells }: GridRow,
  { lastHeaderPlace, firstColumn, columns }: GridTable,
  notes: SheetNotes,
): SourceRow | null {
  if (place <= lastHeaderPlace) return null;
  const end = cells.findLastIndex((cell) => cell !== null) + 1;
  const row: (string | null)[] = [];
  for (let at = 0; at < Math.max(columns.length, end - firstColumn); at++) {
    const cell = cells[firstColumn + at];
    if (cell?.kind === 'error') notes.addError(cell.text, place);
    const isFraction = columns[at]?.isFraction === true;
    row.push(cell && cell.kind !== 'error' ? (isFraction ? cell.text : shownText(cell)) : null);
  }
  // Left of the table, in a sheet that is too large to look at all of its rows first: the row has too many cells.
  for (const cell of cells.slice(0, firstColumn)) if (cell) row.push(cell.text);
  return { cells: row, place, typed: firstColumn === 0 ? cells : cells.slice(firstColumn) };
}
