import {
  type CellContextMenuEvent,
  type CellDoubleClickedEvent,
  type CellFocusedEvent,
  type CellMouseOverEvent,
  type CellKeyDownEvent,
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  type ColumnMovedEvent,
  type ColumnPinnedEvent,
  type ColumnResizedEvent,
  EventApiModule,
  type FullWidthCellKeyDownEvent,
  type GridOptions,
  InfiniteRowModelModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  type SelectionChangedEvent,
  TooltipModule,
  type GridApi,
} from 'ag-grid-community';
import {
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type PointerEvent,
  type RefObject,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { createSheet } from '../../format/sheet-html.ts';
import { copyText } from '../clipboard.ts';
import {
  type DataColumn,
  type DataColumnGroup,
  definitions,
  numbersDefinition,
  type Row,
} from './columns.ts';
import { type GridLayout, layoutOf } from './layout.ts';
import { rowBlock, numberedRows, type RowSource, useScrollToTop, useSource } from './row-source.ts';
import { isCopyKey, leaveGrid, isSelectAllKey } from './keys.ts';
import { type GridPlace, type Point, eventPoint } from './place.ts';
import { gridTheme } from './theme.ts';
import {
  type CellSelection,
  numberColumn,
  type CellAt,
  isOneCell,
  isSelected,
  movedCell,
  type Picked,
  pickedCell,
  selectionOf,
  toggledRow,
} from './selection.ts';
import { useGrid, useOption } from './use-grid.ts';
import './grid.css';

/** How often a drag outside the rows scrolls, in milliseconds. */
const scrollMs = 50;

function cellOf(target: EventTarget | null): CellAt | null {
  if (!(target instanceof Element)) return null;
  const column = target.closest('.ag-cell')?.getAttribute('col-id');
  const row = target.closest('[row-index]')?.getAttribute('row-index');
  return column && row ? { row: Number(row), column } : null;
}

type CellPicks = ReturnType<typeof createCellSelection>;

/** The selected cells of a grid: the library selects rows only in its free edition. */
function createCellSelection() {
  let picked: Picked | null = null;
  let selection: CellSelection | null = null;
  return {
    get picked() {
      return picked;
    },
    /** Null: at most one cell. */
    get selection() {
      return picked && !isOneCell(picked) ? selection : null;
    },
    /** With the only cell. */
    get cells() {
      return selection;
    },
    isPicked: (at: CellAt): boolean => selection !== null && isSelected(selection, at),
    set(next: Picked | null, shown: readonly string[]) {
      picked = next;
      selection = next && selectionOf(next, shown);
    },
  };
}

/** Marks selected cells for screen readers: the library marks rows only. */
function markCells(grid: HTMLElement | null): void {
  for (const cell of grid?.querySelectorAll('.ag-cell') ?? []) {
    const isPicked = String(cell.classList.contains('cell-picked'));
    if (cell.getAttribute('aria-selected') !== isPicked) cell.setAttribute('aria-selected', isPicked);
  }
}

interface SelectionOptions {
  readonly cells: CellPicks;
  readonly place: RefObject<HTMLElement | null>;
  readonly api: GridApi<Row> | null;
  readonly rows: number;
  /** The subject of the rows: a new one has no selection. */
  readonly of: unknown;
  /** Null: at most one cell. */
  readonly onChange: (selection: CellSelection | null) => void;
}

const shownColumns = (api: GridApi<Row>): string[] =>
  api.getAllDisplayedColumns().map((column) => column.getColId());

/**
 * Selects cells by mouse and keyboard: a drag, Shift+click, and Shift+arrows extend, Ctrl+click and the column of row
 * numbers select rows, Ctrl+A selects all, Escape clears.
 */
function useSelection({ cells, place, api, rows, of, onChange }: SelectionOptions) {
  /** Whether the focus moves without changing the selection. */
  const keepsSelection = useRef(false);

  function change(picked: Picked | null): void {
    if (!api) return;
    const before = cells.selection;
    cells.set(picked, shownColumns(api));
    api.refreshCells({ rowNodes: api.getRenderedNodes(), suppressFlash: true });
    markCells(place.current);
    if (before !== cells.selection) onChange(cells.selection);
  }
  const start = (at: CellAt) => change(pickedCell(at));
  const extend = (head: CellAt) => {
    const { picked } = cells;
    if (!picked) start(head);
    else if (picked.head.row !== head.row || picked.head.column !== head.column)
      change({ ...picked, head: areNumbers(picked) ? { ...head, column: numberColumn } : head });
  };

  const follow = useEffectEvent(({ rowIndex, column }: CellFocusedEvent<Row>) => {
    if (rowIndex === null || column === null || keepsSelection.current) return;
    const at = { row: rowIndex, column: typeof column === 'string' ? column : column.getColId() };
    const { picked } = cells;
    if (picked?.anchor.row !== at.row || picked.anchor.column !== at.column) start(at);
  });
  useEffect(() => {
    if (!api) return undefined;
    const listener = (event: CellFocusedEvent<Row>) => follow(event);
    api.addEventListener('cellFocused', listener);
    return () => {
      if (!api.isDestroyed()) api.removeEventListener('cellFocused', listener);
    };
  }, [api]);
  useEffect(() => {
    if (!api) return undefined;
    // Rows and columns that scroll into view are drawn after the event.
    const listener = () => {
      if (cells.cells) requestAnimationFrame(() => markCells(place.current));
    };
    const events = ['viewportChanged', 'virtualColumnsChanged'] as const;
    for (const event of events) api.addEventListener(event, listener);
    return () => {
      for (const event of events) if (!api.isDestroyed()) api.removeEventListener(event, listener);
    };
  }, [api, place, cells]);
  const shown = useRef(of);
  const clear = useEffectEvent(() => change(null));
  useEffect(() => {
    if (shown.current === of) return;
    shown.current = of;
    clear();
  }, [of]);

  function startDrag(event: PointerEvent): void {
    const grid = place.current;
    if (!grid || event.pointerType === 'touch') return;
    const ended = new AbortController();
    const { signal } = ended;
    /** The rows of each scroll: 1 below the grid, -1 above it. */
    let step = 0;
    const timer = setInterval(() => {
      const head = cells.picked?.head;
      if (step === 0 || !head) return;
      const row = Math.min(Math.max(head.row + step, 0), rows - 1);
      api?.ensureIndexVisible(row);
      extend({ ...head, row });
    }, scrollMs);
    const move = ({ clientX, clientY }: globalThis.PointerEvent): void => {
      const { top, bottom } = grid.getBoundingClientRect();
      const target = document.elementFromPoint(clientX, clientY);
      const isAbove = clientY < top || target?.closest('.ag-header') != null;
      step = isAbove ? -1 : clientY > bottom ? 1 : 0;
      const at = step === 0 ? cellOf(target) : null;
      if (at && (at.column !== numberColumn || areNumbers(cells.picked))) extend(at);
    };
    signal.addEventListener('abort', () => clearInterval(timer));
    addEventListener('pointermove', move, { capture: true, signal });
    for (const end of ['pointerup', 'pointercancel'])
      addEventListener(end, () => ended.abort(), { capture: true, signal });
  }

  return {
    /** Selects one cell without the focus. */
    start,
    onPointerDown(event: PointerEvent): void {
      const at = cellOf(event.target);
      keepsSelection.current = false;
      if (!at) return;
      if (event.button !== 0) {
        // The menu of a selected cell applies to the selection.
        if (cells.isPicked(at)) keepsSelection.current = true;
        else start(at);
        return;
      }
      if (isExtending(event)) extend(at);
      else if (isToggling(event)) change(toggledRow(cells.picked, at.row));
      else start(at);
      if (!isToggling(event)) startDrag(event);
      keepsSelection.current = isExtending(event) || isToggling(event);
    },
    /** Keeps the library from selecting a record by a click that selects cells. */
    onClick(event: MouseEvent): void {
      const at = cellOf(event.target);
      if (at && (isExtending(event) || isToggling(event) || at.column === numberColumn))
        event.stopPropagation();
    },
    /** @returns whether the key was for the selection */
    onKeyDown(event: KeyboardEvent): boolean {
      keepsSelection.current = false;
      const at = cellOf(event.target);
      if (!api || !at) return false;
      if (event.key === 'Escape' && cells.selection) {
        start(at);
        return true;
      }
      if (isSelectAllKey(event.nativeEvent)) {
        const [first, last] = [0, rows - 1].map((row) => ({ row, column: numberColumn }));
        if (first && last) change({ anchor: first, head: last, more: [] });
        return true;
      }
      if (!event.shiftKey) return false;
      const columns = shownColumns(api).filter((id) => id !== numberColumn);
      const page = Math.max(api.getLastDisplayedRowIndex() - api.getFirstDisplayedRowIndex() - 1, 1);
      const head = movedCell(cells.picked?.head ?? at, event.key, {
        rows,
        page,
        columns,
        isFar: event.ctrlKey || event.metaKey,
      });
      if (!head) return false;
      extend(head);
      api.ensureIndexVisible(head.row);
      if (head.column !== numberColumn) api.ensureColumnVisible(head.column);
      return true;
    },
  };
}

const areNumbers = (picked: Picked | null): boolean => picked?.anchor.column === numberColumn;
const isExtending = ({ shiftKey }: { readonly shiftKey: boolean }): boolean => shiftKey;
const isToggling = (event: {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}) => !event.shiftKey && (event.ctrlKey || event.metaKey);

const pointedClass = 'row-pointed';

/** A row that is pointed at elsewhere. It changes with each move of the pointer, without rendering the grid. */
interface PointedRow {
  /** Null: none. */
  readonly row: () => number | null;
  /** @returns unsubscribes */
  readonly subscribe: (onChange: () => void) => () => void;
}

/** Highlights a row that is pointed at elsewhere, also after it scrolls into view. */
function usePointedRow(
  place: RefObject<HTMLElement | null>,
  api: GridApi<Row> | null,
  pointed: PointedRow | undefined,
): void {
  useEffect(() => {
    const grid = place.current;
    if (!api || !grid || !pointed) return undefined;
    let shown: number | null = null;
    const clear = () => {
      for (const element of grid.querySelectorAll(`.${pointedClass}`)) element.classList.remove(pointedClass);
    };
    const highlight = () => {
      if (shown === null) return;
      for (const element of grid.querySelectorAll(`.ag-row[row-index="${shown}"]`))
        element.classList.add(pointedClass);
    };
    const update = () => {
      const row = pointed.row();
      if (row === shown) return;
      clear();
      shown = row;
      highlight();
    };
    // Rows that scroll into view are drawn after the event.
    const later = () => void requestAnimationFrame(highlight);
    update();
    const stop = pointed.subscribe(update);
    api.addEventListener('viewportChanged', later);
    return () => {
      stop();
      if (!api.isDestroyed()) api.removeEventListener('viewportChanged', later);
      clear();
    };
  }, [place, api, pointed]);
}

/** Shorter moves are clicks, in pixels. */
const dragThreshold = 8;

/** A class on the page during a drag, for the styles of drop targets. */
const draggingClass = 'head-dragged';

/** Whether the pointer moved so far that it is no click. */
const isMoved = (from: Point, { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): boolean =>
  Math.hypot(clientX - from.x, clientY - from.y) > dragThreshold;

/** Whether an element resizes a column. */
const isResizer = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.ag-header-cell-resize') !== null;

/** Observes the drag of a column header and reports the drop. */
function startHeadDrag(onDrop: (column: string, at: Point) => void) {
  return ({ target, clientX, clientY, button }: PointerEvent): void => {
    if (button !== 0 || !(target instanceof Element) || isResizer(target)) return;
    const column = target.closest('.ag-header-cell')?.getAttribute('col-id');
    if (!column) return;
    const ended = new AbortController();
    const { signal } = ended;
    const { classList } = document.documentElement;
    const from = { x: clientX, y: clientY };
    const move = (event: globalThis.PointerEvent): void => {
      if (isMoved(from, event)) classList.add(draggingClass);
    };
    const end = (event: globalThis.PointerEvent): void => {
      ended.abort();
      classList.remove(draggingClass);
      if (event.type === 'pointerup' && isMoved(from, event))
        onDrop(column, { x: event.clientX, y: event.clientY });
    };
    addEventListener('pointermove', move, { capture: true, signal });
    // The grid moves its columns itself; this only observes the pointer.
    addEventListener('pointerup', end, { capture: true, signal });
    addEventListener('pointercancel', end, { capture: true, signal });
  };
}

ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  EventApiModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ScrollApiModule,
  TooltipModule,
]);

