import { describe, expect, it } from 'vitest';
import { listing } from '../../../../../src/main/core/tables/sources/listing.ts';
import { cellsOf, namesOf, recordIndexes, readContent } from '../../../features/upload/support/sources.ts';

const read = (lines: readonly string[], options: Parameters<typeof readContent>[3] = {}) =>
  readContent(listing, lines.join('\n') + '\n', 'survey.txt', options);
const recognize = (lines: readonly string[]): boolean =>
  listing.recognize(Buffer.from(lines.join('\n') + '\n'), 'survey.txt');

describe('a listing', () => {
  it('of blank-aligned columns has names, units, and a header, without rules and repeated headers', async () => {
    const page = ['     MD    Incl.    Azi', '    [m]    [deg]  [deg]', ' ----------------------'];
    const lines = [
      '  S U R V E Y',
      '',
      '  Well : 15/9-F-4    Field: Volve',
      '',
      ...page,
      '   0.00     0.10   1.50',
      '  10.50     0.20   2.50',
      '',
      ...page,
      '  20.00     0.30   3.50',
      ' ----------------------',
    ];
    const file = await read(lines);
    expect(namesOf(file)).toEqual(['MD', 'Incl.', 'Azi']);
    expect(file.tables[0]?.columns.map(({ unit }) => unit)).toEqual(['m', 'deg', 'deg']);
    expect(file.tables[0]).toMatchObject({
      name: 'survey.txt',
      index: { name: 'MD', unit: 'm', kind: 'depth' },
    });
    const vertical = await read(['TVDSS Inc Azi', '1.0 2.0 3.0', '2.0 3.0 4.0']);
    expect(vertical.tables[0]?.index).toEqual({ name: 'TVDSS', unit: null, kind: 'vertical_depth' });
    expect(cellsOf(file)).toEqual([
      ['0.00', '0.10', '1.50'],
      ['10.50', '0.20', '2.50'],
      ['20.00', '0.30', '3.50'],
    ]);
    expect(recordIndexes(file)).toEqual([8, 9, 14]);
    expect(file.header).toContainEqual(expect.objectContaining({ name: 'Well', value: '15/9-F-4' }));
    expect(recognize(lines)).toBe(true);
  });

  it.each([
    ['# m deg deg', '  MD   Incl  Azi'],
    ['# units: m, deg, deg', '# MD   Incl  Azi'],
    ['# MD   Incl  Azi', '# m deg deg'],
  ])('has units in a line with # above or below the names: %j, %j', async (...above) => {
    const file = await read(['# of the rig', ...above, '0.0  0.1  1.5', '10.5  0.2  2.5', '20.0  0.3  3.5']);
    expect(namesOf(file)).toEqual(['MD', 'Incl', 'Azi']);
    expect(file.tables[0]?.columns.map(({ unit }) => unit)).toEqual(['m', 'deg', 'deg']);
    expect(cellsOf(file).length).toBe(3);
  });

  it('has no names if only a title has as many words as the rows have values', async () => {
    const rows = ['0.0 0.1 1.5', '10.5 0.2 2.5', '20.0 0.3 3.5'];
    const file = await read(['Daily survey report', 'Meas Depth Inc Azi', ...rows]);
    expect(namesOf(file)).toEqual(['', '', '']);
    expect(cellsOf(file)).toHaveLength(3);
    expect(namesOf(await read(['Survey of well A', 'MD Inc Azi', ...rows]))).toEqual(['MD', 'Inc', 'Azi']);
  });

  it('separates multi-word names by two blanks', async () => {
    const file = await read(['Meas. Depth  True Depth', '1.0          2.0', '2.0          3.0']);
    expect(namesOf(file)).toEqual(['Meas. Depth', 'True Depth']);
  });

  it('without names has unnamed columns', async () => {
    const file = await read(['1.0 2.0 a', '2.0 3.0 b', '3.0 4.0 c']);
    expect(namesOf(file)).toEqual(['', '', '']);
    expect(cellsOf(file).length).toBe(3);
    expect(file.tables[0]?.headerRow).toBe(0);
  });

  it('of Petrel well tops has the names of its header, quoted values, and -999 as null', async () => {
    const file = await read([
      '# Petrel well tops',
      'VERSION 2',
      'BEGIN HEADER',
      'X',
      'MD',
      'Surface',
      'END HEADER',
      '-999 846.00 "UTSIRA FM"',
      '-999.00 9007199254740993 "B"',
    ]);
    expect(namesOf(file)).toEqual(['X', 'MD', 'Surface']);
    expect(cellsOf(file)).toEqual([
      [null, '846.00', 'UTSIRA FM'],
      [null, '9007199254740993', 'B'],
    ]);
  });

  it('of Petrel has names without the types of its columns, if all of them have one', async () => {
    const named = async (...names: string[]) =>
      namesOf(await read(['BEGIN HEADER', ...names, 'END HEADER', '1.5 846.00', '2.5 847.00']));
    expect(await named('REAL Zone thickness', 'INT  Kind')).toEqual(['Zone thickness', 'Kind']);
    expect(await named('REAL Zone thickness', 'MD')).toEqual(['REAL Zone thickness', 'MD']);
  });

  it('of fixed width is split by the gaps of its rule, including blank cells and names with blanks', async () => {
    const file = await read([
      'Wells',
      '',
      'Wellbore   Operator            TD  Discovery',
      '---------  -------------  -------  ---------',
      '15/9-1     Den norske     3734.0   Sleipner V',
      '15/9-19 A                 4131.0',
      '15/9-22    A much longer name AS  3923.0   Loke',
    ]);
    expect(namesOf(file)).toEqual(['Wellbore', 'Operator', 'TD', 'Discovery']);
    expect(cellsOf(file)).toEqual([
      ['15/9-1', 'Den norske', '3734.0', 'Sleipner V'],
      ['15/9-19 A', null, '4131.0', null],
      ['15/9-22', 'A much longer name AS', '3923.0', 'Loke'],
    ]);
    expect(file.warnings).toMatchObject([{ code: 'ragged_rows', place: 7, count: 1 }]);
  });

  it('of fixed width without a rule is split where all rows are blank', async () => {
    const file = await read([
      'Name              Depth  Remark',
      'NORDLAND GP       846.0',
      'SKADE FM         1313.0  not sure',
      'NO FORMAL NAME    451.5  top seen',
    ]);
    expect(namesOf(file)).toEqual(['Name', 'Depth', 'Remark']);
    expect(cellsOf(file)[0]).toEqual(['NORDLAND GP', '846.0', null]);
    expect(cellsOf(file)[2]).toEqual(['NO FORMAL NAME', '451.5', 'top seen']);
  });

  it('with multi-word values is split by its columns, not by blanks, when they have names', async () => {
    const file = await read([
      'Formation       MD (m)   Spud',
      '',
      'Utsira Fm        846.0   2016-10-04 14:13',
      'Skade Fm        1313.0   2016-10-05 14:13',
    ]);
    expect(namesOf(file)).toEqual(['Formation', 'MD (m)', 'Spud']);
    expect(cellsOf(file)[0]).toEqual(['Utsira Fm', '846.0', '2016-10-04 14:13']);
    const together = await read([
      'Formation       MD (m)',
      'Utsira Fm        846.0',
      'Skade Fm        1313.0',
    ]);
    expect(together.tables[0]?.columns).toMatchObject([{ name: 'Formation' }, { name: 'MD (m)', unit: 'm' }]);
    expect(cellsOf(together)).toEqual([
      ['Utsira Fm', '846.0'],
      ['Skade Fm', '1313.0'],
    ]);
  });

  it('may have names over several lines, without page numbers', async () => {
    const file = await read([
      'Measured   Inclination',
      'Depth      (deg)',
      '(ft)',
      '---------  -----------',
      '0.00       0.10',
      'Page 2 of 3',
      '100.00     0.20',
    ]);
    expect(file.tables[0]?.columns).toMatchObject([
      { name: 'Measured Depth (ft)', unit: 'ft' },
      { name: 'Inclination (deg)', unit: 'deg' },
    ]);
    expect(recordIndexes(file)).toEqual([5, 7]);
  });

  it('keeps ragged rows and skips remarks between rows', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => `${at}.0 1.0 2.0`);
    const file = await read(['MD INC AZI', ...rows, '# remark', '21.0 1.0']);
    expect(cellsOf(file).at(-1)).toEqual(['21.0', '1.0']);
    expect(file.warnings).toMatchObject([{ code: 'comment_lines', place: 22 }]);
  });

  it.each([
    ['prose', ['This is a text about wells.', 'It has words, and no table at all.', 'So it is none.']],
    ['one column', ['depth', '1', '2', '3']],
    ['XML', ['<a>1 2</a>', '<b>1 2</b>']],
    ['bytes', ['\0\0 1 2', '1 2 3']],
  ])('is not recognized in %s', (_what, lines) => {
    expect(recognize(lines)).toBe(false);
  });

  it('without common columns is rejected', async () => {
    await expect(read(['no table', 'here'])).rejects.toThrow(/no columns in common/);
  });
});

