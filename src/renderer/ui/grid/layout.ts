import type { GridApi } from 'ag-grid-community';

/** How the columns stand, by their ids. */
export interface GridLayout {
  readonly order: readonly string[];
  readonly pinned: readonly string[];
  /** Of those that a person has made wider or narrower, in pixels. */
  readonly widths: Readonly<Record<string, number>>;
}

/** How the columns stand now. */
export function layoutOf<Row>(
  api: GridApi<Row>,
  resized: string | null,
  before: GridLayout['widths'],
): GridLayout {
  const state = api.getColumnState();
  const width = state.find(({ colId }) => colId === resized)?.width;
  return {
    order: state.map(({ colId }) => colId),
    pinned: state.flatMap(({ colId, pinned }) => (pinned ? [colId] : [])),
    widths: resized !== null && typeof width === 'number' ? { ...before, [resized]: width } : before,
  };
}
