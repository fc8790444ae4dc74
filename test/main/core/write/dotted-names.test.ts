import { zstdDecompressSync } from 'node:zlib';
import { read as readReference, utils } from '@e965/xlsx';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { parquet } from '../../../../src/main/core/tables/sources/readers.ts';
import { useFolders } from '../../../support/folders.ts';
import { cellsOf, namesOf, readContent } from '../../features/upload/support/sources.ts';
import { writePages } from '../../features/export/support/written.ts';

const folder = useFolders();

/** A field whose name has a dot, and a nested field with the same path; and a name with a dot without another. */
const records = [
  '{"_id":"1","a.b":1,"a":{"b":2},"data":{"x.y":3}}',
  '{"_id":"2","a.b":4,"a":{"b":5},"data":{"x.y":6}}',
];
const names = ['_id', String.raw`a\.b`, 'a.b', 'data.x.y'];
const rows = [
  ['1', 1, 2, 3],
  ['2', 4, 5, 6],
];

describe('a field whose name has a dot', () => {
  it('has a column beside that of a nested field, in CSV', async () => {
    const { bytes } = await writePages(
      await folder(),
      records.map((record) => `[${record}]`),
      { format: 'csv' },
    );
    expect(bytes.toString()).toBe([names, ...rows].map((cells) => `${cells.join(',')}\r\n`).join(''));
  });

  it('has a column in Excel', async () => {
    const { bytes } = await writePages(await folder(), [`[${records.join(',')}]`], { format: 'xlsx' });
    const book = readReference(bytes);
    const sheet = book.Sheets[book.SheetNames[0] ?? ''] ?? {};
    expect(utils.sheet_to_json(sheet, { header: 1 })).toEqual([names, ...rows]);
  });

  it.each([
    ['dotted' as const, names],
    ['underscore' as const, ['_id', 'a__b', 'a_b', 'data_x_y']],
  ])('has a column in Parquet with names of the form %s', async (columnNames, expected) => {
    const { bytes } = await writePages(await folder(), [`[${records.join(',')}]`], {
      format: 'parquet',
      columnNames,
    });
    const read = await parquetReadObjects({
      file: Uint8Array.from(bytes).buffer,
      compressors: { ZSTD: (input) => zstdDecompressSync(input) },
    });
    expect(read.map((row) => Object.keys(row))).toEqual([expected, expected]);
    expect(
      read.map((row) =>
        Object.values(row).map((value) => (typeof value === 'bigint' ? Number(value) : value)),
      ),
    ).toEqual(rows);
  });

  it('has a column when the file is uploaded again', async () => {
    const { bytes } = await writePages(await folder(), [`[${records.join(',')}]`], { format: 'parquet' });
    const file = await readContent(parquet, bytes, 'again.parquet');
    expect(namesOf(file)).toEqual(names);
    expect(cellsOf(file)).toEqual(rows.map((cells) => cells.map(String)));
  });
});
