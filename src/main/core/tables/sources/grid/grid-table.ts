import { indexOfFirst } from '../column-index.ts';
import type { OpenOptions, SourceRow, SourceTable, SourceWarning } from '../source.ts';
import { findGridLayout, type GridLayout } from './grid-layout.ts';
import type { GridRow } from './grid.ts';

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
    explanation: layout.explanation,
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
