import type {
  CellClassParams,
  CellClassRules,
  ColDef,
  ColGroupDef,
  IRowNode,
  ITooltipParams,
  IHeaderParams,
  IInnerHeaderComponent,
} from 'ag-grid-community';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import type { SheetValue } from '../../format/sheet-html.ts';
import { type CellAt, numberColumn } from './selection.ts';

/** What the header of a column says. */
export interface Heading {
  readonly header: string;
  readonly details?: readonly string[];
  readonly mark?: string;
}

const inParentheses = (details: readonly string[]): string => details.map((text) => `(${text})`).join(' ');

/** A heading in one line, as it is read aloud. */
export const headerLine = ({ header, details = [], mark }: Heading): string =>
  [header, mark, inParentheses(details)].filter((part) => part !== undefined && part !== '').join(' ');

const span = (className: string, text: string): HTMLElement => {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
};

/** A header with the details below the name; the parentheses around them are for screen readers. */
export class TwoLineHeader implements IInnerHeaderComponent {
  readonly #element = span('head', '');

  init(params: IHeaderParams & Heading): void {
    this.#draw(params);
  }

  getGui(): HTMLElement {
    return this.#element;
  }

  refresh(params: IHeaderParams & Heading): boolean {
    this.#draw(params);
    return true;
  }

  #draw({ header, details = [], mark }: Heading): void {
    const name = span('head-name ellipsis', visibleLine(mark === undefined ? header : `${header} ${mark}`));
    const more = span('ellipsis', '');
    for (const detail of details)
      more.append(span('visually-hidden', ' ('), visibleLine(detail), span('visually-hidden', ')'));
    this.#element.replaceChildren(name, ...(details.length > 0 ? [more] : []));
  }
}

/** The style of a cell, with a class `cell-…` each. */
export type CellTone = 'plain' | 'null' | 'absent' | 'nested' | 'sentinel' | 'loading' | 'failed' | 'marked';

/** A column with functions for its cells; rows count from 0. */
export interface DataColumn {
  readonly id: string;
  /** The name; its details, such as a unit, are in small letters below it. */
  readonly header: string;
  readonly details?: readonly string[];
  /** Beside the name, such as the direction of a sort. */
  readonly mark?: string;
  /** The initial width in pixels. */
  readonly width: number;
  readonly align: 'start' | 'end';
  /** Frozen at the left. */
  readonly pinned?: boolean;
  readonly hidden?: boolean;
  readonly tip: string;
  readonly text: (row: number) => string;
  /** The value that a spreadsheet pastes; absent: the text. */
  readonly sheetValue?: (row: number) => SheetValue;
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

type IsPicked = (at: CellAt) => boolean;

/**
 * The column definitions of the grid library.
 * @param isPicked whether a cell is selected
 */
export function definitions(
  columns: readonly (DataColumn | DataColumnGroup)[],
  isPicked: IsPicked,
): Definition[] {
  return columns.map((column): Definition => {
    if ('children' in column) {
      return {
        groupId: column.id,
        headerName: visibleLine(column.header),
        marryChildren: true,
        children: definitions(column.children, isPicked),
      };
    }
    return definition(column, isPicked);
  });
}

const pickedClass = (isPicked: IsPicked, column: string): CellClassRules<Row> => ({
  'cell-picked': ({ node }: CellClassParams<Row>) => valueAt(node, (row) => isPicked({ row, column }), false),
});

const digitWidth = 8.2;
const cellPadding = 16;

export function numbersDefinition(rows: number, isPicked: IsPicked): ColDef<Row> {
  const width = Math.ceil(Math.max(String(rows).length, 2) * digitWidth) + 18;
  return {
    colId: numberColumn,
    headerName: numberColumn,
    width,
    pinned: 'left',
    lockPinned: true,
    lockPosition: 'left',
    suppressMovable: true,
    suppressNavigable: true,
    suppressAutoSize: true,
    resizable: false,
    sortable: false,
    headerClass: 'ag-right-aligned-header',
    cellAriaRole: 'rowheader',
    cellClass: ['cell-end', 'cell-row-number'],
    cellClassRules: pickedClass(isPicked, numberColumn),
    valueGetter: ({ node }) => valueAt(node, (row) => String(row + 1), ''),
  };
}

/** By row index, so that a row has content before the grid creates its node. */
function valueAt<T>(node: IRowNode<Row> | null, of: (row: number) => T, otherwise: T): T {
  const row = node?.rowIndex ?? null;
  return row === null ? otherwise : of(row);
}

function definition(column: DataColumn, isPicked: IsPicked): ColDef<Row> {
  return {
    colId: column.id,
    headerName: visibleLine(headerLine(column)),
    headerComponentParams: { innerHeaderComponent: TwoLineHeader, innerHeaderComponentParams: column },
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
    cellClassRules: pickedClass(isPicked, column.id),
    tooltipValueGetter: ({ node, column: shown }: ITooltipParams<Row>) =>
      valueAt(
        node ?? null,
        (row) => {
          const tip = column.cellTip(row);
          const width = shown && 'getActualWidth' in shown ? shown.getActualWidth() : 0;
          const isCut = tip.length * digitWidth + cellPadding > width;
          return tip === column.text(row).trimEnd() && !isCut ? '' : tip;
        },
        '',
      ),
  };
}
