import { closeSync, openSync, readSync } from '../../world/files.ts';

/** Where the text of a record is in a file, and the line of its row. */
export interface RecordPlace {
  readonly start: number;
  readonly bytes: number;
  readonly line: number;
}

/** A line of a file of places. @param at the index of the record; NaN: none */
export const placeText = ({ start, bytes, line }: RecordPlace, at: number): string =>
  `${start},${bytes},${line},${at}\n`;

/** The name of a well in a file of places: the lines of the file are short. */
export const wellKey = (well: string): string => well.slice(0, 1000);

const chunkBytes = 1 << 18;

/** Reads a file of places in order. */
export function createPlaceReader(path: string) {
  const file = openSync(path, 'r');

  function* allPlaces(): Generator<RecordPlace> {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let rest = '';
    for (let length = -1; length !== 0;) {
      length = readSync(file, chunk, 0, chunkBytes, null);
      const lines = (rest + chunk.toString('latin1', 0, length)).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) {
        const [start = 0, bytes = 0, line = 0] = text.split(',', 3).map(Number);
        yield { start, bytes, line };
      }
    }
  }

  const places = allPlaces();
  return {
    /** The next places, at most this many; empty: there are no more. */
    next(count: number): RecordPlace[] {
      const next: RecordPlace[] = [];
      while (next.length < count) {
        const { done, value } = places.next();
        if (done) break;
        next.push(value);
      }
      return next;
    },
    close: () => closeSync(file),
  };
}
