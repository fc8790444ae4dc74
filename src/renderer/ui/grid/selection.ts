import type { RowRange } from './row-source.ts';
import { maxOf, minOf } from '../../../shared/lists.ts';

/** The column of row numbers; its cells stand for whole rows. */
export const numberColumn = '#';

/** A cell by its row and the id of its column. */
export interface CellAt {
  readonly row: number;
  readonly column: string;
}

/** Selected cells: ascending ranges of rows, and their columns. */
export interface CellSelection {
  readonly rows: readonly RowRange[];
  /** By id, in order; null: whole rows. */
  readonly columns: readonly string[] | null;
}

/** The cells between `anchor`, where the selection began, and `head`; or whole rows, with `more` of them. */
export interface Picked {
  readonly anchor: CellAt;
  readonly head: CellAt;
  readonly more: readonly RowRange[];
}

export const pickedCell = (at: CellAt): Picked => ({ anchor: at, head: at, more: [] });

const areWholeRows = ({ anchor, more }: Picked): boolean => anchor.column === numberColumn || more.length > 0;

export const isOneCell = (picked: Picked): boolean =>
  !areWholeRows(picked) &&
  picked.anchor.row === picked.head.row &&
  picked.anchor.column === picked.head.column;

/** Ascending ranges without overlaps. */
function united(ranges: readonly RowRange[]): RowRange[] {
  const joined: RowRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.to)
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else joined.push(range);
  }
  return joined;
}

const rowsOf = ({ anchor, head, more }: Picked): RowRange[] =>
  united([...more, { from: Math.min(anchor.row, head.row), to: Math.max(anchor.row, head.row) + 1 }]);

/** Whole rows with a row added, or removed if it was selected. Null: none are left. */
export function toggledRow(picked: Picked | null, row: number): Picked | null {
  const rows = picked ? rowsOf(picked) : [];
  const isSelected = rows.some(({ from, to }) => from <= row && row < to);
  if (!isSelected) {
    const at = { row, column: numberColumn };
    return { anchor: at, head: at, more: rows };
  }
  // What is before the row, and after it.
  const left = rows.flatMap(({ from, to }) =>
    [
      { from, to: Math.min(to, row) },
      { from: Math.max(from, row + 1), to },
    ].filter((range) => range.from < range.to),
  );
  const last = left.pop();
  if (!last) return null;
  return {
    anchor: { row: last.from, column: numberColumn },
    head: { row: last.to - 1, column: numberColumn },
    more: left,
  };
}

/** @param shown the ids of the visible columns, in order */
export function selectionOf(picked: Picked, shown: readonly string[]): CellSelection {
  const rows = rowsOf(picked);
  if (areWholeRows(picked)) return { rows, columns: null };
  const ends = [picked.anchor, picked.head].map(({ column }) => Math.max(shown.indexOf(column), 0));
  const columns = shown.slice(minOf(ends), maxOf(ends) + 1);
  return { rows, columns: columns.filter((id) => id !== numberColumn) };
}

/** The only selected cell; null: several, or whole rows. */
export function onlyCell({ rows, columns }: CellSelection): CellAt | null {
  const [column, ...otherColumns] = columns ?? [];
  const row = rows[0]?.from;
  return column === undefined || row === undefined || otherColumns.length > 0 || countRows(rows) > 1
    ? null
    : { row, column };
}

export const isSelected = ({ rows, columns }: CellSelection, { row, column }: CellAt): boolean =>
  rows.some(({ from, to }) => from <= row && row < to) && (columns?.includes(column) ?? true);

/** The cell that a key moves to from another one; null: the key doesn't move. */
export function movedCell(
  { row, column }: CellAt,
  key: string,
  grid: {
    readonly rows: number;
    readonly page: number;
    readonly columns: readonly string[];
    /** Whether the key moves to the edge, with Ctrl. */
    readonly isFar: boolean;
  },
): CellAt | null {
  const { rows, page, columns, isFar } = grid;
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowUp: [isFar ? -rows : -1, 0],
    ArrowDown: [isFar ? rows : 1, 0],
    ArrowLeft: [0, isFar ? -columns.length : -1],
    ArrowRight: [0, isFar ? columns.length : 1],
    PageUp: [-page, 0],
    PageDown: [page, 0],
    Home: [isFar ? -rows : 0, -columns.length],
    End: [isFar ? rows : 0, columns.length],
  };
  const step = steps[key];
  if (!step) return null;
  const within = (at: number, count: number): number => Math.min(Math.max(at, 0), count - 1);
  const place = within(columns.indexOf(column) + step[1], columns.length);
  return {
    row: within(row + step[0], rows),
    column: column === numberColumn ? column : (columns[place] ?? column),
  };
}

export const countRows = (rows: readonly RowRange[]): number =>
  rows.reduce((sum, { from, to }) => sum + to - from, 0);
