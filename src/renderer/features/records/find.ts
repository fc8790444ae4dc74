import { pathId } from './columns.ts';
import { plainText, type TimeZone } from './cell-text.ts';
import type { Pages } from './pages.ts';
import type { ColumnHead } from './table.ts';

export interface FindOptions {
  readonly text: string;
  readonly paths: readonly (readonly string[])[];
  readonly zone: TimeZone;
}

/** The cells that contain a text. */
export interface FindResult {
  /** The number of searched rows. */
  readonly searched: number;
  /** The number of matching cells. */
  readonly hits: number;
  /** The row and the path index of the first ten thousand. */
  readonly rows: Int32Array<ArrayBuffer>;
  readonly columns: Int32Array<ArrayBuffer>;
}

const maxHits = 10_000;

/** Finds a text in loaded rows, ignoring case. */
export function findText(
  pages: Pages,
  columns: readonly ColumnHead[],
  text: string,
  zone: TimeZone,
): FindResult {
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
          if (rows.length < maxHits) {
            rows.push(row);
            at.push(column);
          }
        });
      },
    );
  return { searched, hits, rows: Int32Array.from(rows), columns: Int32Array.from(at) };
}
