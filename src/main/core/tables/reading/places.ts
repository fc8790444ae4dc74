import { recordProblems, type RecordProblem } from './fields.ts';
import type { ReadAt } from './unit-window.ts';

interface OriginalRow {
  readonly place: number;
  /** Why its cells are unreliable; null: they are reliable. */
  readonly problem: RecordProblem | null;
}

/** Maps a line of a converted table to its row in the original. */
export type PlaceOf = (line: number) => OriginalRow;

/** The bits above them have the number of the problem; 0: none. */
const placeBits = 28;

/** A row of the original as 32 bits. */
export const placeNumber = (place: number, problem: RecordProblem | null): number =>
  ((problem === null ? 0 : recordProblems.indexOf(problem) + 1) * 2 ** placeBits + place) >>> 0;

const rowOf = (bits: number): OriginalRow => ({
  place: bits % 2 ** placeBits,
  problem: recordProblems[Math.floor(bits / 2 ** placeBits) - 1] ?? null,
});

const bytesPerPlace = 4;
const blockPlaces = 16_384;

/**
 * Reads a map of rows: 32 bits for each line of the table, little-endian. One block is cached, because rows are
 * mostly read in order.
 */
export function readPlaces(read: ReadAt): PlaceOf {
  const block = Buffer.alloc(blockPlaces * bytesPerPlace);
  let first = -1;
  let bytes = 0;
  return (line) => {
    const at = line - 1;
    const start = at - (at % blockPlaces);
    if (start !== first) {
      bytes = read(block, 0, block.length, start * bytesPerPlace);
      first = start;
    }
    const offset = (at - start) * bytesPerPlace;
    return offset + bytesPerPlace <= bytes
      ? rowOf(block.readUInt32LE(offset))
      : { place: line, problem: null };
  };
}
