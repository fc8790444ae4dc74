import type {
  CellClassRules,
  ColDef,
  ColGroupDef,
  ITooltipParams,
  IHeaderParams,
  IInnerHeaderComponent,
} from 'ag-grid-community';
import { visibleLine } from '../../../shared/errors/errors.ts';
import type { SheetValue } from '../../format/sheet-html.ts';
import { words } from '../../words/words.ts';
import type { GridRows, Row } from './row-source.ts';
import { type CellAt, numberColumn } from './selection.ts';

export interface Heading {
  readonly header: string;
  readonly details?: readonly string[] | undefined;
  readonly mark?: string | undefined;
}

export interface Distribution {
  /** Heights from 0 to 1; empty: none. */
  readonly bars: readonly number[];
  readonly lines: readonly string[];
  /** The whole of it, for the tooltip and screen readers; empty: not yet known. */
  readonly text: string;
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

const svg = 'http://www.w3.org/2000/svg';
const barsHeight = 18;

function drawnBars(bars: readonly number[]): Element {
  const drawing = document.createElementNS(svg, 'svg');
  drawing.setAttribute('class', 'head-bars');
  drawing.setAttribute('viewBox', `0 0 ${Math.max(bars.length, 1)} ${barsHeight}`);
  drawing.setAttribute('preserveAspectRatio', 'none');
  drawing.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg, 'path');
  // Small counts stay visible beside large ones.
  const tall = (height: number): number => (height > 0 ? Math.max(height * barsHeight, 1) : 0);
  const drawn = bars.map((height, at) => `M${at + 0.06} ${barsHeight}v-${tall(height)}h.88v${tall(height)}z`);
  path.setAttribute('d', drawn.join(''));
  drawing.append(path);
  return drawing;
}

function distributionParts({ bars, lines, text }: Distribution): Element[] {
  const texts = lines.map((line) => span('head-line ellipsis quiet small numbers', visibleLine(line)));
  for (const text of texts) text.setAttribute('aria-hidden', 'true');
  return [drawnBars(bars), ...texts, span('visually-hidden', visibleLine(text))];
}

type HeaderParts = Heading & Pick<DataColumn, 'distribution'>;

/** The parentheses around the details are for screen readers. */
export class TwoLineHeader implements IInnerHeaderComponent {
  readonly #element = span('head stack gap-0 min-0', '');

  init(params: IHeaderParams & HeaderParts): void {
    this.#draw(params);
  }

  getGui(): HTMLElement {
    return this.#element;
  }

  refresh(params: IHeaderParams & HeaderParts): boolean {
    this.#draw(params);
    return true;
  }

  #draw({ header, details = [], mark, distribution }: HeaderParts): void {
    const name = span('head-name ellipsis', visibleLine(mark === undefined ? header : `${header} ${mark}`));
    const more = span('ellipsis', '');
    for (const detail of details)
      more.append(span('visually-hidden', ' ('), visibleLine(detail), span('visually-hidden', ')'));
    this.#element.classList.toggle('head-tall', distribution !== undefined);
    this.#element.replaceChildren(
      name,
      ...(details.length > 0 ? [more] : []),
      ...(distribution ? distributionParts(distribution) : []),
    );
  }
}

/** Each is a class `cell-…`. */
export type CellTone = 'plain' | 'null' | 'absent' | 'nested' | 'sentinel' | 'failed' | 'marked';

/** A column with functions for its cells, by their place in a block of rows. */
export interface DataColumn<Block = void> {
  readonly id: string;
  /** The name; its details, such as a unit, are in small letters below it. */
  readonly header: string;
  readonly details?: readonly string[];
  /** Beside the name, such as the direction of a sort. */
  readonly mark?: string;
  /** Below the name and the details; absent: not shown. */
  readonly distribution?: Distribution | undefined;
  /** The initial width in pixels. */
  readonly width: number;
  readonly align: 'start' | 'end';
  /** Frozen at the left. */
  readonly pinned?: boolean;
  readonly hidden?: boolean;
  readonly tip: string;
  readonly text: (at: number, block: Block) => string;
  /** The value that a spreadsheet pastes; absent: the text. */
  readonly sheetValue?: (at: number, block: Block) => SheetValue;
  readonly tone: (at: number, block: Block) => CellTone;
  readonly cellTip: (at: number, block: Block) => string;
}
export interface DataColumnGroup<Block = void> {
  readonly id: string;
  readonly header: string;
  readonly children: readonly DataColumnOrGroup<Block>[];
}
export type DataColumnOrGroup<Block = void> = DataColumn<Block> | DataColumnGroup<Block>;

