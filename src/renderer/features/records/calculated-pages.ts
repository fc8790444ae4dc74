import type { Calculation } from '../../../shared/calculated/calculated.ts';
import { needsRowsBefore, readyColumns, type ReadyColumn } from '../../../shared/calculated/calculate.ts';
import { firstWithReach, noReach, type Series } from '../../../shared/calculated/series.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { withCalculatedHeads } from './columns.ts';
import type { Pages, Range } from './pages.ts';
import type { Column, ColumnHead, StoredCell } from './table.ts';

/** What of a result is known to exist. */
interface Extent {
  readonly rows: number;
  /** Whether no row of the query is before the first or after the last one. */
  readonly isAll: boolean;
  /** Whether no row of the query is before the first one. */
  readonly startsAtFirst: boolean;
}

/** A calculated column as the window needs to know it. */
export interface CalculatedFacts extends Pick<ReadyColumn, 'name' | 'unit' | 'problem'> {
  /** Whether it needs rows before its own, which may not be loaded. */
  readonly needsRowsBefore: boolean;
}

/** Pages with further columns that are calculated of them. */
export interface CalculatedPages extends Pages {
  /** Replaces the calculated columns; null: none. */
  readonly calculate: (calculation: Calculation | null) => readonly CalculatedFacts[];
}

/** Rows that are calculated at once when they are read one by one. */
const blockRows = 4096;
const characters = 9;
const noColumns: readonly ReadyColumn[] = [];

/** Adds calculated columns to pages. Their values are calculated when they are read. */
export function createCalculatedPages(pages: Pages, extent: () => Extent): CalculatedPages {
  let columns: ReadonlyMap<string, ReadyColumn> = new Map();
  let calculation: Calculation | null = null;
  /** Values of columns that need rows before their own, of all loaded rows. */
  let whole = new Map<string, Float64Array<ArrayBuffer>>();
  let wholeVersion = '';
  let heads: readonly ColumnHead[] = [];
  let headsOf: readonly ColumnHead[] | null = null;

  function numbersOf(id: string, range: Range): Float64Array<ArrayBuffer> {
    const column = columns.get(id);
    if (!column) return pages.numbers(id, range);
    const { compiled } = column;
    const { from, to } = range;
    if (!compiled) return new Float64Array(to - from).fill(Number.NaN);
    if (needsRowsBefore(column)) return allOf(id, column).slice(from, to);
    const numbers = (field: string) => pages.numbers(field, range);
    return Float64Array.from(compiled.of({ length: to - from, numbers, index: new Float64Array() }));
  }

  /** The values of all loaded rows, calculated again when others are loaded. */
  function allOf(id: string, column: ReadyColumn): Float64Array<ArrayBuffer> {
    const { rows, isAll, startsAtFirst } = extent();
    const version = `${pages.version()} ${rows} ${isAll} ${startsAtFirst}`;
    if (version !== wholeVersion) whole = new Map();
    wholeVersion = version;
    const stored = whole.get(id);
    if (stored) return stored;
    const values = new Float64Array(rows).fill(Number.NaN);
    for (const range of loadedRanges(pages, rows)) writeSegment(values, column, range);
    whole.set(id, values);
    return values;
  }

  /** Writes the values of consecutive loaded rows: by series, and in order of the index. */
  function writeSegment(values: Float64Array, { compiled }: ReadyColumn, range: Range): void {
    if (!compiled || !calculation) return;
    const { rows, isAll, startsAtFirst } = extent();
    const isWhole = isAll && range.from === 0 && range.to === rows;
    const { index: path, fields, series } = calculation;
    const isTime = fields.some(({ id, values: of }) => id === path && of === 'time');
    const index = path === null ? new Float64Array() : pages.numbers(path, range);
    const columnsRead = new Map<string, Float64Array>();
    const read = (id: string): Float64Array => {
      const numbers = columnsRead.get(id) ?? pages.numbers(id, range);
      columnsRead.set(id, numbers);
      return numbers;
    };
    for (const unordered of rowsBySeries(pages, series, range, index)) {
      const order = orderOf(unordered, index);
      if (order === 'mixed' && !isWhole) continue;
      const ordered = inOrder(unordered, index, order);
      const isComplete =
        isWhole ||
        (order === 'ascending'
          ? startsAtFirst && range.from === 0
          : order === 'descending' && isAll && range.to === rows);
      const of: Series = {
        length: ordered.length,
        numbers: (id) => pick(read(id), ordered),
        index: pick(index, ordered).map((at) => (isTime ? at / 1000 : at)),
      };
      const segmentValues = compiled.of(of);
      const first = isComplete ? 0 : firstWithReach(of.index, compiled.reach ?? noReach);
      for (let at = first; at < ordered.length; at += 1)
        values[range.from + (ordered[at] ?? 0)] = segmentValues[at] ?? Number.NaN;
    }
  }

  /** Reads a column row by row. */
  function readerOf(id: string): (row: number) => number | undefined {
    let start = -1;
    let block = new Float64Array();
    return (row) => {
      const from = row - (row % blockRows);
      if (from !== start) {
        start = from;
        block = numbersOf(id, { from, to: Math.min(from + blockRows, extent().rows) });
      }
      const value = block[row - from];
      return value === undefined || Number.isNaN(value) ? undefined : value;
    };
  }

  function columnsOf(): readonly ColumnHead[] {
    const base = pages.columns();
    if (columns.size === 0) return base;
    if (headsOf !== base)
      heads = withCalculatedHeads(
        base,
        [...columns].map(([, { name }]) => ({ path: [name], kind: 'number', characters })),
      );
    headsOf = base;
    return heads;
  }

  return {
    ...pages,
    calculate(next) {
      calculation = next;
      const ready = next ? readyColumns(next) : noColumns;
      columns = new Map(ready.map((column) => [pathId([column.name]), column]));
      wholeVersion = '';
      headsOf = null;
      return ready.map((column) => ({
        name: column.name,
        unit: column.unit,
        problem: column.problem,
        needsRowsBefore: needsRowsBefore(column),
      }));
    },
    columns: columnsOf,
    numbers: numbersOf,
    slice(range) {
      const slice = pages.slice(range);
      if (columns.size === 0) return slice;
      const byId = new Map(slice.columns.map((column) => [pathId(column.path), column]));
      return {
        ...slice,
        columns: columnsOf().map((head): Column => {
          const id = pathId(head.path);
          if (!columns.has(id)) return byId.get(id) ?? { ...head, cells: [] };
          const values = numbersOf(id, { from: range.from, to: Math.min(range.to, extent().rows) });
          return { ...head, cells: Array.from(values, (value) => (Number.isNaN(value) ? undefined : value)) };
        }),
      };
    },
    walk(ids, rows, tell) {
      if (!ids.some((id) => columns.has(id))) return pages.walk(ids, rows, tell);
      const readers = ids.map((id) => (columns.has(id) ? readerOf(id) : null));
      const cells: StoredCell[] = ids.map(() => undefined);
      return pages.walk(ids, rows, (row, stored) => {
        for (const [at, read] of readers.entries()) cells[at] = read ? read(row) : stored[at];
        tell(row, cells);
      });
    },
  };
}

