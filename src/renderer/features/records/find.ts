import { pathId } from '../../../shared/column-paths.ts';
import {
  plainText,
  type TimeZone,
  cellConverter,
  type UnitChanges,
  assetPathOf,
  nameOfWell,
  type WellNames,
} from './shown-cells.ts';
import type { Pages, Range } from './pages.ts';
import type { ColumnHead, StoredCell } from './table.ts';

export interface FindOptions {
  readonly text: string;
  readonly paths: readonly (readonly string[])[];
  readonly zone: TimeZone;
  readonly wellNames: WellNames;
  /** The columns that are shown in another unit. */
  readonly changes: UnitChanges;
}

/** The cells that contain a text. */
export interface FindResult {
  readonly searched: number;
  /** The number of matching cells. */
  readonly hits: number;
  /** The row and the path index of the first ten thousand. */
  readonly rows: Int32Array<ArrayBuffer>;
  readonly columns: Int32Array<ArrayBuffer>;
}

const maxHits = 10_000;

/** Visits cells by row, as `pages.walk`, with the names of wells in their columns. */
export function walkNamed(
  pages: Pages,
  heads: readonly ColumnHead[],
  names: WellNames,
  rows: readonly Range[] | null,
  tell: (row: number, cells: readonly StoredCell[]) => void,
): void {
  const ids = heads.map((head) => pathId(assetPathOf(head)));
  const hasNames = heads.some(({ kind }) => kind === 'well');
  pages.walk(ids, rows, (row, cells) =>
    tell(
      row,
      hasNames
        ? cells.map((cell, at) => (heads[at]?.kind === 'well' ? nameOfWell(names, cell) : cell))
        : cells,
    ),
  );
}

/** Whether a number is one that was typed as cells show it: with separators of thousands, or with zeros at its end. */
function numberTest(text: string): (number: string) => boolean {
  const typed = text.trim();
  if (!/^-?(?:\d{1,3}(?:[,\u00A0\u202F’']\d{3})+|\d+)(?:\.\d+)?$/u.test(typed)) return () => false;
  const digits = typed.replaceAll(/[,\u00A0\u202F’']/gu, '');
  if (/\.\d*0$/.test(digits)) return (number) => number === String(Number(digits));
  return digits === typed ? () => false : (number) => number.startsWith(digits);
}

/** Finds a text in loaded rows, ignoring case. */
export function findText(
  pages: Pages,
  columns: readonly ColumnHead[],
  { text, zone, wellNames, changes }: Omit<FindOptions, 'paths'>,
): FindResult {
  const wanted = text.toLowerCase();
  const isTyped = numberTest(text);
  const rows: number[] = [];
  const at: number[] = [];
  const converters = columns.map(({ path }) => cellConverter(changes, pathId(path)));
  let hits = 0;
  let searched = 0;
  if (wanted !== '')
    walkNamed(pages, columns, wellNames, null, (row, cells) => {
      searched += 1;
      columns.forEach(({ kind }, column) => {
        const cell = cells[column];
        if (cell === undefined) return;
        const shown = cell === null ? 'null' : plainText(converters[column]?.(cell) ?? cell, kind, zone);
        if (!shown.toLowerCase().includes(wanted) && !isTyped(shown)) return;
        hits += 1;
        if (rows.length < maxHits) {
          rows.push(row);
          at.push(column);
        }
      });
    });
  return { searched, hits, rows: Int32Array.from(rows), columns: Int32Array.from(at) };
}