type Definition<Block> = ColDef<Row<Block>> | ColGroupDef<Row<Block>>;

type IsPicked = (at: CellAt) => boolean;

export const definitions = <Block>(
  columns: readonly DataColumnOrGroup<Block>[],
  cellsOf: ReturnType<typeof createCellsOf<Block>>,
): Definition<Block>[] =>
  columns.map((column) =>
    'children' in column
      ? {
          groupId: column.id,
          headerName: visibleLine(column.header),
          marryChildren: true,
          children: definitions(column.children, cellsOf),
        }
      : definition(column, cellsOf(column)),
  );

const pickedClass = <Block>(isPicked: IsPicked, column: string): CellClassRules<Row<Block>> => ({
  'cell-picked': ({ rowIndex }) => isPicked({ row: rowIndex, column }),
});

const digitWidth = 8.2;
const cellPadding = 16;

export function numbersDefinition<Block>(rows: number, isPicked: IsPicked): ColDef<Row<Block>> {
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
    valueGetter: ({ node }) => (node?.rowIndex == null ? '' : String(node.rowIndex + 1)),
  };
}

function definition<Block>(column: DataColumn<Block>, cells: ColDef<Row<Block>>): ColDef<Row<Block>> {
  const { header, details, mark, distribution } = column;
  const parts: HeaderParts = { header, details, mark, distribution };
  return {
    colId: column.id,
    headerName: visibleLine(headerLine(column)),
    headerComponentParams: { innerHeaderComponent: TwoLineHeader, innerHeaderComponentParams: parts },
    headerTooltip: visibleLine([column.tip, column.distribution?.text].filter(Boolean).join(' · ')),
    width: column.width,
    minWidth: 48,
    sortable: false,
    pinned: column.pinned ? 'left' : null,
    hide: column.hidden ?? false,
    ...(column.align === 'end' ? { headerClass: 'ag-right-aligned-header' } : {}),
    ...cells,
  };
}

type CellsOf<Block> = Pick<DataColumn<Block>, 'text' | 'tone' | 'cellTip' | 'align'>;

/**
 * Definitions of the cells of columns. A column whose cells show the same keeps its own, so that the grid draws only other
 * columns again.
 */
export function createCellsOf<Block>(rows: GridRows<Block>, isPicked: IsPicked) {
  const made = new Map<string, { readonly of: CellsOf<Block>; readonly cells: ColDef<Row<Block>> }>();
  return (column: DataColumn<Block>): ColDef<Row<Block>> => {
    const before = made.get(column.id);
    const isSame = (['text', 'tone', 'cellTip', 'align'] as const).every(
      (part) => before?.of[part] === column[part],
    );
    if (before && isSame) return before.cells;
    const cells = cellsDefinition(column, rows, isPicked);
    made.set(column.id, { of: column, cells });
    return cells;
  };
}

function cellsDefinition<Block>(
  column: DataColumn<Block>,
  { rowOf }: GridRows<Block>,
  isPicked: IsPicked,
): ColDef<Row<Block>> {
  return {
    valueGetter({ node }) {
      const row = rowOf(node);
      return row ? column.text(row.at, row.block) : '';
    },
    cellClass({ node }) {
      const row = rowOf(node);
      return [`cell-${row ? column.tone(row.at, row.block) : 'loading'}`, `cell-${column.align}`];
    },
    cellClassRules: pickedClass(isPicked, column.id),
    tooltipValueGetter({ node, column: shown }: ITooltipParams<Row<Block>>) {
      const row = rowOf(node ?? null);
      if (!row) return words.results.loadingCell;
      const tip = column.cellTip(row.at, row.block);
      const width = shown && 'getActualWidth' in shown ? shown.getActualWidth() : 0;
      const isCut = tip.length * digitWidth + cellPadding > width;
      return tip === column.text(row.at, row.block).trimEnd() && !isCut ? '' : tip;
    },
  };
}
