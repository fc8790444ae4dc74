import { pathId } from '../../../shared/column-paths.ts';
import {
  plainText,
  type TimeZone,
  cellConverter,
  type UnitChanges,
  assetPathOf,
  shownWell,
  type WellNames,
  isLogId,
  type LogNames,
} from './shown-cells.ts';
import type { Pages, Range } from './pages.ts';
import type { ColumnHead, StoredCell } from './table.ts';

export interface FindOptions {
  readonly text: string;
  readonly paths: readonly (readonly string[])[];
  readonly zone: TimeZone;
  readonly wellNames: WellNames;
  /** Absent: logs are shown by their ids. */
  readonly logNames?: LogNames | undefined;
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
  /** Whether all loaded rows were searched. */
  readonly isComplete: boolean;
}

const maxHits = 10_000;
/** The rows between two looks at the clock. */
const partRows = 2048;
/** How long a search keeps the worker from other calls, in milliseconds. */
const sliceMs = 16;
/** How often the matches so far are reported, in milliseconds. */
const reportMs = 100;

/** Visits cells by row, as `pages.walk`, with what the columns of wells show. */
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
        ? cells.map((cell, at) => (heads[at]?.kind === 'well' ? shownWell(names, cell) : cell))
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

/** In a column with more distinct values, each cell is tested. */
const maxDistinct = 10_000;

/** Whether a cell of a column contains the text as it is shown, ignoring case. Each distinct value is tested once. */
function cellTest({ path, kind }: ColumnHead, { text, zone, changes, logNames }: Omit<FindOptions, 'paths'>) {
  const wanted = text.toLowerCase();
  // Ids of programs are of one well.
  const logs = new Map(isLogId(path) ? [...(logNames?.values() ?? [])].flatMap((names) => [...names]) : []);
  const isTyped = numberTest(text);
  const convert = cellConverter(changes, pathId(path));
  const isOfNumbers = /^[-+.e\d,\u00A0\u202F’'\s]*$/u.test(wanted);
  const test = (cell: Exclude<StoredCell, undefined>): boolean => {
    const shown = cell === null ? 'null' : plainText(convert?.(cell) ?? cell, kind, zone);
    const name = logs.get(shown) ?? '';
    return [shown, name].some((part) => part.toLowerCase().includes(wanted)) || isTyped(shown);
  };
  let tested: Map<StoredCell, boolean> | null = new Map();
  return (cell: StoredCell): boolean => {
    if (cell === undefined) return false;
    if (typeof cell === 'number' && kind !== 'time' && !isOfNumbers) return false;
    const before = tested?.get(cell);
    if (before !== undefined) return before;
    const isMatch = test(cell);
    if (tested && tested.size < maxDistinct) tested.set(cell, isMatch);
    else tested = null;
    return isMatch;
  };
}

const otherCalls = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Finds a text in loaded rows, ignoring case.
 * @param report called with the matches so far, soon and then now and again
 */
export async function findText(
  pages: Pages,
  columns: readonly ColumnHead[],
  options: Omit<FindOptions, 'paths'>,
  report?: (matches: FindResult) => void,
  signal?: AbortSignal,
): Promise<FindResult> {
  const tests = columns.map((head) => cellTest(head, options));
  const rows: number[] = [];
  const at: number[] = [];
  let hits = 0;
  let searched = 0;
  const result = (isComplete: boolean): FindResult => ({
    searched,
    hits,
    rows: Int32Array.from(rows),
    columns: Int32Array.from(at),
    isComplete,
  });
  let sliceStart = performance.now();
  let reportedAt = Number.NEGATIVE_INFINITY;
  let reportedHits = 0;
  for (const range of options.text === '' ? [] : pages.loaded())
    for (let from = range.from; from < range.to; from += partRows) {
      const part = { from, to: Math.min(from + partRows, range.to) };
      walkNamed(pages, columns, options.wellNames, [part], (row, cells) => {
        searched += 1;
        for (const [column, isMatch] of tests.entries()) {
          if (!isMatch(cells[column])) continue;
          hits += 1;
          if (rows.length >= maxHits) continue;
          rows.push(row);
          at.push(column);
        }
      });
      const now = performance.now();
      if (hits > reportedHits && now - reportedAt > reportMs) {
        report?.(result(false));
        reportedAt = now;
        reportedHits = hits;
      }
      if (now - sliceStart < sliceMs) continue;
      await otherCalls();
      signal?.throwIfAborted();
      sliceStart = performance.now();
    }
  return result(true);
}
