import type { ReadAt } from './unit-window.ts';

/** Maps a line of a converted table to its place in the original. */
export type PlaceOf = (line: number) => number;

const bytesPerPlace = 4;
const blockPlaces = 16_384;

/**
 * Reads a map of places: 32 bits for each line of the table, little-endian. One block is cached, because rows are
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
    return offset + bytesPerPlace <= bytes ? block.readUInt32LE(offset) : line;
  };
}
