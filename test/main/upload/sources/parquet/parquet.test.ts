import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetMetadata } from 'hyparquet';
import type { ColumnMetaData, FileMetaData } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { describe, expect, it } from 'vitest';
import { parquet } from '../../../../../src/main/upload/sources/parquet/parquet.ts';
import { useFolders } from '../../../../support/folders.ts';
import { fileWith } from '../../support/files.ts';
import { cellsOf, namesOf, placesOf, readContent } from '../../support/sources.ts';

const newFolder = useFolders();

type WriteOptions = Parameters<typeof parquetWriteBuffer>[0];
const written = (options: WriteOptions): Uint8Array => new Uint8Array(parquetWriteBuffer(options));
/** The file with changed metadata. */
function withMetadata(content: Uint8Array, change: (metadata: FileMetaData) => void): Uint8Array {
  const metadata = parquetMetadata(Uint8Array.from(content).buffer);
  change(metadata);
  const writer = new ByteWriter();
  writeMetadata(writer, metadata);
  const end = content.length - 8 - Buffer.from(content).readUInt32LE(content.length - 8);
  return Buffer.concat([content.subarray(0, end), writer.getBytes(), Buffer.from('PAR1')]);
}

const bytesReadByProcess = (): number =>
  Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
const read = (content: Uint8Array) => readContent(parquet, content, 'table.parquet');

