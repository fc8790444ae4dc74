import type { FileRow } from './rows.ts';
import type { Finding } from './scan.ts';

const remembered = 20;

export interface FootWatch {
  add(row: FileRow): void;
  /** Rows at the very end that don't look like data, such as a source note under a table; null: none. */
  found(): Finding | null;
}

/** Watches for rows that fill at most one of several columns; where such rows are usual, they are data. */
export function createFootWatch(columns: number): FootWatch {
  let rows = 0;
  let sparse = 0;
  const last: { line: number; sparse: boolean }[] = [];
  const isSparse = ({ cells, problem }: FileRow): boolean => {
    if (problem !== null || columns < 2) return false;
    if (columns === 2) return cells.length === 1;
    let filled = 0;
    for (const cell of cells) if (cell !== '' && cell.trim() !== '' && ++filled > 1) return false;
    return true;
  };
  return {
    add(row) {
      const found = isSparse(row);
      rows++;
      if (found) sparse++;
      last.push({ line: row.record.line, sparse: found });
      if (last.length > remembered) last.shift();
    },
    found() {
      let count = 0;
      let line = 0;
      for (const row of last.toReversed()) {
        if (!row.sparse) break;
        count++;
        line = row.line;
      }
      const elsewhere = sparse - count;
      if (count === 0 || count === rows || elsewhere * 50 > rows) return null;
      return { count, line };
    },
  };
}
