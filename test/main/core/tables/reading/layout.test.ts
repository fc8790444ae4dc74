import { describe, expect, it } from 'vitest';
import { inspectionOf, type InspectedTable } from '../../../../../src/main/core/tables/reading/warnings.ts';

import { scanText } from '../../../features/upload/support/files.ts';

const inspect = async (...given: Parameters<typeof scanText>): Promise<InspectedTable> =>
  inspectionOf(await scanText(...given));
const codes = ({ warnings }: InspectedTable): string[] => warnings.map(({ code }) => code);

describe('delimiters', () => {
  it.each([',', ';', '\t', '|'])('are detected: %j', async (delimiter) => {
    const found = await inspect(
      ['a;b', 'c', '"d,e"'].map((cell) => cell.replace(delimiter, '/')).join(delimiter) +
        '\n' +
        ['1', '2', '3'].join(delimiter) +
        '\n',
    );
    expect(found.delimiter).toBe(delimiter);
    expect(found.columns).toHaveLength(3);
  });

  it('are others if these give each row the same cells, and the usual ones don’t', async () => {
    const rows = ['CODE}LEASE}OIL', 'O}UNIT, A}1500', 'G}LEASE C}0', 'G}UNIT 1}12'];
    expect(await inspect(`${rows.join('\n')}\n`)).toMatchObject({
      delimiter: '}',
      rows: 3,
      columns: [{ name: 'CODE' }, { name: 'LEASE', max: 'UNIT, A' }, { name: 'OIL', max: 1500 }],
    });
    expect((await inspect('note\na}b}c\n1}2\nx, y\n')).delimiter).toBe(',');
  });

  describe('in apostrophes', () => {
    const rows = ['Well,Remark,Depth', "A-1,'soft, sandy',1", "B-2,'driller''s note',2", "C-3,'a, b, c',3"];

    it('are part of a cell, as are doubled ones', async () => {
      expect(await inspect(`${rows.join('\n')}\n`)).toMatchObject({
        rows: 3,
        columns: [{ name: 'Well' }, { name: 'Remark', min: 'a, b, c', max: 'soft, sandy' }, { max: 3 }],
        warnings: [],
      });
    });

    it('are no part of cells whose apostrophes all enclose them', async () => {
      const quoted = await inspect("'Well','Depth'\n'A-1',1\n'B-2',2\n");
      expect(quoted.columns).toMatchObject([
        { name: 'Well', max: 'B-2' },
        { name: 'Depth', max: 2 },
      ]);
    });

    it.each([
      [
        'are delimiters where other cells begin with an apostrophe',
        "Well,Remark\nA-1,'tis soft\nB-2,'hard'\n",
      ],
      ['are delimiters where rows have other cells with apostrophes', "Well,Depth\n'A-1,1\nB'-2,2\n"],
    ])('%s', async (_what, text) => {
      expect(await inspect(text)).toMatchObject({ rows: 2, columns: [{}, {}] });
      expect((await inspect(text)).columns.some(({ max }) => String(max).includes("'"))).toBe(true);
    });
  });

  it('between thousands are points where all numbers have both: names and units are above them', async () => {
    const found = await inspect('Tiefe;Druck\nm;bar\n1.234,5;2.345,6\n1.235,5;2.346,6\n');
    expect(found).toMatchObject({
      headerRow: 1,
      unitRow: 2,
      rows: 2,
      columns: [
        { name: 'Tiefe', unit: 'm', type: 'number', min: 1234.5, max: 1235.5 },
        { name: 'Druck', unit: 'bar', type: 'number', min: 2345.6, max: 2346.6 },
      ],
    });
    expect(codes(found)).not.toContain('header_assumed');
  });

  it('prefer a semicolon to a decimal comma', async () => {
    const found = await inspect('x;y\n1,5;2,5\n1,25;3\n');
    expect(found).toMatchObject({
      delimiter: ';',
      columns: [{ type: 'number', min: 1.25, max: 1.5 }, { type: 'number' }],
    });
    expect(codes(found)).toContain('decimal_comma');
  });

  it.each([
    [';', 'Depth, m;Pressure, bar;Temp, degC\n1000,5;0,25;60,0\n1001,5;1,25;60,1\n', [1000.5, 0.25, 60]],
    ['\t', 'Depth\tPressure, bar\tTemp, degC\n1000,5\t0,25\t60,0\n1001,5\t1,25\t60,1\n', [1000.5, 0.25, 60]],
    [';', '1000,5;0,25;60,0\n1001,5;1,25;60,1\n', [1000.5, 0.25, 60]],
    [',', 'a;1,2.5,x;y\nb;2,3.5,x;z\n', ['a;1', 2.5, 'x;y']],
    [
      ';',
      'Well;Name;Lat, Lon\nA-1;Alpha;31.1234, -102.5678\nA-2;Beta;31.1235, -102.5679\n',
      ['A-1', 'Alpha', '31.1234, -102.5678'],
    ],
  ])(
    'are those between numbers, also where commas split all rows as regularly: %j',
    async (delimiter, text, mins) => {
      const { columns, ...layout } = await inspect(text);
      expect(layout).toMatchObject({ delimiter });
      expect(columns.map(({ min }) => min)).toEqual(mins);
    },
  );

  it.each([
    ['sep=;\n', ';', 'UTF-8'],
    ['"sep=;"\r\n', ';', 'UTF-8'],
    ['\uFEFFsep=|\n', '|', 'UTF-8'],
    ['SEP=^\n', '^', 'UTF-8'],
    ['sep=\t\n', '\t', 'UTF-8'],
    ['\uFEFFsep=;\r\n', ';', 'UTF-16LE'],
  ])('come from the first line %j, which is no row', async (line, delimiter, encoding) => {
    const rows = [`MD${delimiter}Note`, `1,5${delimiter}a,b`, `2,5${delimiter}c,d`];
    const text = `${line}${rows.join('\n')}\n`;
    const found = await inspect(encoding === 'UTF-8' ? text : Buffer.from(text, 'utf16le'));
    expect(found).toMatchObject({
      delimiter,
      encoding,
      headerRow: 2,
      rows: 2,
      columns: [
        { name: 'MD', type: 'number', min: 1.5 },
        { name: 'Note', min: 'a,b' },
      ],
    });
    expect(codes(found)).not.toContain('preamble');
  });

  it('come from the rows if the file was saved with others since', async () => {
    const found = await inspect('sep=;\nMD,Inc\n1,2\n3,4\n');
    expect(found).toMatchObject({ delimiter: ',', headerRow: 2, rows: 2 });
  });

  it('of the first line aren’t a row without a header either, nor if the user selects another', async () => {
    expect(await inspect('sep=;\n1;2\n3;4\n', { headerRow: 0 })).toMatchObject({ rows: 2, headerRow: 0 });
    const chosen = await inspect('sep=;\na,b\n1,2\n', { delimiter: ',' });
    expect(chosen).toMatchObject({ rows: 1, headerRow: 2, columns: [{ name: 'a' }, { name: 'b' }] });
  });

  it('aren’t named by a line of another form', async () => {
    const found = await inspect('sep=x,b\n1,2\n3,4\n');
    expect(found.columns.map(({ name }) => name)).toEqual(['sep=x', 'b']);
  });

  it('aren’t needed in a file with one column', async () => {
    expect(await inspect('depth\n1\n2\n')).toMatchObject({
      rows: 2,
      columns: [{ name: 'depth', type: 'integer' }],
    });
  });

  it('keep the user’s selection', async () => {
    expect((await inspect('a^b\n1^2\n', { delimiter: '^' })).columns.map(({ name }) => name)).toEqual([
      'a',
      'b',
    ]);
    await expect(inspect('a', { delimiter: '"' })).rejects.toThrow(/can’t be the delimiter/);
    await expect(inspect('a', { delimiter: '§' })).rejects.toThrow(/ASCII/);
  });
});

