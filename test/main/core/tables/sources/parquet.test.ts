import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { parquetMetadata, parquetRead, type ColumnMetaData, type FileMetaData } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import { parquet } from '../../../../../src/main/core/tables/sources/readers.ts';
import { lawRuns } from '../../../../support/sample.ts';
import { useFolders } from '../../../../support/folders.ts';
import { fileWith } from '../../../features/upload/support/files.ts';
import {
  cellsOf,
  namesOf,
  recordIndexes,
  readContent,
  readPath,
} from '../../../features/upload/support/sources.ts';

const newFolder = useFolders();

/** A file of pyarrow 26 with nanoseconds in 96 bits. */
const int96 =
  'UEFSMRUEFTAVNEwVBBUAEgAAGFwVzfB6wkgAAGeKJQD//06RlE4AAIs9JQAVABUSFRYsFQYVEBUGFQYcAAAACSACAAAAAwMBAwIVBBksNQAYBnNjaGVtYRUCABUGJQIYAXQAFgYZHBkcJgAcFQYZNQAGEBkYAXQVAhYGFoQBFowBJlgmCCksFQQVABUCABUAFRAVAgA8KQYZJgIEAAAAFoQBFgYmCBaMAQAZHBgMQVJST1c6c2NoZW1hGKABLy8vLy8zQUFBQUFRQUFBQUFBQUtBQXdBQmdBRkFBZ0FDZ0FBQUFBQkJBQU1BQUFBQ0FBSUFBQUFCQUFJQUFBQUJBQUFBQUVBQUFBVUFBQUFFQUFVQUFnQUJnQUhBQXdBQUFBUUFCQUFBQUFBQUFFS0VBQUFBQmdBQUFBRUFBQUFBQUFBQUFFQUFBQjBBQVlBQ0FBR0FBWUFBQUFBQUFNQQAYIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGRwcAAAAPAEAAFBBUjE=';

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
    expect(recordIndexes(file)).toEqual([1, 2, 3]);
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
    expect(recordIndexes(file).at(-1)).toBe(30_000);
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
      using source = openSource(path, 'table.parquet');
      const file = await parquet.open(source, {});
      const before = bytesReadByProcess();
      let batches = 0;
      let rows = 0;
      for await (const batch of file.readRows(0)) {
        batches++;
        rows += batch.length;
      }
      file.close?.();
      expect([batches > 4, rows]).toEqual([true, data.length]);
      expect((bytesReadByProcess() - before) / content.length).toBeLessThan(1.1);
    },
  );

  const small = (): Uint8Array =>
    written({
      columnData: ['a', 'b', 'c'].map((name) => ({ name, data: [1, 2, 3], type: 'INT32' as const })),
      rowGroupSize: 2,
    });

  /** A file that the engine writes. @param columns of one `SELECT` */
  async function copied(columns: string, options = ''): Promise<Uint8Array> {
    const path = join(await newFolder(), 'copied.parquet');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`SET TimeZone = 'UTC'`);
    await connection.run(`COPY (SELECT ${columns}) TO '${path}' (FORMAT parquet${options})`);
    connection.closeSync();
    return readFileSync(path);
  }

  it('has columns whose names differ only in case, and values below structures that are null', async () => {
    const file = await read(
      written({
        schema: [
          { name: 'root', num_children: 4 },
          { name: 'rop', type: 'INT32', repetition_type: 'REQUIRED' },
          { name: 'ROP', type: 'INT32', repetition_type: 'REQUIRED' },
          { name: 'data', num_children: 2, repetition_type: 'OPTIONAL' },
          { name: 'x', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
          { name: 'X', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
          { name: 'data.x', type: 'INT32', repetition_type: 'REQUIRED' },
        ],
        columnData: [
          { name: 'rop', data: [1, 2] },
          { name: 'ROP', data: [3, 4] },
          { name: 'data', data: [{ x: 1.5, X: 2.5 }, null] },
          { name: 'data.x', data: [5, 6] },
        ],
      }),
    );
    expect(namesOf(file)).toEqual(['rop', 'ROP', 'data.x', 'data.X', String.raw`data\.x`]);
    expect(cellsOf(file)).toEqual([
      ['1', '3', '1.5', '2.5', '5'],
      ['2', '4', null, null, '6'],
    ]);
  });

  it('has lists, maps, and structures within lists as JSON of records', async () => {
    const file = await read(
      await copied(
        `[1, NULL] AS l, MAP {'k': 1.5::DOUBLE} AS m, [{'t': TIMESTAMPTZ '2026-01-01 00:00:00Z', 'f': 0.1::FLOAT, 'd': 1.10::DECIMAL(5,2)}] AS s, ['nan'::DOUBLE] AS n, [['a']] AS ll`,
      ),
    );
    expect(cellsOf(file)).toEqual([
      ['[1,null]', '{"k":1.5}', '[{"t":"2026-01-01T00:00:00.000Z","f":0.1,"d":1.10}]', '[null]', '[["a"]]'],
    ]);
  });

  it('has numbers that JSON lacks, intervals, ids, and bytes', async () => {
    const file = await read(
      await copied(
        `'nan'::FLOAT AS nan, '-infinity'::DOUBLE AS inf, INTERVAL '1 month 2 days 3 hours' AS i, '89243dc7-7973-4816-ac8e-5b17edc33e71'::UUID AS u, 'text'::BLOB AS b, '\\xFF\\x00'::BLOB AS c, 18446744073709551615::UBIGINT AS big`,
      ),
    );
    expect(cellsOf(file)).toEqual([
      [
        null,
        '-Infinity',
        '1 month 2 days 03:00:00',
        '89243dc7-7973-4816-ac8e-5b17edc33e71',
        'text',
        '/wA=',
        '18446744073709551615',
      ],
    ]);
    expect(file.tables[0]?.columns.map(({ type }) => type)).toEqual([
      null,
      null,
      'text',
      'text',
      null,
      null,
      null,
    ]);
  });

  const instants = (unit: 'MILLIS' | 'MICROS' | 'NANOS', isAdjustedToUTC: boolean, data: bigint[]) =>
    written({
      schema: [
        { name: 'root', num_children: 1 },
        {
          name: 't',
          type: 'INT64',
          repetition_type: 'REQUIRED',
          logical_type: { type: 'TIMESTAMP', unit, isAdjustedToUTC },
        },
      ],
      columnData: [{ name: 't', data }],
    });

  it.each([
    ['MILLIS', true, 1001n, '1970-01-01T00:00:01.001Z'],
    ['MICROS', true, -1n, '1969-12-31T23:59:59.999999Z'],
    ['NANOS', true, 1_001_000_000n, '1970-01-01T00:00:01.001Z'],
    ['MILLIS', false, 1001n, '1970-01-01T00:00:01.001'],
    ['MICROS', false, 1n, '1970-01-01T00:00:00.000001'],
    ['NANOS', false, -1n, '1969-12-31T23:59:59.999999999'],
  ] as const)('has times in %s, in UTC: %s', async (unit, isUtc, value, text) => {
    const file = await read(instants(unit, isUtc, [value]));
    expect(cellsOf(file)).toEqual([[text]]);
    expect(file.warnings).toEqual([]);
  });

  it('has instants of 96 bits in UTC, and warns where nanoseconds are cut to microseconds', async () => {
    const old = await read(Buffer.from(int96, 'base64'));
    expect(cellsOf(old)).toEqual([['2023-11-14T22:13:20.123456Z'], ['1969-12-31T23:59:59.999999Z'], [null]]);
    expect(old.warnings).toMatchObject([{ code: 'digits_cut', column: 0, count: 2, place: 1 }]);
    const nanos = await read(instants('NANOS', true, [1_000_000_000n, 1_000_001_001n]));
    expect(cellsOf(nanos)).toEqual([['1970-01-01T00:00:01.000Z'], ['1970-01-01T00:00:01.000001Z']]);
    expect(nanos.warnings).toMatchObject([{ code: 'digits_cut', count: 1, place: 2 }]);
  });

  it('with decimals of more digits than can be read right is rejected with its column', async () => {
    const content = written({
      schema: [
        { name: 'root', num_children: 1 },
        {
          name: 'cost',
          type: 'FIXED_LEN_BYTE_ARRAY',
          type_length: 20,
          converted_type: 'DECIMAL',
          precision: 46,
          scale: 1,
          repetition_type: 'REQUIRED',
        },
      ],
      columnData: [{ name: 'cost', data: [12345n] }],
    });
    await expect(read(content)).rejects.toThrow(
      /column “cost” has decimals of 46 digits; Wellbench reads up to 38/,
    );
  });

  it.each(['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'])(
    'is read if it is %s',
    async (codec) => {
      const content = await copied(
        `i, 'text ' || i AS s FROM range(3000) t(i)`,
        `, COMPRESSION ${codec}, ROW_GROUP_SIZE 2048`,
      );
      const cells = cellsOf(await read(content));
      expect(cells).toHaveLength(3000);
      expect(cells.at(-1)).toEqual(['2999', 'text 2999']);
    },
  );

  it('without rows has its columns, and without columns is rejected', async () => {
    const file = await read(await copied(`1 AS a, 'x' AS b WHERE false`));
    expect([namesOf(file), cellsOf(file), file.tables[0]?.rows]).toEqual([['a', 'b'], [], 0]);
    const content = withMetadata(small(), (metadata) => {
      metadata.schema = [{ name: 'root', num_children: 0 }];
      for (const group of metadata.row_groups) group.columns = [];
    });
    await expect(read(content)).rejects.toThrow(/it has no columns/);
  });

  it('has the units that an export of ours or pandas wrote', async () => {
    const file = (key: string, value: unknown) =>
      read(
        written({
          columnData: [{ name: 'data_rop', data: [1], type: 'INT32' }],
          kvMetadata: [{ key, value: JSON.stringify(value) }],
        }),
      );
    const ours = await file('wellbench.columns', [
      { name: 'data_rop', path: 'data.rop', unit: 'ft/h', description: 'Rate' },
    ]);
    expect(ours.tables[0]?.columns).toMatchObject([{ name: 'data.rop', unit: 'ft/h' }]);
    const pandas = await file('pandas', { columns: [], attributes: { units: { data_rop: 'm/h' } } });
    expect(pandas.tables[0]?.columns).toMatchObject([{ name: 'data_rop', unit: 'm/h' }]);
    for (const others of [
      await file('pandas', { attributes: 'none' }),
      await file('pandas', { attributes: { units: { data_rop: '' } } }),
      await file('wellbench.columns', [{ name: 'data_rop', path: 'data_rop', unit: '' }]),
    ])
      expect(others.tables[0]?.columns).toMatchObject([{ name: 'data_rop', unit: null }]);
  });

  it.each(['a[1].parquet', 'asset_id=5/b.parquet'])(
    'called %s has its own rows and columns',
    async (name) => {
      const path = join(await newFolder(), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, await copied('2 AS v'));
      await writeFile(join(dirname(path), 'a1.parquet'), await copied('1 AS v'));
      const file = await readPath(parquet, path);
      expect([namesOf(file), cellsOf(file)]).toEqual([['v'], [['2']]]);
    },
  );

  it('has the values that another reader has, whatever is drawn', async () => {
    const types = {
      INT32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      INT64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      DOUBLE: fc.double({ noNaN: true, noDefaultInfinity: true }),
      STRING: fc.string({ unit: 'grapheme', minLength: 1 }),
      BOOLEAN: fc.boolean(),
      TIMESTAMP: fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    } as const;
    const column = fc.constantFrom(...(Object.keys(types) as (keyof typeof types)[])).chain((type) =>
      fc.record({
        name: fc.string({ unit: 'grapheme', minLength: 1 }),
        type: fc.constant(type),
        data: fc.array(fc.option<unknown>(types[type]), { minLength: 5, maxLength: 5 }),
      }),
    );
    const text = (value: unknown): string | null =>
      value instanceof Date
        ? value.toISOString()
        : value === null || value === undefined
          ? null
          : String(value);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(column, { minLength: 1, maxLength: 6, selector: ({ name }) => name }),
        async (columnData) => {
          const content = written({ columnData, rowGroupSize: 2 });
          let rows: readonly (readonly unknown[])[] = [];
          const onComplete = (all: unknown[][]) => void (rows = all);
          await parquetRead({ file: Uint8Array.from(content).buffer, onComplete });
          const file = await read(content);
          expect(cellsOf(file)).toEqual(rows.map((row) => row.map(text)));
        },
      ),
      { numRuns: lawRuns(25) },
    );
  });

  it('whose footer lies about sizes has its values, or is rejected', async () => {
    const first = (change: (data: ColumnMetaData) => void): Uint8Array =>
      withMetadata(small(), ({ row_groups: [group] }) => {
        const data = group?.columns[0]?.meta_data;
        if (data) change(data);
      });
    const right = cellsOf(await read(small()));
    for (const lie of [
      first((data) => (data.total_compressed_size = 1n)),
      first((data) => (data.total_compressed_size = -5n)),
      first((data) => (data.total_uncompressed_size = 10n)),
      first((data) => (data.data_page_offset = 1n << 40n)),
      first((data) => (data.data_page_offset = -4n)),
      first((data) => (data.codec = 'LZO')),
      withMetadata(small(), (metadata) => (metadata.num_rows = 1n << 40n)),
      withMetadata(small(), (metadata) => (metadata.num_rows = 2n)),
      withMetadata(small(), (metadata) => {
        metadata.num_rows = 1_000_002n;
        for (const group of metadata.row_groups.slice(1)) group.num_rows = 1_000_000n;
      }),
    ]) {
      const cells = await read(lie).then(cellsOf, (error: unknown) => error);
      if (Array.isArray(cells)) expect(cells).toEqual(right);
      else expect(cells).toMatchObject({ code: 'file_unsuitable' });
    }
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
