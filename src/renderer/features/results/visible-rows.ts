import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { RowRange, RowSource } from '../../ui/grid/index.ts';
import { pathId } from '../../../shared/column-paths.ts';
import type { Records } from '../records/records.ts';
import type { Cell, Slice } from '../records/table.ts';

/** The status of a row: loaded, loading, or failed. */
export type RowStatus = 'loaded' | 'loading' | AppError;

/**
 * The visible rows and some around them; the records worker has the others. One instance serves all results
 * of a tab, so that the grid stays mounted.
 */
export interface VisibleRows extends RowSource {
  /**
   * Shows another result; the caller renders.
   * @param head the first rows, which are loaded already
   */
  readonly show: (records: Records, head: Slice) => void;
  /** Shows no result and aborts requests. */
  readonly clear: () => void;
  readonly cell: (id: string, row: number) => Cell;
  readonly status: (row: number) => RowStatus;
  /** Requests the rows in view again, because their values have changed. */
  readonly reload: () => void;
  /** Requests failed rows again. */
  readonly retry: () => void;
  /** The first error of visible rows; null: none. */
  readonly problem: () => AppError | null;
}

/** The rows in a block, the blocks to load around the visible ones, and the maximum number of blocks. */
const blockLimits = { rows: 100, around: 2, kept: 60 } as const;

type Block = { readonly cells: ReadonlyMap<string, ArrayLike<Cell>> } | { readonly error: AppError };

export function createVisibleRows(): VisibleRows {
  let records: Records | null = null;
  /** By last use. */
  const loadedBlocks = new Map<number, Block>();
  const requests = new Map<number, AbortController>();
  const listeners = new Set<(range: RowRange) => void>();
  let visibleRange: RowRange = { from: 0, to: 0 };

  const blockOf = (row: number) => Math.floor(row / blockLimits.rows);
  const rangeOf = (block: number): RowRange => ({
    from: block * blockLimits.rows,
    to: (block + 1) * blockLimits.rows,
  });
  function keep(block: number, slice: Slice): void {
    loadedBlocks.set(block, {
      cells: new Map(slice.columns.map(({ path, cells }) => [pathId(path), cells])),
    });
  }

  function notify(range: RowRange): void {
    for (const listener of listeners) listener(range);
  }

  function clear(): void {
    for (const controller of requests.values()) controller.abort();
    requests.clear();
    loadedBlocks.clear();
    records = null;
    visibleRange = { from: 0, to: 0 };
  }

  async function fetch(of: Records, block: number): Promise<void> {
    const controller = new AbortController();
    requests.set(block, controller);
    const { from, to } = rangeOf(block);
    try {
      keep(block, await of.rows({ from, to: Math.min(to, of.shape().rows) }, controller.signal));
    } catch (error) {
      if (controller.signal.aborted) return;
      loadedBlocks.set(block, { error: toAppError(error) });
    } finally {
      if (requests.get(block) === controller) requests.delete(block);
    }
    notify({ from, to });
    // Visible blocks load before their neighbors.
    if (records === of) update();
  }

  function wantedBlocks() {
    const last = blockOf(Math.max((records?.shape().rows ?? 0) - 1, 0));
    const [from, to] = [blockOf(visibleRange.from), blockOf(Math.max(visibleRange.to - 1, 0))];
    const inView = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const around = Array.from({ length: blockLimits.around }, (_, at) => [to + 1 + at, from - 1 - at]).flat();
    const exists = (block: number): boolean => block >= 0 && block <= last;
    return { inView: inView.filter(exists), around: around.filter(exists) };
  }

  function update(): void {
    if (!records) return;
    const { inView, around } = wantedBlocks();
    const now = [...inView, ...around];
    for (const [block, controller] of requests) {
      if (now.includes(block)) continue;
      requests.delete(block);
      controller.abort();
    }
    for (const block of now) {
      const cachedBlock = loadedBlocks.get(block);
      if (cachedBlock) {
        loadedBlocks.delete(block);
        loadedBlocks.set(block, cachedBlock);
        continue;
      }
      // A second request for neighbors would delay visible rows.
      const isNext = inView.includes(block) || inView.every((seenBlock) => loadedBlocks.has(seenBlock));
      if (isNext && !requests.has(block)) void fetch(records, block);
    }
    for (const block of loadedBlocks.keys()) {
      if (loadedBlocks.size <= blockLimits.kept) break;
      if (!now.includes(block)) loadedBlocks.delete(block);
    }
  }

  function isWanted(block: number): boolean {
    const { inView, around } = wantedBlocks();
    return inView.includes(block) || around.includes(block);
  }

  const failedInView = () =>
    [...loadedBlocks].flatMap(([block, it]) => ('error' in it && isWanted(block) ? [{ block, ...it }] : []));

  return {
    show(next, head) {
      clear();
      records = next;
      visibleRange = { from: 0, to: head.rows };
      if (head.rows === blockLimits.rows || head.rows === next.shape().rows) keep(0, head);
    },
    clear,
    setVisible(range) {
      visibleRange = range;
      update();
    },
    onLoaded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    cell(id, row) {
      const block = loadedBlocks.get(blockOf(row));
      return block && 'cells' in block ? block.cells.get(id)?.[row % blockLimits.rows] : undefined;
    },
    status(row) {
      const block = loadedBlocks.get(blockOf(row));
      if (!block) return 'loading';
      return 'error' in block ? block.error : 'loaded';
    },
    reload() {
      for (const controller of requests.values()) controller.abort();
      requests.clear();
      const { inView } = wantedBlocks();
      for (const block of loadedBlocks.keys()) if (!inView.includes(block)) loadedBlocks.delete(block);
      if (records) for (const block of inView) void fetch(records, block);
    },
    retry() {
      for (const { block } of failedInView()) {
        loadedBlocks.delete(block);
        notify(rangeOf(block));
      }
      update();
    },
    problem: () => failedInView()[0]?.error ?? null,
  };
}
