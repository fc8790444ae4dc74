import { createStore } from 'zustand/vanilla';
import type { ChartRange } from '../../../ui/plot/index.ts';
import type { RowRange } from '../../../ui/grid/index.ts';
import type { TablePlace } from '../../plot/plot-view.tsx';

/** What a table and a plot of the same records show each other. */
export interface TableLinkState {
  /** The row that the table points at; null: none. */
  readonly tableRow: number | null;
  /** The row at the plot's cursor; null: none. */
  readonly plotRow: number | null;
  /** The row that the table scrolls to as soon as it is drawn; null: none. */
  readonly goTo: number | null;
  readonly inView: RowRange;
}

export const createTableLink = () =>
  createStore<TableLinkState>()(() => ({
    tableRow: null,
    plotRow: null,
    goTo: null,
    inView: { from: 0, to: 0 },
  }));

/** The row whose position along the axis is nearest; null: no row has one. */
export function nearestRow(positions: Float64Array, along: number): number | null {
  let nearest: number | null = null;
  let distance = Number.POSITIVE_INFINITY;
  for (let row = 0; row < positions.length; row += 1) {
    const away = Math.abs((positions[row] ?? Number.NaN) - along);
    if (away < distance) {
      distance = away;
      nearest = row;
    }
  }
  return nearest;
}

/** The first row whose position is in a range; null: none. */
export function firstRowIn(positions: Float64Array, { from, to }: ChartRange): number | null {
  const row = positions.findIndex((at) => at >= from && at <= to);
  return row === -1 ? null : row;
}

/** The range of rows along the axis; null: they have no position. */
export function rangeOfRows(positions: Float64Array, rows: RowRange): ChartRange | null {
  let [from, to] = [Infinity, -Infinity];
  for (let row = rows.from; row < Math.min(rows.to, positions.length); row += 1) {
    const at = positions[row] ?? Number.NaN;
    if (at < from) from = at;
    if (at > to) to = at;
  }
  return from <= to ? { from, to } : null;
}

export function placeOfTable(
  positions: Float64Array,
  { tableRow, inView }: Pick<TableLinkState, 'tableRow' | 'inView'>,
): TablePlace {
  const at = tableRow === null ? Number.NaN : (positions[tableRow] ?? Number.NaN);
  return { cursor: Number.isNaN(at) ? null : at, inView: rangeOfRows(positions, inView) };
}

export const isSamePlace = (a: TablePlace, b: TablePlace): boolean =>
  a.cursor === b.cursor && a.inView?.from === b.inView?.from && a.inView?.to === b.inView?.to;
