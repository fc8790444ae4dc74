import { withoutBrackets } from '../../../../shared/channels/brackets.ts';
import { unitInName } from '../../../../shared/channels/unit-text.ts';
import { maxOf, minOf } from '../../../../shared/lists.ts';
import type { TypedCell } from '../layout/model.ts';
import { findHead } from '../layout/search.ts';
import { isDecimalNumber } from '../reading/cells.ts';
import { chosenRow } from '../reading/layout.ts';
import {
  type OpenOptions,
  type SourceColumn,
  indexOfFirst,
  type SourceRow,
  type SourceTable,
  type SourceWarning,
} from './source.ts';

/** A cell of a worksheet with a value. */
export interface GridCell extends TypedCell {
  /** Whether it is shown as a percentage: 0.5 as 50%. */
  readonly isPercent?: boolean;
}

/** A row of a worksheet that has at least one value. */
export interface GridRow {
  /** The row of the sheet, from 1. */
  readonly place: number;
  /** By column, from 0; null: no value. */
  readonly cells: readonly (GridCell | null)[];
}

/** The position of the table in a worksheet. */
interface GridLayout {
  /** The row of the names; 0: none. */
  readonly headerPlace: number;
  /** The first row of the header: that of groups above the names, if there is one. */
  readonly topPlace: number;
  /** The row of the units; 0: none. */
  readonly unitPlace: number;
  /** The last row before the data. */
  readonly lastHeaderPlace: number;
  /** The first column of the table in the sheet, from 0. */
  readonly firstColumn: number;
  readonly columns: readonly SourceColumn[];
}

const isDecimalText = (text: string): boolean => isDecimalNumber(text.trim());

/** The columns with a value in at least one of the rows. */
function usedColumns(rows: readonly GridRow[]): Set<number> {
  const used = new Set<number>();
  for (const { cells } of rows) for (const [column, cell] of cells.entries()) if (cell) used.add(column);
  return used;
}

/** The type of a column from its values: texts that look like numbers stay texts. */
function typeOf(rows: readonly GridRow[], column: number): SourceColumn['type'] {
  const values = rows.flatMap(({ cells }) => cells[column] ?? []).filter(({ kind }) => kind !== 'error');
  if (values.length === 0) return null;
  if (values.every(({ kind }) => kind === 'time')) return 'time';
  return values.every(({ kind }) => kind === 'text') && values.some(({ text }) => isDecimalText(text))
    ? 'text'
    : null;
}

/** Whether the numbers of a column are shown as percentages, but stored as fractions. */
function isPercent(rows: readonly GridRow[], column: number): boolean {
  const numbers = rows.flatMap(({ cells }) => cells[column] ?? []).filter(({ kind }) => kind === 'number');
  return numbers.length > 0 && numbers.every((cell) => cell.isPercent);
}

/** The index of a row that the user set; -1: they set none. @throws AppError invalid_input */
function indexAt(rows: readonly GridRow[], place: number, what: 'header' | 'unit'): number {
  const at = rows.findIndex((row) => row.place === place);
  if (place > 0) chosenRow(rows[at], what, `in row ${place}`);
  return at;
}

/**
 * Detects the header and unit rows among the first rows of a sheet, or uses those that the user set.
 * @param rows the first rows with values
 * @param chosen rows from 1; 0: none; absent: detected
 * @throws AppError invalid_input for a row without values
 */
