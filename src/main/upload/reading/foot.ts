import { plainKinds } from './plain-cells.ts';
import type { PlainCells } from './plain-cells.ts';
import type { FileRow } from './rows.ts';
import type { Finding } from './scan.ts';

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

export interface FootWatch {
  add(row: FileRow): void;
  /** Rows at the very end that don't look like data, such as a source note under a table; null: none. */
  found(): Finding | null;
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
    found() {
      let count = 0;
      let line = 0;
      for (; count < Math.min(rows, remembered); count++) {
        const row = last[(rows - 1 - count) % remembered] ?? 0;
        if (row > 0) break;
        line = -row;
      }
      const elsewhere = sparse - count;
      if (count === 0 || count === rows || elsewhere * 50 > rows) return null;
      return { count, line };
    },
  };
}
