import type { GridApi } from 'ag-grid-community';
import { numberColumn } from './selection.ts';

/** The layout of columns, by id. */
export interface GridLayout {
  readonly order: readonly string[];
  readonly pinned: readonly string[];
  /** Widths that the user set, in pixels. */
  readonly widths: Readonly<Record<string, number>>;
}

/** The current layout. */
export function layoutOf<Row>(
  api: GridApi<Row>,
  resized: string | null,
  before: GridLayout['widths'],
): GridLayout {
  const state = api.getColumnState().filter(({ colId }) => colId !== numberColumn);
  const width = state.find(({ colId }) => colId === resized)?.width;
  return {
    order: state.map(({ colId }) => colId),
    pinned: state.flatMap(({ colId, pinned }) => (pinned ? [colId] : [])),
    widths: resized !== null && typeof width === 'number' ? { ...before, [resized]: width } : before,
  };
}
