import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { RowRange, RowSource } from '../../ui/grid/index.ts';
import { pathId } from './column-groups.ts';
import type { Records } from './records/records.ts';
import type { Cell, Slice } from './records/table.ts';

/** A row as far as it is here: its cells can be read, or it is still to come, or could not be had. */
export type RowFace = 'full' | 'coming' | AppError;

/** The rows that are looked at, and some around them; the others stay with the records' thread. */
export interface RowsInView extends RowSource {
  readonly cell: (id: string, row: number) => Cell;
  readonly face: (row: number) => RowFace;
  /** Asks once more for rows that could not be had. */
  readonly retry: () => void;
  /** The first reason why rows in view could not be had; null when there is none. */
  readonly problem: () => AppError | null;
  readonly close: () => void;
}

/** Rows are kept in blocks of so many, so many blocks around what is seen are asked for, and so many are kept at most. */
const blocks = { rows: 100, around: 2, kept: 60 } as const;

type Block = { readonly cells: ReadonlyMap<string, ArrayLike<Cell>> } | { readonly error: AppError };

/** @param head rows at the beginning that are here already */
export function createRowsInView(records: Records, head: Slice): RowsInView {
  /** In the order of their last use. */
  const held = new Map<number, Block>();
  const coming = new Map<number, AbortController>();
  const listeners = new Set<(range: RowRange) => void>();
  let seen: RowRange = { from: 0, to: head.rows };

  const blockOf = (row: number) => Math.floor(row / blocks.rows);
  const rangeOf = (block: number): RowRange => ({ from: block * blocks.rows, to: (block + 1) * blocks.rows });
  if (head.rows === blocks.rows || head.rows === records.shape().rows) keep(0, head);

  function keep(block: number, slice: Slice): void {
    held.set(block, { cells: new Map(slice.columns.map(({ path, cells }) => [pathId(path), cells])) });
  }

  function tell(block: number): void {
    for (const listener of listeners) listener(rangeOf(block));
  }

  async function fetch(block: number): Promise<void> {
    const controller = new AbortController();
    coming.set(block, controller);
    const { from, to } = rangeOf(block);
    try {
      keep(block, await records.rows({ from, to: Math.min(to, records.shape().rows) }, controller.signal));
    } catch (error) {
      if (controller.signal.aborted) return;
      held.set(block, { error: toAppError(error) });
    } finally {
      if (coming.get(block) === controller) coming.delete(block);
    }
    tell(block);
  }

  /** The blocks in view come first, then those around them. */
  function wanted(): number[] {
    const last = blockOf(Math.max(records.shape().rows - 1, 0));
    const [from, to] = [blockOf(seen.from), blockOf(Math.max(seen.to - 1, 0))];
    const inView = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const around = Array.from({ length: blocks.around }, (_, at) => [to + 1 + at, from - 1 - at]).flat();
    return [...inView, ...around].filter((block) => block >= 0 && block <= last);
  }

  function look(): void {
    const now = wanted();
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
      } else if (!coming.has(block)) void fetch(block);
    }
    for (const block of held.keys()) {
      if (held.size <= blocks.kept) break;
      if (!now.includes(block)) held.delete(block);
    }
  }

  const failedInView = () =>
    [...held].flatMap(([block, it]) => ('error' in it && wanted().includes(block) ? [{ block, ...it }] : []));

  return {
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
    face(row) {
      const block = held.get(blockOf(row));
      if (!block) return 'coming';
      return 'error' in block ? block.error : 'full';
    },
    retry() {
      for (const { block } of failedInView()) {
        held.delete(block);
        tell(block);
      }
      look();
    },
    problem: () => failedInView()[0]?.error ?? null,
    close() {
      for (const controller of coming.values()) controller.abort();
      coming.clear();
      listeners.clear();
    },
  };
}
