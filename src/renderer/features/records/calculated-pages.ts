import type { Calculation } from '../../../shared/calculated/calculated.ts';
import { needsRowsBefore, readyColumns, type ReadyColumn } from '../../../shared/calculated/compile.ts';
import type { Series } from '../../../shared/calculated/series.ts';
import { valueOrNaN } from '../../../shared/upload/null-tokens.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { maxOf } from '../../../shared/lists.ts';
import { withCalculatedHeads } from './columns.ts';
import type { RecordsMemory, Pages, Range } from './pages.ts';
import type { Column, ColumnHead, Slice, StoredCell } from './table.ts';

/** What of a result is known to exist. */
interface Extent {
  readonly rows: number;
  /** Whether no row of the query is before the first or after the last one. */
  readonly isAll: boolean;
  /** Whether no row of the query is before the first one. */
  readonly startsAtFirst: boolean;
}

export interface CalculatedFacts extends Pick<ReadyColumn, 'name' | 'unit' | 'problem'> {
  /** Whether it needs rows before its own, which may not be loaded. */
  readonly needsRowsBefore: boolean;
  /** Whether no row has a value, because the rows before aren't loaded. */
  readonly isOutOfReach: boolean;
}

/** Values of all loaded rows. */
interface Whole {
  /** Of the rows that they were calculated of. */
  readonly version: string;
  /** By path id. */
  readonly values: ReadonlyMap<string, Float64Array<ArrayBuffer>>;
  /** The columns without a row whose rows before are loaded. */
  readonly emptyIds: ReadonlySet<string>;
}

/** Consecutive rows of one series, in order of the index. */
interface Segment {
  /** The row of the pages that the rows are counted from. */
  readonly from: number;
  readonly rows: readonly number[];
  readonly series: Series;
  /** Whether it begins with the first row of its series. */
  readonly isComplete: boolean;
}

/** Rows that are calculated at once when they are read one by one. */
const blockRows = 4096;
const characters = 9;
const noColumns: readonly ReadyColumn[] = [];
const noFacts = { unit: null, needsRowsBefore: false, isOutOfReach: false };
const takenProblem = 'The result already contains a column with this name. Enter another name.';

/**
 * Adds calculated columns to pages. Their values are calculated when they are read.
 * @param memory counts the values that are kept
 */
