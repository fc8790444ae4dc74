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
const comma = 44;
const lineEnd = 10;

/** Reads a file of places in order. */
export function createPlaceReader(path: string) {
  const file = openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let [position, length] = [0, 0];

  /** The next byte; -1: there is none. */
  function nextByte(): number {
    if (position === length) {
      length = readSync(file, chunk, 0, chunkBytes, null);
      position = 0;
      if (length === 0) return -1;
    }
    const byte = chunk[position] ?? -1;
    position += 1;
    return byte;
  }

  function nextPlace(): RecordPlace | null {
    const numbers = [0, 0, 0];
    let column = 0;
    for (let byte = nextByte(); byte !== -1; byte = nextByte()) {
      if (byte === lineEnd) return { start: numbers[0] ?? 0, bytes: numbers[1] ?? 0, line: numbers[2] ?? 0 };
      if (byte === comma) column += 1;
      else if (column < numbers.length) numbers[column] = (numbers[column] ?? 0) * 10 + byte - 48;
    }
    return null;
  }

  return {
    /** The next places, at most this many; empty: there are no more. */
    next(count: number): RecordPlace[] {
      const places: RecordPlace[] = [];
      while (places.length < count) {
        const place = nextPlace();
        if (!place) break;
        places.push(place);
      }
      return places;
    },
    close: () => closeSync(file),
  };
}
