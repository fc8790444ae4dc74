import { plainKinds } from './plain-cells.ts';
import type { PlainCells } from './plain-cells.ts';
import type { FileRow } from './rows.ts';
import type { Finding } from './gathering.ts';

const remembered = 20;

/** Whether at most one cell is filled. */
function isSparsePlain(cells: PlainCells): boolean {
  let filled = 0;
  for (let index = 0; index < cells.count; index++) {
    const kind = cells.kinds[index];
    if (kind === plainKinds.empty || (kind === plainKinds.other && cells.text(index).trim() === '')) continue;
    if (++filled > 1) return false;
  }
  return true;
}

/** What is remembered of rows so that their foot is found. */
export interface Foot {
  readonly rows: number;
  /** Rows that fill at most one of several columns. */
  readonly sparse: number;
  /** The line of each of the last rows, negative for a sparse one. */
  readonly last: readonly number[];
}

export interface FootWatch {
  add(row: FileRow): void;
  /** All rows so far. */
  seen(): Foot;
}

/** Watches for rows that fill at most one of several columns; where such rows are usual, they are data. */
export function createFootWatch(columns: number): FootWatch {
  let rows = 0;
  let sparse = 0;
  /** The line of each of the last rows, negative for a sparse one; a row's place is its number modulo their count. */
  const last = new Float64Array(remembered);
  const isSparse = (row: FileRow): boolean => {
    const { plain } = row;
    if (plain) return columns >= 2 && (columns === 2 ? plain.count === 1 : isSparsePlain(plain));
    const { cells, problem } = row;
    if (problem !== null || columns < 2) return false;
    if (columns === 2) return cells.length === 1;
    let filled = 0;
    for (const cell of cells) if (cell !== '' && cell.trim() !== '' && ++filled > 1) return false;
    return true;
  };
  return {
    add(row) {
      const found = isSparse(row);
      last[rows % remembered] = found ? -row.record.line : row.record.line;
      rows++;
      if (found) sparse++;
    },
    seen() {
      const known = Math.min(rows, remembered);
      const places = Array.from({ length: known }, (_, index) => (rows - known + index) % remembered);
      return { rows, sparse, last: places.map((place) => last[place] ?? 0) };
    },
  };
}

/** The rows of two parts that follow one another. @param by the lines of the first */
export const joinFeet = (a: Foot, b: Foot, by: number): Foot => ({
  rows: a.rows + b.rows,
  sparse: a.sparse + b.sparse,
  last: [...a.last, ...b.last.map((line) => (line < 0 ? line - by : line + by))].slice(-remembered),
});

/** Rows at the very end that don't look like data, such as a source note under a table; null: none. */
export function footOf({ rows, sparse, last }: Foot): Finding | null {
  const data = last.findLastIndex((line) => line > 0);
  const [first, ...others] = last.slice(data + 1);
  if (first === undefined) return null;
  const count = others.length + 1;
  const elsewhere = sparse - count;
  return count === rows || elsewhere * 50 > rows ? null : { count, line: -first };
}
