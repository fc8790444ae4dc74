import { held, type Column, type Columns } from './columns.ts';
import { leafFrom, leafTo, type ScannedPage, textIn } from './scan.ts';
import { timeFields, type ZoneWriter } from './zone.ts';

const only = (kinds: number, allowed: number): boolean => (kinds & ~allowed) === 0;

/** The narrowest type that keeps every value of a column exactly; text where there is none. */
function typeOf({ kinds }: Column): ColumnType {
  if (kinds === 0) return 'STRING';
  if (only(kinds, held.boolean)) return 'BOOLEAN';
  if (only(kinds, held.integer | held.inexact)) return 'INT64';
  return only(kinds, held.integer | held.number | held.huge) ? 'DOUBLE' : 'STRING';
}

interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Collects records column by column. */
export class TypedRows {
  readonly columns: readonly TypedColumn[];
  readonly #columns: Columns;
  readonly #byNumber: (ColumnValues | undefined)[] = [];
  readonly #values: readonly ColumnValues[];
  #rows = 0;

  /** @param mostRows how many records are collected at most before they are taken, by the number of columns */
  constructor(columns: Columns, zone: ZoneWriter | null, mostRows: (columns: number) => number) {
    this.#columns = columns;
    const zoneOf = (path: string): ZoneWriter | null => (timeFields.has(path) ? zone : null);
    this.columns = columns
      .inOrder()
      .map((column) => ({ name: column.path, type: zoneOf(column.path) ? 'STRING' : typeOf(column) }));
    const most = mostRows(this.columns.length);
    this.#values = this.columns.map(({ name, type }) => columnValues(type, most, zoneOf(name)));
    this.columns.forEach(({ name }, position) => {
      this.#byNumber[columns.numberOf(name)] = this.#values[position];
    });
  }

  get rows(): number {
    return this.#rows;
  }

  add(page: ScannedPage, record: number): void {
    const { leaves } = page;
    const to = leafTo(page, record);
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const start = leaves[leaf + 1] ?? 0;
      if (page.bytes[start] === 110) continue;
      const values = this.#byNumber[this.#columns.of(leaves[leaf] ?? 0, false)];
      values?.put(this.#rows, { page, start, end: leaves[leaf + 2] ?? 0 });
    }
    this.#rows += 1;
  }

  /** The values collected so far, column by column, good until the next record is added; collecting begins anew. */
  take(): (TypedColumn & { readonly data: Handed })[] {
    const rows = this.#rows;
    this.#rows = 0;
    return this.columns.map((column, at) => ({ ...column, data: this.#values[at]?.take(rows) ?? [] }));
  }
}

/** The types that a column of a typed table can have. */
type ColumnType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'STRING';

/** Where a value, which is not null, stands in a page as JSON. */
interface Place {
  readonly page: ScannedPage;
  readonly start: number;
  readonly end: number;
}

/** A column's values as they are handed on; null where a row has none. */
type Handed = Float64Array | BigInt64Array | (boolean | bigint | number | string | null)[];

interface ColumnValues {
  put(row: number, place: Place): void;
  /** The first so many rows; good until something is put again. Putting begins anew. */
  take(rows: number): Handed;
}

/**
 * Numbers lie in typed memory, which is used again for each group: as objects they would take three times as much, and
 * be garbage with each group.
 * @param most rows of a group at most
 */
function columnValues(type: ColumnType, most: number, zone: ZoneWriter | null): ColumnValues {
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

/** Digits of which every number is a double, exactly. */
const exactDigits = 15;
const powers = Array.from({ length: exactDigits + 1 }, (_, power) => 10 ** power);

/**
 * The double that stands in a page as JSON. Most numbers are short decimals: digits and a power of ten that a double
 * both keeps, so that their quotient is rounded as it must be, without a string for each.
 */
function decimalAt(page: ScannedPage, start: number, end: number): number {
  const { bytes } = page;
  const isNegative = bytes[start] === 45;
  let digits = 0;
  let places = -1;
  if (end - start > exactDigits) return Number(textIn(page, start, end));
  for (let at = isNegative ? start + 1 : start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
      if (places >= 0) places += 1;
    } else if (digit === -2 && places < 0) places = 0;
    else return Number(textIn(page, start, end));
  }
  const size = places > 0 ? digits / (powers[places] ?? 1) : digits;
  return isNegative ? -size : size;
}

/** The integer that stands in a page as JSON. */
function wholeAt(page: ScannedPage, start: number, end: number): bigint {
  return end - start > exactDigits ? BigInt(textIn(page, start, end)) : BigInt(decimalAt(page, start, end));
}
