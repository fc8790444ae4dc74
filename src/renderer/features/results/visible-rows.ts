import type { AppError } from '../../../shared/errors/errors.ts';
import type { RowRange, RowSource } from '../../ui/grid/index.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { createLatestTask, type LatestTask } from '../../state/latest-task.ts';
import type { Records } from '../records/records.ts';
import type { Cell, Slice } from '../records/table.ts';

/** The status of a row: loaded, loading, or failed. */
export type RowStatus = 'loaded' | 'loading' | AppError;

type RowsOfResult = Pick<Records, 'rows' | 'shape' | 'onGrow'>;

/**
 * The visible rows and some around them; the records worker has the others. One instance serves all results
 * of a tab, so that the grid stays mounted.
 */
export interface VisibleRows extends RowSource {
  /**
   * Shows another result; the caller renders.
   * @param head the first rows, which are loaded already
   */
  readonly show: (records: RowsOfResult, head: Slice) => void;
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

interface LoadedBlock {
  readonly cells: ReadonlyMap<string, ArrayLike<Cell>>;
  /** The row after its last one. The last block of a result can grow. */
  readonly to: number;
  /** Whether values have changed since: it is shown until it is loaded again. */
  readonly isStale?: true;
}
type Block = LoadedBlock | { readonly error: AppError };

const blockOf = (row: number): number => Math.floor(row / blockLimits.rows);

export function createVisibleRows(): VisibleRows {
  let records: RowsOfResult | null = null;
  let stopGrowth: (() => void) | null = null;
  /** By last use. */
  const blocks = new Map<number, Block>();
  /** The requests whose answers are still wanted. */
  const tasks = new Map<number, LatestTask>();
  const listeners = new Set<(range: RowRange) => void>();
  let visibleRange: RowRange = { from: 0, to: 0 };

  const rangeOf = (block: number): RowRange => ({
    from: block * blockLimits.rows,
    to: Math.min((block + 1) * blockLimits.rows, records?.shape().rows ?? 0),
  });
  function keep(block: number, slice: Slice, to: number): void {
    blocks.set(block, { to, cells: new Map(slice.columns.map(({ path, cells }) => [pathId(path), cells])) });
  }
  /** Whether a block needs no request: it has all rows with current values, or failed until it is retried. */
  function isSettled(number: number): boolean {
    const block = blocks.get(number);
    if (!block || 'error' in block) return block !== undefined;
    return !block.isStale && block.to >= rangeOf(number).to;
  }

  function notify(block: number): void {
    const from = block * blockLimits.rows;
    for (const listener of listeners) listener({ from, to: from + blockLimits.rows });
  }

  function drop(block: number): void {
    tasks.get(block)?.drop();
    tasks.delete(block);
  }

  function clear(): void {
    for (const block of tasks.keys()) drop(block);
    blocks.clear();
    stopGrowth?.();
    stopGrowth = null;
    records = null;
    visibleRange = { from: 0, to: 0 };
  }

  function fetch(of: RowsOfResult, block: number): void {
    const task = createLatestTask();
    tasks.set(block, task);
    const range = rangeOf(block);
    const settle = () => {
      tasks.delete(block);
      notify(block);
      // Visible blocks load before their neighbors.
      update();
    };
    void task.run((signal) => of.rows(range, signal), {
      onDone(slice) {
        keep(block, slice, range.to);
        settle();
      },
      onFailed(error) {
        blocks.set(block, { error });
        settle();
      },
      onCanceled: () => undefined,
    });
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
    const wanted = [...inView, ...around];
    for (const block of tasks.keys()) if (!wanted.includes(block)) drop(block);
    for (const number of wanted) {
      const block = blocks.get(number);
      if (block) {
        blocks.delete(number);
        blocks.set(number, block);
      }
      // A second request for neighbors would delay visible rows.
      const isNext = inView.includes(number) || inView.every(isSettled);
      if (isNext && !isSettled(number) && !tasks.has(number)) fetch(records, number);
    }
    for (const block of blocks.keys()) {
      if (blocks.size <= blockLimits.kept) break;
      if (!wanted.includes(block)) blocks.delete(block);
    }
  }

  function failedInView() {
    const { inView, around } = wantedBlocks();
    const wanted = new Set([...inView, ...around]);
    return [...blocks].flatMap(([block, it]) =>
      'error' in it && wanted.has(block) ? [{ block, ...it }] : [],
    );
  }

  return {
    show(next, head) {
      clear();
      records = next;
      stopGrowth = next.onGrow(update);
      visibleRange = { from: 0, to: head.rows };
      if (head.rows === blockLimits.rows || head.rows === next.shape().rows) keep(0, head, head.rows);
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
      const block = blocks.get(blockOf(row));
      return block && 'cells' in block ? block.cells.get(id)?.[row % blockLimits.rows] : undefined;
    },
    status(row) {
      const block = blocks.get(blockOf(row));
      if (block && 'error' in block) return block.error;
      return block && row < block.to ? 'loaded' : 'loading';
    },
    reload() {
      for (const block of tasks.keys()) drop(block);
      const { inView } = wantedBlocks();
      for (const [number, block] of blocks) {
        if ('cells' in block && inView.includes(number)) blocks.set(number, { ...block, isStale: true });
        else blocks.delete(number);
      }
      update();
    },
    retry() {
      for (const { block } of failedInView()) {
        blocks.delete(block);
        notify(block);
      }
      update();
    },
    problem: () => failedInView()[0]?.error ?? null,
  };
}
