import { CFB, utils, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { xls } from '../../../../../src/main/core/tables/sources/xls.ts';
import { xlsx } from '../../../../../src/main/core/tables/sources/xlsx.ts';
import { cellsOf, namesOf, recordIndexes, readContent } from '../../../features/upload/support/sources.ts';

type Value = string | number | boolean | Date | null;

/** A workbook of Excel 97, written by SheetJS. */
function workbook(sheets: Readonly<Record<string, Value[][]>>, hidden: readonly string[] = []): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }), name);
  book.Workbook = { Sheets: book.SheetNames.map((name) => ({ Hidden: hidden.includes(name) ? 1 : 0 })) };
  const bytes: unknown = write(book, { type: 'buffer', bookType: 'biff8' });
  if (!Buffer.isBuffer(bytes)) throw new Error('the reference writes a buffer');
  return bytes;
}

/** A workbook with further records before the end of its last sheet. */
function withRecords(sheets: Readonly<Record<string, Value[][]>>, records: readonly number[]): Buffer {
  const container = CFB.read(workbook(sheets), { type: 'buffer' });
  const stream = CFB.find(container, 'Workbook');
  if (!stream) throw new Error('the reference writes a stream');
  const bytes = Buffer.from(stream.content);
  stream.content = Buffer.concat([bytes.subarray(0, -4), Buffer.from(records), bytes.subarray(-4)]);
  stream.size = stream.content.length;
  const written: unknown = CFB.write(container, { type: 'buffer' });
  if (!Buffer.isBuffer(written)) throw new Error('the reference writes a buffer');
  return written;
}

const read = (content: Buffer) => readContent(xls, content, 'book.xls');

