import { describe, expect, it } from 'vitest';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import { las } from '../../../../../src/main/core/tables/sources/las.ts';
import { fileWith } from '../../../features/upload/support/files.ts';
import { cellsOf, namesOf, recordIndexes, readContent } from '../../../features/upload/support/sources.ts';

const read = (lines: readonly string[], name = 'file.las') => readContent(las, lines.join('\n') + '\n', name);
const start = ['~Version', ' VERS. 2.0 : CWLS', ' WRAP. NO :', '~Well', ' NULL. -999.25 :'];
const curves = ['~Curve', ' DEPT.M : Depth', ' GR.GAPI 00 001 : Gamma ray', '~A'];

describe('a LAS file', () => {
  it('has the curves as columns, the header, and the line of each row', async () => {
    const file = await read([
      ...start,
      ' WELL. 15/9-F-1 C : Well',
      ...curves,
      '1.0 20',
      '# a remark',
      '',
      ' 1.5  -999.2500',
    ]);
    expect(file.tables[0]).toMatchObject({
      name: 'Log',
      rows: 2,
      columns: [
        { name: 'DEPT', unit: 'M' },
        { name: 'GR', unit: 'GAPI' },
      ],
      index: { name: 'DEPT', unit: 'M', kind: 'depth' },
    });
    expect(cellsOf(file)).toEqual([
      ['1.0', '20'],
      ['1.5', null],
    ]);
    expect(recordIndexes(file)).toEqual([11, 14]);
    expect(file.header).toContainEqual({
      group: 'Well',
      name: 'WELL',
      value: '15/9-F-1 C',
      unit: null,
      description: 'Well',
    });
    expect(file.warnings).toMatchObject([{ code: 'comment_lines', place: 12, count: 1 }]);
  });

  it('of version 1.2 has the well’s values after the colon', async () => {
    const file = await read([
      '~V',
      ' VERS. 1.2 : x',
      '~W',
      ' STRT.M 1 :',
      ' UWI . UNIQUE WELL ID : 100/01',
      ...curves,
      '1 2',
    ]);
    expect(file.header).toContainEqual(
      expect.objectContaining({ name: 'UWI', value: '100/01', description: 'UNIQUE WELL ID' }),
    );
    expect(file.header).toContainEqual(expect.objectContaining({ name: 'STRT', value: '1' }));
  });

  it('has names, units, and values with periods, colons, and blanks of their own', async () => {
    const file = await read([
      '~V',
      ' VERS. 2.0 : x',
      '~W',
      ' WELL. BIG SKY.. 12 : WELL',
      ' UWI . Unique:Well:Identifier : Unique Well ID',
      ' LOC. S:12 T:3N R:4W : LOCATION',
      ' STRT.M 1670.0:START : DEPTH',
      ' DATE. 10:30:00 : time',
      ' COMP. ACME: Company name : full',
      '~P',
      ' R3 . 25 cores, recovery was ... % : Remark',
      ...curves,
      '1 2',
    ]);
    expect(file.header.slice(1).map(({ name, value, unit }) => [name, value, unit])).toEqual([
      ['WELL', 'BIG SKY.. 12', null],
      ['UWI', 'Unique:Well:Identifier', null],
      ['LOC', 'S:12 T:3N R:4W', null],
      ['STRT', '1670.0', 'M'],
      ['DATE', '10:30:00', null],
      ['COMP', 'ACME', null],
      ['R3', '25 cores, recovery was ... %', null],
    ]);
  });

  it('that is wrapped is split by the number of values', async () => {
    const wrapped = start.map((line) => line.replace('NO', 'YES'));
    const three = ['~C', ' DEPT.M :', ' A. :', ' B. :', '~A'];
    const file = await read([...wrapped, ...three, '1', '2 3', '2', '4', '5']);
    expect(file.tables[0]?.rows).toBe(2);
    expect(cellsOf(file)).toEqual([
      ['1', '2', '3'],
      ['2', '4', '5'],
    ]);
    expect(recordIndexes(file)).toEqual([11, 13]);
    await expect(read([...wrapped, ...three, '1', '2 3 4'])).rejects.toMatchObject({
      code: 'file_unsuitable',
      details: { place: { line: 12 } },
    });
  });

  it('that is wrapped has an index without null values too', async () => {
    const wrapped = start.map((line) => line.replace('NO', 'YES').replace('-999.25', '0'));
    const three = ['~C', ' DEPT.M :', ' A. :', ' B. :', '~A'];
    expect(cellsOf(await read([...wrapped, ...three, '0', '2 0', '1', '0 5']))).toEqual([
      ['0', '2', null],
      ['1', null, '5'],
    ]);
  });

  it('has the columns of its curve section if a second one is empty', async () => {
    const second = [...curves.slice(0, 3), '~Curve', '# none', '~A'];
    const file = await read([...start, ...second, '1 2']);
    expect(namesOf(file)).toEqual(['DEPT', 'GR']);
    const other = [...curves.slice(0, 3), '~Curve', ' MD.M :', ' ROP.M/HR :', '~A'];
    expect(namesOf(await read([...start, ...other, '1 2']))).toEqual(['MD', 'ROP']);
  });

  it('separates numbers without blanks between them', async () => {
    const five = ['~C', ' DEPT.M :', ' A. :', ' B. :', ' C. :', '~A'];
    const file = await read([
      ...start,
      ...five,
      '1.0 1.000 7.330 -8.000',
      '2.0 1.000 7.330-19508.961',
      '3.0 1.000 7.020101130.188',
    ]);
    expect(cellsOf(file).slice(1)).toEqual([
      ['2.0', '1.000', '7.330', '-19508.961'],
      ['3.0', '1.000', '7.020', '101130.188'],
    ]);
  });

  const fourCurves = ['~C', ' DEPT.ft :', ' TVD.ft :', ' GAMA.API :', ' ROP.ft/hr :', '~A'];
  const withTabs = start.toSpliced(3, 0, ' DLM. TAB :');

  it.each([
    ['before the first value', '\t1\t2\t3\t4', '\t2\t3\t\t-999.25'],
    ['before and behind', '\t1\t2\t3\t4\t', '\t2\t3\t\t-999.25\t'],
    ['behind the last value', '1\t2\t3\t4\t', '2\t3\t\t-999.25\t'],
  ])('with a delimiter %s has its values in their columns', async (_where, ...lines) => {
    const file = await read([...withTabs, ...fourCurves, ...lines]);
    expect(namesOf(file)).toEqual(['DEPT', 'TVD', 'GAMA', 'ROP']);
    expect(cellsOf(file)).toEqual([
      ['1', '2', '3', '4'],
      ['2', '3', null, null],
    ]);
  });

  it('keeps a row ragged if numbers without blanks between them can be separated in several ways', async () => {
    const of = async (...rows: string[]) =>
      cellsOf(await read([...start, '~C', ' DEPT.M :', ' A. :', ' B. :', '~A', ...rows]));
    // Signs separate these, whatever their decimals are; times aren't separated.
    expect(await of('1670.000 -1.2500-2.2500')).toEqual([['1670.000', '-1.2500', '-2.2500']]);
    expect(await of('1500.5 000020-1.25')).toEqual([['1500.5', '000020-1.25']]);
    expect(await of('000020 12.25-9.25')).toEqual([['000020', '12.25', '-9.25']]);
    // No row shows the decimals of each curve.
    expect(await of('1000.5 7.020101130.188')).toEqual([['1000.5', '7.020101130.188']]);
    expect(await of('1000.50 7.0220.19')).toEqual([['1000.50', '7.02', '20.19']]);
    expect(await of('1.00 7.02 1.188', '2.00 7.020101130.188')).toEqual([
      ['1.00', '7.02', '1.188'],
      ['2.00', '7.020101130.188'],
    ]);
  });

  it('between tabs has quoted texts as single values', async () => {
    const file = await read([...withTabs, ...fourCurves, '1\t"a\tb" \t"c"\t4', '2\t"d"\t\t"e']);
    expect(cellsOf(file)).toEqual([
      ['1', 'a\tb', 'c', '4'],
      ['2', 'd', null, '"e'],
    ]);
  });

  it('keeps an empty first value where lines have as many values as curves', async () => {
    const file = await read([...withTabs, ...fourCurves, '\t2\t3\t4', '\t3\t4\t5']);
    expect(cellsOf(file)).toEqual([
      ['', '2', '3', '4'],
      ['', '3', '4', '5'],
    ]);
  });

  it('has a date and a time of day between blanks as one value of their curve', async () => {
    const timed = ['~C', ' DEPT.M :', ' TIME.DD/MM/YYYY HH:MM:SS :', ' GR.API :', '~A'];
    const file = await read([...start, ...timed, '1 29/01/2020 03:00:00 5', '2 29/01/2020 03:00:05 6']);
    expect(namesOf(file)).toEqual(['DEPT', 'TIME', 'GR']);
    expect(cellsOf(file)).toEqual([
      ['1', '2020-01-29T03:00:00', '5'],
      ['2', '2020-01-29T03:00:05', '6'],
    ]);
    const wrapped = start.map((line) => line.replace('NO', 'YES'));
    const rows = ['29/01/2020 03:00:00', '5', '29/01/2020 03:00:05', '6'];
    const both = await read([...wrapped, '~C', ' TIME.DD/MM/YYYY HH:MM:SS :', ' GR.API :', '~A', ...rows]);
    expect(cellsOf(both)).toEqual([
      ['2020-01-29T03:00:00', '5'],
      ['2020-01-29T03:00:05', '6'],
    ]);
  });

  it.each([
    ['DD/MM/YYYY-HH:MM:SS', '29/01/2020-03:00:10', '2020-01-29T03:00:10'],
    ['DD/MM/YYYY-HH:MM:SS', '29/13/2020-03:00:10', '29/13/2020-03:00:10'],
    ['MM/DD/YYYY HH:MM', '"01/29/2020 3:05"', '2020-01-29T03:05:00'],
    ['YYYY-MM-DDTHH:MM:SS.SSS', '2020-01-29T03:00:10.250', '2020-01-29T03:00:10.250'],
    ['yyyy/mm/dd', '2020/1/9', '2020-01-09'],
    ['DDMMYY', '140325', '2025-03-14'],
    ['DDMMYY', '50325', '2025-03-05'],
    ['YYMMDD', '250314', '2025-03-14'],
    ['YYYYMMDD', '20250314', '2025-03-14'],
    ['DDMMYYYY HHMMSS', '"14032025 060010"', '2025-03-14T06:00:10'],
    ['DDMMYY', '143225', '143225'],
    ['DD/MM/YY', '14/03/25', '2025-03-14'],
    ['HHMMSS', '60010', '06:00:10'],
    ['HHMMSS', '060010.5', '06:00:10.5'],
    ['HHMMSS', '256010', '256010'],
    ['DD-MMM-YYYY', '29-Jan-2020', '29-Jan-2020'],
  ])('has times in the form that the unit %s declares: %s', async (unit, text, wanted) => {
    const file = await read([
      ...start,
      ` STRT.${unit} ${text} :`,
      '~C',
      ` WHEN.${unit} : when {F}`,
      ' GR. :',
      '~A',
      `${text} 5`,
    ]);
    expect(file.tables[0]?.columns[0]).toMatchObject({
      name: 'WHEN',
      unit,
      type: unit.includes('MMM') || unit === 'HHMMSS' ? null : 'time',
    });
    expect(cellsOf(file)).toEqual([[wanted, '5']]);
    expect(file.header).toContainEqual(expect.objectContaining({ name: 'STRT', unit, value: text }));
  });

  it('has a text with blanks in the only curve of texts, and between numbers only', async () => {
    const three = ['~C', ' DEPT.M : {F}', ' ROCK. : {S}', ' GR.API : {F}', '~A'];
    const file = await read([...start, ...three, '1 fine sand 5', '2 shale 6', '3 "a b" 7', '4 x y z']);
    expect(cellsOf(file)).toEqual([
      ['1', 'fine sand', '5'],
      ['2', 'shale', '6'],
      ['3', 'a b', '7'],
      ['4', 'x', 'y', 'z'],
    ]);
  });

  it('whose rows have more values than curves is rejected with both numbers', async () => {
    const rows = ['1 2 3 4 5', '2 3 4 5 6'];
    await expect(read([...start, ...fourCurves, ...rows])).rejects.toMatchObject({
      code: 'file_unsuitable',
      message: expect.stringMatching(/5 values for 4 curves/),
      details: { place: { line: 12 } },
    });
    // The other section of the file is read.
    const other = ['~Core_Definition', ' A.m :', '~Core_Data | Core_Definition', '7'];
    const text = [...start, ...fourCurves, ...rows, ...other].join('\n').replace('2.0', '3.0');
    using source = openSource(await fileWith(`${text}\n`, 'a.las'), 'a.las');
    const file = await las.open(source, {});
    expect((await file.readRows(1).next()).value).toEqual([{ cells: ['7'], place: 17 }]);
  });

  it('that is wrapped is rejected when a row has fewer values and takes the index of the next', async () => {
    const wrapped = start.map((line) => line.replace('NO', 'YES'));
    const three = ['~C', ' DEPT.M :', ' A. :', ' B. :', '~A'];
    await expect(read([...wrapped, ...three, '1', '2', '2', '3 4', '3', '5 6'])).rejects.toThrow(
      /fewer values than the 3 curves.*line 14/,
    );
  });

  it('keeps ragged rows', async () => {
    const file = await read([...start, ...curves, '1', '2 3', '3 4 5']);
    expect(cellsOf(file)).toEqual([['1'], ['2', '3'], ['3', '4', '5']]);
  });

  it('without a curve section has the names in its title, if any', async () => {
    expect(namesOf(await read(['~A  DEPTH  GR', '1 2']))).toEqual(['DEPTH', 'GR']);
    expect(namesOf(await read(['~A', '1 2', '2 3']))).toEqual(['', '']);
  });

  it('keeps columns in order when a curve has no mnemonic, or an unusual one', async () => {
    const odd = [
      '~C',
      ' DEPT.M :',
      ' .OHMM : 2',
      ' .ILM .OHMM : 3',
      ' Cond..MS/M : 4',
      ' I. Res..OHM-M : 5',
      '~A',
    ];
    const file = await read([...start, ...odd, '1 2 3 4 5']);
    expect(file.tables[0]?.columns.map(({ name, unit }) => [name, unit])).toEqual([
      ['DEPT', 'M'],
      ['', 'OHMM'],
      ['ILM', 'OHMM'],
      ['Cond.', 'MS/M'],
      ['I. Res.', 'OHM-M'],
    ]);
  });

  it.each(['1000 lbf', '0.1 kN.m', '1000 psi', '.1IN', '0.1'])(
    'has a unit with a number as a whole: %s',
    async (unit) => {
      const lines = [...start, '~Curve', ' DEPT.M : Depth', ` TQ.${unit} : Torque`, '~A', '1 2'];
      expect((await read(lines)).tables[0]?.columns[1]).toMatchObject({ name: 'TQ', unit });
    },
  );

  it('has numbers in a curve that is declared as text but has a unit of measure', async () => {
    const lines = [
      '~Version',
      ' VERS. 3.0 :',
      ' DLM. COMMA :',
      '~Curve',
      ' TIME.S : time {AS}',
      ' CODE. : code {S}',
      '~A',
      '0.5,00123',
    ];
    expect((await read(lines)).tables[0]?.columns).toMatchObject([{ type: null }, { type: 'text' }]);
  });

  it('has an index without null values, and quoted texts', async () => {
    const file = await read([...start, ...curves, '-999.25 "a b"', "2 'c d'", "3 don't"]);
    expect(cellsOf(file)).toEqual([
      ['-999.25', 'a b'],
      ['2', 'c d'],
      ['3', "don't"],
    ]);
  });

  it('with more curves than values has the curves that its title names', async () => {
    const more = [...curves.slice(0, 3), ' SP.MV :', '~A DEPT SP'];
    expect(namesOf(await read([...start, ...more, '1 2', '2 3']))).toEqual(['DEPT', 'SP']);
  });

  it('of version 3 has its data sections as tables', async () => {
    const file = await read([
      '~Version',
      ' VERS. 3.0 : x',
      ' DLM. COMMA : x',
      '~Well',
      ' NULL. -999.25 : x',
      '~Tops_Definition',
      ' TOPT.M : Top {F}',
      ' TOPN. : Name {S}',
      '~Tops_Data | Tops_Definition',
      ' 10.5,"Viking, upper"',
      ' 20,"-999.25"',
      '~Core_Definition',
      ' CORET.M : Top {F}',
      '~Core[1] | Core_Definition',
      ' 1',
      '~Core[2] | Core_Definition',
      ' 2',
      '~Curve',
      ' TIME.S : Time {F}',
      ' NMR[1..5].ms : Echo {A:0} | x',
      '~ASCII | CURVE',
      '0,1',
    ]);
    expect(file.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['Tops_Data', 2],
      ['Core[1]', 1],
      ['Core[2]', 1],
      ['ASCII', 1],
    ]);
    expect(file.tables[0]?.columns).toMatchObject([
      { name: 'TOPT', unit: 'M', type: null },
      { name: 'TOPN', unit: null, type: 'text' },
    ]);
    expect(cellsOf(file)).toEqual([
      ['10.5', 'Viking, upper'],
      ['20', null],
    ]);
    expect(file.tables[3]).toMatchObject({ index: { name: 'TIME', kind: 'time' } });
    expect(namesOf(file, 3)).toEqual(['TIME', 'NMR[1..5]']);
  });

  it('may follow another in one file, with a header, null values, and delimiters of its own', async () => {
    const log = (well: string, missing: string, ...rows: string[]) => [
      '~V',
      ' VERS. 2.0 :',
      ` WRAP. ${rows.length > 2 ? 'YES' : 'NO'} :`,
      '~W',
      ` WELL. ${well} :`,
      ` NULL. ${missing} :`,
      '~C',
      ' DEPT.M :',
      ` ${well}.API :`,
      '~A',
      ...rows,
    ];
    const two = [...log('A', '-999.25', '1 -999.25', '2 3'), ...log('B', '-9999', '1', '-9999', '2', '3')];
    const file = await read(two);
    const wells = file.tables.map(({ header = [] }) => header.find(({ name }) => name === 'WELL')?.value);
    expect(wells).toEqual(['A', 'B']);
    for (const table of [0, 1])
      expect(cellsOf(file, table)).toEqual([
        ['1', null],
        ['2', '3'],
      ]);
    expect(file.tables.map(({ columns }) => columns[1]?.name)).toEqual(['A', 'B']);
  });

  it('keeps every digit', async () => {
    const file = await read([...start, ...curves, '9007199254740993 0.10']);
    expect(cellsOf(file)).toEqual([['9007199254740993', '0.10']]);
  });

  it('may be UTF-16 without a byte order mark, or Windows-1252', async () => {
    const lines = [...start, ...curves, '1 2'].join('\n');
    const wide = await readContent(las, Buffer.from(lines, 'utf16le'), 'wide.las');
    expect(cellsOf(wide)).toEqual([['1', '2']]);
    const western = await readContent(las, Buffer.from(lines.replace('GAPI', '°'), 'latin1'), 'western.las');
    expect(western.tables[0]?.columns[1]?.unit).toBe('°');
  });

  it('has a warning when the range of the header is in another unit than the index', async () => {
    const messages = async (unit: string) => {
      const file = await read([...start, ` STRT.${unit} 1 :`, ` STOP.${unit} 2 :`, ...curves, '1 2', '2 2']);
      return file.warnings.map(({ message }) => message);
    };
    expect(await messages('M')).toEqual([]);
    expect(await messages('')).toEqual([]);
    expect(await messages('FT')).toEqual([expect.stringContaining('range in FT')]);
  });

  it('has warnings when START, STOP, and STEP differ from the rows, and when it is truncated', async () => {
    const header = [...start, ' STRT.M 1 :', ' STOP.M 9 :', ' STEP.M 1 :', ...curves];
    const file = await read([...header, '1 2', '2 2', '5 2']);
    expect(file.warnings).toMatchObject([
      { code: 'header_differs', place: null },
      { code: 'header_differs', place: 15, count: 1 },
    ]);
    const cut = await readContent(las, [...header, '1 2', '2'].join('\n'), 'cut.las');
    expect(cut.warnings).toContainEqual(expect.objectContaining({ code: 'cut_short', place: 14 }));
  });

  it.each(['\u001A', '\u001A\0\0\0'])('ends before the end mark of DOS', async (mark) => {
    const lines = [...start, ...curves, '1 2', '2 3'].join('\r\n');
    for (const text of [`${lines}\r\n${mark}`, lines + mark]) {
      const file = await readContent(las, text, 'dos.las');
      expect(cellsOf(file)).toEqual([
        ['1', '2'],
        ['2', '3'],
      ]);
      expect(file.warnings).toEqual([]);
    }
    const cut = await readContent(las, `${lines}\r\n3${mark}`, 'cut.las');
    expect(cut.warnings).toMatchObject([{ code: 'cut_short', place: 12 }]);
  });

  it('without data is rejected with the reason', async () => {
    await expect(read(start)).rejects.toThrow(/no section with data/);
  });

  it('with an endless line is rejected with its line', async () => {
    const text = [...start, ...curves, '1'.repeat(5 << 20)].join('\n');
    await expect(readContent(las, text, 'long.las')).rejects.toMatchObject({
      details: { reason: 'a line is longer than 4 MB', place: { line: 10 } },
    });
  });

  it('is recognized by its content', () => {
    const recognize = (text: string, name: string): boolean => las.recognize(Buffer.from(text), name);
    expect(recognize('# remark\n~Version\n VERS. 2.0 :', 'a.txt')).toBe(true);
    expect(recognize('~A DEPT GR\n1 2', 'a.las')).toBe(true);
    expect(recognize('a,b\n~A,2', 'a.las')).toBe(false);
    expect(recognize('PK\u0003\u0004', 'a.las')).toBe(false);
  });

  it('of Windows-1252 after a megabyte of ASCII keeps its letters', async () => {
    const rows = Array.from({ length: 6000 }, (_, n) => `${n}.0 ${' '.repeat(200)}20`);
    const content = Buffer.from([...start, ...curves, ...rows, '6000 Åsgard', ''].join('\n'), 'latin1');
    const file = await readContent(las, content, 'late.las');
    expect(cellsOf(file).at(-1)).toEqual(['6000', 'Åsgard']);
    const place = start.length + curves.length + rows.length + 1;
    expect(file.warnings).toContainEqual(
      expect.objectContaining({ code: 'encoding_guessed', cell: 'Windows-1252', place }),
    );
    const chosen = await readContent(las, content, 'late.las', { encoding: 'Windows-1252' });
    expect(chosen.warnings.map(({ code }) => code)).not.toContain('encoding_guessed');
  });

  it('with rows that are invalid in UTF-8 rejects them, and warns about such a line above the rows', async () => {
    // A U+FFFD of the file itself is valid.
    const rows = Buffer.concat([Buffer.from('1.0 20\n2.0 \xc5\n', 'latin1'), Buffer.from('3.0 \uFFFD\n')]);
    const head = Buffer.from([...start, ' FLD. Åsgard :', ...curves, ''].join('\n'));
    const file = await readContent(las, Buffer.concat([head, rows]), 'a.las', { encoding: 'UTF-8' });
    expect(file.tables[0]?.found.map(({ problem = null }) => problem)).toEqual([null, 'bad_bytes', null]);
    expect(file.warnings.filter(({ code }) => code === 'bad_bytes')).toEqual([]);
    const damaged = Buffer.from(
      [...start, ' FLD. \xc5sgard :', ...curves, '1.0 20', ''].join('\n'),
      'latin1',
    );
    expect((await readContent(las, damaged, 'a.las', { encoding: 'UTF-8' })).warnings).toContainEqual(
      expect.objectContaining({ code: 'bad_bytes', place: 6 }),
    );
  });

  it('with wrapped rows rejects each that has a line that is invalid in UTF-8', async () => {
    const wrapped = start.map((line) => line.replace('WRAP. NO', 'WRAP. YES'));
    const lines = [...wrapped, ...curves, '1.0', '20', '2.0', '\xc5', '3.0', '40', ''];
    const content = Buffer.from(lines.join('\n'), 'latin1');
    const file = await readContent(las, content, 'a.las', { encoding: 'UTF-8' });
    expect(file.tables[0]?.found.map(({ problem = null }) => problem)).toEqual([null, 'bad_bytes', null]);
  });
});
