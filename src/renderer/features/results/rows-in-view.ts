import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { RowRange, RowSource } from '../../ui/grid/index.ts';
import { pathId } from '../records/columns.ts';
import type { Records } from '../records/records.ts';
import type { Cell, Slice } from '../records/table.ts';

/** A row as far as it is here: its cells can be read, or it is still to come, or could not be had. */
export type RowStatus = 'loaded' | 'loading' | AppError;

/**
 * The rows of an answer that are looked at, and some around them; the others stay with the records' thread. It is the
 * same one for all answers of a tab, so that the grid that shows them stays too.
 */
export interface RowsInView extends RowSource {
  /**
   * Shows an answer in place of the one before; whoever draws knows of it.
   * @param head rows at its beginning that are here already
   */
  readonly show: (records: Records, head: Slice) => void;
  /** Shows none: what is asked for is given up. */
  readonly clear: () => void;
  readonly cell: (id: string, row: number) => Cell;
  readonly status: (row: number) => RowStatus;
  /** Asks once more for rows that could not be had. */
  readonly retry: () => void;
  /** The first reason why rows in view could not be had; null when there is none. */
  readonly problem: () => AppError | null;
}

/** Rows are kept in blocks of so many, so many blocks around what is seen are asked for, and so many are kept at most. */
const blocks = { rows: 100, around: 2, kept: 60 } as const;

type Block = { readonly cells: ReadonlyMap<string, ArrayLike<Cell>> } | { readonly error: AppError };

export function createRowsInView(): RowsInView {
  let records: Records | null = null;
  /** In the order of their last use. */
  const held = new Map<number, Block>();
  const coming = new Map<number, AbortController>();
  const listeners = new Set<(range: RowRange) => void>();
  let seen: RowRange = { from: 0, to: 0 };

  const blockOf = (row: number) => Math.floor(row / blocks.rows);
  const rangeOf = (block: number): RowRange => ({ from: block * blocks.rows, to: (block + 1) * blocks.rows });
  function keep(block: number, slice: Slice): void {
    held.set(block, { cells: new Map(slice.columns.map(({ path, cells }) => [pathId(path), cells])) });
  }

  function tell(range: RowRange): void {
    for (const listener of listeners) listener(range);
  }

  function clear(): void {
    for (const controller of coming.values()) controller.abort();
    coming.clear();
    held.clear();
    records = null;
    seen = { from: 0, to: 0 };
  }

  async function fetch(of: Records, block: number): Promise<void> {
    const controller = new AbortController();
    coming.set(block, controller);
    const { from, to } = rangeOf(block);
    try {
      keep(block, await of.rows({ from, to: Math.min(to, of.shape().rows) }, controller.signal));
    } catch (error) {
      if (controller.signal.aborted) return;
      held.set(block, { error: toAppError(error) });
    } finally {
      if (coming.get(block) === controller) coming.delete(block);
    }
    tell({ from, to });
    // Those around are asked for once those in view are here.
    if (records === of) look();
  }

  function wanted() {
    const last = blockOf(Math.max((records?.shape().rows ?? 0) - 1, 0));
    const [from, to] = [blockOf(seen.from), blockOf(Math.max(seen.to - 1, 0))];
    const inView = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const around = Array.from({ length: blocks.around }, (_, at) => [to + 1 + at, from - 1 - at]).flat();
    const exists = (block: number): boolean => block >= 0 && block <= last;
    return { inView: inView.filter(exists), around: around.filter(exists) };
  }

  function look(): void {
    if (!records) return;
    const { inView, around } = wanted();
    const now = [...inView, ...around];
    for (const [block, controller] of coming) {
      if (now.includes(block)) continue;
      coming.delete(block);
      controller.abort();
    }
    for (const block of now) {
      const known = held.get(block);
      if (known) {
        held.delete(block);
        held.set(block, known);
        continue;
      }
      // A page of the neighbours on its way at the same time would hold up the one that is waited for.
      const isNext = inView.includes(block) || inView.every((seenBlock) => held.has(seenBlock));
      if (isNext && !coming.has(block)) void fetch(records, block);
    }
    for (const block of held.keys()) {
      if (held.size <= blocks.kept) break;
      if (!now.includes(block)) held.delete(block);
    }
  }

  function isWanted(block: number): boolean {
    const { inView, around } = wanted();
    return inView.includes(block) || around.includes(block);
  }

  const failedInView = () =>
    [...held].flatMap(([block, it]) => ('error' in it && isWanted(block) ? [{ block, ...it }] : []));

  return {
    show(next, head) {
      clear();
      records = next;
      seen = { from: 0, to: head.rows };
      if (head.rows === blocks.rows || head.rows === next.shape().rows) keep(0, head);
    },
    clear,
    see(range) {
      seen = range;
      look();
    },
    onCome(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    cell(id, row) {
      const block = held.get(blockOf(row));
      return block && 'cells' in block ? block.cells.get(id)?.[row % blocks.rows] : undefined;
    },
    status(row) {
      const block = held.get(blockOf(row));
      if (!block) return 'loading';
      return 'error' in block ? block.error : 'loaded';
    },
    retry() {
      for (const { block } of failedInView()) {
        held.delete(block);
        tell(rangeOf(block));
      }
      look();
    },
    problem: () => failedInView()[0]?.error ?? null,
  };
}