export function findGridLayout(
  rows: readonly GridRow[],
  chosen: Pick<OpenOptions, 'headerRow' | 'unitRow'>,
): GridLayout {
  const head = findHead(
    rows,
    chosen.headerRow === undefined ? undefined : indexAt(rows, chosen.headerRow, 'header'),
  );
  const header = rows[head.header];
  const unitAt = chosen.unitRow === undefined ? head.units : indexAt(rows, chosen.unitRow, 'unit');
  const units = rows[unitAt];
  const data = rows.slice(Math.max(head.header, unitAt) + 1);
  const used = [...usedColumns(header ? [header, ...data] : data)];
  const firstColumn = used.length === 0 ? 0 : minOf(used);
  const width = used.length === 0 ? 0 : maxOf(used) - firstColumn + 1;
  return {
    headerPlace: header?.place ?? 0,
    topPlace: (rows[head.group] ?? header)?.place ?? 0,
    unitPlace: units?.place ?? 0,
    lastHeaderPlace: Math.max(header?.place ?? 0, units?.place ?? 0),
    firstColumn,
    columns: Array.from({ length: width }, (_, at): SourceColumn => {
      const column = firstColumn + at;
      const name = head.names[column] ?? '';
      const unitCell = units?.cells[column];
      const unitText = unitCell ? withoutBrackets(unitCell.text) : undefined;
      const unit = isPercent(data, column) ? 'fraction' : (unitText ?? unitInName(name));
      return { name, unit, description: null, type: typeOf(data, column) };
    }),
  };
}

/** Number of rows of a sheet that are examined to find its header. */
export const sampleRows = 1000;

/** A worksheet with the position of its table. */
export interface GridTable extends SourceTable {
  readonly layout: GridLayout;
}

/**
 * The table of a sheet.
 * @param sample the first rows with values, at most {@link sampleRows}
 * @param count number of rows with values; null: not counted
 * @throws AppError invalid_input for a row without values
 */
export function gridTable(
  sheet: { readonly name: string; readonly isHidden: boolean },
  sample: readonly GridRow[],
  count: number | null,
  chosen: Pick<OpenOptions, 'headerRow' | 'unitRow'>,
): GridTable {
  const layout = findGridLayout(sample, chosen);
  const above = sample.filter(({ place }) => place <= layout.lastHeaderPlace);
  return {
    name: sheet.name,
    isHidden: sheet.isHidden,
    columns: layout.columns,
    rows: count === null ? null : count - above.length,
    index: indexOfFirst(layout.columns, false),
    nulls: [],
    above: above
      .filter(({ place }) => place < layout.topPlace)
      .map(({ place, cells }) => ({ line: place, cells: cells.map((cell) => cell?.text ?? '') })),
    headerRow: layout.headerPlace,
    ...(layout.unitPlace === 0 ? {} : { unitRow: layout.unitPlace }),
    layout,
  };
}

/** Warnings about a sheet before its rows are read. */
export function gridWarnings(
  { name, layout: { headerPlace, topPlace } }: GridTable,
  table: number,
): SourceWarning[] {
  if (topPlace <= 1) return [];
  const message = `The header of sheet “${name}” is in row ${headerPlace}; the rows before it are skipped.`;
  return [{ code: 'preamble', message, place: headerPlace, table, count: topPlace - 1 }];
}

/** Converts rows of a sheet into rows of its table, and counts cells with errors. */
export class GridRows {
  readonly #layout: GridLayout;
  #errors = 0;
  #firstError: { readonly place: number; readonly text: string } | null = null;

  constructor(layout: GridLayout) {
    this.#layout = layout;
  }

  /** @returns null for a row above the data */
  take({ place, cells }: GridRow): SourceRow | null {
    const { lastHeaderPlace, firstColumn, columns } = this.#layout;
    if (place <= lastHeaderPlace) return null;
    let width = cells.length;
    while (width > 0 && !cells[width - 1]) width--;
    const row: (string | null)[] = [];
    for (let at = 0; at < Math.max(columns.length, width - firstColumn); at++) {
      const cell = cells[firstColumn + at];
      if (cell?.kind === 'error') {
        this.#errors++;
        this.#firstError ??= { place, text: cell.text };
      }
      row.push(cell && cell.kind !== 'error' ? cell.text : null);
    }
    return { cells: row, place };
  }

  /** Warnings about cells with errors, once all rows are read. */
  warnings(table: number): SourceWarning[] {
    if (!this.#firstError) return [];
    const { place, text: cell } = this.#firstError;
    const count = this.#errors;
    const message = `Cells with an error such as ${cell} are read as null: ${count}, the first in row ${place}.`;
    return [{ code: 'error_cells', message, place, table, cell, count }];
  }
}
