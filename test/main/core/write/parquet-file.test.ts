import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useFolders } from '../../../support/folders.ts';
import { parquet } from '../../../../src/main/core/tables/sources/readers.ts';
import { cellsOf, readContent } from '../../features/upload/support/sources.ts';
import { plainSpec } from '../../features/export/support/spec.ts';
import { type GivenSpec, writePages } from '../../features/export/support/written.ts';

const folder = useFolders();

/** Writes pages of records as Parquet and reads them back. */
async function written(pages: string[], given: GivenSpec = {}) {
  const { bytes } = await writePages(await folder(), pages, { format: 'parquet', ...given });
  const file = Uint8Array.from(bytes).buffer;
  const metadata = parquetMetadata(file);
  const types = Object.fromEntries(
    metadata.schema
      .slice(1)
      .map(({ name, type, converted_type, logical_type }) => [
        name,
        converted_type === 'UTF8' ? 'STRING' : (logical_type?.type ?? type),
      ]),
  );
  const keys = Object.fromEntries((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value]));
  const records = await parquetReadObjects({
    file,
    compressors: { ZSTD: (input) => zstdDecompressSync(input) },
  });
  return { metadata, types, keys, records, bytes };
}

describe('a Parquet file', () => {
  it('has a type for each column that all of its values have', async () => {
    const { types, records } = await written([
      '[{"_id":"a","timestamp":1700000000000,"data":{"i":9007199254740993,"f":1,"b":true,"mixed":1,"list":[1],"none":null,"huge":1}}]',
      '[{"_id":"b","data":{"i":2,"f":0.5,"b":false,"mixed":"x","list":[],"huge":12345678901234567890,"fine":0.1234567890123456789}}]',
    ]);
    expect(types).toEqual({
      _id: 'STRING',
      timestamp: 'TIMESTAMP',
      'data.i': 'INT64',
      'data.f': 'DOUBLE',
      'data.b': 'BOOLEAN',
      'data.mixed': 'STRING',
      'data.list': 'STRING',
      'data.none': 'STRING',
      'data.huge': 'DOUBLE',
      'data.fine': 'DOUBLE',
    });
    expect(records).toEqual([
      {
        _id: 'a',
        timestamp: new Date(1_700_000_000_000),
        'data.i': 9_007_199_254_740_993n,
        'data.f': 1,
        'data.b': true,
        'data.mixed': '1',
        'data.list': '[1]',
        'data.none': null,
        'data.huge': 1,
        'data.fine': null,
      },
      expect.objectContaining({
        _id: 'b',
        timestamp: null,
        'data.f': 0.5,
        'data.mixed': 'x',
        'data.huge': Number('12345678901234567890'),
        'data.fine': Number('0.1234567890123456789'),
      }),
    ]);
  });

  it('has row groups with statistics', async () => {
    const pages = Array.from({ length: 15 }, (_, page) =>
      JSON.stringify(Array.from({ length: 9000 }, (_, n) => ({ _id: `${page}-${n}`, n: page * 9000 + n }))),
    );
    const { metadata, records } = await written(pages);
    expect(Number(metadata.num_rows)).toBe(135_000);
    expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([122_880, 12_120]);
    expect(metadata.row_groups[1]?.columns[1]?.meta_data?.statistics).toMatchObject({
      min_value: 122_880n,
      max_value: 134_999n,
    });
    expect(records[134_999]).toEqual({ _id: '14-8999', n: 134_999n });
  });

  it('can be read when no records matched', async () => {
    expect((await written(['[]'])).records).toEqual([]);
    expect((await written(['[]'], { fields: ['a', 'b'] })).types).toEqual({ a: 'STRING', b: 'STRING' });
  });

  it.each([
    ['milliseconds', '{"timestamp":1700000000000}', 'timestamp', 'TIMESTAMP'],
    ['ISO text with an offset', '{"datetime":"2023-11-14T16:13:20-06:00"}', 'datetime', 'TIMESTAMP'],
    ['text without an offset', '{"datetime":"2023-11-14T22:13:20"}', 'datetime', 'STRING'],
    ['microseconds as text', '{"datetime":"2023-11-14T22:13:20.000001Z"}', 'datetime', 'STRING'],
    ['microseconds as a number', '{"timestamp":1700000000000000}', 'timestamp', 'INT64'],
    ['fractions of a millisecond', '{"timestamp":1700000000000.5}', 'timestamp', 'DOUBLE'],
  ])(
    'uses the instant type only for values that it represents exactly: %s',
    async (_, record, column, type) => {
      const { types, records } = await written([`[${record}]`], { timeZone: 'America/Chicago' });
      expect(types).toEqual({ [column]: type });
      if (type === 'TIMESTAMP') expect(records).toEqual([{ [column]: new Date(1_700_000_000_000) }]);
    },
  );

  it('keeps times unchanged when some aren’t instants', async () => {
    const { types, records } = await written([
      '[{"timestamp":1700000000000,"datetime":"2023-11-14T22:13:20Z"},{"timestamp":1.5,"datetime":"noon"}]',
    ]);
    expect(types).toEqual({ timestamp: 'DOUBLE', datetime: 'STRING' });
    expect(records).toEqual([
      { timestamp: 1_700_000_000_000, datetime: '2023-11-14T22:13:20Z' },
      { timestamp: 1.5, datetime: 'noon' },
    ]);
  });

  it('names its source, and the units of its columns', async () => {
    const { keys } = await written(['[{"timestamp":1,"data":{"rop":1.5}}]'], {
      about: {
        ...plainSpec.about,
        timeZone: 'America/Chicago',
        columns: {
          'data.rop': { unit: 'ft/h' },
          timestamp: { unit: 'ms' },
        },
      },
    });
    expect(keys).toMatchObject({
      'wellbench.version': '1.2.3',
      'wellbench.service': 'https://data.example.com',
      'wellbench.dataset': 'demo/wits',
      'wellbench.request': '{"query":{},"sort":{"timestamp":1}}',
      'wellbench.time_zone': 'America/Chicago',
    });
    expect(JSON.parse(keys['wellbench.columns'] ?? '')).toEqual([
      { name: 'timestamp', path: 'timestamp' },
      { name: 'data.rop', path: 'data.rop', unit: 'ft/h' },
    ]);
  });

  it('can have names without dots, which an upload maps to the original fields', async () => {
    const { bytes, types } = await written(['[{"data":{"a":{"b":1},"a_b":2,"A_B":3}}]'], {
      columnNames: 'underscore',
    });
    expect(Object.keys(types)).toEqual(['data_a_b', 'data_a_b_2', 'data_A_B_3']);
    const { tables } = await readContent(parquet, bytes, 'out.parquet');
    expect(tables[0]?.columns.map(({ name }) => name)).toEqual(['data.a.b', 'data.a_b', 'data.A_B']);
  });

  it('is read by an upload with its times and units, and has descriptions', async () => {
    const columns = { 'data.rop': { unit: 'ft/h', description: 'Rate of penetration' } };
    const { bytes } = await written(['[{"timestamp":1700000000123,"data":{"rop":1.5}}]'], {
      about: { ...plainSpec.about, columns },
    });
    const file = await readContent(parquet, bytes, 'out.parquet');
    expect(file.tables[0]?.columns).toMatchObject([
      { name: 'timestamp', unit: null, type: 'time' },
      { name: 'data.rop', unit: 'ft/h' },
    ]);
    expect(bytes.includes('Rate of penetration')).toBe(true);
    expect(cellsOf(file)).toEqual([['2023-11-14T22:13:20.123Z', '1.5']]);
  });
});