describe('line endings', () => {
  it.each([
    ['LF', 'a,b\n1,2\n'],
    ['CRLF', 'a,b\r\n1,2\r\n'],
    ['CR', 'a,b\r1,2\r3,4'],
    ['mixed', 'a,b\r\n1,2\n3,4\r\n'],
    ['none', 'a,b'],
  ] as const)('are detected: %s', async (newline, text) => {
    expect((await inspect(text)).newline).toBe(newline);
  });

  it('don’t include a lone CR inside a line of an LF file: it is part of the cell', async () => {
    const found = await inspect(`a,b\n1,x\ry\n${'1,2\n'.repeat(20)}`);
    expect(found).toMatchObject({ rows: 21, newline: 'LF' });
    expect(codes(found)).not.toContain('ragged_rows');
  });
});

describe('the header', () => {
  it('is the first row with column names; a title before it is excluded', async () => {
    const found = await inspect('Well report\n\nName,Depth,ROP\nA,1,2\nB,2,3\n');
    expect(found).toMatchObject({
      headerRow: 3,
      rows: 2,
      columns: [{ name: 'Name' }, { name: 'Depth' }, { name: 'ROP' }],
    });
    expect(codes(found)).toContain('preamble');
  });

  it('is missing when the first row has numbers in numeric columns', async () => {
    const found = await inspect('UTSIRA FM,846\nSKADE FM,1313\nTY FM,1500\n');
    expect(found).toMatchObject({
      headerRow: 0,
      rows: 3,
      columns: [
        { name: 'column_1', type: 'string' },
        { name: 'column_2', type: 'integer' },
      ],
    });
    expect(codes(found)).toContain('no_header');
  });

  it.each([
    ['times', 'A,2020-01-01\nB,2020-01-02\nC,2020-01-03\n'],
    ['booleans', 'A,true\nB,false\nC,true\n'],
    ['words that repeat', 'A-1,sand\nA-1,shale\nA-2,sand\nA-2,sand\n'],
  ])('is missing when the first row has %s like the rows below', async (_what, text) => {
    const found = await inspect(text);
    expect(found).toMatchObject({ headerRow: 0, columns: [{ name: 'column_1' }, { name: 'column_2' }] });
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: 'no_header', line: 1 }));
  });

  it('is missing when the first rows are sparse: they are rows', async () => {
    const rows = ['00Z,,,,1', '01Z,,,,2', '02Z,2,3,4,5', '03Z,2,3,4,5', '04Z,2,3,4,5'];
    const text = `${rows.map((row) => `2025-01-01T00:00:${row}`).join('\n')}\n`;
    expect(await inspect(text)).toMatchObject({ headerRow: 0, rows: 5 });
    expect(await inspect(text, { headerRow: 0 })).toMatchObject({ headerRow: 0, rows: 5 });
    expect(codes(await inspect(text))).not.toContain('preamble');
    const below = await inspect(`Report of rig 7\n${text}`);
    expect(below).toMatchObject({ headerRow: 0, rows: 5 });
    expect(below.warnings).toContainEqual(expect.objectContaining({ code: 'preamble', line: 1, count: 1 }));
  });

  it('has no words for null: they are values of the first row', async () => {
    for (const word of ['NA', 'null', 'N/A'])
      expect(await inspect(`Well,GR,RHOB\nA-1,${word},${word}\nA-1,0,2.5\nA-1,1,2.25\n`)).toMatchObject({
        headerRow: 1,
        rows: 3,
        columns: [{ name: 'Well' }, { name: 'GR' }, { name: 'RHOB' }],
      });
  });

  it('is assumed, with a warning, when nothing distinguishes it from data', async () => {
    const found = await inspect('name,area\nA-1,north\nB-1,south\n');
    expect(found).toMatchObject({ headerRow: 1, rows: 2 });
    expect(codes(found)).toContain('header_assumed');
    expect(codes(await inspect('name,area\nA-1,north\nB-1,south\n', { headerRow: 1 }))).not.toContain(
      'header_assumed',
    );
    expect(codes(await inspect('name,depth\nA-1,1\nB-1,2\n'))).not.toContain('header_assumed');
  });

  it('has at most 10,000 columns', async () => {
    const wide = (columns: number) => `${Array.from({ length: columns }, (_, n) => `c${n}`).join(',')}\n`;
    expect((await inspect(`${wide(10_000)}${'1,'.repeat(9999)}1\n`)).columns).toHaveLength(10_000);
    await expect(inspect(wide(10_001))).rejects.toMatchObject({
      code: 'file_unsuitable',
      details: { reason: expect.stringMatching(/10001 columns.*up to 10000/), place: { line: 1 } },
    });
  });

  it('may contain years', async () => {
    expect(await inspect('Field,2011,2012,2013\nA,1,2,3\nB,4,5,6\n')).toMatchObject({
      headerRow: 1,
      rows: 2,
    });
  });

  it('is the row that the user sets', async () => {
    expect(await inspect('x,y\na,b\n1,2\n', { headerRow: 2 })).toMatchObject({
      headerRow: 2,
      rows: 1,
      columns: [{ name: 'a' }, { name: 'b' }],
    });
    expect(await inspect('a,b\n1,2\n', { headerRow: 0 })).toMatchObject({ headerRow: 0, rows: 2 });
    await expect(inspect('a,b\n1,2\n', { headerRow: 9 })).rejects.toThrow(/no header row on line 9/);
  });

  it('keeps the original names, and reports the names used in a mapping', async () => {
    const found = await inspect('a,,a,"b "\n1,2,3,4\n');
    expect(found.columns.map(({ name }) => name)).toEqual(['a', '', 'a', 'b']);
    expect(found.columns.map(({ key }) => key)).toEqual([undefined, 'column_2', 'a (2)', undefined]);
    expect(
      found.warnings
        .filter(({ code }) => code === 'duplicate_names' || code === 'empty_name')
        .map(({ message }) => message),
    ).toEqual([
      'Column 2 has no name; it is named “column_2”.',
      'Column 3 is another “a”; it is named “a (2)”.',
    ]);
  });
});

