import type { Well } from '../../../../shared/wells/wells.ts';
import type { Rows } from '../../../ui/rows.ts';
import type { RowSpan, WellValues } from './protocol.ts';

/** The wells that a question found, in its order. They stand on their thread, and come as they are looked at. */
export interface FoundWells extends Rows<Well> {
  /** How many of them have an asset id. */
  readonly withAsset: number;
  readonly load: (from: number, to: number) => Promise<void> | null;
  readonly locate: (text: string, from: number) => Promise<number | null>;
  /** The rows that were looked at last. */
  readonly inView: () => RowSpan;
}

/** So many rows come at a time, and so many such blocks stay at hand. */
const block = 100;
const blocksHeld = 60;

/** Rows at the head of a list, before it is known which of them are seen. */
export const firstInView: RowSpan = { from: 0, to: 60 };

export interface FoundNeeds {
  readonly rows: (span: RowSpan) => Promise<Well[]>;
  readonly locate: (text: string, from: number) => Promise<number | null>;
}

export function createFoundWells(
  { count, withAsset, from: headFrom, wells: head }: WellValues['find'],
  needs: FoundNeeds,
): FoundWells {
  const blocks = new Map<number, readonly Well[]>();
  const coming = new Map<number, Promise<void>>();
  let inView: RowSpan = { from: headFrom, to: headFrom + Math.max(head.length, firstInView.to) };

  const at = (row: number): Well | undefined =>
    blocks.get(Math.floor(row / block))?.[row % block] ?? head[row - headFrom];
  const bring = (number: number): Promise<void> => {
    const known = coming.get(number);
    if (known) return known;
    const asking = needs
      .rows({ from: number * block, to: Math.min((number + 1) * block, count) })
      .then((wells) => {
        blocks.set(number, wells);
        const [oldest] = blocks.keys();
        if (blocks.size > blocksHeld && oldest !== undefined) blocks.delete(oldest);
      })
      .finally(() => coming.delete(number));
    coming.set(number, asking);
    return asking;
  };
  /** The blocks of a span in which a row is not at hand. */
  const missing = ({ from, to }: RowSpan): number[] => {
    const numbers = new Set<number>();
    for (let row = Math.max(from, 0); row < Math.min(to, count); row += 1)
      if (at(row) === undefined) numbers.add(Math.floor(row / block));
    return [...numbers];
  };

  return {
    length: count,
    withAsset,
    at,
    load(from, to) {
      if (to - from > 1) inView = { from, to };
      const numbers = missing({ from, to });
      return numbers.length === 0 ? null : Promise.all(numbers.map(bring)).then(() => undefined);
    },
    async slice(from, to) {
      const span = { from, to: Math.min(to, count) };
      return needs.rows(span);
    },
    locate: needs.locate,
    inView: () => inView,
  };
}