describe('a workbook of Excel 97', () => {
  it('has sheets as tables with numbers, texts, dates, and row locations', async () => {
    const rows = [
      ['Permits'],
      [],
      ['API', 'Depth', 'Date', 'Ok'],
      [null, 'ft'],
      ['0177', 85.25, new Date('2006-07-13T00:00:00Z'), true],
      ['0178', 7, new Date('2006-07-14T12:30:00Z'), false],
    ];
    const file = await read(
      workbook(
        {
          A: rows,
          Codes: [
            ['Code', 'Meaning'],
            ['x', 1],
          ],
        },
        ['Codes'],
      ),
    );
    expect(file.tables).toMatchObject([
      { name: 'A', rows: 2, isHidden: false },
      { name: 'Codes', rows: 1, isHidden: true },
    ]);
    expect(namesOf(file)).toEqual(['API', 'Depth', 'Date', 'Ok']);
    expect(file.tables[0]?.columns.map(({ unit, type }) => [unit, type])).toEqual([
      [null, 'text'],
      ['ft', 'number'],
      [null, 'time'],
      [null, null],
    ]);
    expect(cellsOf(file)).toEqual([
      ['0177', '85.25', '2006-07-13', 'true'],
      ['0178', '7', '2006-07-14T12:30:00', 'false'],
    ]);
    expect(recordIndexes(file)).toEqual([5, 6]);
  });

  it('has percentages as fractions, and as shown beside plain numbers, as in .xlsx', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Name', 'Sw (%)', 'Share', 'Depth'],
      ['a', { t: 'n', v: 0.85, z: '0%' }, { t: 'n', v: 0.125, z: '0.0##%;[Red]-0.0%' }, 1],
      ['b', { t: 'n', v: 0.07, z: '0%' }, 60.5, 2],
    ]);
    const book = utils.book_new();
    utils.book_append_sheet(book, sheet, 'A');
    const written = (bookType: 'biff8' | 'xlsx'): Buffer => {
      const bytes: unknown = write(book, { type: 'buffer', bookType });
      if (!Buffer.isBuffer(bytes)) throw new Error('the reference writes a buffer');
      return bytes;
    };
    for (const file of [
      await read(written('biff8')),
      await readContent(xlsx, written('xlsx'), 'book.xlsx'),
    ]) {
      expect(file.tables[0]?.columns.map(({ unit }) => unit)).toEqual([null, 'fraction', '%', null]);
      expect(cellsOf(file)).toEqual([
        ['a', '0.85', '12.5', '1'],
        ['b', '0.07', '60.5', '2'],
      ]);
    }
  });

  it.each([1900, 1904] as const)(
    'has dates, times, and durations of the calendar of %s as .xlsx',
    async (system) => {
      const sheet = utils.aoa_to_sheet([
        ['Start', 'Clock', 'Length', 'Day'],
        ...[0, 1].map((row) => [
          { t: 'n', v: 40_000.5 + row, z: 'yyyy-mm-dd hh:mm' },
          { t: 'n', v: 6.5 / 24, z: 'hh:mm' },
          { t: 'n', v: 1.5, z: '[h]:mm' },
          { t: 'n', v: 40_000, z: 'yyyy-mm-dd' },
        ]),
      ]);
      const book = utils.book_new();
      utils.book_append_sheet(book, sheet, 'A');
      book.Workbook = { WBProps: { date1904: system === 1904 } };
      const rows = async (bookType: 'biff8' | 'xlsx') => {
        const bytes: unknown = write(book, { type: 'buffer', bookType });
        if (!Buffer.isBuffer(bytes)) throw new Error('the reference writes a buffer');
        return cellsOf(await readContent(bookType === 'xlsx' ? xlsx : xls, bytes, 'book'));
      };
      expect(await rows('biff8')).toEqual(await rows('xlsx'));
      expect((await rows('biff8'))[0]?.slice(1, 3)).toEqual(['06:30:00', '36:00:00']);
    },
  );

  it('has warnings about merged cells and hidden rows', async () => {
    const rows = [
      ['Well', 'MD'],
      ['A-1', 1],
      [null, 2],
      ['B-2', 3],
      [null, 4],
    ];
    const sheet = utils.aoa_to_sheet(rows);
    sheet['!merges'] = ['A2:A3', 'A4:A5'].map((range) => utils.decode_range(range));
    const book = utils.book_new();
    utils.book_append_sheet(book, sheet, 'A');
    const bytes: unknown = write(book, { type: 'buffer', bookType: 'biff8' });
    if (!Buffer.isBuffer(bytes)) throw new Error('the reference writes a buffer');
    expect((await read(bytes)).warnings).toMatchObject([{ code: 'merged_cells', count: 2, place: 2 }]);
    // Row 3 of the sheet, with the height 0.
    const row = [0x08, 0x02, 0x10, 0, 2, 0, 0, 0, 2, 0, 0xff, 0, 0, 0, 0, 0, 0x20, 1, 0x0f, 0];
    const { warnings } = await read(withRecords({ A: rows }, row));
    expect(warnings).toMatchObject([{ code: 'hidden_rows', count: 1, place: 3 }]);
  });

  it('has the text of the first of several formulas that share their expression', async () => {
    // A formula with a text as its result, what it shares with others, and the text.
    const record = (kind: number, ...data: number[]) => [kind & 255, kind >> 8, data.length, 0, ...data];
    const cell = record(6, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0);
    const shared = record(0x04bc, 2, 0, 3, 0, 0, 0, 0, 0, 0, 0);
    const text = record(0x0207, 3, 0, 0, 0x41, 0x2d, 0x31);
    const file = await read(
      withRecords(
        {
          A: [
            ['Well', 'Depth'],
            ['A-0', 1],
            [null, 2],
            ['A-2', 3],
          ],
        },
        [...cell, ...shared, ...text],
      ),
    );
    expect(cellsOf(file)).toEqual([
      ['A-0', '1'],
      ['A-1', '2'],
      ['A-2', '3'],
    ]);
  });

  it('excludes cells of the charts in its sheets', async () => {
    // A chart with a number in its first row and column, before the end of the sheet.
    const start = [0x09, 0x08, 0x10, 0, 0, 6, 0x20, 0, ...Array.from({ length: 12 }, () => 0)];
    const number = [0x03, 0x02, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x59, 0x40];
    const end = [0x0a, 0, 0, 0];
    const file = await read(
      withRecords(
        {
          A: [
            ['Name', 'Depth'],
            ['a', 1],
            ['b', 2],
          ],
        },
        [...start, ...number, ...end],
      ),
    );
    expect(namesOf(file)).toEqual(['Name', 'Depth']);
    expect(cellsOf(file)).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });

  it('is rejected above 64 MB with the next step', async () => {
    const large = Buffer.concat([workbook({ A: [['a']] }), Buffer.alloc(65 << 20)]);
    await expect(read(large)).rejects.toThrow(/larger than 64 MB.*Save it as .xlsx/);
  });

  it('is rejected when it is truncated, damaged, empty, or another document', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => [`name ${at}`, at]);
    const whole = workbook({ A: [['Name', 'Depth'], ...rows] });
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 512, 4096);
    for (const content of [whole.subarray(0, 600), whole.subarray(0, 512), damaged, workbook({ A: [] })])
      await expect(read(content)).rejects.toMatchObject({ code: 'file_unsuitable' });
    const other = Buffer.concat([whole.subarray(0, 512), Buffer.alloc(1024)]);
    await expect(read(other)).rejects.toThrow(/without a workbook/);
    const encrypted = Buffer.concat([whole.subarray(0, 512), Buffer.from('EncryptedPackage', 'utf16le')]);
    await expect(read(encrypted)).rejects.toThrow(/encrypted/);
  });

  it('is recognized by its content', () => {
    expect(xls.recognize(workbook({ A: [['a']] }), 'a.csv')).toBe(true);
    expect(xls.recognize(Buffer.from('a,b'), 'a.xls')).toBe(false);
  });
});
