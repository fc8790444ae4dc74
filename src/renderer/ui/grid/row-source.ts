import type { GridApi, IDatasource, IGetRowsParams, IRowNode } from 'ag-grid-community';

/** Rows `from` to `to` (exclusive). */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** A row: its place in a block of rows, whose values don't change. */
export interface Row<Block> {
  readonly block: Block;
  readonly at: number;
}

export interface RowSource<Block> {
  /** A row that needs no request; null: it loads with its block. */
  readonly loadedRow: (row: number) => Row<Block> | null;
  /** Loads rows as a block, whose first row is at 0; absent: all are known. A failure is a block, too. */
  readonly load?: (range: RowRange, signal: AbortSignal) => Promise<Block>;
}

/** Rows whose columns need only their numbers. */
export const numberedRows: RowSource<void> = { loadedRow: (row) => ({ block: undefined, at: row }) };

/** The rows in a block, the blocks to load around those in view, and the maximum number of blocks in the grid. */
export const blockLimits = { rows: 100, around: 2, kept: 40 } as const;

interface BlockRequest<Block> {
  readonly range: RowRange;
  readonly answer: (rows: readonly Row<Block>[]) => void;
  /** Null: it waits while its block is out of view. */
  running: AbortController | null;
}

const rowsIn = <T>({ from, to }: RowRange, rowAt: (row: number) => T): T[] =>
  Array.from({ length: to - from }, (_, at) => rowAt(from + at));

/** Whether ranges overlap when one is extended in both directions. */
const isNear = (a: RowRange, b: RowRange, rows: number): boolean =>
  a.from < b.to + rows && b.from - rows < a.to;

/**
 * The rows of one source. The grid keeps their blocks, and drops late answers to requests of another source or from before
 * a reload. Blocks in view load before their neighbors; a request for a block that was scrolled past is aborted and waits.
 */
class BlockLoader<Block> implements IDatasource {
  readonly source: RowSource<Block>;
  rows: number;
  /** By first row. */
  readonly #requests = new Map<number, BlockRequest<Block>>();
  #inView: RowRange = { from: 0, to: 1 };

  constructor(source: RowSource<Block>, rows: number) {
    this.source = source;
    this.rows = rows;
  }

  getRows({ startRow, endRow, successCallback }: IGetRowsParams): void {
    const { loadedRow } = this.source;
    const to = this.source.load ? Math.min(endRow, this.rows) : endRow;
    const answer = (rows: readonly Row<Block>[]) => successCallback([...rows], this.rows);
    this.#requests.get(startRow)?.running?.abort();
    this.#requests.delete(startRow);
    const rows = rowsIn({ from: startRow, to }, loadedRow).filter((row) => row !== null);
    if (rows.length === to - startRow) answer(rows);
    else this.#requests.set(startRow, { range: { from: startRow, to }, answer, running: null });
    this.#update();
  }

  setInView(range: RowRange): void {
    this.#inView = range;
    this.#update();
  }

  #update(): void {
    const near = (blocks: number) =>
      [...this.#requests.values()].filter(({ range }) =>
        isNear(range, this.#inView, blocks * blockLimits.rows),
      );
    const [inView, wanted] = [near(0), near(blockLimits.around)];
    for (const request of this.#requests.values())
      if (!wanted.includes(request)) {
        request.running?.abort();
        request.running = null;
      }
    // A second request for neighbors would delay visible rows.
    for (const request of inView.length > 0 ? inView : wanted) if (!request.running) void this.#run(request);
  }

  async #run(request: BlockRequest<Block>): Promise<void> {
    const controller = new AbortController();
    request.running = controller;
    const block = await this.source.load?.(request.range, controller.signal);
    if (controller.signal.aborted || block === undefined) return;
    this.#requests.delete(request.range.from);
    request.answer(rowsIn({ from: 0, to: request.range.to - request.range.from }, (at) => ({ block, at })));
    this.#update();
  }

  /** Called by the grid when it has another source, or ends. */
  destroy(): void {
    for (const { running } of this.#requests.values()) running?.abort();
    this.#requests.clear();
  }
}

/** The rows of a grid, which shows one source after another. */
export class GridRows<Block> {
  #loader: BlockLoader<Block>;

  constructor(source: RowSource<Block>, rows: number) {
    this.#loader = new BlockLoader(source, rows);
  }

  get datasource(): IDatasource {
    return this.#loader;
  }

  /** The row of a node, also before the grid has its block; null: it isn't loaded. */
  readonly rowOf = (node: Pick<IRowNode<Row<Block>>, 'data' | 'rowIndex'> | null): Row<Block> | null =>
    node?.data ?? (node?.rowIndex == null ? null : this.#loader.source.loadedRow(node.rowIndex));

  /** Shows another number of rows, or another source from its top; the horizontal position stays. */
  show(api: GridApi<Row<Block>>, source: RowSource<Block>, rows: number): void {
    const loader = this.#loader;
    const before = loader.rows;
    if (source !== loader.source) {
      this.#loader = new BlockLoader(source, rows);
      api.clearFocusedCell();
      api.setGridOption('datasource', this.#loader);
    }
    this.#loader.rows = rows;
    if (api.getDisplayedRowCount() !== rows) api.setRowCount(rows, true);
    if (source !== loader.source) {
      if (rows > 0) api.ensureIndexVisible(0, 'top');
    } else if (rows > before && before % blockLimits.rows > 0 && !source.loadedRow(before)) {
      // The last block has become longer.
      api.refreshInfiniteCache();
    }
  }

  /** Loads what is in view, and some blocks around it. */
  setInView(api: GridApi<Row<Block>>, inView: RowRange): void {
    this.#loader.setInView(inView);
    if (!this.#loader.source.load) return;
    const { rows, around } = blockLimits;
    const [first, last] = [inView.from, inView.to - 1].map((row) => row - (row % rows));
    // The grid creates the block of a row that it is asked for.
    for (let step = rows; step <= around * rows; step += rows)
      for (const row of [(last ?? 0) + step, (first ?? 0) - step])
        if (row >= 0 && row < this.#loader.rows) api.getDisplayedRowAtIndex(row);
  }
}
