import type { CellClassParams, ColDef, ColGroupDef, IRowNode, ITooltipParams } from 'ag-grid-community';
import { visibleLine } from '../../../shared/errors/visible-text.ts';

/** The style of a cell, with a class `cell-…` each. */
export type CellTone = 'plain' | 'null' | 'absent' | 'nested' | 'sentinel' | 'loading' | 'failed' | 'marked';

/** A column with functions for its cells; rows count from 0. */
export interface DataColumn {
  readonly id: string;
  readonly header: string;
  /** The initial width in pixels. */
  readonly width: number;
  readonly align: 'start' | 'end';
  /** Frozen at the left. */
  readonly pinned?: boolean;
  readonly hidden?: boolean;
  readonly tip: string;
  readonly text: (row: number) => string;
  readonly tone: (row: number) => CellTone;
  readonly cellTip: (row: number) => string;
}
export interface DataColumnGroup {
  readonly id: string;
  readonly header: string;
  readonly children: readonly (DataColumn | DataColumnGroup)[];
}

/** A row is a number; columns provide its content. */
export interface Row {
  readonly row: number;
}

type Definition = ColDef<Row> | ColGroupDef<Row>;

/** The column definitions of the grid library. */
export function definitions(columns: readonly (DataColumn | DataColumnGroup)[]): Definition[] {
  return columns.map((column): Definition => {
    if ('children' in column) {
      return {
        groupId: column.id,
        headerName: visibleLine(column.header),
        marryChildren: true,
        children: definitions(column.children),
      };
    }
    return definition(column);
  });
}

/** By row index, so that a row has content before the grid creates its node. */
function valueAt<T>(node: IRowNode<Row> | null, of: (row: number) => T, otherwise: T): T {
  const row = node?.rowIndex ?? null;
  return row === null ? otherwise : of(row);
}

function definition(column: DataColumn): ColDef<Row> {
  return {
    colId: column.id,
    headerName: visibleLine(column.header),
    headerTooltip: visibleLine(column.tip),
    width: column.width,
    minWidth: 48,
    sortable: false,
    pinned: column.pinned ? 'left' : null,
    hide: column.hidden ?? false,
    ...(column.align === 'end' ? { headerClass: 'ag-right-aligned-header' } : {}),
    valueGetter: ({ node }) => valueAt(node, column.text, ''),
    cellClass: ({ node }: CellClassParams<Row>) => [
      `cell-${valueAt(node, column.tone, 'plain')}`,
      `cell-${column.align}`,
    ],
    tooltipValueGetter: ({ node }: ITooltipParams<Row>) => valueAt(node ?? null, column.cellTip, ''),
  };
}
