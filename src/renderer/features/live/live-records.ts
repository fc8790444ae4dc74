import type { JsonValue } from '../../../shared/json.ts';
import type { PlotSource } from '../plot/source.ts';
import { columnOrder, pathId, withChunks } from '../records/columns.ts';
import { cellOf, type Chunk, type PackedChunk, unpacked } from '../records/chunk.ts';
import { createGrouping } from '../records/groups.ts';
import { gather } from '../records/spread.ts';
import type { Cell, ColumnHead } from '../records/table.ts';

/** Records that came together, as columns. */
interface Batch {
  /** The place of its first record among all that ever came. */
  readonly start: number;
  readonly rows: number;
  readonly chunks: readonly Chunk[];
  readonly byId: ReadonlyMap<string, Chunk>;
}

/** The newest records of a dataset that is followed; older ones go when there are too many. */
export interface LiveRecords {
  readonly add: (came: { readonly chunks: readonly PackedChunk[]; readonly count: number }) => void;
  readonly count: () => number;
  /** How many have gone. */
  readonly dropped: () => number;
  readonly columns: () => readonly ColumnHead[];
  /** A cell; row 0 is the newest record. */
  readonly cell: (id: string, row: number) => Cell;
  /** One record, whole; undefined when it has gone. */
  readonly record: (row: number) => JsonValue | undefined;
  /** What is here now, as a plot sees it, the oldest first. */
  readonly source: () => PlotSource;
}

/** @param most records that are kept */
export function createLiveRecords(most: number): LiveRecords {
  let batches: Batch[] = [];
  let heads: ReadonlyMap<string, ColumnHead> = new Map();
  /** All that ever came, and how many of them have gone. */
  let came = 0;
  let gone = 0;

  /** The batch that a record stands in, by its place among all that came. */
  function batchAt(place: number): Batch | undefined {
    if (place < gone || place >= came) return undefined;
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
    const all = new Float64Array(came - gone).fill(Number.NaN);
    for (const { start, rows, byId } of batches) {
      const skipped = Math.max(gone - start, 0);
      byId.get(id)?.numbers(skipped, rows, all, start + skipped - gone);
    }
    return all;
  }

  return {
    add({ chunks: packed, count }) {
      if (count === 0) return;
      const chunks = packed.map(unpacked);
      const byId = new Map(chunks.map((chunk) => [pathId(chunk.path), chunk]));
      batches.push({ start: came, rows: count, chunks, byId });
      came += count;
      gone = Math.max(came - most, 0);
      batches = batches.filter(({ start, rows }) => start + rows > gone);
      heads = withChunks(heads, chunks);
    },
    count: () => came - gone,
    dropped: () => gone,
    columns: () => columnOrder([...heads.values()]),
    cell(id, row) {
      const batch = batchAt(placeOf(row));
      return batch && cellOf(batch.byId.get(id)?.held(placeOf(row) - batch.start));
    },
    record(row) {
      const batch = batchAt(placeOf(row));
      return batch && gather(batch.chunks, placeOf(row) - batch.start);
    },
    source: () => ({
      rows: came - gone,
      part: null,
      fields: columnOrder([...heads.values()]).map(({ path, kind }) => ({ id: pathId(path), kind })),
      numbers: async (ids) => ids.map(numbers),
      async groups(ids) {
        const grouping = createGrouping(came - gone);
        for (const { start, rows, byId } of batches) {
          const skipped = Math.max(gone - start, 0);
          const columns = ids.map((id) => byId.get(id));
          for (let row = skipped; row < rows; row += 1)
            grouping.add(
              start + row - gone,
              columns.map((column) => column?.held(row)),
            );
        }
        return grouping.groups();
      },
    }),
  };
}
