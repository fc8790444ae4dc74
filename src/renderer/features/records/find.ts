import { pathId } from './column-groups.ts';
import { plainText, type TimeZone } from './cell-text.ts';
import type { Pages } from './pages.ts';
import type { Found } from './records.ts';
import type { ColumnHead } from './table.ts';

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
