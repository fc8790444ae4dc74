import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../../../src/main/core/tables/tables.ts';
import { nullsOf } from '../../../../../src/shared/upload/null-tokens.ts';
import {
  readingOptions,
  type Inspection,
  type ReadingOptions,
} from '../../../../../src/shared/upload/upload.ts';
import { fileWith } from '../../../features/upload/support/files.ts';
import { sheetRow, workbook } from '../../../features/upload/support/workbooks.ts';
import { inProcessThread, testReader } from '../../../features/upload/support/uploads.ts';

async function inspect(
  content: readonly string[] | Buffer,
  reading: Partial<ReadingOptions> = {},
  name = 'rates.csv',
): Promise<Inspection> {
  const bytes = Buffer.isBuffer(content) ? content : `${content.join('\n')}\n`;
  const path = await fileWith(bytes, name);
  const source = { path, name, place: 'path' } as const;
  const thread = inProcessThread();
  const choices = { nulls: nullsOf({}), distinct: [] };
  const options = readingOptions.parse(reading);
  const { file, scan } = await testReader().scanned(source, options, thread, undefined, choices);
  return inspectFile(file, scan);
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

  it('with several tables has no escapes of formulas in any of them, unless the user keeps them', async () => {
    const escaped = [...sections, "'-1,2020-02-01,'-359.4,''=x"];
    const second = await inspect(escaped, { table: '2' });
    expect(second.columns.map(({ min }) => min)).toEqual(['-1', '2020-01-01', -359.4, "'=x"]);
    expect(second.warnings).toContainEqual(
      expect.objectContaining({ code: 'escaped_formulas', count: 3, line: 6 }),
    );
    const kept = await inspect(escaped, { table: '2', apostrophes: 'keep' });
    expect(kept.columns.map(({ min }) => min)).toEqual(["'-1", '2020-01-01', "'-359.4", "''=x"]);
  });

  it('with a header that the user sets is one table', async () => {
    expect(await inspect(sections, { headerRow: 1 })).toMatchObject({
      rows: 4,
      tables: [{ name: 'rates.csv' }],
    });
    for (const table of [undefined, 'rates.csv, line 4', '2'])
      expect(await inspect(sections, { table, headerRow: 4 })).toMatchObject({ rows: 1, headerRow: 4 });
    for (const table of ['rates.csv, line 4', '2'])
      expect(await inspect(sections, { table, unitRow: 5 })).toMatchObject({ headerRow: 4, unitRow: 5 });
    await expect(inspect(sections, { table: '3', unitRow: 5 })).rejects.toThrow(/has no table “3”/);
  });

  it('has a header far below the first rows if the user sets it there', async () => {
    const rows = Array.from({ length: 1200 }, (_, n) => `P1,2020-01-01,${n},0.5`);
    const [header = '', , , lower = '', last = ''] = sections;
    const lines = [header, ...rows, '# note', lower, ',,bar,bar', last];
    expect(await inspect(lines, { headerRow: 1203 })).toMatchObject({
      rows: 1,
      headerRow: 1203,
      unitRow: 1204,
      columns: [{}, {}, { name: 'BottomHolePressure (BARa)', min: 359.4 }, {}],
    });
    expect(await inspect(lines, { table: 'rates.csv, line 1203', unitRow: 0 })).toMatchObject({
      rows: 2,
      headerRow: 1203,
    });
    await expect(inspect(lines, { headerRow: 1206 })).rejects.toThrow(/no header row on line 1206/);
    await expect(inspect(lines, { unitRow: 2000 })).rejects.toThrow(/no unit row on line 2000/);
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

  it.each([
    ['in a cell', '"Well A-1, page'],
    ['in two cells', 'Well A-1,page'],
  ])('with pages names the lines of titles and totals that it skips: %s', async (_where, text) => {
    const page = (n: number): string[] => [
      'MD,Inc,Azi',
      ...Array.from({ length: 4 }, (_, row) => `${n * 4 + row},0.5,1`),
      'Total,,4',
    ];
    const title = (n: number): string => `${text} ${n} of 3${text.startsWith('"') ? '",' : ''},`;
    const lines = [title(1), ...page(0), title(2), ...page(1), title(3), ...page(2)];
    const inspection = await inspect(lines);
    expect(inspection).toMatchObject({ rows: 12, columns: [{ max: 11 }, {}, { max: 1 }] });
    expect(inspection.warnings.filter(({ code }) => code === 'page_headers')).toMatchObject([
      {
        line: 8,
        count: 4,
        message: '2 repeated headers and 2 lines of titles above them are skipped (lines 8, 9, 15, 16).',
      },
      { line: 7, count: 2, message: '2 totals or remarks above headers are skipped (lines 7, 14).' },
    ]);
    expect(inspection.warnings).toContainEqual(expect.objectContaining({ code: 'footer_rows', line: 21 }));
  });

  it('with titles and totals between different tables names their lines', async () => {
    const table = ['1,2,3', '2,3,4'];
    const lines = ['MD,Inc,Azi', ...table, 'Total,,7', 'Tools,,', 'From,To,Length', ...table];
    expect((await inspect(lines)).warnings.filter(({ code }) => code === 'page_headers')).toMatchObject([
      { line: 5, count: 1, message: '1 line of titles above headers is skipped (line 5).' },
      { line: 4, count: 1, message: '1 total or remark above headers is skipped (line 4).' },
    ]);
  });

  it('with blocks has their values as columns', async () => {
    const block = ['Pressure,Depth,Rate', '1,2,3', '2,3,4'];
    const lines = ['Well: A-1,,', 'Rig: R7,,', ...block, 'Well: B-2,,', 'Rig: R7,,', ...block];
    const found = await inspect(lines);
    // The well is a column, the rig is the same in all blocks.
    expect(found.warnings).toContainEqual(
      expect.objectContaining({ code: 'page_headers', line: 7, count: 2 }),
    );
    expect(found).toMatchObject({
      rows: 4,
      columns: [{ name: 'Pressure' }, { name: 'Depth' }, {}, { name: 'Well', min: 'A-1', max: 'B-2' }],
    });
  });

  it('with blocks has their values in filled short rows, too', async () => {
    const header = 'MD,Inc,Azi,Note';
    const rows = ['Run: 1', header, '0,1,2,a', '30,1.5,2', 'Run: 2', header, '60,1,2,b', '90,1.5,2'];
    const found = await inspect(rows, { shortRows: 'fill' });
    expect(found.columns.map(({ name, nulls }) => [name, nulls])).toEqual([
      ['MD', 0],
      ['Inc', 0],
      ['Azi', 0],
      ['Note', 2],
      ['Run', 0],
    ]);
  });

  it('with wells in comments has them in its header, or as a column', async () => {
    const block = ['MD,Inc,Azi', '1,2,3', '2,3,4'];
    const same = await inspect(['# Well: A-1', ...block, ...block]);
    expect(same.header).toMatchObject([{ name: 'Well', value: 'A-1' }]);
    const below = await inspect(['MD,Inc,Azi', '# Well: A-1', ...block.slice(1)]);
    expect(below.header).toMatchObject([{ name: 'Well', value: 'A-1' }]);
    const { message } = below.warnings.find(({ code }) => code === 'page_headers') ?? {};
    expect(message).toBe('1 line of titles above rows is skipped (line 2).');
    const columns = [{}, {}, {}, { name: 'Well', min: 'A-1', max: 'B-2' }];
    for (const header of [block, block.slice(1)])
      expect(await inspect(['# Well: A-1', ...block, '# Well: B-2', ...header])).toMatchObject({
        rows: 4,
        columns,
      });
    const tabs = [...block, '# Pump off, date: 12.01.2026', ...block.slice(1)].map((line) =>
      line.startsWith('#') ? line : line.replaceAll(',', '\t'),
    );
    for (const name of ['a.csv', 'a.txt']) expect((await inspect(tabs, {}, name)).columns).toHaveLength(3);
  });

  it.each([
    ['WELL BADGER', 'WELL BRAVO'],
    ['Well,Badger,Field,Volve', 'Well,Bravo,Field,Volve'],
  ])(
    'with wells above blocks has them as a column, also without a digit or a colon: %s',
    async (one, other) => {
      const block = ['MD,Inc,Azi,GR', '1,2,3,4', '2,3,4,5'];
      for (const name of ['wells.csv', 'wells.txt']) {
        const blocks = [one, ...block, other, ...block].map((line) =>
          name.endsWith('csv') ? line : line.replaceAll(',', '   '),
        );
        const found = await inspect(blocks, {}, name);
        expect(found.rows).toBe(4);
        expect(found.columns.map(({ name: column, min, max }) => [column, min, max])).toContainEqual([
          expect.stringMatching(/^well$/i),
          expect.stringMatching(/^badger/i),
          expect.stringMatching(/^bravo/i),
        ]);
      }
    },
  );

  it.each([
    ['C-1', 'C-2'],
    ['A-1', 'C-2'],
    ['IC-4', 'Well 12'],
  ])('with wells above blocks that can name columns has them as a column: %s, %s', async (one, other) => {
    const block = ['MD,Inc,Azi,GR,ROP,RPM', '1,2,3,4,5,6', '2,3,4,5,6,7'];
    const { columns } = await inspect([`Well,${one},,,,`, ...block, `Well,${other},,,,`, ...block]);
    expect(columns[6]).toMatchObject({ name: 'Well', min: one, max: other });
  });

  it('of wells and a gas has the gas as a column', async () => {
    const rows = ['A-1,0.5', 'A-2,0.25', 'A-3,1'];
    for (const lines of [rows, [...rows, 'Well,C1', ...rows]])
      expect(await inspect(['Well,C1', ...lines])).toMatchObject({
        rows: lines.filter((line) => line.startsWith('A')).length,
        header: [],
        columns: [{ name: 'Well' }, { name: 'C1', min: 0.25, max: 1 }],
      });
  });

  it.each([
    [
      ['MD,Inc', '1,2', '2,3'],
      ['Well,H2S', '5001,0.5'],
    ],
    [
      ['MD,Inc,Azi', '1,2,3', '2,3,4'],
      ['Well,H2S', 'A-1,0.5'],
    ],
    [
      ['MD,Inc,Azi', '1,2,3', '2,3,4'],
      ['Well,C1', 'A-1,0.5'],
    ],
  ])('with a table of gas by well below another has both: %s, %s', async (survey, gas) => {
    expect((await inspect([...survey, ...gas])).tables).toMatchObject([{ rows: 2 }, { rows: 1 }]);
  });

  it('with a remark on the well between rows has no column of wells', async () => {
    const rows = ['1,2,3', '2,3,4', '3,4,5'];
    const lines = ['# Well A-1', 'MD,Inc,Azi', ...rows, '# Well shut in', ...rows];
    expect(await inspect(lines)).toMatchObject({ rows: 6, columns: [{}, {}, {}] });
  });

  it.each(['#', '!', '--'])('of blanks with wells in remarks has them as a column: %s', async (mark) => {
    const rows = ['1  2  3', '2  3  4', '3  4  5'];
    const lines = [`${mark} Well: A-1`, 'MD  INC  AZI', ...rows, `${mark} Well: B-2`, ...rows];
    const { columns } = await inspect(lines, {}, 'wells.txt');
    expect(columns[3]).toMatchObject({ name: 'Well', min: 'A-1', max: 'B-2' });
  });

  it('with a well above each table has that of the selected one in its header', async () => {
    const rows = [
      'Well:,Ridge A-1',
      'Depth,GR',
      '1,2',
      '2,3',
      'Well:,Badger B-7',
      'Depth,RES,POR',
      '1,2,3',
      '2,3,4',
    ];
    const wells = async (table: string) => (await inspect(rows, { table })).header.map(({ value }) => value);
    expect([await wells('1'), await wells('2')]).toEqual([['Ridge A-1'], ['Badger B-7']]);
  });

  it('with a delimiter other than a comma has the same numbers with and without a repeated header', async () => {
    const [header, ...rows] = ['MD;GR', '1,338;2,450', '1,339;2,451', '1,340;2,452'];
    for (const lines of [
      [header, ...rows],
      [header, ...rows.slice(0, 2), header, ...rows.slice(2)],
    ])
      expect((await inspect(lines.map(String))).columns).toMatchObject([
        { min: 1.338, max: 1.34 },
        { min: 2.45, max: 2.452 },
      ]);
  });

  it.each(['xlsx', 'json', 'jsonl'])(
    'of %s has numbers as they are stored, whatever its texts have',
    async (format) => {
      const rows = [1.234, 2.345, 3.456].map((depth) => ({ Depth: depth, Rate: '12,5' }));
      const cells = rows.map(({ Depth, Rate }, at) => sheetRow(at + 2, [Depth, Rate]));
      const sheets = { A: [sheetRow(1, ['Depth', 'Rate']), ...cells].join('') };
      const texts = rows.map((row) => JSON.stringify(row));
      const text = format === 'json' ? `[${texts.join()}]` : texts.join('\n');
      const content = Buffer.from(format === 'xlsx' ? workbook({ sheets }) : text);
      const { columns } = await inspect(content, {}, `rates.${format}`);
      expect(columns[0]).toMatchObject({ min: 1.234, max: 3.456 });
    },
  );

  it('of text in columns without a header skips no line', async () => {
    const rows = [
      'A10 457215.47 6782674.59 0.2184',
      'A11 457216.47 6782675.59 0.2185',
      'A12 457217.47 6782676.59 0.2186',
    ];
    const { warnings, rows: count } = await inspect(rows, {}, 'wells.txt');
    expect(count).toBe(3);
    expect(warnings.map(({ code }) => code)).toContain('no_header');
    expect(warnings.map(({ code }) => code)).not.toContain('preamble');
  });

  it('of one column of wells has all of them', async () => {
    expect(await inspect(['Asset', 'Well Badger', 'Well Bravo', 'Well Carl'])).toMatchObject({ rows: 3 });
  });

  it('with rows that can be a header or data is reported with their lines', async () => {
    const rows = Array.from({ length: 5 }, (_, n) => `${n},${n}`);
    const found = await inspect(['MD,Inc', ...rows, 'one,two', 'three,four', ...rows]);
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: 'tables_unclear', line: 7 }));
  });

  it('of Windows-1252 after a megabyte of ASCII keeps its letters', async () => {
    const [header = '', row = '', , next = ''] = sections;
    const rows = Array.from({ length: 50_000 }, () => row);
    const lines = [
      header,
      ...rows,
      next,
      'Åsgard,2020-01-01,359.4,361.1',
      'Ærfugl,2020-02-01,359.5,361.2',
      '',
    ];
    const content = Buffer.from(lines.join('\n'), 'latin1');
    const found = await inspect(content, { table: '2' });
    expect(found).toMatchObject({ rows: 2, columns: [{ min: 'Åsgard', max: 'Ærfugl' }, {}, {}, {}] });
    expect(found.warnings.map(({ code }) => code)).not.toContain('bad_bytes');
    expect(found.warnings).toContainEqual(
      expect.objectContaining({
        code: 'encoding_guessed',
        cell: 'Windows-1252',
        choices: expect.any(Array),
        line: 50_003,
      }),
    );
  });
});
