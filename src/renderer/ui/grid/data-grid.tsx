import type {
  CellContextMenuEvent,
  CellDoubleClickedEvent,
  CellFocusedEvent,
  CellMouseOverEvent,
  CellKeyDownEvent,
  ColumnMovedEvent,
  ColumnPinnedEvent,
  ColumnResizedEvent,
  FullWidthCellKeyDownEvent,
  GridOptions,
  SelectionChangedEvent,
  GridApi,
  ViewportChangedEvent,
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
import { maxOf } from '../../../shared/lists.ts';
import { createSheet } from '../../format/sheet-html.ts';
import { copyText } from '../clipboard.ts';
import {
  createCellsOf,
  type DataColumn,
  type DataColumnOrGroup,
  definitions,
  numbersDefinition,
} from './columns.ts';
import { blockLimits, GridRows, type Row, type RowRange, type RowSource } from './row-source.ts';
import { type GridPlace, type Point, eventPoint, isCopyKey, isSelectAllKey } from './place.ts';
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
import { commonOptions, useGrid, useOption } from './use-grid.ts';

/** How often a drag outside the rows scrolls, in milliseconds. */
const scrollMs = 50;

function cellOf(target: EventTarget | null): CellAt | null {
  if (!(target instanceof Element)) return null;
  const column = target.closest('.ag-cell')?.getAttribute('col-id');
  const row = target.closest('[row-index]')?.getAttribute('row-index');
  return column && row ? { row: Number(row), column } : null;
}

type CellPicks = ReturnType<typeof createCellSelection>;

/** The library selects only rows in its free edition. */
function createCellSelection() {
  let picked: Picked | null = null;
  let selection: CellSelection | null = null;
  let isKept = false;
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
    /** Whether the focus moves without changing the selection. */
    keep(next: boolean) {
      isKept = next;
    },
    /** The cell at which the selection begins, as it gets the focus; null: the selection stays. */
    startAt<Block>({ rowIndex, column }: CellFocusedEvent<Row<Block>>): CellAt | null {
      if (rowIndex === null || column === null || isKept) return null;
      const at = { row: rowIndex, column: typeof column === 'string' ? column : column.getColId() };
      return picked?.anchor.row === at.row && picked.anchor.column === at.column ? null : at;
    },
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

interface SelectionOptions<Block> {
  readonly cells: CellPicks;
  readonly place: RefObject<HTMLElement | null>;
  readonly api: GridApi<Row<Block>> | null;
  readonly rows: number;
  /** Another one has no selection. */
  readonly source: RowSource<Block>;
  readonly onChange: (api: GridApi<Row<Block>>, picked: Picked | null) => void;
}

const shownColumns = <Block,>(api: GridApi<Row<Block>>): string[] =>
  api.getAllDisplayedColumns().map((column) => column.getColId());

/**
 * Selects cells by mouse and keyboard: a drag, Shift+click, and Shift+arrows extend, Ctrl+click and the column of row
 * numbers select rows, Ctrl+A selects all, Escape clears.
 */
function useSelection<Block>({ cells, place, api, rows, source, onChange }: SelectionOptions<Block>) {
  const change = (picked: Picked | null) => {
    if (api) onChange(api, picked);
  };
  const start = (at: CellAt) => change(pickedCell(at));
  const extend = (head: CellAt) => {
    const { picked } = cells;
    if (!picked) start(head);
    else if (picked.head.row !== head.row || picked.head.column !== head.column)
      change({ ...picked, head: areNumbers(picked) ? { ...head, column: numberColumn } : head });
  };

  const shown = useRef(source);
  const clear = useEffectEvent(() => change(null));
  useEffect(() => {
    if (shown.current === source) return;
    shown.current = source;
    clear();
  }, [source]);

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
      cells.keep(false);
      if (!at) return;
      if (event.button !== 0) {
        // The menu of a selected cell applies to the selection.
        if (cells.isPicked(at)) cells.keep(true);
        else start(at);
        return;
      }
      if (event.shiftKey) extend(at);
      else if (isToggling(event)) change(toggledRow(cells.picked, at.row));
      else start(at);
      if (!isToggling(event)) startDrag(event);
      cells.keep(event.shiftKey || isToggling(event));
    },
    /** Keeps the library from selecting a record by a click that selects cells. */
    onClick(event: MouseEvent): void {
      const at = cellOf(event.target);
      if (at && (event.shiftKey || isToggling(event) || at.column === numberColumn)) event.stopPropagation();
    },
    /** @returns whether the key was for the selection */
    onKeyDown(event: KeyboardEvent): boolean {
      cells.keep(false);
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
const isToggling = ({ shiftKey, ctrlKey, metaKey }: MouseEvent) => !shiftKey && (ctrlKey || metaKey);

const pointedClass = 'row-pointed';

/** A row that is pointed at elsewhere. It changes with each move of the pointer, without rendering the grid. */
interface PointedRow {
  /** Null: none. */
  readonly row: () => number | null;
  /** @returns unsubscribes */
  readonly subscribe: (onChange: () => void) => () => void;
}

/** Highlights a row that is pointed at elsewhere. Returns what does so for rows that were drawn. */
function usePointedRow(place: RefObject<HTMLElement | null>, pointed: PointedRow | undefined): () => void {
  const highlight = useEffectEvent(() => {
    const pointedRow = pointed?.row() ?? null;
    for (const row of place.current?.querySelectorAll('.ag-row') ?? [])
      row.classList.toggle(pointedClass, row.getAttribute('row-index') === String(pointedRow));
  });
  useEffect(() => pointed?.subscribe(() => highlight()), [pointed]);
  return highlight;
}

/** Shorter moves are clicks, in pixels. */
const dragThreshold = 8;

/** A class on the page during a drag, for the styles of drop targets. */
const draggingClass = 'head-dragged';

/** Whether the pointer moved so far that it is no click. */
const isMoved = (from: Point, { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): boolean =>
  Math.hypot(clientX - from.x, clientY - from.y) > dragThreshold;

const isResizer = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.ag-header-cell-resize') !== null;

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

export interface GridControl {
  /** Scrolls to a cell and selects it, with the focus by default. */
  readonly show: (row: number, column: string, keepsFocus?: boolean) => void;
  readonly reveal: (row: number) => void;
  /** The selected cells; null: at most one. */
  readonly selected: () => CellSelection | null;
  /** Loads the rows again because their values have changed. They stay until then. */
  readonly reload: () => void;
  /** Loads the rows again because some couldn't be loaded. */
  readonly retry: () => void;
}

export interface DataGridProps<Block> {
  readonly label: string;
  readonly columns: readonly DataColumnOrGroup<Block>[];
  /** Another source starts at the top without a selection. */
  readonly source: RowSource<Block>;
  readonly rows: number;
  readonly isNumbered?: boolean;
  readonly pointedRow?: PointedRow | undefined;
  /** A row to scroll to and focus; null: none. */
  readonly goTo?: number | null;
  /** Called when the grid has scrolled to that row. */
  readonly onArrive?: () => void;
  /** The row under the pointer or with the focus; null: none. */
  readonly onPointRow?: (row: number | null) => void;
  /** The row whose record is shown; null: none. */
  readonly selected?: number | null;
  /** A row's record is to be shown, by a double-click or Enter; null: none. */
  readonly onSelect?: (row: number | null) => void;
  /** Called with the rows in view and their loaded blocks after some were drawn. */
  readonly onDrawn?: (inView: RowRange, blocks: readonly Block[]) => void;
  /** The selected cells; null: at most one. */
  readonly onSelectCells?: (selection: CellSelection | null) => void;
  /** Called after the user moved, pinned, or resized a column. */
  readonly onLayout?: (layout: GridLayout) => void;
  readonly onMenu?: (place: GridPlace<Block>) => void;
  /** A column header was clicked; absent: its menu opens. */
  readonly onHead?: ((column: string) => void) | undefined;
  /** Ctrl+C with selected cells, or the focused one; absent: copies the focused cell as shown. */
  readonly onCopy?: (selection: CellSelection) => void;
  /** A column header was dropped, in the grid or elsewhere. */
  readonly onDropHead?: (column: string, at: Point) => void;
  readonly ref?: Ref<GridControl>;
}

/** The layout of columns, by id. */
export interface GridLayout {
  readonly order: readonly string[];
  /** Absent: as before. */
  readonly pinned?: readonly string[];
  /** The widths that have changed, in pixels. */
  readonly widths: Readonly<Record<string, number>>;
}

type LayoutEvent<Row> = ColumnMovedEvent<Row> | ColumnPinnedEvent<Row> | ColumnResizedEvent<Row>;

function layoutOf<Row>({ api, type, columns }: LayoutEvent<Row>): GridLayout {
  const state = api.getColumnState().filter(({ colId }) => colId !== numberColumn);
  // Of a group of columns, all are resized.
  const resized = type === 'columnResized' ? (columns ?? []) : [];
  return {
    order: state.map(({ colId }) => colId),
    ...(type === 'columnPinned'
      ? { pinned: state.flatMap(({ colId, pinned }) => (pinned ? [colId] : [])) }
      : {}),
    widths: Object.fromEntries(resized.map((column) => [column.getColId(), column.getActualWidth()])),
  };
}

/** The height of a header by what is below the names, in pixels. */
const heights = { details: 40, bars: 32, line: 15 } as const;
/** Room for a range, also before it is known. */
const leastLines = 2;

function headerHeightFor<Block>(columns: readonly DataColumn<Block>[]): number | undefined {
  const lines = columns.flatMap(({ distribution }) => distribution?.lines.length ?? []);
  if (lines.length > 0) return heights.details + heights.bars + heights.line * maxOf([leastLines, ...lines]);
  return columns.some(({ details = [] }) => details.length > 0) ? heights.details : undefined;
}

/** Extra rows above and below the visible ones. Fewer make jumps faster. */
const rowBuffer = 4;

const options: GridOptions = {
  ...commonOptions,
  cacheBlockSize: blockLimits.rows,
  maxBlocksInCache: blockLimits.kept,
  // The source decides which requests wait.
  maxConcurrentDatasourceRequests: Number.POSITIVE_INFINITY,
  rowBuffer,
  rowSelection: { mode: 'singleRow', checkboxes: false, enableClickSelection: false },
  suppressFieldDotNotation: true,
  suppressMoveWhenColumnDragging: true,
  enableCellTextSelection: false,
};

const ignore = () => undefined;

/** A grid with any number of rows. Ctrl+C copies selected cells or the focused one. */
export function DataGrid<Block>(props: DataGridProps<Block>) {
  const { label, columns, rows, source, onLayout, onMenu, onHead, onCopy, onDropHead, ref } = props;
  const { isNumbered = false, selected = null, onSelect = ignore, pointedRow, goTo = null } = props;
  const { onArrive = ignore, onSelectCells = ignore, onPointRow = ignore, onDrawn } = props;
  const place = useRef<HTMLElement>(null);
  const [held] = useState(() => new GridRows(source, rows));
  const [cells] = useState(createCellSelection);
  const { isPicked } = cells;
  /** Whether the last press of the pointer was a click, and no drag. */
  const isClick = useRef(true);
  // The width of the numbers changes with their digits only.
  const digits = isNumbered ? String(rows).length : 0;
  const [cellsOf] = useState(() => createCellsOf(held, isPicked));
  const numbers = useMemo(
    () => (digits > 0 ? [numbersDefinition<Block>(10 ** digits - 1, isPicked)] : []),
    [digits, isPicked],
  );
  const columnDefs = useMemo(
    () => [...numbers, ...definitions(columns, cellsOf)],
    [columns, numbers, cellsOf],
  );
  const headerHeight = headerHeightFor(leavesOf(columns));
  const preventDefaultOnContextMenu = onMenu !== undefined;
  const reportLayout = useEffectEvent((event: LayoutEvent<Row<Block>>) => {
    if (event.source.startsWith('ui') && !('finished' in event && !event.finished))
      onLayout?.(layoutOf(event));
  });
  const openCellMenu = useEffectEvent(({ api, node, column, event }: CellContextMenuEvent<Row<Block>>) => {
    const ids = [column, ...api.getAllDisplayedColumns()].map((shown) => shown.getColId());
    const id = ids.find((id) => id !== numberColumn);
    if (id !== undefined)
      onMenu?.({ row: node.rowIndex, data: held.rowOf(node), column: id, at: eventPoint(event) });
  });
  const openHeadMenu = useEffectEvent(({ column }: { column: object }) => {
    const id = headId(column);
    if (!onMenu || id === null) return;
    const head = place.current?.querySelector(`.ag-header-cell[col-id=${JSON.stringify(id)}]`);
    const box = head?.getBoundingClientRect();
    onMenu({ row: null, data: null, column: id, at: { x: box?.left ?? 0, y: box?.bottom ?? 0 } });
  });
  const clickHead = useEffectEvent(({ column }: { column: object }) => {
    const id = headId(column);
    if (!onHead || id === null) openHeadMenu({ column });
    else if (isClick.current) onHead(id);
  });
  const select = (row: number | null) => {
    if (row !== selected) onSelect(row);
  };
  const openRecord = useEffectEvent(({ rowIndex }: CellDoubleClickedEvent<Row<Block>>) => select(rowIndex));
  const pressKey = useEffectEvent(
    (event: CellKeyDownEvent<Row<Block>> | FullWidthCellKeyDownEvent<Row<Block>>) => {
      const key = event.event instanceof KeyboardEvent ? event.event.key : null;
      if (key === 'Escape') select(null);
      if (key === 'Enter') select(event.rowIndex);
      if (!isCopyKey(event.event)) return;
      const row = held.rowOf(event.node);
      if (onCopy && cells.cells) onCopy(cells.cells);
      else if ('column' in event && row) void copyCell(columns, event.column.getColId(), row);
    },
  );
  const pointRow = useEffectEvent(({ rowIndex }: CellMouseOverEvent<Row<Block>>) => onPointRow(rowIndex));
  /** The library selects the row with the focus by the space bar. */
  const reportSelected = useEffectEvent(({ api: grid, source: cause }: SelectionChangedEvent<Row<Block>>) => {
    if (cause === 'spaceKey') select(grid.getSelectedNodes()[0]?.rowIndex ?? null);
  });
  const changePicked = (grid: GridApi<Row<Block>>, picked: Picked | null) => {
    const { selection: before, cells: cellsBefore } = cells;
    cells.set(picked, shownColumns(grid));
    // Each cell of a row that is refreshed is formatted again.
    const touched = [cellsBefore, cells.cells].flatMap((selected) => selected?.rows ?? []);
    const rowNodes = grid
      .getRenderedNodes()
      .filter(({ rowIndex: row }) => row !== null && touched.some(({ from, to }) => row >= from && row < to));
    grid.refreshCells({ rowNodes, suppressFlash: true });
    markCells(place.current);
    if (before !== cells.selection) onSelectCells(cells.selection);
  };
  const highlightPointed = usePointedRow(place, pointedRow);
  const followFocus = useEffectEvent((event: CellFocusedEvent<Row<Block>>) => {
    const start = cells.startAt(event);
    if (start) changePicked(event.api, pickedCell(start));
    onPointRow(event.rowIndex);
    if (selected !== null && event.rowIndex !== null) select(event.rowIndex);
  });
  const reportDrawn = useEffectEvent(({ api: grid }: Pick<ViewportChangedEvent<Row<Block>>, 'api'>) => {
    const inView = {
      from: Math.max(grid.getFirstDisplayedRowIndex(), 0),
      to: Math.max(grid.getLastDisplayedRowIndex(), 0) + 1,
    };
    held.setInView(grid, inView);
    if (selected !== null) markSelected(grid, selected);
    onDrawn?.(inView, [
      ...new Set(grid.getRenderedNodes().flatMap(({ data }) => (data ? [data.block] : []))),
    ]);
    // The elements of rows and columns follow the event.
    requestAnimationFrame(() => {
      if (cells.cells) markCells(place.current);
      highlightPointed();
    });
  });
  const api = useGrid<Row<Block>>(place, () => ({
    ...options,
    columnDefs,
    ...(headerHeight ? { headerHeight } : {}),
    datasource: held.datasource,
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
    onViewportChanged: reportDrawn,
    onModelUpdated: reportDrawn,
    onVirtualColumnsChanged: reportDrawn,
  }));
  const selection = useSelection({ cells, place, api, rows, source, onChange: changePicked });
  const startSelection = useEffectEvent(selection.start);
  useOption(api, 'columnDefs', columnDefs);
  useOption(api, 'headerHeight', headerHeight);
  useOption(api, 'preventDefaultOnContextMenu', preventDefaultOnContextMenu);
  useEffect(() => {
    if (api) held.show(api, source, rows);
  }, [held, api, source, rows]);
  useEffect(() => {
    if (api) markSelected(api, selected);
  }, [api, selected]);
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
        if (keepsFocus) startSelection({ row, column });
        else api?.setFocusedCell(row, column);
      },
      reveal: (row) => api?.ensureIndexVisible(row, 'top'),
      selected: () => cells.selection,
      reload: () => api?.refreshInfiniteCache(),
      retry: () => api?.purgeInfiniteCache(),
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

const leavesOf = <Block,>(columns: readonly DataColumnOrGroup<Block>[]): DataColumn<Block>[] =>
  columns.flatMap((column) => ('children' in column ? leavesOf(column.children) : [column]));

/** Copies a cell as it is shown, without the spaces that align numbers. */
async function copyCell<Block>(
  columns: readonly DataColumnOrGroup<Block>[],
  id: string,
  { at, block }: Row<Block>,
): Promise<void> {
  const column = leavesOf(columns).find((leaf) => leaf.id === id);
  if (!column) return;
  const text = column.text(at, block).replace(/[\u2007\u2008]+$/, '');
  const sheet = createSheet();
  sheet.add([column.sheetValue ? column.sheetValue(at, block) : text]);
  await copyText(text, sheet.html());
}

/** Marks a row, if it is loaded; null: none. */
function markSelected<Block>(api: GridApi<Row<Block>>, row: number | null): void {
  const node = row === null ? undefined : api.getRowNode(String(row));
  if (node) node.setSelected(true, true);
  else api.deselectAll();
}

/** The id of a header's column; null: a group's header. */
const headId = (column: object): string | null =>
  'getColId' in column && typeof column.getColId === 'function' ? String(column.getColId()) : null;
