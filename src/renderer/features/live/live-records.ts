import type { JsonValue } from '../../../shared/json.ts';
import type { PlotSource } from '../plot/source.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { columnOrder, updateHeads } from '../records/columns.ts';
import { cellOf, type Chunk, type PackedChunk, toChunk, unpack, toRecord } from '../records/chunk.ts';
import { createGrouping } from '../records/figures.ts';
import type { Cell, ColumnHead } from '../records/table.ts';

/** Records received together, as columns. */
interface Batch {
  /** The position of its first record among all received. */
  readonly start: number;
  readonly rows: number;
  readonly chunks: readonly Chunk[];
  readonly byId: ReadonlyMap<string, Chunk>;
}

export type LiveRecords = ReturnType<typeof createLiveRecords>;

/** The batch of a record, by its position among all received. */
function batchAt(batches: readonly Batch[], place: number): Batch | undefined {
  let low = 0;
  let high = batches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((batches[middle]?.start ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return batches[low];
}

/** Small batches that are joined into one: each has objects for each of its columns, which are larger than few records. */
const maxSmall = 64;

function joined(batches: readonly Batch[]): Batch {
  const paths = new Map(batches.flatMap(({ chunks }) => chunks.map(({ path }) => [pathId(path), path])));
  const chunks = Array.from(paths, ([id, path]) =>
    toChunk(
      path,
      batches.flatMap(({ rows, byId }) => Array.from({ length: rows }, (_, row) => byId.get(id)?.held(row))),
    ),
  );
  return {
    start: batches[0]?.start ?? 0,
    rows: batches.reduce((sum, { rows }) => sum + rows, 0),
    chunks,
    byId: new Map(chunks.map((chunk) => [pathId(chunk.path), chunk])),
  };
}

/** The newest records of a live view; older ones are dropped beyond the limit. */
export function createLiveRecords(max: number) {
  let batches: Batch[] = [];
  let heads: ReadonlyMap<string, ColumnHead> = new Map();
  let received = 0;
  let dropped = 0;

  const placeOf = (row: number): number => received - 1 - row;
  const batchOf = (row: number): Batch | undefined =>
    row < 0 || placeOf(row) < dropped ? undefined : batchAt(batches, placeOf(row));

  function numbers(id: string): Float64Array<ArrayBuffer> {
    const all = new Float64Array(received - dropped).fill(Number.NaN);
    for (const { start, rows, byId } of batches) {
      const skipped = Math.max(dropped - start, 0);
      byId.get(id)?.numbers(skipped, rows, all, start + skipped - dropped);
    }
    return all;
  }

  return {
    add({ count, ...packed }: { readonly chunks: readonly PackedChunk[]; readonly count: number }): void {
      if (count === 0) return;
      const chunks = packed.chunks.map(unpack);
      const byId = new Map(chunks.map((chunk) => [pathId(chunk.path), chunk]));
      batches.push({ start: received, rows: count, chunks, byId });
      received += count;
      dropped = Math.max(received - max, 0);
      batches = batches.filter(({ start, rows }) => start + rows > dropped);
      const newest = batches.slice(-maxSmall);
      if (newest.length === maxSmall && newest.every(({ rows }) => rows < maxSmall))
        batches.splice(-maxSmall, maxSmall, joined(newest));
      heads = updateHeads(heads, chunks);
    },
    count: () => received - dropped,
    dropped: () => dropped,
    columns: (): readonly ColumnHead[] => columnOrder([...heads.values()]),
    /** A cell; row 0 is the newest record. */
    cell(id: string, row: number): Cell {
      const batch = batchOf(row);
      return batch && cellOf(batch.byId.get(id)?.held(placeOf(row) - batch.start));
    },
    /** A complete record; undefined if dropped. */
    record(row: number): JsonValue | undefined {
      const batch = batchOf(row);
      return batch && toRecord(batch.chunks, placeOf(row) - batch.start);
    },
    /** The current records as a source for plots, oldest first. */
    source: (): PlotSource => ({
      rows: received - dropped,
      part: null,
      fields: columnOrder([...heads.values()]).map(({ path, kind }) => ({ id: pathId(path), kind })),
      numbers: async (ids) => ids.map(numbers),
      async groups(ids) {
        const grouping = createGrouping(received - dropped);
        for (const { start, rows, byId } of batches) {
          const skipped = Math.max(dropped - start, 0);
          const columns = ids.map((id) => byId.get(id));
          for (let row = skipped; row < rows; row += 1)
            grouping.add(
              start + row - dropped,
              columns.map((column) => column?.held(row)),
            );
        }
        return grouping.groups();
      },
    }),
  };
}
