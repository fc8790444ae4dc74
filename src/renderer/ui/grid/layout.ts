import type { GridApi } from 'ag-grid-community';
import { numberColumn } from './selection.ts';

/** The layout of columns, by id. */
export interface GridLayout {
  readonly order: readonly string[];
  /** Absent: as before. */
  readonly pinned?: readonly string[];
  /** Widths that the user set, in pixels. */
  readonly widths: Readonly<Record<string, number>>;
}

/**
 * The current layout.
 * @param resized the column that was resized; null: none
 * @param isPinned whether a column was pinned or unpinned
 */
export function layoutOf<Row>(
  api: GridApi<Row>,
  resized: string | null,
  isPinned: boolean,
  before: GridLayout['widths'],
): GridLayout {
  const state = api.getColumnState().filter(({ colId }) => colId !== numberColumn);
  const width = state.find(({ colId }) => colId === resized)?.width;
  return {
    order: state.map(({ colId }) => colId),
    ...(isPinned ? { pinned: state.flatMap(({ colId, pinned }) => (pinned ? [colId] : [])) } : {}),
    widths: resized !== null && typeof width === 'number' ? { ...before, [resized]: width } : before,
  };
}
