import type { JsonValue } from '../../../shared/json.ts';
import { columnOrder, pathId, withChunks } from './columns.ts';
import { cellOf, type Chunk } from './chunk.ts';
import { gather, spread } from './spread.ts';
import type { Cell, Column, ColumnHead, HeldCell, Slice } from './table.ts';

/** Rows that stand together, as columns. */
interface Page {
  readonly from: number;
  readonly rows: number;
  /** What it weighs: the size of the JSON text that it came in. */
  readonly bytes: number;
  readonly chunks: readonly Chunk[];
  readonly byId: ReadonlyMap<string, Chunk>;
  used: number;
}

/** A stretch of rows; `to` is not included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The pages of one answer that are held, and what has been learnt of its columns. */
export interface Pages {
  /** Takes in records that begin at row `from`. Pages that were not used for longest go when it gets too much. */
  readonly add: (from: number, records: readonly JsonValue[], bytes: number) => void;
  /** Which of the rows are not held. */
  readonly missing: (range: Range) => Range[];
  /** The rows as columns, absent where they are not held. */
  readonly slice: (range: Range) => Slice;
  /** The numbers of a column; NaN where there is none, and where rows are not held. */
  readonly numbers: (id: string, range: Range) => Float64Array<ArrayBuffer>;
  /** The cells of a column; undefined where rows are not held. */
  readonly cells: (id: string, range: Range) => Cell[];
  /** One record, whole; undefined when it is not held. */
  readonly record: (row: number) => JsonValue | undefined;
  /**
   * Tells the cells of columns row by row, of all rows that are held or of those of `rows` that are. The array of cells
   * is the same one each time.
   */
  readonly walk: (
    ids: readonly string[],
    rows: readonly number[] | null,
    tell: (row: number, cells: readonly HeldCell[]) => void,
  ) => void;
  /** Every column met so far, in the order for reading. */
  readonly columns: () => readonly ColumnHead[];
  /** How many rows are held. */
  readonly held: () => number;
  /** How many stretches of rows are missing before the last row that is held. */
  readonly gaps: () => number;
}

/** @param most bytes (of JSON text) that are held at a time, at least one page */
export function createPages(most: number): Pages {
  /** By their first rows. */
  let pages: Page[] = [];
  let heads: ReadonlyMap<string, ColumnHead> = new Map();
  let ordered: readonly ColumnHead[] | null = null;
  let uses = 0;

  const overlapping = ({ from, to }: Range) =>
    pages.filter((page) => page.from < to && page.from + page.rows > from);
  const use = (page: Page) => {
    uses += 1;
    page.used = uses;
  };

  function learn(chunks: readonly Chunk[]): void {
    heads = withChunks(heads, chunks);
    ordered = null;
  }

  function trim(kept: Page): void {
    let bytes = pages.reduce((sum, page) => sum + page.bytes, 0);
    const oldestFirst = pages.toSorted((a, b) => a.used - b.used);
    const going = new Set<Page>();
    for (const page of oldestFirst) {
      if (bytes <= most) break;
      if (page === kept) continue;
      going.add(page);
      bytes -= page.bytes;
    }
    if (going.size > 0) pages = pages.filter((page) => !going.has(page));
  }

  return {
    add(from, records, bytes) {
      const chunks = spread(records);
      const page: Page = {
        from,
        rows: records.length,
        bytes,
        chunks,
        byId: new Map(chunks.map((chunk) => [pathId(chunk.path), chunk])),
        used: 0,
      };
      use(page);
      // What comes again replaces what was held of the same rows.
      const again = overlapping({ from, to: from + records.length });
      pages = [...pages.filter((other) => !again.includes(other)), page].toSorted((a, b) => a.from - b.from);
      learn(chunks);
      trim(page);
    },
    missing({ from, to }) {
      const gaps: Range[] = [];
      let next = from;
      for (const page of overlapping({ from, to })) {
        if (page.from > next) gaps.push({ from: next, to: page.from });
        next = Math.max(next, page.from + page.rows);
      }
      if (next < to) gaps.push({ from: next, to });
      return gaps;
    },
    slice({ from, to }) {
      const touched = overlapping({ from, to });
      touched.forEach(use);
      const columns = columnsOf();
      return {
        from,
        rows: to - from,
        columns: columns.map((head): Column => ({
          ...head,
          cells: cellsOf(touched, pathId(head.path), from, to),
        })),
      };
    },
    numbers(id, { from, to }) {
      const numbers = new Float64Array(to - from).fill(Number.NaN);
      for (const page of overlapping({ from, to })) {
        const first = Math.max(from, page.from);
        const end = Math.min(to, page.from + page.rows);
        page.byId.get(id)?.numbers(first - page.from, end - page.from, numbers, first - from);
      }
      return numbers;
    },
    cells: (id, { from, to }) => cellsOf(overlapping({ from, to }), id, from, to),
    record(row) {
      const page = overlapping({ from: row, to: row + 1 })[0];
      if (!page) return undefined;
      use(page);
      return gather(page.chunks, row - page.from);
    },
    walk(ids, rows, tell) {
      const cells: HeldCell[] = ids.map(() => undefined);
      for (const page of pages) {
        const chunks = ids.map((id) => page.byId.get(id));
        const end = page.from + page.rows;
        const its = rows?.filter((row) => row >= page.from && row < end) ?? null;
        for (let at = 0; at < (its?.length ?? page.rows); at += 1) {
          const row = its?.[at] ?? page.from + at;
          chunks.forEach((chunk, column) => {
            cells[column] = chunk?.held(row - page.from);
          });
          tell(row, cells);
        }
      }
    },
    columns: columnsOf,
    held: () => pages.reduce((sum, { rows }) => sum + rows, 0),
    gaps: () =>
      pages.filter(({ from }, at) => {
        const before = pages[at - 1];
        return from > (before ? before.from + before.rows : 0);
      }).length,
  };

  function columnsOf(): readonly ColumnHead[] {
    ordered ??= columnOrder([...heads.values()]);
    return ordered;
  }
}

function cellsOf(pages: readonly Page[], id: string, from: number, to: number): Cell[] {
  const cells = Array.from<Cell>({ length: to - from });
  for (const page of pages) {
    const chunk = page.byId.get(id);
    if (!chunk) continue;
    const end = Math.min(to, page.from + page.rows);
    for (let row = Math.max(from, page.from); row < end; row += 1)
      cells[row - from] = cellOf(chunk.held(row - page.from));
  }
  return cells;
}
