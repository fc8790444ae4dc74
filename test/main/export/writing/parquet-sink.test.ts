import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstRun } from '../../../../src/main/paging/cursor.ts';
import { ExportWriter } from '../../../../src/main/export/writing/export-writer.ts';
import { useFolders } from '../../../support/folders.ts';
import { csvLayout } from '../../../../src/shared/export/csv-layout.ts';
import { csvStyle } from '../../../../src/shared/export/csv-style.ts';

const folder = useFolders();

/** Writes pages of records as Parquet and reads them back. */
async function written(pages: string[], fields: string[] = [], timeZone: string | null = null) {
  const place = await folder();
  const partial = join(place, 'out.parquet');
  const spec = {
    folder: place,
    partial,
    name: 'out.parquet',
    format: 'parquet',
    csv: csvStyle.parse({}),
    layout: csvLayout.parse({}),
    without: [],
    wellNames: null,
    rule: null,
  } as const;
  const writer = new ExportWriter({ ...spec, fields, timeZone, omittedFields: [] }, null);
  for (const page of pages) {
    writer.write({ ...firstRun('all', 0), seen: 1 }, page, { overlaps: false, endsBelow: 0 });
  }
  for (let step = writer.finishStep(); !('sha256' in step); step = writer.finishStep());
  writer.close();
  const bytes = readFileSync(partial);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const metadata = parquetMetadata(file);
  const types = Object.fromEntries(
    metadata.schema.slice(1).map(({ name, type, converted_type }) => [name, converted_type ?? type]),
  );
  return { metadata, types, records: await parquetReadObjects({ file }) };
}

describe('a Parquet file', () => {
  it('has a type for each column that keeps every value', async () => {
    const { types, records } = await written([
      '[{"_id":"a","timestamp":1700000000000,"data":{"i":9007199254740993,"f":1,"b":true,"mixed":1,"list":[1],"none":null,"huge":1}}]',
      '[{"_id":"b","data":{"i":2,"f":0.5,"b":false,"mixed":"x","list":[],"huge":12345678901234567890,"fine":0.1234567890123456789}}]',
    ]);
    expect(types).toEqual({
      _id: 'UTF8',
      timestamp: 'INT64',
      'data.i': 'INT64',
      'data.f': 'DOUBLE',
      'data.b': 'BOOLEAN',
      'data.mixed': 'UTF8',
      'data.list': 'UTF8',
      'data.none': 'UTF8',
      'data.huge': 'UTF8',
      'data.fine': 'UTF8',
    });
    expect(records).toEqual([
      {
        _id: 'a',
        timestamp: 1_700_000_000_000n,
        'data.i': 9_007_199_254_740_993n,
        'data.f': 1,
        'data.b': true,
        'data.mixed': '1',
        'data.list': '[1]',
        'data.none': null,
        'data.huge': '1',
        'data.fine': null,
      },
      expect.objectContaining({
        _id: 'b',
        timestamp: null,
        'data.f': 0.5,
        'data.mixed': 'x',
        'data.huge': '12345678901234567890',
        'data.fine': '0.1234567890123456789',
      }),
    ]);
  });

  it('has groups of rows, with statistics', async () => {
    const pages = Array.from({ length: 5 }, (_, page) =>
      JSON.stringify(Array.from({ length: 9000 }, (_, n) => ({ _id: `${page}-${n}`, n: page * 9000 + n }))),
    );
    const { metadata, records } = await written(pages);
    expect(Number(metadata.num_rows)).toBe(45_000);
    expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([16_000, 16_000, 13_000]);
    expect(metadata.row_groups[2]?.columns[1]?.meta_data?.statistics).toMatchObject({
      min_value: 32_000n,
      max_value: 44_999n,
    });
    expect(records[44_999]).toEqual({ _id: '4-8999', n: 44_999n });
  });

  it('can be read when nothing matched', async () => {
    expect((await written(['[]'])).records).toEqual([]);
    expect((await written(['[]'], ['a', 'b'])).types).toEqual({ a: 'UTF8', b: 'UTF8' });
  });

  it('has times as text in a zone when one was requested', async () => {
    const { types, records } = await written(['[{"timestamp":1700000000000}]'], [], 'UTC');
    expect(types).toEqual({ timestamp: 'UTF8' });
    expect(records).toEqual([{ timestamp: '2023-11-14T22:13:20.000Z' }]);
  });
});
