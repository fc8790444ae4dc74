import {
  DuckDBDecimalValue,
  DuckDBListVector,
  type DuckDBDataChunk,
  type DuckDBResult,
  type DuckDBVector,
} from '@duckdb/node-api';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { jsonOf } from './values.ts';
import type { RowLimits } from './row-limits.ts';

interface Row {
  readonly json: string;
  /** The number of values that were cut. */
  readonly cut: number;
}

/** Rows that are converted at once, so that few long values are in memory as text. */
const blockRows = { first: 16, max: 256, smallLength: 1 << 20 };

const inWords = (count: number): string => count.toLocaleString('en');

/** A value as JSON, and whether it is only a part of it. */
type Cell = { readonly json: string; readonly isCut: boolean };

function cutCell(text: string, length: number, limits: RowLimits): Cell {
  const start = text.slice(0, limits.valueLength).toWellFormed();
  return { json: JSON.stringify(`${start}… (${inWords(length)} characters)`), isCut: true };
}

/** A double has no more digits. */
const maxDoubleDigits = 17;

/** Whether a decimal has more digits than a double. Zeros at its start and its end don't count. */
const isLongerThanDouble = (decimal: string): boolean =>
  decimal.length > maxDoubleDigits &&
  decimal.replaceAll(/^-?[0.]+|(?<=\..*)0+$|\./g, '').length > maxDoubleDigits;

function readCell(vector: DuckDBVector, row: number, limits: RowLimits): Cell {
  if (vector instanceof DuckDBListVector) {
    const items = vector.getItemVector(row)?.itemCount ?? 0;
    if (items > limits.listLength)
      return { json: JSON.stringify(`… (${inWords(items)} items)`), isCut: true };
  }
  const value = vector.getItem(row);
  if (typeof value === 'string' && value.length > limits.valueLength)
    return cutCell(value, value.length, limits);
  const json = jsonOf(value, vector.type, limits.style);
  if (limits.isForWindow && value instanceof DuckDBDecimalValue && value.scale > 0)
    return { json: isLongerThanDouble(json) ? JSON.stringify(json) : json, isCut: false };
  return json.length > limits.valueLength && typeof value !== 'number'
    ? cutCell(json, json.length, limits)
    : { json, isCut: false };
}

export type ResultRows = ReturnType<typeof openRows>;

/** The rows of a result, as JSON. Few of them are in memory as text at a time. */
export function openRows(result: DuckDBResult) {
  const names = result.deduplicatedColumnNames();
  const keys = names.map((name) => JSON.stringify(name));
  let chunk: DuckDBDataChunk | null = null;
  /** The next row of the chunk, and the number of rows before the chunk. */
  let at = 0;
  let rowsBefore = 0;
  let blockSize = blockRows.first;
  let hasEnded = false;
  /** Rows that were read, but not returned yet. */
  let ahead: Row[] = [];

  function readRow(vectors: readonly DuckDBVector[], row: number, rowNumber: number, limits: RowLimits): Row {
    let cut = 0;
    const cells = vectors.map((vector, column) => {
      const { json, isCut } = readCell(vector, row, limits);
      if (isCut && !limits.isForWindow)
        throw invalidInput(
          `Row ${inWords(rowNumber)} has a value in column ${names[column] ?? ''} that is too long for a file: up to ${inWords(limits.valueLength)} characters and ${inWords(limits.listLength)} list items can be written. Shorten it, for example with left().`,
        );
      if (isCut) cut += 1;
      return `${keys[column] ?? '""'}:${json}`;
    });
    return { json: `{${cells.join(',')}}`, cut };
  }

  /** Reads a few more rows; their values are dropped with the slices of their vectors. */
  async function readBlock(limits: RowLimits): Promise<void> {
    if (!chunk || at >= chunk.rowCount) {
      rowsBefore += chunk?.rowCount ?? 0;
      at = 0;
      chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) {
        hasEnded = true;
        return;
      }
    }
    const from = chunk;
    const count = Math.min(blockSize, from.rowCount - at);
    const vectors = keys.map((_, column) => from.getColumnVector(column).slice(at, count));
    let length = 0;
    for (let row = 0; row < count; row += 1) {
      const read = readRow(vectors, row, rowsBefore + at + row + 1, limits);
      length += read.json.length;
      ahead.push(read);
    }
    at += count;
    blockSize = length > blockRows.smallLength ? 1 : Math.min(blockSize * 2, blockRows.max);
  }

  return {
    columns: names.map((name, index) => ({ name, type: String(result.columnType(index)) })),
    /**
     * The next rows; none after `isLast`.
     * @throws AppError `invalid_input` if a value is too long and may not be cut; errors of the engine
     */
    async next(limits: RowLimits): Promise<{ readonly rows: readonly Row[]; readonly isLast: boolean }> {
      let count = 0;
      let length = 0;
      // One more row tells whether these are the last.
      for (;;) {
        while (count < ahead.length && count < limits.rows && length < limits.pageLength) {
          length += ahead[count]?.json.length ?? 0;
          count += 1;
        }
        if (hasEnded || count < ahead.length) break;
        await readBlock(limits);
      }
      const rows = ahead.slice(0, count);
      ahead = ahead.slice(count);
      return { rows, isLast: hasEnded && ahead.length === 0 };
    },
  };
}
