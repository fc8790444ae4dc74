import { timeKinds, valueKinds, type Column, type Columns } from './columns.ts';
import { leafFrom, leafTo, type ScannedPage, textIn } from './scan.ts';

const hasOnly = (kinds: number, allowed: number): boolean => (kinds & ~allowed) === 0;

/** The types of columns. */
export type ColumnType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'STRING' | 'TIMESTAMP';

/** The narrowest type that represents every value of a column exactly; else text. */
export function typeOf({ path, kinds }: Column): ColumnType {
  if (kinds === 0) return 'STRING';
  if (hasOnly(kinds, valueKinds.instant)) return 'TIMESTAMP';
  const { instant } = valueKinds;
  const plainKinds = kinds & instant ? (kinds & ~instant) | (timeKinds.get(path) ?? 0) : kinds;
  if (hasOnly(plainKinds, valueKinds.boolean)) return 'BOOLEAN';
  if (hasOnly(plainKinds, valueKinds.integer | valueKinds.inexact)) return 'INT64';
  return hasOnly(plainKinds, valueKinds.integer | valueKinds.number | valueKinds.huge) ? 'DOUBLE' : 'STRING';
}

export interface TypedColumn {
  readonly path: string;
  readonly type: ColumnType;
}

export interface TypesOptions {
  /** Columns that are left out. */
  readonly omittedPaths: ReadonlySet<string>;
  readonly typeOf: (column: Column) => ColumnType;
}

const allTypes: TypesOptions = { omittedPaths: new Set(), typeOf };

/** The columns of a table with their types, in order. */
export const typedColumns = (columns: Columns, types: TypesOptions): TypedColumn[] =>
  columns
    .inOrder()
    .filter(({ path }) => !types.omittedPaths.has(path))
    .map((column) => ({ path: column.path, type: types.typeOf(column) }));

/**
 * Size of a row group in memory, in cells and rows. Engines read whole groups and skip them by their statistics; the
 * library's output for a group is several times as large, and garbage at once.
 */
const groupSize = { cells: 600_000, minRows: 500, maxRows: 131_072 };

const groupRows = (columns: number): number => {
  const { cells, minRows, maxRows } = groupSize;
  return Math.min(maxRows, Math.max(minRows, Math.floor(cells / columns)));
};

/** Collects records by column. */
export class TypedRows {
  readonly columns: readonly TypedColumn[];
  /** Maximum number of rows of a group. */
  readonly maxRows: number;
  readonly #columns: Columns;
  readonly #byNumber: (ColumnValues | undefined)[] = [];
  readonly #values: readonly ColumnValues[];
  #rows = 0;

  constructor(columns: Columns, types: TypesOptions = allTypes) {
    this.#columns = columns;
    this.columns = typedColumns(columns, types);
    this.maxRows = groupRows(this.columns.length);
    this.#values = this.columns.map(({ type }) => columnValues(type, this.maxRows));
    this.columns.forEach(({ path }, position) => {
      this.#byNumber[columns.numberOf(path)] = this.#values[position];
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

  /** The collected values of a column, by its position; null for rows without one. Valid until `clear`. */
  read(position: number): ColumnData {
    return this.#values[position]?.read(this.#rows) ?? [];
  }

  /** Restarts the collection. */
  clear(): void {
    for (const values of this.#values) values.clear();
    this.#rows = 0;
  }
}

/** The position of a value other than null in a page. */
interface ValuePosition {
  readonly page: ScannedPage;
  readonly start: number;
  readonly end: number;
}

/** The values of a column; null for rows without one. */
type ColumnData = Float64Array | BigInt64Array | (boolean | bigint | number | string | null)[];

interface ColumnValues {
  put(row: number, position: ValuePosition): void;
  /** The first rows; valid until `clear`. */
  read(rows: number): ColumnData;
  clear(): void;
}

/**
 * Numbers are in typed arrays that are reused for each group: as objects they would take three times the
 * memory and become garbage.
 * @param maxRows maximum number of rows of a group
 */
function columnValues(type: ColumnType, maxRows: number): ColumnValues {
  switch (type) {
    case 'DOUBLE': {
      const buffer = new Float64Array(maxRows);
      return numberValues(buffer, (row, { page, start, end }) => {
        buffer[row] = decimalAt(page, start, end);
      });
    }
    case 'INT64': {
      const buffer = new BigInt64Array(maxRows);
      return numberValues(buffer, (row, { page, start, end }) => {
        buffer[row] = integerAt(page, start, end);
      });
    }
    case 'TIMESTAMP': {
      const buffer = new BigInt64Array(maxRows);
      return numberValues(buffer, (row, { page, start, end }) => {
        buffer[row] = BigInt(instantAt(page, start, end));
      });
    }
    case 'BOOLEAN':
      return otherValues(({ page, start }) => page.bytes[start] === 116);
    case 'STRING':
      return otherValues(textAt);
  }
}

function textAt({ page, start, end }: ValuePosition): string {
  const json = textIn(page, start, end);
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

function numberValues(
  buffer: Float64Array | BigInt64Array,
  put: (row: number, position: ValuePosition) => void,
): ColumnValues {
  const hasValue = new Uint8Array(buffer.length);
  return {
    put(row, position) {
      put(row, position);
      hasValue[row] = 1;
    },
    read(rows) {
      const firstMissing = hasValue.indexOf(0);
      return firstMissing === -1 || firstMissing >= rows
        ? buffer.subarray(0, rows)
        : Array.from({ length: rows }, (_, row) => (hasValue[row] === 1 ? (buffer[row] ?? null) : null));
    },
    clear: () => void hasValue.fill(0),
  };
}

function otherValues(read: (position: ValuePosition) => boolean | string): ColumnValues {
  let values: (boolean | string | null)[] = [];
  const fillTo = (rows: number): void => {
    while (values.length < rows) values.push(null);
  };
  return {
    put(row, position) {
      fillTo(row);
      values[row] = read(position);
    },
    read(rows) {
      fillTo(rows);
      return values;
    },
    clear() {
      values = [];
    },
  };
}

/** A double represents every number of this many digits exactly. */
const exactDigits = 15;
const powers = Array.from({ length: exactDigits + 1 }, (_, power) => 10 ** power);

/**
 * The double of a JSON number in a page. Most numbers are short decimals, whose digits and power of ten are
 * exact doubles, so their quotient is rounded correctly without a string.
 */
export function decimalAt(page: ScannedPage, start: number, end: number): number {
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

/** The integer of a JSON number in a page. */
function integerAt(page: ScannedPage, start: number, end: number): bigint {
  return end - start > exactDigits ? BigInt(textIn(page, start, end)) : BigInt(decimalAt(page, start, end));
}

/** The milliseconds of an instant in a page, which is a number or a text. */
export function instantAt(page: ScannedPage, start: number, end: number): number {
  return page.bytes[start] === 34
    ? Date.parse(textIn(page, start + 1, end - 1))
    : decimalAt(page, start, end);
}
