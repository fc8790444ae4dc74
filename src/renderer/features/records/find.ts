import { pathId } from '../../../shared/column-paths.ts';
import {
  plainText,
  type RecordView,
  cellConverter,
  assetPathOf,
  shownWell,
  type WellNames,
  isLogId,
  decimalsOf,
  figureForm,
  maxDecimals,
  roundedDecimals,
  sampledRows,
} from './shown-cells.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import type { Pages, Range } from './pages.ts';
import type { ColumnHead, StoredCell } from './table.ts';

export interface FindOptions extends Omit<RecordView, 'names'> {
  readonly text: string;
  readonly paths: readonly (readonly string[])[];
  /** What separates the decimals of numbers as they are shown; absent: a point. */
  readonly decimalMark?: '.' | ',';
}

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

/** The forms in which numbers are typed as cells show them, by what separates their decimals. */
const typedNumbers = {
  '.': { groups: /[,\u00A0\u202F’']/gu, form: /^-?\d+(?:[,\u00A0\u202F’']\d{1,3})*(?:\.\d+)?$/u },
  ',': { groups: /[.\u00A0\u202F’']/gu, form: /^-?\d+(?:[.\u00A0\u202F’']\d{1,3})*(?:,\d+)?$/u },
} as const;

/** A number with a space before each third digit of its whole part. */
const grouped = (number: string): string => number.replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/gu, ' ');

/** Whether a number is one that was typed as cells show it: with separators, zeros at its end, or rounded. */
function numberTest(text: string, mark: '.' | ',') {
  const typed = text.trim().replace('−', '-');
  const { groups, form } = typedNumbers[mark];
  if (!form.test(typed)) return null;
  const spaced = typed.replaceAll(groups, ' ').replace(',', '.');
  const digits = spaced.replaceAll(' ', '');
  const isPart = (number: string) => (spaced === digits ? number : grouped(number)).includes(spaced);
  return (exact: string, rounded: string | null): boolean =>
    (/\.\d*0$/.test(digits) ? exact === String(Number(digits)) : isPart(exact)) ||
    (rounded !== null && isPart(rounded));
}

/** In a column with more distinct values, each cell is tested. */
const maxDistinct = 10_000;

/** Whether a cell of a column contains the text as it is shown, ignoring case. Each distinct value is tested once. */
function cellTest(
  { path, kind }: ColumnHead,
  pages: Pick<Pages, 'cells' | 'loaded'>,
  { text, zone, changes, logNames, decimalMark = '.' }: Omit<FindOptions, 'paths'>,
) {
  const wanted = text.toLowerCase();
  // Ids of programs are of one well.
  const logs = new Map(isLogId(path) ? [...(logNames?.values() ?? [])].flatMap((names) => [...names]) : []);
  const isTyped = numberTest(text, decimalMark);
  const convert = cellConverter(changes, pathId(path));
  const isOfNumbers = /^[-−+.e\d,\u00A0\u202F’'\s]*$/u.test(wanted);
  const [loaded] = pages.loaded();
  const samples =
    isTyped && loaded && kind !== 'time'
      ? pages
          .cells(pathId(path), {
            from: loaded.from,
            to: Math.min(loaded.from + sampledRows.length, loaded.to),
          })
          .map((cell) => convert?.(cell) ?? cell)
          .flatMap((cell) => (typeof cell === 'number' && !isNullNumber(cell) ? [cell] : []))
      : [];
  const first = samples.length > 0 ? figureForm(samples, false) : null;
  const roundedText = (value: unknown): string | null =>
    typeof value === 'number' && kind !== 'time' && decimalsOf(value) > maxDecimals
      ? value.toFixed(roundedDecimals(value, first, false))
      : null;
  const test = (cell: Exclude<StoredCell, undefined>): boolean => {
    const value = convert?.(cell) ?? cell;
    const shown = cell === null ? 'null' : plainText(value, kind, zone);
    const name = logs.get(shown) ?? '';
    return (
      [shown, name].some((part) => part.toLowerCase().includes(wanted)) ||
      isTyped?.(shown, roundedText(value)) === true
    );
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
  const tests = columns.map((head) => cellTest(head, pages, options));
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
