import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SSF, read as readReference, utils } from '@e965/xlsx';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { xlsx } from '../../../../../src/main/core/tables/sources/xlsx.ts';
import { folder, hasRealFiles } from '../../../features/upload/support/facts.ts';
import {
  cellsOf,
  namesOf,
  recordIndexes,
  readContent,
  readPath,
} from '../../../features/upload/support/sources.ts';
import { sheetRow, workbook, type WorkbookParts } from '../../../features/upload/support/workbooks.ts';

const read = (content: WorkbookParts | Uint8Array) =>
  readContent(xlsx, content instanceof Uint8Array ? content : workbook(content), 'file.xlsx');
const header = sheetRow(1, ['Well', 'Depth']);

describe('a workbook', () => {
  it('has each sheet with values as a table, and marks hidden ones', async () => {
    const file = await read({
      sheets: { Wells: header + sheetRow(3, ['A', 1.5]), Empty: '', Codes: header + sheetRow(2, ['B', 2]) },
      hidden: ['Codes'],
    });
    expect(file.tables).toMatchObject([
      { name: 'Wells', rows: 1, isHidden: false, columns: [{ name: 'Well' }, { name: 'Depth' }] },
      { name: 'Codes', rows: 1, isHidden: true },
    ]);
    expect(cellsOf(file)).toEqual([['A', '1.5']]);
    expect(recordIndexes(file)).toEqual([3]);
  });

  it('has shared strings, plain and rich, without phonetic text and with escapes', async () => {
    const strings =
      '<si><t>Well</t></si><si><t xml:space="preserve"> a &amp; b</t></si><si><r><t>15/9</t></r><r><rPr/><t>-F-1</t></r><rPh><t>no</t></rPh></si><si><t/></si><si><t>x_x005F_x000D_</t></si>';
    const cell = (at: number): string => `<c t="s"><v>${at}</v></c>`;
    const file = await read({
      strings,
      sheets: {
        A: `<row r="1">${cell(0)}</row>${[1, 2, 3, 4].map((at) => `<row>${cell(at)}</row>`).join('')}<row><c t="s"/></row><row><c t="str"><v>a &lt; b</v></c></row>`,
      },
    });
    expect(cellsOf(file)).toEqual([[' a & b'], ['15/9-F-1'], ['x_x000D_'], ['a < b']]);
    expect(recordIndexes(file)).toEqual([2, 3, 5, 7]);
  });

  it('has its shared strings whatever the case of the part’s name, and is rejected when it refers to others', async () => {
    const strings = '<si><t>Well</t></si><si><t>Ridge 1H</t></si><si><t>Ridge 2H</t></si>';
    const rows = (at: number): string =>
      [0, 1, at].map((text) => `<row><c t="s"><v>${text}</v></c></row>`).join('');
    const book = unzipSync(workbook({ strings, sheets: { A: rows(2), B: rows(2) } }));
    const { 'xl/sharedStrings.xml': list = new Uint8Array(), ...parts } = book;
    const file = await read(zipSync({ ...parts, 'xl/SharedStrings.xml': list }));
    for (const table of [0, 1]) expect(cellsOf(file, table)).toEqual([['Ridge 1H'], ['Ridge 2H']]);
    await expect(read(zipSync(parts))).rejects.toThrow(/row 1 refers to text 0/);
    await expect(read({ strings, sheets: { A: rows(3) } })).rejects.toThrow(
      /sheet “A”, row 3 refers to text 3/,
    );
  });

  it('has percentages by all rows of a column, not only the first ones', async () => {
    const row = (place: number, style: number, value: number) =>
      `<row r="${place}"><c><v>1</v></c><c s="${style}"><v>${value}</v></c></row>`;
    for (const [name, first, last, unit, cells] of [
      ['Share', 1, 0, '%', ['50', '0.25']],
      ['Share (fraction)', 0, 1, 'fraction', ['0.5', '0.25']],
    ] as const) {
      const rows = Array.from({ length: 1100 }, (_, at) => row(at + 2, first, 0.5)).join('');
      const sheets = { A: sheetRow(1, ['MD', name]) + rows + row(1102, last, 0.25) };
      const file = await read({ formats: ['0%'], sheets });
      expect(file.tables[0]?.columns[1]?.unit).toBe(unit);
      expect([cellsOf(file)[0]?.[1], cellsOf(file).at(-1)?.[1]]).toEqual(cells);
    }
  });

  it('has no percentages as the unit of a column below which a footer or a further table has some', async () => {
    const survey = sheetRow(1, ['MD', 'INC', 'AZI']) + sheetRow(2, [1, 2, 3]) + sheetRow(3, [2, 3, 4]);
    const footer = `<row r="4"><c t="str"><v>Progress</v></c><c s="1"><v>0.85</v></c></row>`;
    const file = await read({ formats: ['0%'], sheets: { A: survey + footer } });
    expect(file.tables[0]?.columns[1]?.unit).toBeNull();
    expect(cellsOf(file).at(-1)?.[1]).toBe('85');
  });

  it('has the formats of cells, whatever those of conditional formatting are', async () => {
    const styles = strToU8(
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0000"/></numFmts><cellXfs><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs><dxfs><dxf><numFmt numFmtId="14" formatCode="0.00%"/></dxf><dxf><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></dxf></dxfs></styleSheet>',
    );
    const row = '<row r="2"><c s="0"><v>45000</v></c><c s="1"><v>12.5</v></c></row>';
    const sheets = { A: `${sheetRow(1, ['Date', 'Depth'])}${row}` };
    expect(cellsOf(await read({ sheets, parts: { 'xl/styles.xml': styles } }))).toEqual([
      ['2023-03-15', '12.5'],
    ]);
  });

  it('has percentages as fractions, with that as the unit even below a header with %, and as shown beside plain numbers', async () => {
    const formats = ['0%', '0.00%', '0&quot;%&quot;'];
    const row = (place: number) =>
      `<row r="${place}">${[1, 2, 3].map((style) => `<c s="${style}"><v>0.5</v></c>`).join('')}</row>`;
    const names = sheetRow(1, ['Share', 'Flow Out %', 'Gas %']);
    const file = await read({ formats, sheets: { A: names + row(2) + row(3) } });
    expect(file.tables[0]?.columns.map(({ unit }) => unit)).toEqual(['fraction', 'fraction', null]);
    expect(cellsOf(file)[0]).toEqual(['0.5', '0.5', '0.5']);
    const typed = `<row r="3"><c><v>60.5</v></c><c s="1"><v>0.07</v></c></row>`;
    const mixed = await read({ formats, sheets: { A: names + row(2) + typed } });
    expect(mixed.tables[0]?.columns.map(({ unit }) => unit)).toEqual(['%', 'fraction', null]);
    const fractions = await read({
      formats,
      sheets: { A: sheetRow(1, ['Share (v/v)', 'A', 'B']) + row(2) + typed },
    });
    expect(fractions.tables[0]?.columns[0]?.unit).toBe('v/v');
    expect(cellsOf(fractions).map(([share]) => share)).toEqual(['0.5', '60.5']);
    const inWords = await read({
      formats,
      sheets: { A: sheetRow(1, ['Sand (pct)', 'A', 'B']) + row(2) + typed },
    });
    expect(cellsOf(inWords).map(([share]) => share)).toEqual(['50', '60.5']);
    expect(cellsOf(mixed)).toEqual([
      ['50', '0.5', '0.5'],
      ['60.5', '0.07', null],
    ]);
  });

  it('reports hidden rows and merged cells of the table, which are read', async () => {
    const hidden = sheetRow(4, ['B', 3]).replace('<row ', '<row hidden="1" ');
    const file = await read({
      sheets: { A: header + sheetRow(2, ['A', 1]) + sheetRow(3, [null, 2]) + hidden + sheetRow(5, ['B', 4]) },
      after: '<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="A2:A3"/></mergeCells>',
    });
    expect(cellsOf(file)).toHaveLength(4);
    expect(file.warnings.map(({ code, place, count }) => [code, place, count])).toEqual([
      ['hidden_rows', 4, 1],
      ['merged_cells', 2, 1],
    ]);
  });

  it('has dates of both epochs as ISO 8601 text, and numbers without binary rounding noise', async () => {
    const formats = ['yyyy\\-mm\\-dd', 'yyyy-mm-dd hh:mm:ss', 'h:mm', '[h]:mm:ss', '0.00 &quot;m&quot;'];
    const cell = (style: number, value: string): string => `<c s="${style}"><v>${value}</v></c>`;
    const row = `<row r="2">${cell(1, '41198')}${cell(2, '41198.5')}${cell(3, '0.75')}${cell(4, '1.5')}${cell(5, '36.600000000000001')}${cell(0, '9007199254740993')}${cell(0, '1.77004007801E11')}</row>`;
    const names = sheetRow(1, ['A', 'B', 'C', 'D', 'E', 'F', 'G']);
    const later = await read({ formats, sheets: { A: names + row } });
    const rest = ['18:00:00', '36:00:00', '36.6', '9007199254740993', '177004007801'];
    expect(cellsOf(later)).toEqual([['2012-10-16', '2012-10-16T12:00:00', ...rest]]);
    expect(later.tables[0]?.columns.map(({ type }) => type).slice(0, 5)).toEqual([
      'time',
      'time',
      'time',
      'time',
      'number',
    ]);
    const mac = await read({ formats, date1904: true, sheets: { A: names + row } });
    expect(cellsOf(mac)).toEqual([['2016-10-17', '2016-10-17T12:00:00', ...rest]]);
  });

  it('keeps texts that look like numbers as texts', async () => {
    const file = await read({
      sheets: {
        A: sheetRow(1, ['API', 'Depth']) + sheetRow(2, ['0177004', 5]) + sheetRow(3, ['0177005', 6]),
      },
    });
    expect(file.tables[0]?.columns.map(({ type }) => type)).toEqual(['text', 'number']);
    expect(cellsOf(file)[0]).toEqual(['0177004', '5']);
  });

  it('has texts of formulas with blanks at an end, and the well above the table in its header', async () => {
    const row =
      '<row r="4"><c r="A4" t="str"><f>B4&amp;" "</f><v xml:space="preserve">Q2 </v></c><c r="B4"><v>2</v></c></row>';
    const file = await read({
      sheets: { A: sheetRow(1, ['Well:', 'Badger B-7']) + sheetRow(3, ['Run', 'Depth']) + row },
    });
    expect(cellsOf(file)).toEqual([['Q2 ', '2']]);
    expect(file.tables[0]?.header).toMatchObject([{ name: 'Well', value: 'Badger B-7' }]);
  });

  it('has stored results of formulas; errors and missing results are null and reported', async () => {
    const cells =
      '<row r="2"><c t="str"><f>A1</f><v>x</v></c><c><f>1+1</f><v>2</v></c></row><row r="3"><c t="e"><v>#N/A</v></c><c><f>1/3</f></c></row><row r="4"><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c></row>';
    const file = await read({ sheets: { A: header + cells } });
    expect(cellsOf(file)).toEqual([
      ['x', '2'],
      [null, null],
      ['true', null],
    ]);
    expect(file.warnings).toMatchObject([
      { code: 'error_cells', place: 3, count: 2, cell: '#N/A' },
      { code: 'error_cells', place: 3, count: 1 },
    ]);
  });

  it('has its header below titles and groups, and a unit row', async () => {
    const rows =
      sheetRow(1, ['Casing of well A']) +
      sheetRow(3, [null, 'Name', null, 'Shoe', null, null]) +
      sheetRow(4, [null, 'Name', 'Size', 'Depth', 'Density', 'Remark']) +
      sheetRow(5, [null, null, 'in', 'm', 'g/cm3']) +
      [6, 7, 8]
        .map((place) => sheetRow(place, [null, `C${place}`, place, place * 100, 1.2, 'ok then']))
        .join('');
    const file = await read({ sheets: { A: rows } });
    expect(namesOf(file)).toEqual(['Name', 'Size', 'Depth', 'Density', 'Remark']);
    expect(file.tables[0]?.columns.map(({ unit }) => unit)).toEqual([null, 'in', 'm', 'g/cm3', null]);
    expect(recordIndexes(file)).toEqual([6, 7, 8]);
    expect(file.warnings).toMatchObject([{ code: 'preamble', place: 4 }]);
  });

  it('uses the header and unit rows that the user sets', async () => {
    const sheets = {
      A: sheetRow(1, ['x', 'y']) + sheetRow(2, ['a', 'b']) + sheetRow(3, ['m', 'm']) + sheetRow(4, [1, 2]),
    };
    const content = workbook({ sheets });
    const named = await readContent(xlsx, content, 'a.xlsx', { table: 0, headerRow: 2, unitRow: 3 });
    expect(named.tables[0]).toMatchObject({
      columns: [
        { name: 'a', unit: 'm' },
        { name: 'b', unit: 'm' },
      ],
      rows: 1,
    });
    const far = Array.from({ length: 1600 }, (_, at) =>
      sheetRow(at + 1, at === 0 ? ['Well: Ridge 1H'] : at === 1500 ? ['x', 'y'] : [at, at]),
    ).join('');
    const readFar = (chosen: Parameters<typeof readContent>[3]) =>
      readContent(xlsx, workbook({ sheets: { A: far } }), 'a.xlsx', { table: 0, ...chosen });
    const below = await readFar({ headerRow: 1501 });
    expect(below.tables[0]).toMatchObject({ columns: [{ name: 'x' }, { name: 'y' }], headerRow: 1501 });
    expect(below.tables[0]?.header).toMatchObject([{ name: 'Well', value: 'Ridge 1H' }]);
    expect(below.tables[0]?.found).toHaveLength(99);
    const unnamed = await readFar({ headerRow: 0, unitRow: 1501 });
    expect(unnamed.tables[0]?.columns).toMatchObject([{ unit: 'x' }, { unit: 'y' }]);
    const none = await readContent(xlsx, content, 'a.xlsx', { table: 0, headerRow: 0, unitRow: 0 });
    expect(none.tables[0]).toMatchObject({ columns: [{ name: '' }, { name: '' }], rows: 4 });
    for (const [chosen, message] of [
      [{ headerRow: 9 }, 'There is no header row in row 9.'],
      [{ headerRow: 2, unitRow: 2000 }, 'There is no unit row in row 2000.'],
    ] as const)
      await expect(readContent(xlsx, content, 'a.xlsx', { table: 0, ...chosen })).rejects.toThrow(message);
  });

  it('without a header has unnamed columns', async () => {
    const file = await read({ sheets: { A: sheetRow(1, ['a', 1]) + sheetRow(2, ['b', 2]) } });
    expect(namesOf(file)).toEqual(['', '']);
    expect(file.tables[0]?.found.length).toBe(2);
    expect(file.tables[0]?.headerRow).toBe(0);
  });

  it('may have namespace prefixes, and comments between rows', async () => {
    const sheet =
      '<x:worksheet xmlns:x="m"><x:sheetData><!-- > --><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>Name</x:t></x:is></x:c></x:row>\n<x:row r="2"><x:c r="A2"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    const file = await read({ sheets: { A: '' }, parts: { 'xl/worksheets/sheet1.xml': Buffer.from(sheet) } });
    expect(namesOf(file)).toEqual(['Name']);
    expect(cellsOf(file)).toEqual([['7']]);
  });

  it('is recognized by its content', () => {
    const start = workbook({ sheets: { A: header } });
    expect(xlsx.recognize(start, 'a.las')).toBe(true);
    expect(xlsx.recognize(Buffer.from('a,b'), 'a.xlsx')).toBe(false);
  });
});

