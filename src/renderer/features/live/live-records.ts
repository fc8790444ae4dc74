import type { JsonValue } from '../../../shared/json.ts';
import type { PlotSource } from '../plot/source.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { columnOrder, updateHeads } from '../records/columns.ts';
import { cellOf, type Chunk, type PackedChunk, unpack } from '../records/chunk.ts';
import { createGrouping } from '../records/groups.ts';
import { toRecord } from '../records/to-columns.ts';
import type { Cell, ColumnHead } from '../records/table.ts';

/** Records received together, as columns. */
interface Batch {
  /** The position of its first record among all received. */
  readonly start: number;
  readonly rows: number;
  readonly chunks: readonly Chunk[];
  readonly byId: ReadonlyMap<string, Chunk>;
}

/** The newest records of a live view; older ones are dropped beyond the limit. */
export interface LiveRecords {
  readonly add: (came: { readonly chunks: readonly PackedChunk[]; readonly count: number }) => void;
  readonly count: () => number;
  /** The number of dropped records. */
  readonly dropped: () => number;
  readonly columns: () => readonly ColumnHead[];
  /** A cell; row 0 is the newest record. */
  readonly cell: (id: string, row: number) => Cell;
  /** A complete record; undefined if dropped. */
  readonly record: (row: number) => JsonValue | undefined;
  /** The current records as a source for plots, oldest first. */
  readonly source: () => PlotSource;
}

/** @param most the maximum number of records */
export function createLiveRecords(most: number): LiveRecords {
  let batches: Batch[] = [];
  let heads: ReadonlyMap<string, ColumnHead> = new Map();
  /** The total received, and how many were dropped. */
  let came = 0;
  let droppedCount = 0;

  /** The batch of a record, by its position among all received. */
  function batchAt(place: number): Batch | undefined {
    if (place < droppedCount || place >= came) return undefined;
    let low = 0;
    let high = batches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((batches[middle]?.start ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return batches[low];
  }

  const placeOf = (row: number): number => came - 1 - row;

  function numbers(id: string): Float64Array<ArrayBuffer> {
    const all = new Float64Array(came - droppedCount).fill(Number.NaN);
    for (const { start, rows, byId } of batches) {
      const skipped = Math.max(droppedCount - start, 0);
      byId.get(id)?.numbers(skipped, rows, all, start + skipped - droppedCount);
    }
    return all;
  }

  return {
    add({ chunks: packed, count }) {
      if (count === 0) return;
      const chunks = packed.map(unpack);
      const byId = new Map(chunks.map((chunk) => [pathId(chunk.path), chunk]));
      batches.push({ start: came, rows: count, chunks, byId });
      came += count;
      droppedCount = Math.max(came - most, 0);
      batches = batches.filter(({ start, rows }) => start + rows > droppedCount);
      heads = updateHeads(heads, chunks);
    },
    count: () => came - droppedCount,
    dropped: () => droppedCount,
    columns: () => columnOrder([...heads.values()]),
    cell(id, row) {
      const batch = batchAt(placeOf(row));
      return batch && cellOf(batch.byId.get(id)?.held(placeOf(row) - batch.start));
    },
    record(row) {
      const batch = batchAt(placeOf(row));
      return batch && toRecord(batch.chunks, placeOf(row) - batch.start);
    },
    source: () => ({
      rows: came - droppedCount,
      part: null,
      fields: columnOrder([...heads.values()]).map(({ path, kind }) => ({ id: pathId(path), kind })),
      numbers: async (ids) => ids.map(numbers),
      async groups(ids) {
        const grouping = createGrouping(came - droppedCount);
        for (const { start, rows, byId } of batches) {
          const skipped = Math.max(droppedCount - start, 0);
          const columns = ids.map((id) => byId.get(id));
          for (let row = skipped; row < rows; row += 1)
            grouping.add(
              start + row - droppedCount,
              columns.map((column) => column?.held(row)),
            );
        }
        return grouping.groups();
      },
    }),
  };
}
