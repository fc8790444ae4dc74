import { parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { AppError } from '../../../../shared/errors/errors.ts';
import { openSource } from '../../reading/source.ts';
import type { Source } from '../../reading/source.ts';
import { indexOfFirst } from '../column-index.ts';
import type { SourceAdapter, SourceFile, SourceRow, SourceTable } from '../source.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { cellText, columnsOf, valueAt, withDescriptions } from './parquet-columns.ts';
import type { ParquetColumn } from './parquet-columns.ts';
import { compressors, parsers } from './parquet-values.ts';
import { maxOf } from '../../../../shared/lists.ts';

/** Parquet with flat columns and structures. */
export const parquet: SourceAdapter = {
  format: 'parquet',
  recognize: (start) => Buffer.from(start.subarray(0, 4)).toString('latin1') === 'PAR1',
  async open(path, { fileName, signal }) {
    const source = openSource(path, fileName);
    try {
      const file = bufferOf(source);
      const metadata = await orUnsuitable(fileName, () => parquetMetadataAsync(file));
      signal.throwIfAborted();
      checkSizes(metadata, source.bytes, fileName);
      return new ParquetFile(source, file, metadata, fileName);
    } catch (error) {
      source.close();
      throw error;
    }
  },
};

/** Number of values in a batch in memory; a batch has at least one row. */
const maxBatchCells = 500_000;
/** Maximum number of rows in a group, to limit memory. */
const maxGroupRows = 20_000_000;
const maxChunkBytes = 512 << 20;
/** Even a column of one value takes a byte for a few thousand rows. */
const maxRowsPerByte = 100_000;

function bufferOf(source: Source): AsyncBuffer {
  return {
    byteLength: source.bytes,
    slice(start, end = source.bytes) {
      const length = Math.max(0, Math.min(end, source.bytes) - start);
      if (start < 0 || length > maxChunkBytes) throw new Error('a part of it is too large');
      const bytes = Buffer.from(new ArrayBuffer(length));
      if (source.read(bytes, 0, length, start) < length) throw new Error('it ends too early');
      return bytes.buffer;
    },
  };
}

/** The library reports damage with various errors. */
async function orUnsuitable<T>(fileName: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const words = error instanceof Error ? error.message.replace(/\.$/, '').slice(0, 200) : 'unknown';
    throw new AppError(
      'file_unsuitable',
      { file: fileName, reason: `it is damaged or not complete (${words})` },
      { cause: error },
    );
  }
}

/** @throws AppError file_unsuitable for implausible numbers of rows, or more than fit into memory */
function checkSizes(
  { row_groups: groups, num_rows: rows }: FileMetaData,
  bytes: number,
  fileName: string,
): void {
  const counted = groups.reduce((sum, group) => sum + group.num_rows, 0n);
  if (counted !== rows || rows < 0n) throw unsuitable(fileName, 'it is damaged: its numbers of rows differ');
  if (rows > BigInt(bytes) * BigInt(maxRowsPerByte))
    throw unsuitable(fileName, `it claims ${rows} rows in ${bytes} bytes, as in a file made to fill memory`);
  for (const [index, group] of groups.entries()) {
    const size = maxOf(
      group.columns.map(({ meta_data: data }) => Number(data?.total_uncompressed_size ?? 0n)),
    );
    if (group.num_rows > maxGroupRows || size > maxChunkBytes)
      throw unsuitable(
        fileName,
        `row group ${index + 1} is too large. Write the file with smaller row groups`,
      );
  }
}

class ParquetFile implements SourceFile {
  readonly format = 'parquet';
  readonly placeKind = 'row';
  readonly header = [];
  readonly warnings = [];
  readonly tables: readonly SourceTable[];
  readonly #source: Source;
  readonly #file: AsyncBuffer;
  readonly #metadata: FileMetaData;
  readonly #fileName: string;
  readonly #columns: readonly ParquetColumn[];
  readonly #topLevel: ReadonlyMap<string, number>;

  constructor(source: Source, file: AsyncBuffer, metadata: FileMetaData, fileName: string) {
    this.#source = source;
    this.#file = file;
    this.#metadata = metadata;
    this.#fileName = fileName;
    const schema = parquetSchema(metadata);
    this.#columns = withDescriptions(columnsOf(schema), metadata.key_value_metadata);
    this.#topLevel = new Map(schema.children.map(({ element }, at) => [element.name, at]));
    keepDecimals(metadata);
    const columns = this.#columns.map(({ name, unit, description, type }) => ({
      name,
      unit,
      description,
      type,
    }));
    this.tables = [
      {
        name: 'Table',
        columns,
        rows: Number(metadata.num_rows),
        isHidden: false,
        index: indexOfFirst(columns, false),
        nulls: [],
      },
    ];
  }

  async *readRows(_table: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const batchRows = Math.max(1, Math.floor(maxBatchCells / Math.max(1, this.#columns.length)));
    let groupStart = 0;
    for (const group of this.#metadata.row_groups) {
      const groupEnd = groupStart + Number(group.num_rows);
      for (let start = groupStart; start < groupEnd; start += batchRows) {
        signal.throwIfAborted();
        yield await this.#rows(start, Math.min(start + batchRows, groupEnd));
      }
      groupStart = groupEnd;
    }
  }

  async #rows(rowStart: number, rowEnd: number): Promise<SourceRow[]> {
    let found: readonly (readonly unknown[])[] = [];
    await orUnsuitable(this.#fileName, () =>
      parquetRead({
        file: this.#file,
        metadata: this.#metadata,
        rowStart,
        rowEnd,
        compressors,
        parsers,
        useOffsetIndex: true,
        onComplete(rows) {
          found = rows;
        },
      }),
    );
    if (found.length !== rowEnd - rowStart)
      throw unsuitable(this.#fileName, 'it is damaged: rows are missing');
    return found.map((row, at) => ({
      cells: this.#columns.map((column) => cellText(valueAt(row, this.#topLevel, column.path), column)),
      place: rowStart + at + 1,
    }));
  }

  async close(): Promise<void> {
    this.#source.close();
  }
}

/** Decimals are integers here, not numbers, so that they keep all digits; {@link cellText} sets the point. */
function keepDecimals({ schema }: FileMetaData): void {
  for (const element of schema) {
    const isDecimal = element.converted_type === 'DECIMAL' || element.logical_type?.type === 'DECIMAL';
    if (!isDecimal || element.type === 'BYTE_ARRAY') {
      delete element.precision;
      continue;
    }
    if (element.logical_type?.type === 'DECIMAL') element.scale ??= element.logical_type.scale;
    element.precision ??= 0;
    delete element.converted_type;
    delete element.logical_type;
  }
}