const rowsOf = (part: Uint8Array) => ({ sheets: { A: '' }, parts: { 'xl/worksheets/sheet1.xml': part } });
const sheet = (content: string): Buffer => Buffer.from(`<worksheet><sheetData>${content}`);

describe('a hostile workbook is rejected with the reason:', () => {
  it.each<[string, WorkbookParts, RegExp]>([
    [
      'row 10⁹',
      { sheets: { A: '<row r="1000000000"><c><v>1</v></c></row>' } },
      /row 1000000000, but a worksheet has up to 1048576/,
    ],
    [
      'a dimension of 10⁹ rows',
      { sheets: { A: header }, before: '<dimension ref="A1:C1000000000"/>' },
      /claims 1000000000 rows/,
    ],
    [
      'an invalid column',
      { sheets: { A: '<row r="1"><c r="ZZZZ1"><v>1</v></c></row>' } },
      /row 1 has damaged XML/,
    ],
    [
      'entities',
      rowsOf(Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><worksheet><sheetData/></worksheet>')),
      /DOCTYPE/,
    ],
    [
      'entities in the list of sheets',
      {
        sheets: { A: header },
        parts: { 'xl/workbook.xml': Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><workbook/>') },
      },
      /xl\/workbook.xml declares a document type/,
    ],
    ['a truncated sheet', rowsOf(sheet('<row r="1"><c><v>1</v></c>')), /sheet “A” ends too early/],
    [
      'an unclosed row',
      rowsOf(sheet('<row r="1"><c><v>1</v></row></sheetData></worksheet>')),
      /row 1 has damaged XML/,
    ],
    ['other elements between rows', rowsOf(sheet('<row r="1"/><x/></sheetData></worksheet>')), /damaged XML/],
    ['no sheets', { sheets: {} }, /sheets are empty/],
    [
      'nested elements',
      { sheets: { A: header }, parts: { 'xl/workbook.xml': Buffer.from('<a>'.repeat(1000)) } },
      /nested too deeply/,
    ],
    [
      'an endless row',
      rowsOf(Buffer.concat([sheet('<row r="1">'), Buffer.alloc(10 << 20, '<c/>')])),
      /more than 8 MB/,
    ],
  ])('%s', async (_what, parts, message) => {
    await expect(read(parts)).rejects.toThrow(message);
  });

  it('a zip bomb, before it fills memory', async () => {
    const bomb = workbook(rowsOf(Buffer.concat([sheet(''), Buffer.alloc(70 << 20, ' ')])));
    await expect(readContent(xlsx, bomb, 'bomb.xlsx')).rejects.toThrow(
      /unpacks to more than 200 times its size/,
    );
  });

  it('one that is truncated or damaged anywhere', async () => {
    const whole = workbook({ sheets: { A: header + sheetRow(2, ['a', 1]) } });
    for (const share of [0.1, 0.5, 0.9, 0.99]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      await expect(readContent(xlsx, cut, 'cut.xlsx')).rejects.toMatchObject({ code: 'file_unsuitable' });
    }
  });

  it('an archive without a workbook, and a binary workbook', async () => {
    const other = {
      sheets: { A: header },
      parts: {
        '_rels/.rels': Buffer.from('<Relationships/>'),
        'xl/workbook.xml': Buffer.from('<workbook/>'),
      },
    };
    await expect(read(other)).rejects.toThrow(/sheets are empty/);
    const binary = {
      sheets: { A: header },
      parts: {
        '_rels/.rels': Buffer.from(
          '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
        ),
      },
    };
    await expect(read(binary)).rejects.toThrow(/xlsb/);
  });
});

const real = hasRealFiles
  ? readdirSync(join(folder, 'formats/xlsx')).filter((name) => name.endsWith('.xlsx'))
  : [];

describe.skipIf(!hasRealFiles)('workbooks as SheetJS reads them (skipped without ../shared/data)', () => {
  it.each(real)('%s', async (name) => {
    const path = join(folder, 'formats/xlsx', name);
    const reference = readReference(readFileSync(path), { cellDates: false, cellNF: true, sheetRows: 501 });
    const { tables } = await readPath(xlsx, path);
    for (const table of tables) {
      const cells = reference.Sheets[table.name] ?? {};
      const column = table.columns.length;
      const firstColumn = utils.decode_range(cells['!ref'] ?? 'A1').s.c;
      expect(column).toBeGreaterThan(0);
      for (const row of table.found.slice(0, 480)) {
        const theirs = [];
        for (let at = 0; at < firstColumn + column + 5; at++) {
          const cell: unknown = cells[utils.encode_cell({ r: row.place - 1, c: at })];
          theirs.push(referenceText(cell));
        }
        const ours = row.cells.filter((cell) => cell !== null);
        expect(ours.map(comparable)).toEqual(theirs.filter((cell) => cell !== null).map(comparable));
      }
    }
  });
});

/** A cell of the reference in our notation; dates keep their serial number there, so their format identifies them. */
function referenceText(cell: unknown): string | null {
  if (typeof cell !== 'object' || cell === null || !('t' in cell) || !('v' in cell)) return null;
  if (cell.t === 'e' || cell.v === '') return null;
  const format = 'z' in cell && typeof cell.z === 'string' ? cell.z : '';
  return cell.t === 'n' && SSF.is_date(format) ? 'date' : String(cell.v);
}

/** Dates and clock times are compared for presence, numbers for value. */
function comparable(text: string): string {
  if (/^\d{4}-\d\d-\d\d(?:T.*)?$|^-?\d+:\d\d:\d\d(?:\.\d+)?$/.test(text)) return 'date';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? String(Number(text)) : text;
}
