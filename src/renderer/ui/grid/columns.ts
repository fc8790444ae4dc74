import type { CellClassParams, ColDef, ColGroupDef, IRowNode, ITooltipParams } from 'ag-grid-community';
import { visibleLine } from '../../../shared/errors/visible-text.ts';

/** How a cell is drawn; each tone has a class `cell-…`. */
export type CellTone = 'plain' | 'null' | 'absent' | 'nested' | 'sentinel' | 'loading' | 'failed' | 'marked';

/** A column, asked cell by cell: rows count from 0. */
export interface DataColumn {
  readonly id: string;
  readonly header: string;
  /** Width at the start, in pixels. */
  readonly width: number;
  readonly align: 'start' | 'end';
  /** Kept in view at the left. */
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

/** A row is its number; what it holds is asked of the columns. */
export interface Row {
  readonly row: number;
}

type Definition = ColDef<Row> | ColGroupDef<Row>;

/** The grid library's own column definitions. */
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

/** Of the row's place, so that a row shows what it has before the grid has made its own record of it. */
function at<T>(node: IRowNode<Row> | null, of: (row: number) => T, otherwise: T): T {
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
    valueGetter: ({ node }) => at(node, column.text, ''),
    cellClass: ({ node }: CellClassParams<Row>) => [
      `cell-${at(node, column.tone, 'plain')}`,
      `cell-${column.align}`,
    ],
    tooltipValueGetter: ({ node }: ITooltipParams<Row>) => at(node ?? null, column.cellTip, ''),
  };
}