describe('a Parquet file', () => {
  it('has every digit of integers, dotted names, null values, and times', async () => {
    const file = await read(
      written({
        columnData: [
          { name: 'asset_id', data: [9007199254740993n, -1n, null], type: 'INT64' },
          { name: 'data.rop', data: [12.5, 0.1, null], type: 'DOUBLE' },
          { name: 'data.api', data: ['0177', 'ø', null], type: 'STRING' },
          {
            name: 'time',
            data: [new Date('2026-01-02T03:04:05.678Z'), new Date(0), null],
            type: 'TIMESTAMP',
          },
          { name: 'ok', data: [true, false, null], type: 'BOOLEAN' },
          { name: 'small', data: [0.1, 1.5, null], type: 'FLOAT' },
        ],
      }),
    );
    expect(namesOf(file)).toEqual(['asset_id', 'data.rop', 'data.api', 'time', 'ok', 'small']);
    expect(file.tables[0]?.columns.map(({ type }) => type)).toEqual([null, null, 'text', 'time', null, null]);
    expect(cellsOf(file)).toEqual([
      ['9007199254740993', '12.5', '0177', '2026-01-02T03:04:05.678Z', 'true', '0.1'],
      ['-1', '0.1', 'ø', '1970-01-01T00:00:00.000Z', 'false', '1.5'],
      [null, null, null, null, null, null],
    ]);
    expect(placesOf(file)).toEqual([1, 2, 3]);
  });

  it('has structures as dotted columns, lists as JSON, and exact decimals and microseconds', async () => {
    const file = await read(
      written({
        schema: [
          { name: 'root', num_children: 3 },
          { name: 'data', num_children: 2, repetition_type: 'OPTIONAL' },
          { name: 'rop', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
          { name: 'name', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
          {
            name: 'cost',
            type: 'INT64',
            converted_type: 'DECIMAL',
            scale: 2,
            precision: 18,
            repetition_type: 'REQUIRED',
          },
          { name: 'at', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'REQUIRED' },
        ],
        columnData: [
          {
            name: 'data',
            data: [
              { rop: 1.5, name: 'a' },
              { rop: null, name: 'b' },
            ],
          },
          { name: 'cost', data: [12345678901234567n, -5n] },
          { name: 'at', data: [1_000_001n, 2_000_000n] },
        ],
      }),
    );
    expect(namesOf(file)).toEqual(['data.rop', 'data.name', 'cost', 'at']);
    expect(cellsOf(file).map((cells) => cells.slice(0, 2))).toEqual([
      ['1.5', 'a'],
      [null, 'b'],
    ]);
    expect(cellsOf(file).map((cells) => cells[2])).toEqual(['123456789012345.67', '-0.05']);
    expect(cellsOf(file).map((cells) => cells[3])).toEqual([
      '1970-01-01T00:00:01.000001Z',
      '1970-01-01T00:00:02.000Z',
    ]);
  });

  it('has times of day as text, whatever their unit', async () => {
    const path = join(await newFolder(), 'clock.parquet');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(
      `COPY (SELECT * FROM (VALUES (TIME '12:30:15', TIME_NS '23:59:59.000000001'), (TIME '00:00:00.000250', TIME_NS '00:00:01'), (NULL, NULL)) t(clock, exact)) TO '${path}' (FORMAT parquet)`,
    );
    connection.closeSync();
    expect(cellsOf(await read(readFileSync(path)))).toEqual([
      ['12:30:15', '23:59:59.000000001'],
      ['00:00:00.00025', '00:00:01'],
      [null, null],
    ]);
  });

  it('is read in batches over many row groups of any size', async () => {
    const data = Array.from({ length: 30_000 }, (_, at) => at);
    const names = Array.from({ length: 40 }, (_, at) => `c${at}`);
    const file = await read(
      written({ columnData: names.map((name) => ({ name, data, type: 'INT32' })), rowGroupSize: 20_000 }),
    );
    expect(cellsOf(file).map(([first]) => Number(first))).toEqual(data);
    expect(placesOf(file).at(-1)).toBe(30_000);
  });

  it('has the values of each of several columns with the same name', async () => {
    const [first, second] = await Promise.all(
      [Uint8Array, Float64Array].map(() =>
        read(
          written({
            columnData: ['a', 'rop', 'rop', 'rop'].map((name, at) => ({
              name,
              data: [at, at + 10],
              type: 'INT32' as const,
            })),
            rowGroupSize: 1,
          }),
        ),
      ),
    );
    expect(second).toEqual(first);
    expect(first && namesOf(first)).toEqual(['a', 'rop', 'rop', 'rop']);
    expect(first && cellsOf(first)).toEqual([
      ['0', '1', '2', '3'],
      ['10', '11', '12', '13'],
    ]);
  });

  it.runIf(existsSync('/proc/self/io'))(
    'is read once, however many batches its row group takes',
    async () => {
      const data = Array.from({ length: 200_000 }, (_, at) => Math.sin(at));
      const content = written({
        columnData: Array.from({ length: 12 }, (_, at) => ({
          name: `c${at}`,
          data,
          type: 'DOUBLE' as const,
        })),
        rowGroupSize: data.length,
        codec: 'UNCOMPRESSED',
      });
      expect(content.length).toBeGreaterThan(15 << 20);
      const path = await fileWith(content, 'table.parquet');
      const signal = new AbortController().signal;
      const file = await parquet.open(path, { fileName: 'table.parquet', signal });
      const before = bytesReadByProcess();
      let batches = 0;
      let rows = 0;
      for await (const batch of file.readRows(0, signal)) {
        batches++;
        rows += batch.length;
      }
      await file.close();
      expect([batches > 4, rows]).toEqual([true, data.length]);
      expect((bytesReadByProcess() - before) / content.length).toBeLessThan(1.1);
    },
  );

  const small = (): Uint8Array =>
    written({
      columnData: ['a', 'b', 'c'].map((name) => ({ name, data: [1, 2, 3], type: 'INT32' as const })),
      rowGroupSize: 2,
    });

  it('is rejected before its rows when a row group doesn’t fit into memory', async () => {
    const claims = (change: (data: ColumnMetaData) => void): Uint8Array =>
      withMetadata(small(), ({ row_groups: [, group] }) => {
        for (const { meta_data: data } of group?.columns ?? []) if (data) change(data);
      });
    // Together they are too large; the largest alone is not.
    const large = claims((data) => (data.total_compressed_size = 60n << 20n));
    await expect(read(large)).rejects.toThrow(/row group 2 is 180 MB; Wellbench reads up to 128 MB/);
    const negative = claims((data) => (data.total_compressed_size = -5n));
    await expect(read(negative)).rejects.toThrow(/row group 2 is \d+ MB/);
  });

  it('with a compression that can’t be unpacked is rejected with its name', async () => {
    const content = withMetadata(small(), ({ row_groups: groups }) => {
      for (const { meta_data: data } of groups[1]?.columns ?? []) if (data) data.codec = 'LZ4_RAW';
    });
    await expect(read(content)).rejects.toThrow(/compressed with LZ4_RAW/);
  });

  it('is rejected when its footer or its pages lie about sizes', async () => {
    const first = (change: (data: ColumnMetaData) => void): Uint8Array =>
      withMetadata(small(), ({ row_groups: [group] }) => {
        const data = group?.columns[0]?.meta_data;
        if (data) change(data);
      });
    for (const lie of [
      first((data) => (data.total_compressed_size = 1n)),
      first((data) => (data.data_page_offset = 1n << 40n)),
      first((data) => (data.data_page_offset = -4n)),
      withMetadata(small(), (metadata) => (metadata.num_rows = 1n << 40n)),
      withMetadata(small(), (metadata) => {
        metadata.num_rows = 1_000_002n;
        for (const group of metadata.row_groups.slice(1)) group.num_rows = 1_000_000n;
      }),
    ])
      await expect(read(lie)).rejects.toMatchObject({ code: 'file_unsuitable' });
    // Uncompressed sizes aren't believed: what is unpacked is counted.
    const bomb = written({
      columnData: Array.from({ length: 40 }, (_, at) => ({
        name: `c${at}`,
        data: ['a'.repeat(8 << 20)],
        type: 'STRING' as const,
      })),
    });
    expect(bomb.length).toBeLessThan(32 << 20);
    const liar = withMetadata(bomb, ({ row_groups: [group] }) => {
      for (const { meta_data: data } of group?.columns ?? []) if (data) data.total_uncompressed_size = 10n;
    });
    await expect(read(liar)).rejects.toThrow(/pages unpack to more than 192 MB/);
  });

  it('is recognized by its content', () => {
    expect(parquet.recognize(Buffer.from('PAR1abc'), 'a.csv')).toBe(true);
    expect(parquet.recognize(Buffer.from('a,b'), 'a.parquet')).toBe(false);
  });

  it('is rejected when it is truncated, damaged, or not Parquet', async () => {
    const whole = written({
      columnData: [{ name: 'a', data: Array.from({ length: 999 }, (_, at) => `text ${at}`) }],
    });
    for (const content of [
      whole.subarray(0, whole.length >> 1),
      Buffer.from('PAR1'),
      Buffer.from('PAR1 not really PAR1'),
      Buffer.concat([whole.subarray(0, 40), Buffer.alloc(400, 0xff), whole.subarray(440)]),
    ])
      await expect(read(content)).rejects.toMatchObject({ code: 'file_unsuitable' });
  });
});
