import { lazy } from 'react';

export type { CellTone, DataColumn, DataColumnGroup } from './columns.ts';
export type { GridControl } from './data-grid.tsx';
export type { GridLayout } from './layout.ts';
export type { GridPlace, Point } from './place.ts';
export type { RowRange, RowSource } from './row-source.ts';
export { type CellSelection, countRows, isSelected, onlyCell } from './selection.ts';

/** Loads the grid ahead of first use. */
export const loadGrid = () => import('./data-grid.tsx');

/** The grid, loaded when first shown. */
export const DataGrid = lazy(loadGrid);
