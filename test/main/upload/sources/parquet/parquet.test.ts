import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { parquet } from '../../../../../src/main/upload/sources/parquet/parquet.ts';
import { cellsOf, namesOf, placesOf, readContent } from '../../support/sources.ts';

type WriteOptions = Parameters<typeof parquetWriteBuffer>[0];
const written = (options: WriteOptions): Uint8Array => new Uint8Array(parquetWriteBuffer(options));
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

  it('is read in batches over many row groups of any size', async () => {
    const data = Array.from({ length: 30_000 }, (_, at) => at);
    const names = Array.from({ length: 40 }, (_, at) => `c${at}`);
    const file = await read(
      written({ columnData: names.map((name) => ({ name, data, type: 'INT32' })), rowGroupSize: 20_000 }),
    );
    expect(cellsOf(file).map(([first]) => Number(first))).toEqual(data);
    expect(placesOf(file).at(-1)).toBe(30_000);
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
