import { describe, expect, it } from 'vitest';
import { scannedFile } from '../../../../../src/main/upload/readable-file.ts';
import { inspectionOfFile } from '../../../../../src/main/upload/reading/inspection.ts';
import { nullsOf } from '../../../../../src/shared/upload/null-tokens.ts';
import { readingOptions } from '../../../../../src/shared/upload/upload.ts';
import type { Inspection, ReadingOptions } from '../../../../../src/shared/upload/upload.ts';
import { fileWith } from '../../support/files.ts';
import { inProcessThread, testConversions } from '../../support/uploads.ts';

async function inspect(lines: readonly string[], reading: Partial<ReadingOptions> = {}): Promise<Inspection> {
  const path = await fileWith(`${lines.join('\n')}\n`, 'rates.csv');
  const source = { path, name: 'rates.csv', place: 'path' } as const;
  const thread = inProcessThread();
  const choices = { nulls: nullsOf({}), distinct: [] };
  const options = readingOptions.parse(reading);
  const { file, scan } = await scannedFile(source, options, testConversions(), thread, undefined, choices);
  return inspectionOfFile(file, scan);
}

const sections = [
  ',Date,OilRate (Sm3/day),WaterCut (fraction)',
  'P1,2020-01-01,2400.1,0.01',
  'P1,2020-02-01,2399.5,0.02',
  ',Date,BottomHolePressure (BARa),SandfacePressure (BARa)',
  'I1,2020-01-01,359.4,361.1',
];

describe('a delimited file', () => {
  it('with another header below has a table for each, which the user selects', async () => {
    const first = await inspect(sections);
    expect(first).toMatchObject({
      format: 'csv',
      rows: 2,
      tables: [
        { name: 'rates.csv', rows: 2 },
        { name: 'rates.csv, line 4', rows: 1 },
      ],
      columns: [{}, { name: 'Date' }, { unit: 'Sm3/day', min: 2399.5, max: 2400.1 }, {}],
    });
    expect(first.warnings).toContainEqual(expect.objectContaining({ code: 'several_tables', count: 2 }));
    for (const table of ['2', 'rates.csv, line 4'])
      expect(await inspect(sections, { table })).toMatchObject({
        rows: 1,
        headerRow: 4,
        columns: [{}, {}, { name: 'BottomHolePressure (BARa)', min: 359.4 }, {}],
      });
  });

  it('with a header that the user sets is one table', async () => {
    expect(await inspect(sections, { headerRow: 1 })).toMatchObject({
      rows: 4,
      tables: [{ name: 'rates.csv' }],
    });
    expect(await inspect(sections, { headerRow: 4 })).toMatchObject({ rows: 1, headerRow: 4 });
  });

  it('with pages that repeat the header has their rows, and a warning with the lines', async () => {
    const header = 'MD (m),Inc (deg)';
    const found = await inspect([header, '0,0', '30,0.5', header, '60,1', '# note', '90,2']);
    expect(found).toMatchObject({ rows: 4, columns: [{ type: 'integer', max: 90 }, { type: 'number' }] });
    expect(found.warnings).toContainEqual(
      expect.objectContaining({ code: 'page_headers', line: 4, count: 1 }),
    );
    expect(found.warnings).toContainEqual(
      expect.objectContaining({ code: 'comment_lines', line: 6, count: 1 }),
    );
  });

  it('with blocks has their values as columns', async () => {
    const block = ['Pressure,Depth,Rate', '1,2,3', '2,3,4'];
    const found = await inspect(['Well: A-1,,', ...block, 'Well: B-2,,', ...block]);
    expect(found).toMatchObject({
      rows: 4,
      columns: [{ name: 'Pressure' }, { name: 'Depth' }, {}, { name: 'Well', min: 'A-1', max: 'B-2' }],
    });
  });

  it('with rows that can be a header or data is reported with their lines', async () => {
    const rows = Array.from({ length: 5 }, (_, n) => `${n},${n}`);
    const found = await inspect(['MD,Inc', ...rows, 'one,two', 'three,four', ...rows]);
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: 'tables_unclear', line: 7 }));
  });
});
