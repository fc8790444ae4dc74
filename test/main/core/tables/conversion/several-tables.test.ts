import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createConversions, type Conversion } from '../../../../../src/main/core/tables/tables.ts';
import type { ConversionChoice } from '../../../../../src/main/core/tables/conversion/convert-file.ts';
import { detectFile } from '../../../../../src/main/core/tables/conversion/detect.ts';
import { fileWith, temporaryFolder } from '../../../features/upload/support/files.ts';
import { sheetRow, workbook } from '../../../features/upload/support/workbooks.ts';

async function convert(
  content: string | Uint8Array,
  name: string,
  choice: ConversionChoice = {},
): Promise<Conversion['converted'] & { readonly text: string }> {
  const path = await fileWith(content, name);
  const conversions = createConversions({ folder: await temporaryFolder() });
  const detected = await detectFile({ path, fileName: name });
  const { converted, table } = await conversions.get({ path, fileName: name, detected, choice }, undefined);
  return { ...converted, text: await readFile(table, 'utf8') };
}

const stations = Array.from({ length: 60 }, (_, n) => [n * 30, n / 2, n * 30 - 1]);
const survey = [
  sheetRow(1, ['MD', 'Inc', 'TVD']),
  sheetRow(2, ['( ft )', '( deg )', '( ft )']),
  ...stations.map((cells, at) => sheetRow(at + 3, cells)),
  sheetRow(65, ['Survey Type:', 'MWD']),
  sheetRow(66, ['From', 'To', 'Tool']),
  sheetRow(67, [0, 77, 'MWD']),
  sheetRow(68, [77, 350, 'Gyro']),
].join('');
const other = [sheetRow(1, ['Depth', 'Remark']), sheetRow(2, [1, 'a']), sheetRow(3, [2, 'b'])].join('');

