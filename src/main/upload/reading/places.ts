import type { ReadAt } from './unit-window.ts';

/** Tells for a line of a converted table where it stands in the original. */
export type PlaceOf = (line: number) => number;

const bytesPerPlace = 4;
const blockPlaces = 16_384;

/**
 * Reads a map of places: for each line of the table 32 bits, least significant byte first. A block is kept, because rows
 * are mostly read in order.
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