describe('the unit row', () => {
  it('is detected by units above numbers', async () => {
    const found = await inspect(
      'Time,ROP,WOB\n,ft/h,klbf\n2020-01-01T00:00:00Z,1.5,2\n2020-01-01T00:00:01Z,1.6,3\n',
    );
    expect(found).toMatchObject({
      unitRow: 2,
      rows: 2,
      columns: [{ unit: null }, { unit: 'ft/h' }, { unit: 'klbf', type: 'integer' }],
    });
  });

  it.each(['D'.repeat(60), 'DMYHS'.repeat(40)])('is looked for in linear time: %j', async (letters) => {
    expect(await inspect(`a,b\n${letters}:!,m\n1,2\n3,4\n`)).toMatchObject({ unitRow: null });
  });

  it('is not detected when rows of words follow', async () => {
    expect(await inspect('formation,lithology\nm,s\nx,y\n')).toMatchObject({ unitRow: null, rows: 2 });
  });

  it('is the row that the user sets, or none', async () => {
    const text = 'a,b\nfoo,bar\n1,2\n';
    expect(await inspect(text, { unitRow: 2 })).toMatchObject({ unitRow: 2, rows: 1 });
    expect(await inspect('a,b\nm,ft\n1,2\n', { unitRow: 0 })).toMatchObject({ unitRow: null, rows: 2 });
  });

  it('can be above the header if the user sets it', async () => {
    const found = await inspect('m,ft/h\nDEPTH,ROP\n1,2\n3,4\n', { headerRow: 2, unitRow: 1 });
    expect(found).toMatchObject({
      rows: 2,
      columns: [
        { name: 'DEPTH', unit: 'm', min: 1 },
        { name: 'ROP', unit: 'ft/h', min: 2 },
      ],
    });
  });

  it('isn’t a row with a word and no values', async () => {
    expect(await inspect('Well,GR,RHOB\nA-1,-,-\nA-1,1,2.5\nA-1,2,2.25\n')).toMatchObject({
      unitRow: null,
      rows: 3,
    });
    expect(await inspect('MD,Ratio\nm,-\n1,2\n')).toMatchObject({ unitRow: 2, rows: 1 });
  });

  it('is detected by known units of the columns of numbers, although most columns are text', async () => {
    const header = 'Well,Rig,Crew,Remark,Depth,ROP';
    const rows = ['A,R1,day,ok,1500,20.5', 'B,R2,night,slow,1501,18.25'];
    const found = await inspect([header, ',,,,m,m/h', ...rows, ''].join('\n'));
    expect(found).toMatchObject({ headerRow: 1, unitRow: 2, rows: 2 });
    expect(found.columns[4]).toMatchObject({ unit: 'm', type: 'integer' });
    expect(await inspect([header, 'text,text,text,text,m,m/h', ...rows, ''].join('\n'))).toMatchObject({
      unitRow: 2,
    });
    expect(await inspect([header, ',,,,N/A,m', ...rows, ''].join('\n'))).toMatchObject({
      unitRow: null,
      rows: 3,
    });
  });

  it('is detected by one unit if nothing else is in the row', async () => {
    const text = (unit: string): string => `Lease,Zone,MD\n${unit}\n100,Zone A,2950.5\n100,Zone B,2975.2\n`;
    const found = await inspect(text(',,m'));
    expect(found).toMatchObject({ unitRow: 2, rows: 2, columns: [{}, {}, { unit: 'm', type: 'number' }] });
    expect(await inspect(text(',m,'))).toMatchObject({ unitRow: null, rows: 3 });
    expect(await inspect(text(',,?'))).toMatchObject({ unitRow: null, rows: 3 });
  });

  it.each([
    ['DEPTH,GR\nm,gAPI\n', ['m', 'gAPI']],
    ['Report\nMD;TVD;Remark\n(ft);(ft);\n', ['ft', 'ft', null]],
  ])('is the last row if nothing but units of its names is below the header: %j', async (text, units) => {
    const found = await inspect(text);
    expect(found).toMatchObject({ rows: 0, columns: units.map((unit) => ({ unit })) });
    expect(codes(found)).toContain('no_rows');
  });

  it.each([
    'Name,Unit\nDepth,m\n',
    'Unit,Symbol\nmeter,m\n',
    'Code,Class\nm,s\n',
    'Depth,GR\nm,\n',
    'Depth,Gamma\nm,high\n',
  ])('is no last row that may have words: %j', async (text) => {
    expect(await inspect(text)).toMatchObject({ unitRow: null, rows: 1 });
  });

  it('isn’t needed when the names contain units', async () => {
    expect(
      (await inspect('ROP(ft/h),Name (old),Depth [m]\n1,x,2\n')).columns.map(({ unit }) => unit),
    ).toEqual(['ft/h', null, 'm']);
  });
});

