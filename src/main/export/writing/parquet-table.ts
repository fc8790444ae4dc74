import { zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnNames } from '../../../shared/export/export.ts';
import type { GrowingFile } from '../../files/growing-file.ts';
import { columnNames } from '../records/column-names.ts';
import type { ScannedPage } from '../records/scan.ts';
import type { ColumnType, TypedRows } from '../records/typed-columns.ts';
import { parquetMetadata, type About } from './about.ts';

/** Collects the bytes of a row group, then appends them to the file. */
class FileBytes extends ByteWriter {
  readonly #file: GrowingFile;

  constructor(file: GrowingFile) {
    super(1024 * 1024);
    this.#file = file;
  }

  flush(): void {
    this.#file.append(this.getBytes());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

const elementTypes = {
  BOOLEAN: { type: 'BOOLEAN' },
  INT64: { type: 'INT64' },
  DOUBLE: { type: 'DOUBLE' },
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  TIMESTAMP: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
} as const satisfies Record<ColumnType, Partial<SchemaElement>>;

export interface ParquetOptions {
  readonly about: About;
  readonly names: ColumnNames;
}

/** A Parquet file with typed columns, statistics, and metadata, which is written from its start. */
export class ParquetTable {
  /** The names of the columns in the file. */
  readonly names: readonly string[];
  readonly #rows: TypedRows;
  readonly #writer: ParquetWriter;

  /** @param rows an empty collection with all columns of the file */
  constructor(file: GrowingFile, rows: TypedRows, { about, names }: ParquetOptions) {
    file.cutTo(0);
    this.#rows = rows;
    const typed = this.#rows.columns;
    this.names = columnNames(
      typed.map(({ path }) => path),
      names,
    );
    this.#writer = new ParquetWriter({
      writer: new FileBytes(file),
      schema: [
        { name: 'root', num_children: typed.length },
        ...typed.map(({ type }, at) => ({
          name: this.names[at] ?? '',
          repetition_type: 'OPTIONAL' as const,
          ...elementTypes[type],
        })),
      ],
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      createdBy: `Wellbench version ${about.version}`,
      kvMetadata: parquetMetadata(
        about,
        // The unit of a time is in its type.
        typed.map(({ path, type }, at) => ({
          name: this.names[at] ?? '',
          path,
          hasUnit: type !== 'TIMESTAMP',
        })),
      ),
    });
  }

  add(page: ScannedPage, record: number): void {
    this.#rows.add(page, record);
    if (this.#rows.rows >= this.#rows.maxRows) this.#writeGroup();
  }

  /** Writes what is left, and the end of the file. */
  finish(): void {
    this.#writeGroup();
    void this.#writer.finish();
  }

  #writeGroup(): void {
    const rows = this.#rows;
    if (rows.rows === 0) return;
    const columnData = this.names.map((name, position) => ({
      name,
      // Read one column at a time: as arrays all of them would take several times the memory.
      get data() {
        return rows.read(position);
      },
    }));
    void this.#writer.write({ columnData, rowGroupSize: rows.rows });
    rows.clear();
  }
}