describe('tables that follow each other', () => {
  it('in a sheet are tables of their own, beside those of other sheets', async () => {
    const book = workbook({ sheets: { Survey: survey, Other: other } });
    const first = await convert(book, 'survey.xlsx');
    expect(first.facts).toMatchObject({
      table: 'Survey',
      tables: [
        { name: 'Survey', rows: 60 },
        { name: 'Survey, row 66', rows: 2 },
        { name: 'Other', rows: 2 },
      ],
    });
    expect(first.text.split('\n')).toHaveLength(62);
    expect(first.layout?.columns).toMatchObject([{ unit: 'ft' }, { unit: 'deg' }, { unit: 'ft' }]);
    for (const table of ['2', 'Survey, row 66']) {
      const second = await convert(book, 'survey.xlsx', { table });
      expect(second.text).toBe('From,To,Tool\n0,77,MWD\n77,350,Gyro\n');
      expect(second.layout).toMatchObject({ headerLine: 66, unitLine: null });
    }
    expect((await convert(book, 'survey.xlsx', { table: '3' })).text).toBe('Depth,Remark\n1,a\n2,b\n');
    await expect(convert(book, 'survey.xlsx', { table: 'x' })).rejects.toThrow(/2 “Survey, row 66”/);
    expect(
      (await convert(book, 'survey.xlsx', { table: 'Survey', headerRow: 1 })).facts.tables,
    ).toMatchObject([{ name: 'Survey', rows: 64 }, { name: 'Other' }]);
    // One below another one is read with its sheet.
    for (const table of ['Survey, row 66', '2']) {
      const below = await convert(book, 'survey.xlsx', { table, headerRow: 67 });
      expect(below.text).toBe('0,77,MWD\n77,350,Gyro\n');
      expect(below.facts.table).toBe('Survey');
      const { layout } = await convert(book, 'survey.xlsx', { table, unitRow: 67 });
      expect(layout).toMatchObject({ headerLine: 66, unitLine: 67, columns: [{}, { unit: '77' }, {}] });
    }
    await expect(convert(book, 'survey.xlsx', { table: 'Survey, row 9', unitRow: 9 })).rejects.toThrow(
      /has no table “Survey, row 9”/,
    );
    const numbers = Array.from({ length: 30 }, (_, n) => `  ${n}   ${n / 2}`);
    const listing = ['  MD   Inc', ...numbers, 'From   To', ...numbers].join('\n');
    const { layout } = await convert(listing, 'a.txt', { table: 'a.txt, line 32', unitRow: 0 });
    expect(layout).toMatchObject({ headerLine: 32 });
  });

  it('are not searched in other sheets than the one whose header the user sets', async () => {
    const rows = Array.from({ length: 1001 }, (_, n) => sheetRow(n + 1, n === 0 ? ['MD'] : [n])).join('');
    const unreadable = '<row r="2000"><c t="s"><v>9</v></c></row>';
    const sheets = { Survey: survey, Other: `${rows}${' '.repeat(32 << 20)}${unreadable}` };
    for (const table of ['Survey', 'survey'])
      expect(
        (await convert(workbook({ sheets }), 'survey.xlsx', { table, headerRow: 1 })).facts.tables,
      ).toMatchObject([{ name: 'Survey', rows: 64 }, { rows: null }]);
  });

  it('in a sheet have texts and percentages by their own rows', async () => {
    const wells = ['A-1', 'A-2', 'A-3'].map(
      (well, at) =>
        `${sheetRow(at + 67, [`4232912345000${at}`, well]).replace('</row>', '')}<c s="1"><v>0.5</v></c></row>`,
    );
    const rows = stations.map((cells, at) => sheetRow(at + 3, cells)).join('');
    const sheet = `${sheetRow(1, ['MD', 'Inc', 'TVD'])}${rows}${sheetRow(66, ['API Number', 'Name', 'Cut'])}${wells.join('')}`;
    const book = workbook({ formats: ['0%'], sheets: { Survey: sheet } });
    const second = await convert(book, 'wells.xlsx', { table: '2' });
    expect(second.text).toContain('42329123450000,A-1,50\n');
    expect(second.layout?.columns).toMatchObject([{ type: 'text' }, {}, { type: 'number', unit: '%' }]);
    const first = await convert(book, 'wells.xlsx');
    expect(first.layout?.columns.map(({ type }) => type)).toEqual(['number', 'number', 'number']);
    // More percentages below don't make the numbers above them percentages.
    const many = Array.from({ length: 70 }, (_, at) =>
      sheetRow(at + 70, [at, at]).replace('</row>', '<c s="1"><v>0.5</v></c></row>'),
    ).join('');
    const mixed = workbook({ formats: ['0%'], sheets: { Survey: sheet + many } });
    const units = await Promise.all(
      ['1', '2'].map(
        async (table) => (await convert(mixed, 'mixed.xlsx', { table })).layout?.columns[2]?.unit,
      ),
    );
    expect(units).toEqual([null, '%']);
  });

  it('in aligned text are not blocked by titles above the headers of pages', async () => {
    const page = (from: number): string[] => [
      '   MD   Inc   Azi',
      ...Array.from({ length: 4 }, (_, n) => `${from + n}.0  0.${n}  1.5`),
    ];
    const lines = [...page(0), '', 'Second run survey', ...page(10), 'Survey of run three', ...page(20)];
    const converted = await convert(`${lines.join('\n')}\n`, 'survey.txt');
    expect(converted.facts.tables).toMatchObject([{ rows: 12 }]);
    expect(converted.warnings.map(({ code, count }) => [code, count])).toEqual([['page_headers', 4]]);
  });

  it('in aligned text are tables of their own, and the values above blocks are columns', async () => {
    const block = (well: string, date: string, from: number): string[] => [
      '--',
      `WELLNAME '${well}'`,
      `DATE ${date}`,
      'PRESSURE DEPTH',
      'BARSA METRES',
      ...Array.from({ length: 4 }, (_, n) => `${from + n}.11   ${2700 + n}.5`),
    ];
    const lines = [
      '--TVDMSL',
      'RFT',
      ...block('A-1', '28-DEC-1995', 410),
      ...block('A-1', '28-DEC-1996', 417),
      ...block('B-2', '15-jan-12', 411),
      'TOP BASE',
      '1.5 2.5',
      '2.5 3.5',
      '',
    ].join('\n');
    const { text, facts, layout, warnings } = await convert(lines, 'rft.txt');
    expect(facts.tables).toMatchObject([
      { name: 'rft.txt', rows: 12 },
      { name: 'rft.txt, line 30', rows: 2 },
    ]);
    expect(layout).toMatchObject({ headerLine: 6, unitLine: 7 });
    const rows = text.split('\n');
    expect(rows[0]).toBe('PRESSURE,DEPTH,WELLNAME,DATE');
    expect([rows[1], rows[5], rows[9]]).toEqual([
      '410.11,2700.5,A-1,28-DEC-1995',
      '417.11,2700.5,A-1,28-DEC-1996',
      '411.11,2700.5,B-2,15-jan-12',
    ]);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'page_headers', line: 15, count: 2 }));
  });

  it.each([
    ['Well : 15/9-F-4   Field : X', 'Well : B-2   Field : X', ['   MD   Inc   Azi']],
    ['Well Name: 15/9-F-4', 'Well Name: B-2', ['   MD   Inc   Azi']],
    [
      '# WELL NAME:              15/9-F-4',
      '# WELL NAME:              B-2',
      ['#====', ' MD Inc Azi', '#===='],
    ],
    ['WELL 15/9-F-4', 'WELL B-2', []],
  ])('in aligned text have the well of their own: %s', async (first, second, header) => {
    const rows = Array.from({ length: 4 }, (_, n) => `${n + 10}.0  0.${n}  1.5`);
    const lines = [first, '   MD   Inc   Azi', ...rows, second, ...header, ...rows, ''];
    const { text, facts } = await convert(lines.join('\n'), 'survey.txt');
    const wells = text.split('\n').map((row) => row.split(',').slice(3).join());
    expect(wells.slice(1, 9)).toEqual([...rows.map(() => '15/9-F-4'), ...rows.map(() => 'B-2')]);
    expect(facts.tables).toMatchObject([{ rows: 8 }]);
    expect(facts.header.map(({ value }) => value)).not.toContain('15/9-F-4');
  });

  it('in a sheet have the values of rows with several of them', async () => {
    const block = (row: number, ...above: readonly (string | null)[]) => [
      sheetRow(row, above),
      sheetRow(row + 1, ['MD', 'Inc', 'Azi', 'TVD']),
      ...[2, 3, 4].map((at) => sheetRow(row + at, [at, 1, 2, 3])),
    ];
    const sheet = [
      ...block(1, 'Well:', 'A-1', null, 'Field:', 'X'),
      ...block(7, 'Well: B-2', 'Field: X'),
    ].join('');
    const { text, facts } = await convert(workbook({ sheets: { Survey: sheet } }), 'survey.xlsx');
    expect(text.split('\n').map((row) => row.split(',')[4])).toEqual([
      'Well',
      'A-1',
      'A-1',
      'A-1',
      'B-2',
      'B-2',
      'B-2',
      undefined,
    ]);
    expect(facts.header.map(({ name, value }) => [name, value])).toEqual([['Field', 'X']]);
  });

  it.each(['xlsx', 'txt'] as const)(
    'as pages of %s keep their units, and the rows of titles and totals are named',
    async (format) => {
      const cells = (n: number): (readonly (string | number)[])[] => [
        ['MD', 'Inc', 'TVD'],
        ['(ft)', '(deg)', '(ft)'],
        ...stations.slice(n * 20, n * 20 + 20),
        ['Total:', n + 0.5],
      ];
      const title = (n: number) => [format === 'txt' ? 'Continued:' : `Well A-1, page ${n} of 3`];
      const all = [title(1), ...cells(0), title(2), ...cells(1), title(3), ...cells(2)];
      const sheet = all.map((row, at) => sheetRow(at + 1, row)).join('');
      const listing = all.map((row) => row.map((cell) => `${cell}`.padStart(10)).join(' ')).join('\n');
      const content = format === 'xlsx' ? workbook({ sheets: { Survey: sheet } }) : `${listing}\n`;
      const { facts, layout, warnings } = await convert(content, `survey.${format}`);
      expect(facts.tables).toMatchObject([{ rows: 61 }]);
      expect(layout?.columns).toMatchObject([{ unit: 'ft' }, { unit: 'deg' }, { unit: 'ft' }]);
      const kind = format === 'xlsx' ? 'rows' : 'lines';
      expect(warnings.filter(({ code }) => code === 'page_headers')).toMatchObject([
        {
          message: `2 repeated headers and 2 ${kind} of titles above them are skipped (${kind} 25, 26, 49, 50).`,
          line: 25,
          count: 4,
        },
        { message: `2 totals or remarks above headers are skipped (${kind} 24, 48).`, line: 24, count: 2 },
      ]);
    },
  );

  it('in text of fixed width are reported, because their columns differ', async () => {
    const lines = [
      'Name of well   Depth    TVD',
      '-----------    -----    -----',
      'A one          100.5    99.5',
      'B two two      200.5    199.5',
      'C              300.5    299.5',
      'Number of pad  Tool     Top',
      'A              77.5     1.5',
      '',
    ].join('\n');
    const { warnings } = await convert(lines, 'wells.txt');
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'tables_unclear', line: 6 }));
  });
});
