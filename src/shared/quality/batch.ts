import { valueOrNaN } from '../upload/null-tokens.ts';

// Without imports of schemas: threads of the window use it.

/** The kinds of values in a {@link BatchColumn}. `token`: a text that means null. */
export const valueKinds = {
  absent: 0,
  null: 1,
  token: 2,
  number: 3,
  text: 4,
  boolean: 5,
  nested: 6,
} as const;

/** The names of {@link valueKinds} in a report. */
export const kindNames: readonly (readonly [kind: number, name: string])[] = [
  [valueKinds.number, 'number'],
  [valueKinds.text, 'text'],
  [valueKinds.boolean, 'boolean'],
  [valueKinds.nested, 'nested'],
];

interface BatchColumn {
  readonly name: string;
  /** One of {@link valueKinds} for each row. */
  kinds: Uint8Array;
  /** Values of rows whose kind is `number`. */
  values: Float64Array;
}

/** Some records by column, in order. */
export interface RecordBatch {
  readonly rows: number;
  /** The index of each row; NaN: none. Times are Unix milliseconds. */
  readonly index: Float64Array;
  /** The number of each row's series, in {@link createBatchBuilder}. */
  readonly series: Int32Array;
  readonly columns: readonly BatchColumn[];
}

/** The last moment that has a date, in milliseconds. */
export const maxIndex = 8_640_000_000_000_000;
/** A number as an index; NaN if it means null, such as -999.25, or is larger than any time or depth. */
export const indexFrom = (value: number): number =>
  Math.abs(value) <= maxIndex ? valueOrNaN(value) : Number.NaN;

/**
 * Collects records for a check of their quality; its memory is reused for each batch.
 * @param maxRows maximum number of rows in a batch: few enough for the processor's cache
 */
export function createBatchBuilder(maxRows = 4096) {
  const index = new Float64Array(maxRows);
  const series = new Int32Array(maxRows);
  const columns: BatchColumn[] = [];
  const numbers = new Map<string, number>();
  const seriesNumbers = new Map<string, number>();
  const seriesNames: string[] = [];
  let rows = 0;
  return {
    get rows() {
      return rows;
    },
    get isFull() {
      return rows === maxRows;
    },
    /** The names of all series so far, such as asset ids, by number. */
    seriesNames: seriesNames as readonly string[],
    /** The number of a column; columns are created on first use. */
    column(name: string): number {
      const column = numbers.get(name);
      if (column !== undefined) return column;
      const created = columns.length;
      numbers.set(name, created);
      columns.push({ name, kinds: new Uint8Array(maxRows), values: new Float64Array(maxRows) });
      return created;
    },
    series(name: string): number {
      const existing = seriesNumbers.get(name);
      if (existing !== undefined) return existing;
      const created = seriesNames.length;
      seriesNumbers.set(name, created);
      seriesNames.push(name);
      return created;
    },
    /** Sets a number of the current row. A JSON number that no double holds, such as 1e999, counts as text. */
    number(column: number, value: number): void {
      const target = columns[column];
      if (!target) return;
      target.kinds[rows] = Number.isFinite(value) ? valueKinds.number : valueKinds.text;
      target.values[rows] = value;
    },
    /** Sets the kind of a value of the current row that isn't a number. */
    kind(column: number, kind: number): void {
      const target = columns[column];
      if (target) target.kinds[rows] = kind;
    },
    /** Ends the current row. @param at its index; NaN: none, as for null values and numbers beyond any time or depth */
    endRow(at: number, seriesNumber: number): void {
      index[rows] = indexFrom(at);
      series[rows] = seriesNumber;
      rows += 1;
    },
    /** The rows so far; the next batch reuses their memory. */
    batch(): RecordBatch {
      return { rows, index, series, columns };
    },
    /** Starts the next batch. */
    clear(): void {
      for (const column of columns) column.kinds.fill(0, 0, rows);
      rows = 0;
    },
  };
}