export function createCalculatedPages(
  pages: Pages,
  extent: () => Extent,
  memory: Pick<RecordsMemory, 'join'>,
) {
  let columns: ReadonlyMap<string, ReadyColumn> = new Map();
  let calculation: Calculation | null = null;
  let whole: Whole | null = null;
  let heads: readonly ColumnHead[] = [];
  let headsOf: readonly ColumnHead[] | null = null;
  const leave = memory.join({
    pages: () => [],
    isReloadable: false,
    isVisible: () => true,
    evict: () => undefined,
    otherBytes: () =>
      [...(whole?.values.values() ?? [])].reduce((sum, { byteLength }) => sum + byteLength, 0),
  });

  function numbersOf(id: string, range: Range): Float64Array<ArrayBuffer> {
    const column = columns.get(id);
    if (!column) return pages.numbers(id, range);
    const { compiled } = column;
    const { from, to } = range;
    if (!compiled) return new Float64Array(to - from).fill(Number.NaN);
    if (needsRowsBefore(column)) return (wholeOf().values.get(id) ?? new Float64Array()).slice(from, to);
    const numbers = (field: string) => pages.numbers(field, range);
    return Float64Array.from(compiled.of({ length: to - from, numbers, index: new Float64Array() }));
  }

  /** The values of the columns that need rows before their own, calculated again when other rows are loaded. */
  function wholeOf(): Whole {
    const { rows, isAll, startsAtFirst } = extent();
    const version = `${pages.version()} ${rows} ${isAll} ${startsAtFirst}`;
    if (whole?.version === version) return whole;
    const ofRows = [...columns].filter(([, column]) => needsRowsBefore(column));
    const values = new Map(ofRows.map(([id]) => [id, new Float64Array(rows).fill(Number.NaN)]));
    const ranges = ofRows.length === 0 ? [] : loadedRanges(pages, rows);
    const reachedIds = new Set<string>();
    for (const range of ranges)
      for (const segment of segmentsOf(range))
        for (const [id, column] of ofRows)
          if (writeSegment(values.get(id), column, segment)) reachedIds.add(id);
    const emptyIds = ranges.length === 0 ? [] : [...values.keys()].filter((id) => !reachedIds.has(id));
    whole = { version, values, emptyIds: new Set(emptyIds) };
    return whole;
  }

  /** Consecutive loaded rows by series, in order of the index, that can be calculated. */
  function segmentsOf(range: Range): Segment[] {
    if (!calculation) return [];
    const { rows, isAll, startsAtFirst } = extent();
    const isWhole = isAll && range.from === 0 && range.to === rows;
    const { index: path, fields, series } = calculation;
    const isTime = fields.some(({ id, values: of }) => id === path && of === 'time');
    const stored = path === null ? new Float64Array() : pages.numbers(path, range);
    const index = isTime ? stored.map((at) => at / 1000) : stored.map(valueOrNaN);
    const columnsRead = new Map<string, Float64Array>();
    const read = (id: string): Float64Array => {
      const numbers = columnsRead.get(id) ?? pages.numbers(id, range);
      columnsRead.set(id, numbers);
      return numbers;
    };
    const all = rowsBySeries(pages, series, range, index);
    const order = calculation.order === 'unknown' ? commonOrder(all, index) : calculation.order;
    const isComplete =
      isWhole || (order === 'ascending' ? startsAtFirst && range.from === 0 : isAll && range.to === rows);
    return all.flatMap((unordered): Segment[] => {
      const isSorted = order !== 'none' && isOrdered(unordered, index, order);
      // Rows of a part are only consecutive if all of them are sorted by the index.
      if (!isSorted && !isWhole) return [];
      const ordered = !isSorted
        ? unordered.toSorted((row, other) => (index[row] ?? 0) - (index[other] ?? 0))
        : order === 'ascending'
          ? unordered
          : unordered.toReversed();
      const of: Series = {
        length: ordered.length,
        numbers: (id) => pick(read(id), ordered),
        index: pick(index, ordered),
      };
      return [{ from: range.from, rows: ordered, series: of, isComplete }];
    });
  }

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
        base.filter(({ path }) => !columns.has(pathId(path))),
        [...columns].map(([, { name }]) => ({ path: [name], kind: 'number', characters })),
      );
    headsOf = base;
    return heads;
  }

  return {
    ...pages,
    /** Replaces the calculated columns; null: none. */
    calculate(next: Calculation | null): readonly CalculatedFacts[] {
      calculation = next;
      const storedIds = new Set(pages.columns().map(({ path }) => pathId(path)));
      const isTaken = ({ name }: { readonly name: string }) => storedIds.has(pathId([name]));
      const ready = next
        ? readyColumns({ ...next, columns: next.columns.filter((column) => !isTaken(column)) })
        : noColumns;
      columns = new Map(ready.map((column) => [pathId([column.name]), column]));
      whole = null;
      headsOf = null;
      const { emptyIds } = wholeOf();
      const calculated = [...columns].map(([id, column]) => {
        return {
          name: column.name,
          unit: column.unit,
          problem: column.problem,
          needsRowsBefore: needsRowsBefore(column),
          isOutOfReach: emptyIds.has(id),
        };
      });
      const taken = next?.columns.filter(isTaken) ?? [];
      return [...calculated, ...taken.map(({ name }) => ({ ...noFacts, name, problem: takenProblem }))];
    },
    needsRowsBefore(id: string): boolean {
      const column = columns.get(id);
      return column !== undefined && needsRowsBefore(column);
    },
    columns: columnsOf,
    numbers: numbersOf,
    release(): void {
      leave();
      whole = null;
      pages.release();
    },
    slice(range: Range): Slice {
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
    walk(...[ids, rows, tell]: Parameters<Pages['walk']>): void {
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

/** Writes the values of a segment. Returns whether it has a row whose rows before are loaded. */
function writeSegment(
  values: Float64Array | undefined,
  { compiled }: ReadyColumn,
  { from, rows, series, isComplete }: Segment,
): boolean {
  if (!values || !compiled) return false;
  const segmentValues = compiled.of(series);
  const first = isComplete ? 0 : (compiled.firstInReach?.(series.index, 0) ?? 0);
  for (let at = first; at < rows.length; at += 1)
    values[from + (rows[at] ?? 0)] = segmentValues[at] ?? Number.NaN;
  return first < rows.length;
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

type Order = 'ascending' | 'descending';

function isOrdered(rows: readonly number[], index: Float64Array, order: Order): boolean {
  const sign = order === 'ascending' ? 1 : -1;
  return rows.every((row, at) => {
    const before = rows[at - 1];
    return before === undefined || sign * ((index[row] ?? 0) - (index[before] ?? 0)) >= 0;
  });
}

/** Fewer rows than this could be in an order by chance. */
const fewestRowsOfOrder = 10;

function commonOrder(all: readonly (readonly number[])[], index: Float64Array): Order | 'none' {
  if (maxOf([0, ...all.map(({ length }) => length)]) < fewestRowsOfOrder) return 'none';
  const orders = (['ascending', 'descending'] as const).filter((order) =>
    all.every((rows) => isOrdered(rows, index, order)),
  );
  return orders[0] ?? 'none';
}

const pick = (values: Float64Array, rows: readonly number[]): Float64Array =>
  Float64Array.from(rows, (row) => values[row] ?? Number.NaN);