describe('lines that aren’t rows', () => {
  it('include blank lines, and comments when most lines aren’t comments', async () => {
    const found = await inspect('a,b\n\n#note\n1,2\n   \n3,4\n5,6\n');
    expect(found.rows).toBe(3);
    expect(found.warnings).toContainEqual({
      code: 'comment_lines',
      message: 'A line that begins with # is skipped as a comment.',
      line: 3,
      count: 1,
    });
  });

  it('don’t include a # inside quotes, or at the start of the header', async () => {
    expect((await inspect('a,b\n"#1",2\n#x,3\n1,2\n5,6\n7,8\n')).rows).toBe(4);
    expect(await inspect('#depth,rop\n1,2\n3,4\n')).toMatchObject({
      rows: 2,
      columns: [{ name: '#depth' }, { name: 'rop' }],
    });
    expect((await inspect('well,n\n#1,1\n#2,2\n#3,3\n')).rows).toBe(3);
  });

  it('include a footer, with a warning; the user can count it as rows', async () => {
    const text = 'a,b,c\n1,2,3\n4,5,6\nSource: somewhere,,\n';
    const found = await inspect(text);
    expect(found).toMatchObject({ rows: 2, footerRows: 1, columns: [{ type: 'integer' }, {}, {}] });
    expect(found.warnings).toContainEqual(
      expect.objectContaining({ code: 'footer_rows', line: 4, count: 1 }),
    );
    expect(await inspect(text, { footerRows: 1 })).toMatchObject({ rows: 2, footerRows: 1, warnings: [] });
    expect(await inspect(text, { footerRows: 0 })).toMatchObject({
      rows: 3,
      footerRows: 0,
      columns: [{ type: 'integer' }, { type: 'integer' }, {}],
    });
  });

  it.each([
    ['sums below their columns', 'Sum=3,,Sum=7,Sum=9\n', 1],
    ['sums after text columns', ',,Sum=7,Sum=9\n', 1],
    ['a total', 'Total,,7,9\n', 1],
    ['remarks and blank rows', ',,,\n*** end of report ***,,,\n"Note: oil in Sm3, gas in MSm3",,,\n', 3],
    ['a remark with unquoted commas', 'Note: oil in Sm3, gas in MSm3\n', 1],
    ['a remark in a numeric column', ',,preliminary values,\n', 1],
  ])('include a footer: %s', async (_what, footer, count) => {
    const body = ['A-1,2020-01-01,1.5,2', 'A-2,2020-01-02,2.5,3', 'B-1,2020-01-03,3.5,4'].join('\n');
    const found = await inspect(`well,date,oil,gas\n${body}\n${footer}`);
    expect(found).toMatchObject({ rows: 3, footerRows: count });
    expect(found.columns.map(({ type }) => type)).toEqual(['string', 'time', 'number', 'integer']);
  });

  it.each([
    ['an operator named Total', 'Total,2020-01-04,4.5,5\n'],
    ['a depth or time alone', ',2020-01-04,,\n'],
    ['a remark next to a time', 'A-1,2020-01-04,Note: pump off,\n'],
    ['a truncated row', 'B-2,2020-01\n'],
  ])('don’t include %s at the end of the file', async (_what, row) => {
    const body = ['A-1,2020-01-01,1.5,2', 'A-2,2020-01-02,2.5,3', 'B-1,2020-01-03,3.5,4'].join('\n');
    expect(await inspect(`well,date,oil,gas\n${body}\n${row}`)).toMatchObject({ rows: 4, footerRows: 0 });
  });

  it('don’t include rows that may be a footer: those count, with a warning', async () => {
    const found = await inspect('well,remark,n\nA-1,x,1\nA-2,y,2\nsee the other sheet,,\n');
    expect(found).toMatchObject({ rows: 3, footerRows: 0 });
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: 'foot_rows', line: 4, count: 1 }));
  });
});