describe('column edges', () => {
  const packed = ['WELL  MD   INC', 'A-1  100.51.25', 'A-12 200.52.50', 'B-3  300.53.75'];

  it('are detected as positions in the lines, which have their roles', async () => {
    const file = await read([
      'Survey',
      '',
      ' MD    Inc',
      ' m     deg',
      ' 0.00  0.10',
      '10.00  0.20',
      '20.00  0.30',
    ]);
    expect(file).toMatchObject({ columnEdges: [7] });
    expect(file.lines.map(({ kind }) => kind)).toEqual([
      'left_out',
      'blank',
      'header',
      'units',
      'row',
      'row',
      'row',
    ]);
    const ruled = await read(['A    B', '---  ---', 'x    1.0', 'y    2.0']);
    expect(ruled.columnEdges).toEqual([5]);
  });

  it('split each line where the user sets them, even between values without a blank', async () => {
    const file = await read(packed, { columnEdges: [5, 10] });
    expect(namesOf(file)).toEqual(['WELL', 'MD', 'INC']);
    expect(cellsOf(file)).toEqual([
      ['A-1', '100.5', '1.25'],
      ['A-12', '200.5', '2.50'],
      ['B-3', '300.5', '3.75'],
    ]);
    expect(file.columnEdges).toEqual([5, 10]);
    expect(file.warnings).toMatchObject([{ code: 'ragged_rows', place: 2, count: 3 }]);
  });

  it('count a tab as eight blanks', async () => {
    const file = await read(['A\tB', '1\t2.5', '2\t3.5'], { columnEdges: [8] });
    expect(cellsOf(file)).toEqual([
      ['1', '2.5'],
      ['2', '3.5'],
    ]);
  });

  it('make a table of lines that aren’t recognized as one', async () => {
    const file = await read(['name', 'abc', 'def'], { columnEdges: [1] });
    expect(namesOf(file)).toEqual(['n', 'ame']);
    expect(cellsOf(file)).toEqual([
      ['a', 'bc'],
      ['d', 'ef'],
    ]);
  });

  it('are used with the lines of names and units that the user sets', async () => {
    const lines = ['Run 1', 'one two', 'm   deg', '1   2', '3   4'];
    const file = await read(lines, { columnEdges: [4], headerRow: 2, unitRow: 3 });
    expect(file.tables[0]?.columns).toMatchObject([
      { name: 'one', unit: 'm' },
      { name: 'two', unit: 'deg' },
    ]);
    expect(recordIndexes(file)).toEqual([4, 5]);
    const without = await read(['MD INC', '1 2', '3 4'], { headerRow: 0 });
    expect(namesOf(without)).toEqual(['', '']);
    expect(cellsOf(without)).toEqual([
      ['MD', 'INC'],
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('of Windows-1252 after a megabyte of ASCII keeps its letters', async () => {
    const rows = Array.from({ length: 6000 }, (_, n) => `${n}.0 ${'A'.repeat(200)}`);
    const content = Buffer.from(['MD Name', ...rows, '6000.0 Åsgard', ''].join('\n'), 'latin1');
    const file = await readContent(listing, content, 'late.txt');
    expect(cellsOf(file).at(-1)).toEqual(['6000.0', 'Åsgard']);
    expect(file.warnings).toContainEqual(
      expect.objectContaining({ code: 'encoding_guessed', cell: 'Windows-1252', place: 6002 }),
    );
  });

  it('with rows that are invalid in UTF-8 rejects them, and warns about such a line above the rows', async () => {
    const lines = ['Felt: \xc5', 'MD Inc', '1.0 2.0', '2.0 \xc5', '3.0 4.0', '4.0 5.0', ''];
    const content = Buffer.from(lines.join('\n'), 'latin1');
    const file = await readContent(listing, content, 'a.txt', { encoding: 'UTF-8' });
    expect(file.tables[0]?.found.map(({ problem }) => problem)).toEqual([null, 'bad_bytes', null, null]);
    expect(file.warnings).toMatchObject([
      { code: 'bad_bytes', place: 1, message: expect.stringMatching('Line 1 ') },
    ]);
  });

  it.each([
    [{ headerRow: 9 }, 5, 'There is no header row on line 9 (the file has 5 lines).'],
    [{ headerRow: 1, unitRow: 6 }, 5, 'There is no unit row on line 6 (the file has 5 lines).'],
    [
      { headerRow: 2500 },
      3000,
      'There is no header row on line 2500 (only the first 2000 lines are searched).',
    ],
  ])('with %j in %i lines names the line, and how many there are', async (choice, count, message) => {
    const lines = ['MD INC', ...Array.from({ length: count - 1 }, (_, n) => `${n} 2`)];
    await expect(read(lines, choice)).rejects.toThrow(message);
  });
});
