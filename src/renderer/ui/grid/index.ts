import { lazy } from 'react';

export type { RowRange, RowSource } from './row-source.ts';
export type { CellTone, DataColumn, DataColumnGroup } from './columns.ts';

/** The grid, loaded when it is first shown. */
export const DataGrid = lazy(() => import('./data-grid.tsx'));
