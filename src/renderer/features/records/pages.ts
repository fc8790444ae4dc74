import type { JsonValue } from '../../../shared/json.ts';
import { append } from '../../../shared/lists.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { columnOrder, columnsNamed, updateHeads } from './columns.ts';
import { cellOf, type Chunk, toRecord, toColumns } from './chunk.ts';
import type { Cell, Column, ColumnHead, StoredCell, Slice } from './table.ts';

/** Consecutive rows as columns. */
interface RecordPage {
  readonly from: number;
  readonly rows: number;
  /** Its size in bytes of JSON. */
  readonly bytes: number;
  readonly chunks: readonly Chunk[];
  readonly byId: ReadonlyMap<string, Chunk>;
  used: number;
}

/** A range of rows; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The loaded pages of a result and its columns. */
export type Pages = ReturnType<typeof createPages>;

interface PagesOptions {
  readonly memory: RecordsMemory;
  /** Whether evicted pages can be loaded again; default true. */
  readonly isReloadable?: boolean;
  /** The columns of a table in its order; absent: those of the records, in display order. */
  readonly names?: readonly string[] | undefined;
  /** Rows were evicted, perhaps for another result. */
  readonly onEvict?: () => void;
}

export function createPages({ memory, isReloadable = true, names, onEvict }: PagesOptions) {
  /** By first row. */
  let pages: RecordPage[] = [];
  let version = 0;
  let heads: ReadonlyMap<string, ColumnHead> = new Map();
  let ordered: readonly ColumnHead[] | null = null;
  let isVisible = true;
  /** The ranges that were evicted while the tab was hidden. */
  let evictedRanges: Range[] = [];
  const leave = memory.join({
    pages: () => pages,
    isReloadable,
    isVisible: () => isVisible,
    evict(evicted) {
      const remaining = pages.filter((page) => !evicted.has(page));
      if (remaining.length === pages.length) return;
      if (!isVisible)
        for (const page of pages)
          if (evicted.has(page)) evictedRanges.push({ from: page.from, to: page.from + page.rows });
      pages = remaining;
      version += 1;
      onEvict?.();
    },
  });

  const overlapping = ({ from, to }: Range) =>
    pages.filter((page) => page.from < to && page.from + page.rows > from);
  const use = (page: RecordPage) => {
    page.used = memory.nextUse();
  };

  function learn(chunks: readonly Chunk[]): void {
    heads = updateHeads(heads, chunks);
    ordered = null;
  }

  return {
    /** Adds records from row `from`. Beyond the limit of the memory, pages are evicted, also of other results. */
    add(from: number, records: readonly JsonValue[], bytes: number): void {
      const chunks = toColumns(records);
      const page: RecordPage = {
        from,
        rows: records.length,
        bytes,
        chunks,
        byId: new Map(chunks.map((chunk) => [pathId(chunk.path), chunk])),
        used: 0,
      };
      use(page);
      // New records replace loaded ones of the same rows.
      const again = overlapping({ from, to: from + records.length });
      pages = [...pages.filter((other) => !again.includes(other)), page].toSorted((a, b) => a.from - b.from);
      version += 1;
      learn(chunks);
      memory.trim(page);
    },
    missing({ from, to }: Range): Range[] {
      const gaps: Range[] = [];
      let next = from;
      for (const page of overlapping({ from, to })) {
        if (page.from > next) gaps.push({ from: next, to: page.from });
        next = Math.max(next, page.from + page.rows);
      }
      if (next < to) gaps.push({ from: next, to });
      return gaps;
    },
    /** The rows as columns; missing rows are absent. */
    slice({ from, to }: Range): Slice {
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
    /** A column's numbers; NaN if there is none or the row is missing. */
    numbers(id: string, { from, to }: Range): Float64Array<ArrayBuffer> {
      const numbers = new Float64Array(to - from).fill(Number.NaN);
      for (const page of overlapping({ from, to })) {
        const first = Math.max(from, page.from);
        const end = Math.min(to, page.from + page.rows);
        page.byId.get(id)?.numbers(first - page.from, end - page.from, numbers, first - from);
      }
      return numbers;
    },
    /** A column's cells; undefined for missing rows. */
    cells: (id: string, { from, to }: Range): Cell[] => cellsOf(overlapping({ from, to }), id, from, to),
    /** A complete record; undefined if missing. */
    record(row: number): JsonValue | undefined {
      const page = overlapping({ from: row, to: row + 1 })[0];
      if (!page) return undefined;
      use(page);
      return toRecord(page.chunks, row - page.from);
    },
    /** Visits the cells of columns by row, for all loaded rows or those in `rows`. The array of cells is reused. */
    walk(
      ids: readonly string[],
      rows: readonly Range[] | null,
      tell: (row: number, cells: readonly StoredCell[]) => void,
    ): void {
      const cells: StoredCell[] = ids.map(() => undefined);
      for (const page of pages) {
        const end = page.from + page.rows;
        const ranges = rows?.filter(({ from, to }) => from < end && to > page.from);
        if (ranges?.length === 0) continue;
        const chunks = ids.map((id) => page.byId.get(id));
        for (const range of ranges ?? [{ from: page.from, to: end }])
          for (let row = Math.max(range.from, page.from); row < Math.min(range.to, end); row += 1) {
            chunks.forEach((chunk, column) => {
              cells[column] = chunk?.held(row - page.from);
            });
            tell(row, cells);
          }
      }
    },
    /** The rows of each loaded page. */
    loaded: (): Range[] => pages.map(({ from, rows }) => ({ from, to: from + rows })),
    /** All columns in display order. */
    columns: columnsOf,
    /** A number that changes when rows are loaded or evicted. */
    version: () => version,
    /** The number of loaded rows. */
    held: () => pages.reduce((sum, { rows }) => sum + rows, 0),
    /** The number of gaps before the last loaded row. */
    gaps: () =>
      pages.filter(({ from }, at) => {
        const before = pages[at - 1];
        return from > (before ? before.from + before.rows : 0);
      }).length,
    /** Whether the tab is in view. @returns the ranges to load again, which were evicted while it was hidden */
    setVisible(isInView: boolean): readonly Range[] {
      isVisible = isInView;
      const ranges = isInView ? evictedRanges : [];
      if (isInView) evictedRanges = [];
      return ranges;
    },
    /** Loads ranges again when the tab is in view next. */
    reloadLater: (ranges: readonly Range[]) => append(evictedRanges, ranges),
    release(): void {
      leave();
      pages = [];
    },
  };

  function columnsOf(): readonly ColumnHead[] {
    ordered ??= names ? columnsNamed(names, [...heads.values()]) : columnOrder([...heads.values()]);
    return ordered;
  }
}

function cellsOf(pages: readonly RecordPage[], id: string, from: number, to: number): Cell[] {
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

interface MemoryPage {
  /** Its size in bytes of JSON. */
  readonly bytes: number;
  /** When it was used last; a higher number is later. */
  used: number;
}

/** The pages of one result. */
interface MemoryOwner<Page extends MemoryPage = MemoryPage> {
  readonly pages: () => readonly Page[];
  readonly isReloadable: boolean;
  /** Whether its tab is in view. */
  readonly isVisible: () => boolean;
  readonly evict: (pages: ReadonlySet<MemoryPage>) => void;
  /** What it holds besides pages, in bytes; absent: nothing. */
  readonly otherBytes?: () => number;
}

export type RecordsMemory = ReturnType<typeof createMemory>;

/**
 * The memory that all results of a window share. Beyond its maximum, pages are evicted: those of hidden tabs first, and
 * then the least recently used ones.
 * @param maxBytes in bytes of JSON; the page that was added last stays, and so do pages that can't be loaded again
 */
export function createMemory(maxBytes: number) {
  const owners = new Set<MemoryOwner>();
  let uses = 0;
  return {
    nextUse: (): number => (uses += 1),
    /** Adds a result. @returns removes it */
    join(owner: MemoryOwner): () => void {
      owners.add(owner);
      return () => void owners.delete(owner);
    },
    /** The size of all pages in bytes of JSON, and of what is held besides them. */
    size: (): number =>
      [...owners].reduce(
        (sum, { pages, otherBytes }) =>
          pages().reduce((pageSum, { bytes }) => pageSum + bytes, sum + (otherBytes?.() ?? 0)),
        0,
      ),
    /** Evicts pages until all fit, except for one. */
    trim(added: MemoryPage): void {
      let bytes = this.size();
      if (bytes <= maxBytes) return;
      const inOrder = [...owners]
        .filter(({ isReloadable }) => isReloadable)
        .flatMap((owner) => owner.pages().map((page) => ({ owner, page, isVisible: owner.isVisible() })))
        .filter(({ page }) => page !== added)
        .toSorted((a, b) => Number(a.isVisible) - Number(b.isVisible) || a.page.used - b.page.used);
      const evicted = new Set<MemoryPage>();
      for (const { page } of inOrder) {
        if (bytes <= maxBytes) break;
        evicted.add(page);
        bytes -= page.bytes;
      }
      for (const owner of owners) owner.evict(evicted);
    },
  };
}
