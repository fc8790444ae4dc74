import { createElement, use } from 'react';
import type { DataGridProps } from './data-grid.tsx';

export type { CellTone, DataColumn, DataColumnGroup, DataColumnOrGroup, Distribution } from './columns.ts';
export type { GridControl, GridLayout } from './data-grid.tsx';
export type { GridPlace, Point } from './place.ts';
export { numberedRows, type Row, type RowRange, type RowSource } from './row-source.ts';
export { type CellSelection, countRows, isSelected, onlyCell } from './selection.ts';

const importGrid = () => import('./data-grid.tsx');
let loading: ReturnType<typeof importGrid> | null = null;

/** Loads the grid ahead of first use. */
export const loadGrid = () => (loading ??= importGrid());

/** `lazy` would lose the type of its blocks. */
export function DataGrid<Block>(props: DataGridProps<Block>) {
  const grid = use(loadGrid());
  return createElement(grid.DataGrid<Block>, props);
}