function loadedRanges(pages: Pages, rows: number): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  for (const gap of [...pages.missing({ from: 0, to: rows }), { from: rows, to: rows }]) {
    if (gap.from > from) ranges.push({ from, to: gap.from });
    from = gap.to;
  }
  return ranges;
}

/** The rows of each series that have an index, as numbers from the start of a range. */
function rowsBySeries(
  pages: Pages,
  ids: readonly string[],
  range: Range,
  index: Float64Array,
): readonly number[][] {
  const rows = new Map<string, number[]>();
  pages.walk(ids, [range], (row, cells) => {
    const at = row - range.from;
    if (Number.isNaN(index[at] ?? Number.NaN)) return;
    const key = cells.map(String).join('\n');
    const seriesRows = rows.get(key);
    if (seriesRows) seriesRows.push(at);
    else rows.set(key, [at]);
  });
  return [...rows.values()];
}

type Order = 'ascending' | 'descending' | 'mixed';

function orderOf(rows: readonly number[], index: Float64Array): Order {
  let [isAscending, isDescending] = [true, true];
  for (let at = 1; at < rows.length; at += 1) {
    const [before = 0, after = 0] = [index[rows[at - 1] ?? 0], index[rows[at] ?? 0]];
    if (after < before) isAscending = false;
    if (after > before) isDescending = false;
  }
  if (isAscending) return 'ascending';
  return isDescending ? 'descending' : 'mixed';
}

function inOrder(rows: readonly number[], index: Float64Array, order: Order): readonly number[] {
  if (order === 'ascending') return rows;
  if (order === 'descending') return rows.toReversed();
  return rows.toSorted((row, other) => (index[row] ?? 0) - (index[other] ?? 0));
}

const pick = (values: Float64Array, rows: readonly number[]): Float64Array =>
  Float64Array.from(rows, (row) => values[row] ?? Number.NaN);