export interface GridControl {
  /** Scrolls to a cell and selects it, with the focus by default. */
  readonly show: (row: number, column: string, keepsFocus?: boolean) => void;
  readonly reveal: (row: number) => void;
  /** The selected cells; null: at most one. */
  readonly selected: () => CellSelection | null;
  /** Marks only this row as the one whose record is shown, if it is loaded; null: no row. */
  readonly select: (row: number | null) => void;
}

export interface DataGridProps {
  readonly label: string;
  /** The subject of the rows: a new one starts at the top without a selection. */
  readonly of?: unknown;
  readonly columns: readonly (DataColumn | DataColumnGroup)[];
  readonly rows: number;
  /** The source of rows that load on demand. */
  readonly source?: RowSource;
  /** Whether the first column has the numbers of rows. */
  readonly isNumbered?: boolean;
  /** The row that is pointed at elsewhere; null: none. */
  readonly pointedRow?: PointedRow | undefined;
  /** A row to scroll to and focus; null: none. */
  readonly goTo?: number | null;
  /** Called when the grid has scrolled to that row. */
  readonly onArrive?: () => void;
  /** The row under the pointer or with the focus; null: none. */
  readonly onPointRow?: (row: number | null) => void;
  /** The row whose record is to be shown, by a double-click or Enter; null: none. */
  readonly onSelect: (row: number | null) => void;
  /** The selected cells; null: at most one. */
  readonly onSelectCells?: (selection: CellSelection | null) => void;
  /** Called after the user moved, pinned, or resized a column. */
  readonly onLayout?: (layout: GridLayout) => void;
  /** Opens the menu of a cell or a column header. */
  readonly onMenu?: (place: GridPlace) => void;
  /** A column header was clicked; absent: its menu opens. */
  readonly onHead?: ((column: string) => void) | undefined;
  /** Whether the row with the focus is selected, whose record is shown. */
  readonly followsFocus?: boolean;
  /** Ctrl+C with selected cells, or the focused one; absent: copies the focused cell as shown. */
  readonly onCopy?: (selection: CellSelection) => void;
  /** A column header was dropped, in the grid or elsewhere. */
  readonly onDropHead?: (column: string, at: Point) => void;
  readonly ref?: Ref<GridControl>;
}

