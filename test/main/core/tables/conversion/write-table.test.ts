import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TableWriter } from '../../../../../src/main/core/tables/conversion/write-table.ts';
import type { Layout } from '../../../../../src/main/core/tables/reading/layout.ts';
import { readRows } from '../../../../../src/main/core/tables/reading/rows.ts';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import { temporaryFolder } from '../../../features/upload/support/files.ts';

const layout: Layout = {
  jsonLines: false,
  delimiter: ',',
  crEnds: false,
  comments: false,
  encoding: { name: 'UTF-8', bom: 0 },
  headerLine: 1,
  unitLine: null,
  header: null,
  columns: ['a', 'b', 'c'].map((name) => ({ name, key: name, unit: null })),
  dataStart: 0,
  dataLine: 1,
};

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '#', ' ', 'x', '7', 'ø') }),
  fc.constant(null),
);

describe('a spooled table', () => {
  it('reads back unchanged, with row locations', async () => {
    const folder = await temporaryFolder();
    let run = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 }), (rows) => {
        run += 1;
        const paths = { table: join(folder, `${run}.csv`), places: join(folder, `${run}.bin`) };
        const spool = new TableWriter(paths, 'file');
        rows.forEach((cells, index) => spool.add(cells, index * 10 + 5));
        spool.close();
        const source = openSource(paths.table, 'file', paths.places);
        const reader = readRows('file', source, layout, { byte: 0, line: 1 });
        const found = rows.map(() => reader.next());
        expect(found.map((row) => row?.texts())).toEqual(rows.map((cells) => cells.map((one) => one ?? '')));
        expect(found.map((row) => row?.record.line)).toEqual(rows.map((_, index) => index * 10 + 5));
        expect(reader.next()).toBeNull();
        source.close();
      }),
    );
  });
});
