import { pathId } from './columns.ts';
import { plainText, type TimeZone } from './cell-text.ts';
import type { Pages } from './pages.ts';
import type { ColumnHead } from './table.ts';

export interface FindOptions {
  readonly text: string;
  readonly paths: readonly (readonly string[])[];
  readonly zone: TimeZone;
}

/** The cells in which a text occurs, row by row. */
export interface Found {
  /** How many rows were searched: those that are held. */
  readonly searched: number;
  /** How many there are. */
  readonly hits: number;
  /** Of the first of them (ten thousand at most): the row, and which of the paths. */
  readonly rows: Int32Array<ArrayBuffer>;
  readonly columns: Int32Array<ArrayBuffer>;
}

const most = 10_000;

/** Looks for a text in the cells of columns, whatever the letters' case, in all rows that are held. */
export function findIn(pages: Pages, columns: readonly ColumnHead[], text: string, zone: TimeZone): Found {
  const wanted = text.toLowerCase();
  const rows: number[] = [];
  const at: number[] = [];
  let hits = 0;
  let searched = 0;
  if (wanted !== '')
    pages.walk(
      columns.map(({ path }) => pathId(path)),
      null,
      (row, cells) => {
        searched += 1;
        columns.forEach(({ kind }, column) => {
          const cell = cells[column];
          if (cell === undefined) return;
          const shown = cell === null ? 'null' : plainText(cell, kind, zone);
          if (!shown.toLowerCase().includes(wanted)) return;
          hits += 1;
          if (rows.length < most) {
            rows.push(row);
            at.push(column);
          }
        });
      },
    );
  return { searched, hits, rows: Int32Array.from(rows), columns: Int32Array.from(at) };
}