/** The height of a header with details below the names, in pixels. */
const twoLineHeight = 40;

const hasDetails = (column: DataColumn | DataColumnGroup): boolean =>
  'children' in column ? column.children.some(hasDetails) : (column.details ?? []).length > 0;

/** Extra rows above and below the visible ones. Fewer make jumps faster. */
const rowBuffer = 4;

const options: GridOptions<Row> = {
  theme: gridTheme,
  rowModelType: 'infinite',
  cacheBlockSize: rowBlock.rows,
  maxBlocksInCache: rowBlock.kept,
  rowBuffer,
  getRowId: ({ data }) => String(data.row),
  rowSelection: { mode: 'singleRow', checkboxes: false, enableClickSelection: false },
  suppressFieldDotNotation: true,
  suppressDragLeaveHidesColumns: true,
  suppressMoveWhenColumnDragging: true,
  animateRows: false,
  tooltipShowDelay: 500,
  enableCellTextSelection: false,
  tabToNextCell: leaveGrid,
  tabToNextHeader: leaveGrid,
};

const ignore = () => undefined;

/** A grid with any number of rows. Ctrl+C copies selected cells or the focused one. */
export default function DataGrid(props: DataGridProps) {
  const { label, of, columns, rows, source, onSelect, onLayout, onMenu, onHead, onCopy, onDropHead, ref } =
    props;
  const { isNumbered = false, followsFocus = false, pointedRow } = props;
  const { goTo = null, onArrive = ignore, onSelectCells = ignore, onPointRow = ignore } = props;
  const place = useRef<HTMLElement>(null);
  const [numbered] = useState(() => numberedRows(rows));
  const [cells] = useState(createCellSelection);
  const { isPicked } = cells;
  /** Whether the last press of the pointer was a click, and no drag. */
  const isClick = useRef(true);
  // The width of the numbers changes with their digits only.
  const digits = isNumbered ? String(rows).length : 0;
  const columnDefs = useMemo(
    () => [
      ...(digits > 0 ? [numbersDefinition(10 ** digits - 1, isPicked)] : []),
      ...definitions(columns, isPicked),
    ],
    [columns, digits, isPicked],
  );
  const headerHeight = columns.some(hasDetails) ? twoLineHeight : undefined;
  const preventDefaultOnContextMenu = onMenu !== undefined;
  const widths = useRef<GridLayout['widths']>({});
  const reportLayout = useEffectEvent(
    (event: ColumnMovedEvent<Row> | ColumnPinnedEvent<Row> | ColumnResizedEvent<Row>) => {
      if (!onLayout || !event.source.startsWith('ui') || ('finished' in event && !event.finished)) return;
      const resized = event.type === 'columnResized' ? (event.column?.getColId() ?? null) : null;
      const layout = layoutOf(event.api, resized, event.type === 'columnPinned', widths.current);
      widths.current = layout.widths;
      onLayout(layout);
    },
  );
  const openCellMenu = useEffectEvent(({ api, rowIndex, column, event }: CellContextMenuEvent<Row>) => {
    const ids = [column, ...api.getAllDisplayedColumns()].map((shown) => shown.getColId());
    const id = ids.find((id) => id !== numberColumn);
    if (id !== undefined) onMenu?.({ row: rowIndex, column: id, at: eventPoint(event) });
  });
  const openHeadMenu = useEffectEvent(({ column }: { column: object }) => {
    const id = headId(column);
    if (!onMenu || id === null) return;
    const head = place.current?.querySelector(`.ag-header-cell[col-id=${JSON.stringify(id)}]`);
    const box = head?.getBoundingClientRect();
    onMenu({ row: null, column: id, at: { x: box?.left ?? 0, y: box?.bottom ?? 0 } });
  });
  const clickHead = useEffectEvent(({ column }: { column: object }) => {
    const id = headId(column);
    if (!onHead || id === null) openHeadMenu({ column });
    else if (isClick.current) onHead(id);
  });
  const openRecord = useEffectEvent(({ node }: CellDoubleClickedEvent<Row>) => node.setSelected(true, true));
  const pressKey = useEffectEvent((event: CellKeyDownEvent<Row> | FullWidthCellKeyDownEvent<Row>) => {
    const key = event.event instanceof KeyboardEvent ? event.event.key : null;
    if (key === 'Escape') event.api.deselectAll();
    if (key === 'Enter') event.node.setSelected(true, true);
    if (!isCopyKey(event.event)) return;
    if (onCopy && cells.cells) onCopy(cells.cells);
    else if ('column' in event && event.rowIndex !== null)
      void copyCell(columns, event.column.getColId(), event.rowIndex);
  });
  const followFocus = useEffectEvent(({ api: grid, rowIndex }: CellFocusedEvent<Row>) => {
    onPointRow(rowIndex);
    if (followsFocus && rowIndex !== null) grid.getRowNode(String(rowIndex))?.setSelected(true, true);
  });
  const pointRow = useEffectEvent(({ rowIndex }: CellMouseOverEvent<Row>) => onPointRow(rowIndex));
  const reportSelected = useEffectEvent(({ api: grid }: SelectionChangedEvent<Row>) =>
    onSelect(grid.getSelectedNodes()[0]?.rowIndex ?? null),
  );
  const api = useGrid<Row>(place, () => ({
    ...options,
    columnDefs,
    ...(headerHeight ? { headerHeight } : {}),
    datasource: numbered.datasource,
    infiniteInitialRowCount: rows,
    preventDefaultOnContextMenu,
    onColumnMoved: reportLayout,
    onColumnPinned: reportLayout,
    onColumnResized: reportLayout,
    onCellContextMenu: openCellMenu,
    onColumnHeaderContextMenu: openHeadMenu,
    onColumnHeaderClicked: clickHead,
    onCellFocused: followFocus,
    onCellMouseOver: pointRow,
    onCellDoubleClicked: openRecord,
    onCellKeyDown: pressKey,
    onSelectionChanged: reportSelected,
  }));
  const selection = useSelection({ cells, place, api, rows, of, onChange: onSelectCells });
  const select = useEffectEvent(selection.start);
  useEffect(() => numbered.change(rows, api), [numbered, rows, api]);
  useOption(api, 'columnDefs', columnDefs);
  useOption(api, 'headerHeight', headerHeight);
  useOption(api, 'preventDefaultOnContextMenu', preventDefaultOnContextMenu);
  useSource(api, source);
  useScrollToTop(api, of, source);
  const arrive = useEffectEvent(onArrive);
  useEffect(() => {
    if (!api || goTo === null) return;
    api.ensureIndexVisible(goTo, 'middle');
    const column = api.getAllDisplayedColumns().find((shown) => shown.getColId() !== numberColumn);
    if (column) api.setFocusedCell(goTo, column);
    arrive();
  }, [api, goTo]);
  useImperativeHandle(
    ref,
    () => ({
      show(row, column, keepsFocus = false) {
        api?.ensureIndexVisible(row, 'middle');
        api?.ensureColumnVisible(column);
        if (keepsFocus) select({ row, column });
        else api?.setFocusedCell(row, column);
      },
      reveal: (row) => api?.ensureIndexVisible(row, 'top'),
      selected: () => cells.selection,
      select(row) {
        if (row === null) api?.deselectAll();
        else api?.getRowNode(String(row))?.setSelected(true, true);
      },
    }),
    [api, cells],
  );
  /** From the header of row numbers, whose cells take no focus, Down goes to the first cell of the first row. */
  const leaveNumbersHead = ({ key, target }: Pick<KeyboardEvent, 'key' | 'target'>): boolean => {
    const head = target instanceof Element ? target.closest('.ag-header-cell') : null;
    const isNumbers = head?.getAttribute('col-id') === numberColumn;
    const column = api?.getAllDisplayedColumns().find((shown) => shown.getColId() !== numberColumn);
    if (key !== 'ArrowDown' || !isNumbers || !column || rows === 0) return false;
    api?.setFocusedCell(0, column);
    return true;
  };
  usePointedRow(place, api, pointedRow);
  const pressedAt = useRef<Point>({ x: 0, y: 0 });
  return (
    // oxlint-disable-next-line no-static-element-interactions, no-noninteractive-element-interactions -- the library's grid inside takes the focus
    <section
      className="grid"
      aria-label={label}
      ref={place}
      onPointerLeave={() => onPointRow(null)}
      onPointerDownCapture={(event) => {
        pressedAt.current = { x: event.clientX, y: event.clientY };
        selection.onPointerDown(event);
        if (onDropHead) startHeadDrag(onDropHead)(event);
      }}
      onClickCapture={(event) => {
        isClick.current = !isMoved(pressedAt.current, event) && !isResizer(event.target);
        selection.onClick(event);
      }}
      onKeyDownCapture={(event) => {
        if (!selection.onKeyDown(event) && !leaveNumbersHead(event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

const leavesOf = (columns: DataGridProps['columns']): DataColumn[] =>
  columns.flatMap((column) => ('children' in column ? leavesOf(column.children) : [column]));

/** Copies a cell as it is shown, without the spaces that align numbers. */
async function copyCell(columns: DataGridProps['columns'], id: string, row: number): Promise<void> {
  const column = leavesOf(columns).find((leaf) => leaf.id === id);
  if (!column) return;
  const text = column.text(row).replace(/[\u2007\u2008]+$/, '');
  const sheet = createSheet();
  sheet.add([column.sheetValue ? column.sheetValue(row) : text]);
  await copyText(text, sheet.html());
}

/** The id of a header's column; null: a group's header. */
const headId = (column: object): string | null =>
  'getColId' in column && typeof column.getColId === 'function' ? String(column.getColId()) : null;
