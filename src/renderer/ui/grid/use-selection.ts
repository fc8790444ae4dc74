import type { CellFocusedEvent, GridApi } from 'ag-grid-community';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react';
import type { Row } from './columns.ts';
import { isSelectAllKey } from './keys.ts';
import {
  type CellAt,
  type CellSelection,
  isOneCell,
  isSelected,
  movedCell,
  numberColumn,
  type Picked,
  pickedCell,
  selectionOf,
  toggledRow,
} from './selection.ts';

/** How often a drag outside the rows scrolls, in milliseconds. */
const scrollMs = 50;

function cellOf(target: EventTarget | null): CellAt | null {
  if (!(target instanceof Element)) return null;
  const column = target.closest('.ag-cell')?.getAttribute('col-id');
  const row = target.closest('[row-index]')?.getAttribute('row-index');
  return column && row ? { row: Number(row), column } : null;
}

export type CellPicks = ReturnType<typeof createCellSelection>;

/** The selected cells of a grid: the library selects rows only in its free edition. */
export function createCellSelection() {
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

export interface SelectionOptions {
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
export function useSelection({ cells, place, api, rows, of, onChange }: SelectionOptions) {
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