describe('types of whole columns', () => {
  it.each([
    [['1', '2', ''], 'integer'],
    [['1', '2.5'], 'number'],
    [['1e3', '-.5', '+7.'], 'number'],
    [['1', 'x'], 'string'],
    [['01071', '2'], 'string'],
    [['true', 'FALSE'], 'boolean'],
    [['2020-01-01', '2020-01-02T10:00Z'], 'time'],
    [['1.2.2020', '24.12.2020'], 'time'],
    [['2020-01-01', '1/2/2020'], 'string'],
    [['', ' '], 'empty'],
    [['NULL', 'nan', '5'], 'integer'],
    [['"1,338"', '55', '"229,932.50"'], 'number'],
    [['"0,5"', '"1,25"'], 'number'],
    [['"0,5"', '1.5'], 'string'],
  ])('%j is %s', async (cells, type) => {
    const found = await inspect(`x,y\n${cells.map((cell) => `${cell},k\n`).join('')}`);
    expect(found.columns[0]?.type).toBe(type);
  });

  it('are text when several of few numbers are words, which are reported with their line', async () => {
    const found = await inspect(`x,y\n${'1,2\n'.repeat(50)}off,2\nhalf,2\n`);
    expect(found.columns[0]?.type).toBe('string');
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: 'mixed_types', line: 52 }));
  });

  it.each([
    [['12.5', '13.5', 'n.d.'], 'number', '1 of 3 values is not a number, such as “n.d.”. Its row'],
    [['1', 'off', '3', '4'], 'integer', '1 of 4 values is not a number'],
    [['2026-01-01', 'unknown', '2026-01-03'], 'time', '1 of 3 values is not a time'],
  ])(
    '%j are %s: one odd value is a problem of its row, however few rows there are',
    async (cells, type, says) => {
      const { columns, warnings } = await inspect(`x,y\n${cells.map((cell) => `${cell},2\n`).join('')}`);
      expect(columns[0]?.type).toBe(type);
      const message = expect.stringContaining(says) as string;
      expect(warnings).toContainEqual(
        expect.objectContaining({ code: 'type_exceptions', count: 1, message }),
      );
    },
  );

  it.each([
    ['prose', ['1', '"a remark of more than twenty characters"', '3']],
    ['a text of two lines', ['1', '"a\nb"', '3']],
    ['two values', ['1', 'off']],
    ['codes', ['1', 'B-12', '3']],
  ])('with %s are text', async (_what, cells) => {
    const { columns } = await inspect(`x,y\n${cells.map((cell) => `${cell},2\n`).join('')}`);
    expect(columns[0]?.type).toBe('string');
  });

  it('have one notation in a file: a column with decimal commas tells thousands in another', async () => {
    const find = async (text: string) => {
      const { columns } = await inspect(text);
      return columns.map(({ type, min, max }) => [type, min, max]);
    };
    expect(await find('depth;pressure\n12,5;1.000\n13,5;2.000\n')).toEqual([
      ['number', 12.5, 13.5],
      ['number', 1000, 2000],
    ]);
    expect(await find('depth;pressure\n12.5;1.000\n13.5;2.000\n')).toEqual([
      ['number', 12.5, 13.5],
      ['number', 1, 2],
    ]);
    expect(await find('depth;pressure\n12,5;1.234.567,5\n13,5;1.234,5\n')).toEqual([
      ['number', 12.5, 13.5],
      ['number', 1234.5, 1234567.5],
    ]);
    // Decimal points in one column tell thousands in another.
    expect(await find('depth;pressure\n12.5;1,338\n13.5;2,339\n')).toEqual([
      ['number', 12.5, 13.5],
      ['number', 1338, 2339],
    ]);
  });

  it('have one notation in a file, also beside a null value with a decimal comma', async () => {
    for (const value of ['-999,25', '50,4'])
      for (const nulls of [[], ['-999.25']]) {
        const german = await inspect(
          `Tiefe;GR;P\n1000;50,5;1.338\n1001;${value};2.450\n1002;61,5;3.120\n`,
          {},
          nulls,
        );
        expect(german.columns[2]).toMatchObject({ type: 'number', min: 1338, max: 3120 });
        const quoted = await inspect(
          `Tiefe,GR,RHOB\n1000,"50,5","2,338"\n1001,"${value}","2,450"\n1002,"61,5","2,120"\n`,
          {},
          nulls,
        );
        expect(quoted.columns[2]).toMatchObject({ type: 'number', min: 2.12, max: 2.45 });
      }
  });

  it('are numbers with decimal commas and a null value that has a point', async () => {
    const rows = Array.from({ length: 60 }, (_, n) => `${n};${n === 30 ? '-999.25' : `12,${n + 10}`}`);
    const { columns } = await inspect(`n;x\n${rows.join('\n')}\n`);
    expect(columns[1]).toMatchObject({ type: 'number' });
  });

  it.each([
    ['Date,Rate', ['17.01.1996 21:57:52', '31.10.1996 16:48:00', '01.02.2001 16:48:00']],
    ['LEASE,PROD_DATE', ['11-MAY-1985', '01-JUN-1985', '27-JUL-1985']],
    ['a,b', ['10-Jan-26 06:00', '1-Feb-26 07:30', '3-Mar-26 00:00']],
    ['a,b', ['1 May 2024', '2 May 2024', '13 May 2024']],
    ['a,b', ['1 January 2024', '2 May 2024', '13 June 2024']],
    ['a,b', ['2024-01-01T23:30:00-06:00', '2024-01-02T06:00:00Z', '2024-01-02T08:30:00+02:00']],
  ])('%s: times such as %j have the range of their times', async (header, times) => {
    // Out of order, so that text order and order of rows differ from time.
    const rows = [times[1], times[2], times[0]].map((time) => `${time},1`);
    const { columns } = await inspect(`${header}\n${rows.join('\n')}\n`);
    expect(columns[0]).toMatchObject({ type: 'time', min: times[0], max: times[2] });
  });

  it.each([
    ['off', '1.5', 'number'],
    ['off', '7', 'integer'],
    ['off', 'true', 'boolean'],
    ['off', '2020-01-01 10:00', 'time'],
    ['1.5', '"2,5"', 'number'],
    ['12B', '1.5', 'number'],
  ])(
    '%s among 150 values such as %s is an invalid cell of its row: the column stays %s',
    async (odd, usual, type) => {
      const text = `x,y\n${`${usual},2\n`.repeat(100)}${odd},2\n${`${usual},2\n`.repeat(50)}`;
      const found = await inspect(text);
      expect(found.columns[0]?.type).toBe(type);
      expect(found.warnings).toContainEqual(
        expect.objectContaining({ code: 'type_exceptions', line: 102, column: 'x', cell: odd, count: 1 }),
      );
      const strict = inspectionOf(await scanText(text), 0);
      expect(strict.columns[0]?.type).toBe('string');
    },
  );

  it.each(['12B', 'H', 'A-7', '007'])(
    '%s among 150 whole numbers makes them codes, which are text',
    async (code) => {
      const found = await inspect(`x,y\n${'12,2\n'.repeat(150)}${code},2\n`);
      expect(found.columns[0]?.type).toBe('string');
    },
  );

  it('keep the digits of integers beyond double precision', async () => {
    expect((await inspect('x\n1\n9223372036854775808\n')).columns[0]).toMatchObject({
      type: 'integer',
      min: 1,
      max: '9223372036854775808',
    });
  });

  it('use the same null values in numeric and text columns', async () => {
    const found = await inspect('n,t\n1,x\nNULL,NULL\n3,N/A\nNULL,y\n');
    expect(found.columns).toMatchObject([
      { type: 'integer', nulls: 2 },
      { type: 'string', nulls: 2 },
    ]);
    const about = found.warnings.filter(({ code }) => code === 'null_words');
    expect(about.map(({ column, cell, count, line }) => [column, cell, count, line])).toEqual([
      ['n', 'NULL', 2, 3],
      ['t', 'NULL', 1, 3],
      ['t', 'N/A', 1, 4],
    ]);
  });

  it('report missing values, and possible null values', async () => {
    const found = await inspect('x,y\n1,2\n-999.25,3\nNULL,4\n,5\n');
    expect(found.columns[0]).toMatchObject({ type: 'number', nulls: 2, min: -999.25 });
    expect(codes(found)).toEqual(expect.arrayContaining(['null_words', 'sentinel_values']));
  });

  it('recognize a possible null value with a decimal comma, and match it by value', async () => {
    const comma = 'x;y\n1;2\n-999,25;3\n';
    expect((await inspect(comma)).warnings).toContainEqual(
      expect.objectContaining({ code: 'sentinel_values', cell: '-999.25' }),
    );
    const settled = await inspect(comma, {}, ['-999.25']);
    expect(codes(settled)).not.toContain('sentinel_values');
    expect(settled.columns[0]).toMatchObject({ type: 'integer', nulls: 1, min: 1 });
  });

  it('ignore words that the user treats as null', async () => {
    expect((await inspect('x\n1\nn.a.\n3\n', {}, ['n.a.'])).columns[0]).toMatchObject({
      type: 'integer',
      nulls: 1,
    });
  });

  it('warn about digits dropped by a spreadsheet, times without a zone, and ambiguous dates', async () => {
    const found = await inspect(
      'api,t,d\n3.3101E+13,2020-01-01 10:00:00,1/2/2020\n3.3102E+13,2020-01-01 10:00:01,1/3/2020\n',
    );
    expect(codes(found)).toEqual(expect.arrayContaining(['excel_damage', 'zone_missing', 'ambiguous_dates']));
  });
});
