import { decimalAt, wholeAt } from './numbers.ts';
import { textIn, type ScannedPage } from './scan.ts';
import type { ZoneWriter } from './zone.ts';

/** The types that a column of a typed table can have. */
export type ColumnType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'STRING';

/** Where a value, which is not null, stands in a page as JSON. */
export interface Place {
  readonly page: ScannedPage;
  readonly start: number;
  readonly end: number;
}

/** A column's values as they are handed on; null where a row has none. */
export type Handed = Float64Array | BigInt64Array | (boolean | bigint | number | string | null)[];

/** The values of one column in a group of rows. */
export interface ColumnValues {
  put(row: number, place: Place): void;
  /** The first so many rows; good until something is put again. Putting begins anew. */
  take(rows: number): Handed;
}

/**
 * Numbers lie in typed memory, which is used again for each group: as objects they would take three times as much, and
 * be garbage with each group.
 * @param most rows of a group at most
 */
export function columnValues(type: ColumnType, most: number, zone: ZoneWriter | null): ColumnValues {
  switch (type) {
    case 'DOUBLE': {
      const room = new Float64Array(most);
      return numbers(room, (row, { page, start, end }) => {
        room[row] = decimalAt(page, start, end);
      });
    }
    case 'INT64': {
      const room = new BigInt64Array(most);
      return numbers(room, (row, { page, start, end }) => {
        room[row] = wholeAt(page, start, end);
      });
    }
    case 'BOOLEAN':
      return others(({ page, start }) => page.bytes[start] === 116);
    case 'STRING':
      return others((place) => zone?.write(jsonAt(place)) ?? textAt(place));
  }
}

const jsonAt = ({ page, start, end }: Place): string => textIn(page, start, end);

function textAt(place: Place): string {
  const json = jsonAt(place);
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

function numbers(room: Float64Array | BigInt64Array, put: (row: number, place: Place) => void): ColumnValues {
  const isThere = new Uint8Array(room.length);
  return {
    put(row, place) {
      put(row, place);
      isThere[row] = 1;
    },
    take(rows) {
      const all = isThere.indexOf(0);
      const taken =
        all === -1 || all >= rows
          ? room.subarray(0, rows)
          : Array.from({ length: rows }, (_, row) => (isThere[row] === 1 ? (room[row] ?? null) : null));
      isThere.fill(0);
      return taken;
    },
  };
}

function others(read: (place: Place) => boolean | string): ColumnValues {
  let values: (boolean | string | null)[] = [];
  const fillTo = (rows: number): void => {
    while (values.length < rows) values.push(null);
  };
  return {
    put(row, place) {
      fillTo(row);
      values[row] = read(place);
    },
    take(rows) {
      fillTo(rows);
      const taken = values;
      values = [];
      return taken;
    },
  };
}
