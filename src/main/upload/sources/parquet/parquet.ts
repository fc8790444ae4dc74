import { parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import type { AsyncBuffer, ColumnChunk, ColumnMetaData, FileMetaData } from 'hyparquet';
import { AppError } from '../../../../shared/errors/errors.ts';
import { openSource } from '../../reading/source.ts';
import type { Source } from '../../reading/source.ts';
import { indexOfFirst } from '../column-index.ts';
import type { SourceAdapter, SourceFile, SourceRow, SourceTable } from '../source.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { cellText, columnsOfFile, valueAt, withDescriptions } from './parquet-columns.ts';
import type { ParquetColumn } from './parquet-columns.ts';
import { PageUnpacker, parsers, readCodecs } from './parquet-values.ts';

/** Parquet with flat columns and structures. */
export const parquet: SourceAdapter = {
  format: 'parquet',
  recognize: (start) => Buffer.from(start.subarray(0, 4)).toString('latin1') === 'PAR1',
  async open(path, { fileName, signal }) {
    const source = openSource(path, fileName);
    try {
      const file = new FileParts(source);
      const metadata = await orUnsuitable(fileName, () => parquetMetadataAsync(file));
      signal.throwIfAborted();
      checkSizes(metadata, source.bytes, fileName);
      checkCodecs(metadata, fileName);
      return new ParquetFile(source, file, metadata, fileName);
    } catch (error) {
      source.close();
      throw error;
    }
  },
};

/** Number of values in a batch in memory; a batch has at least one row. */
const maxBatchCells = 100_000;
/** Maximum number of rows in a group, to limit memory. */
const maxGroupRows = 20_000_000;
/** Maximum size of a row group in the file, in bytes: its columns are in memory together until its last row. */
const maxGroupBytes = 128 << 20;
/** Maximum size to which the pages of a batch unpack, in bytes. */
const maxUnpackedBytes = 192 << 20;
/** Even a column of one value takes a byte for a few thousand rows. */
const maxRowsPerByte = 100_000;

/** The bytes of a file. Parts of the current row group are kept, because its batches need them again. */
class FileParts implements AsyncBuffer {
  readonly byteLength: number;
  readonly #source: Source;
  readonly #parts = new Map<string, ArrayBuffer>();
  #bytes = 0;

  constructor(source: Source) {
    this.#source = source;
    this.byteLength = source.bytes;
  }

  slice(start: number, end = this.byteLength): ArrayBuffer {
    const key = `${start}-${end}`;
    const part = this.#parts.get(key) ?? this.#read(start, end);
    this.#parts.set(key, part);
    return part;
  }

  /** Drops all parts. */
  drop(): void {
    this.#parts.clear();
    this.#bytes = 0;
  }

  #read(start: number, end: number): ArrayBuffer {
    const length = Math.max(0, Math.min(end, this.byteLength) - start);
    this.#bytes += length;
    if (start < 0 || this.#bytes > maxGroupBytes) throw new Error('a part of it is too large');
    const bytes = new ArrayBuffer(length);
    if (this.#source.read(Buffer.from(bytes), 0, length, start) < length)
      throw new Error('it ends too early');
    return bytes;
  }
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
  for (const [index, { columns, num_rows: groupRows }] of groups.entries()) {
    const groupBytes = sumOf(columns, ({ total_compressed_size: size }) => size);
    // All pages of a list are unpacked for each batch.
    const listBytes = sumOf(columns, ({ path_in_schema: path, total_uncompressed_size: size }) =>
      path.length > 1 ? size : 0n,
    );
    const [size, max, what] =
      groupBytes > maxGroupBytes
        ? [groupBytes, maxGroupBytes, 'is']
        : [listBytes, maxUnpackedBytes, 'has lists and structures of'];
    if (size > max)
      throw unsuitable(
        fileName,
        `its row group ${index + 1} ${what} ${megabytes(size)} MB; Wellbench reads up to ${megabytes(max)} MB. Write the file with smaller row groups`,
      );
    if (groupRows > maxGroupRows)
      throw unsuitable(
        fileName,
        `its row group ${index + 1} has ${groupRows} rows; Wellbench reads up to ${maxGroupRows}. Write the file with smaller row groups`,
      );
  }
}

/** @throws AppError file_unsuitable for a compression that can't be unpacked */
function checkCodecs({ row_groups: groups }: FileMetaData, fileName: string): void {
  for (const { meta_data: data } of groups.flatMap(({ columns }) => columns))
    if (data && !readCodecs.has(data.codec))
      throw unsuitable(
        fileName,
        `its columns are compressed with ${data.codec}, which Wellbench doesn’t read. Write it with Snappy, gzip, Brotli, or Zstandard`,
      );
}

const megabytes = (bytes: number): number => Math.round(bytes / (1 << 20));

/** The sum of a size over the columns of a row group; a size below 0 counts as more than is read. */
function sumOf(columns: readonly ColumnChunk[], sizeOf: (data: ColumnMetaData) => bigint): number {
  let sum = 0;
  for (const { meta_data: data } of columns) {
    const size = data ? Number(sizeOf(data)) : 0;
    sum += size < 0 ? Number.MAX_SAFE_INTEGER : size;
  }
  return sum;
}

class ParquetFile implements SourceFile {
  readonly format = 'parquet';
  readonly placeKind = 'row';
  readonly header = [];
  readonly warnings = [];
  readonly tables: readonly SourceTable[];
  readonly #source: Source;
  readonly #file: FileParts;
  readonly #unpacker = new PageUnpacker(maxUnpackedBytes);
  readonly #metadata: FileMetaData;
  readonly #fileName: string;
  readonly #columns: readonly ParquetColumn[];
  readonly #topLevel: ReadonlyMap<string, number>;

  constructor(source: Source, file: FileParts, metadata: FileMetaData, fileName: string) {
    this.#source = source;
    this.#file = file;
    this.#metadata = metadata;
    this.#fileName = fileName;
    this.#columns = withDescriptions(columnsOfFile(metadata), metadata.key_value_metadata);
    this.#topLevel = new Map(parquetSchema(metadata).children.map(({ element }, at) => [element.name, at]));
    keepDecimals(metadata);
    const columns = this.#columns.map(({ name, unit, description, type, path }) => ({
      name,
      unit,
      description,
      type,
      path,
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
      this.#file.drop();
      for (let start = groupStart; start < groupEnd; start += batchRows) {
        signal.throwIfAborted();
        yield await this.#rows(start, Math.min(start + batchRows, groupEnd));
      }
      groupStart = groupEnd;
    }
  }

  async #rows(rowStart: number, rowEnd: number): Promise<SourceRow[]> {
    let found: readonly (readonly unknown[])[] = [];
    this.#unpacker.restart();
    await orUnsuitable(this.#fileName, () =>
      parquetRead({
        file: this.#file,
        metadata: this.#metadata,
        rowStart,
        rowEnd,
        compressors: this.#unpacker.compressors,
        parsers,
        onComplete(rows) {
          found = rows;
        },
      }),
    );
    // A null value is null; undefined: a column has fewer values than the row group has rows.
    if (found.length !== rowEnd - rowStart || found.some((row) => row.includes(undefined)))
      throw unsuitable(this.#fileName, 'it is damaged: rows are missing');
    return found.map((row, at) => ({
      cells: this.#columns.map((column) => cellText(valueAt(row, this.#topLevel, column.schemaPath), column)),
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
