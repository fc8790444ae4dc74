import { describe, expect, it } from 'vitest';
import { dlis } from '../../../../../src/main/core/tables/sources/dlis.ts';
import {
  dlisFile,
  dlisLabel,
  dlisValue,
  explicitSet,
  fileOfRecords,
  logicalRecords,
  numbersChannel,
  obname,
  texts,
  type DlisChannel,
  type DlisFrame,
  type DlisLayout,
  type DlisLogicalFile,
} from '../../../features/upload/support/dlis-files.ts';
import { cellsOf, namesOf, recordIndexes, readContent } from '../../../features/upload/support/sources.ts';

const read = (content: Uint8Array, options = {}) => readContent(dlis, content, 'file.dlis', options);
const depth = (...values: readonly number[]): DlisChannel => numbersChannel('DEPT', values, 'm', 'FDOUBL');
const main: DlisFrame = {
  name: 'MAIN',
  indexType: 'BOREHOLE-DEPTH',
  channels: [depth(100, 100.5, 101), numbersChannel('GR', [60.25, 0.1, -999.25], 'gAPI')],
};
const oneFile: DlisLogicalFile = { well: '15/9-F-1', run: '2', frames: [main] };
const mainRows = [
  ['100', '60.25'],
  ['100.5', '0.1'],
  ['101', '-999.25'],
];
const hex = (...texts: readonly string[]): Buffer[] =>
  texts.map((text) => Buffer.from(text.replaceAll(' ', ''), 'hex'));
const warningsOf = (source: Awaited<ReturnType<typeof read>>) =>
  source.warnings.map(({ code, message }) => [code, message]);
const structure = (source: Awaited<ReturnType<typeof read>>, table = 0) =>
  (source.tables[table]?.header ?? [])
    .filter(({ group }) => group === 'Structure')
    .map(({ name, value }) => `${name}: ${value}`);

describe('a DLIS file', () => {
  it('has a table for a frame, named by the well and the run, with units, the index, and a header', async () => {
    const file = await read(dlisFile([oneFile]));
    expect(file.tables).toMatchObject([
      {
        name: '15/9-F-1, run 2, MAIN',
        rows: 3,
        columns: [
          { name: 'DEPT', unit: 'm' },
          { name: 'GR', unit: 'gAPI' },
        ],
        index: { name: 'DEPT', unit: 'm', kind: 'depth' },
      },
    ]);
    expect(cellsOf(file)).toEqual(mainRows);
    expect(recordIndexes(file)).toEqual([1, 2, 3]);
    expect(file.warnings).toEqual([]);
    expect(file.tables[0]?.header).toContainEqual({
      group: 'Origin',
      name: 'WELL-NAME',
      value: '15/9-F-1',
      unit: null,
      description: null,
    });
    expect(structure(file)).toEqual([
      'Logical file 1: File',
      'Logical file 1, frame MAIN: 3 rows, 2 channels, DEPT 100 to 101 m',
    ]);
  });

  it('has several logical files with several frames, of which one frame has one row', async () => {
    const single: DlisFrame = {
      name: 'ONE',
      indexType: 'TIME',
      channels: [numbersChannel('TIME', [5], 's')],
    };
    const file = await read(
      dlisFile([
        { id: 'First', well: 'A', run: '1', frames: [main, single] },
        {
          id: 'Second',
          well: 'B',
          frames: [
            { ...single, name: 'OTHER' },
            { ...main, channels: [depth(7)] },
          ],
        },
      ]),
    );
    expect(file.tables.map(({ name, rows, index }) => [name, rows, index?.kind])).toEqual([
      ['A, run 1, MAIN', 3, 'depth'],
      ['A, run 1, ONE', 1, 'time'],
      ['B, OTHER', 1, 'time'],
      ['B, MAIN', 1, 'depth'],
    ]);
    expect([0, 1, 2, 3].map((table) => cellsOf(file, table))).toEqual([mainRows, [['5']], [['5']], [['7']]]);
    const well = ({ name }: { readonly name: string }) => name === 'WELL-NAME';
    expect(file.tables.map(({ header }) => header?.find(well)?.value)).toEqual(['A', 'A', 'B', 'B']);
    expect(structure(file, 3)).toHaveLength(6);
  });

  it('keeps the order of an index that runs down, and gives the unit 0.1 in', async () => {
    const frame = { ...main, channels: [numbersChannel('TDEP', [300, 200, 100], '0.1 in')] };
    const file = await read(dlisFile([{ frames: [frame] }]));
    expect(cellsOf(file)).toEqual([['300'], ['200'], ['100']]);
    expect(file.tables[0]?.index).toEqual({ name: 'TDEP', unit: '0.1 in', kind: 'depth' });
    expect(file.tables[0]?.name).toBe('MAIN');
    const vertical = await read(dlisFile([{ frames: [{ ...frame, indexType: 'VERTICAL-DEPTH' }] }]));
    expect(vertical.tables[0]?.index?.kind).toBe('vertical_depth');
  });

  it('has the numbers of frames as the index if no channel is', async () => {
    const { indexType: _, ...frame } = main;
    const file = await read(dlisFile([{ frames: [{ ...frame, numbers: [1, 2, 300] }] }]));
    expect(namesOf(file)).toEqual(['FRAMENO', 'DEPT', 'GR']);
    expect(file.tables[0]?.index).toEqual({ name: 'FRAMENO', unit: null, type: 'number', kind: 'other' });
    expect(cellsOf(file).map(([number]) => number)).toEqual(['1', '2', '300']);
    expect(warningsOf(file)).toEqual([
      ['records_damaged', expect.stringMatching(/the numbers of 1 don’t follow .* the first at frame 3/)],
    ]);
  });

  it.each<[string, readonly (string | null)[], ...string[]]>([
    ['FSHORT', ['153', '-153'], '4c88', 'b388'],
    [
      'FSINGL',
      ['153', '-153', '0.1', null, 'Infinity'],
      '43190000',
      'c3190000',
      '3dcccccd',
      '7fc00000',
      '7f800000',
    ],
    ['FSING1', ['153', '0.5'], '43190000 3f000000'],
    ['FSING2', ['153', '0.5', '0.25'], '43190000 3f000000 3e800000'],
    ['ISINGL', ['153', '-153', '0'], '42990000', 'c2990000', '00000000'],
    ['VSINGL', ['153', '-153', '0', null], '19440000', '19c40000', '00000000', '00800000'],
    ['FDOUBL', ['153', '-153', '0.1'], '4063200000000000', 'c063200000000000', '3fb999999999999a'],
    ['FDOUB1', ['153', '0.5'], '4063200000000000 3fe0000000000000'],
    ['FDOUB2', ['153', '0.5', '0.25'], '4063200000000000 3fe0000000000000 3fd0000000000000'],
    ['CSINGL', ['153', '-153'], '43190000 c3190000'],
    ['CDOUBL', ['153', '-153'], '4063200000000000 c063200000000000'],
    ['SSHORT', ['89', '-89'], '59', 'a7'],
    ['SNORM', ['153', '-153'], '0099', 'ff67'],
    ['SLONG', ['153', '-153'], '00000099', 'ffffff67'],
    ['USHORT', ['217'], 'd9'],
    ['UNORM', ['32921'], '8099'],
    ['ULONG', ['153', '4294967295'], '00000099', 'ffffffff'],
    ['UVARI', ['127', '128', '16383', '16384', '1073741823'], '7f', '8080', 'bfff', 'c0004000', 'ffffffff'],
    ['IDENT', ['ABC', null], '03414243', '00'],
    ['ASCII', ['A\nb', 'é', 'é'], '03410a62', '02c3a9', '01e9'],
    [
      'DTIME',
      ['1987-04-19T21:20:15.620', '2026-11-29T00:00:00.000Z', null, '1987-02-30T00:00:00.000'],
      '57141315140f026c',
      '7e2b1d0000000000',
      '0000000000000000',
      '57021e0000000000',
    ],
    ['ORIGIN', ['5', '300'], '05', '812c'],
    ['OBNAME', ['1.2.GR'], '01 02 024752'],
    ['OBJREF', ['TOOL 1.2.GR'], '04544f4f4c 01 02 024752'],
    ['ATTREF', ['TOOL 1.2.GR UNITS'], '04544f4f4c 01 02 024752 05554e495453'],
    ['STATUS', ['1', '0'], '01', '00'],
    ['UNITS', ['m/s2'], '046d2f7332'],
  ])('reads %s as the standard says', async (code, cells, ...samples) => {
    const channel: DlisChannel = { name: 'C', code, samples: hex(...samples) };
    const file = await read(dlisFile([{ frames: [{ name: 'F', channels: [channel] }] }]));
    expect(cellsOf(file).flatMap(([, ...others]) => others)).toEqual(cells);
    expect(file.warnings).toEqual([]);
  });

  it('names the parts of values with bounds and of complex numbers', async () => {
    const channel = (name: string, code: string, bytes: number): DlisChannel => ({
      name,
      code,
      samples: [Buffer.alloc(bytes)],
    });
    const channels = [channel('A', 'FSING1', 8), channel('B', 'FDOUB2', 24), channel('C', 'CSINGL', 8)];
    const file = await read(dlisFile([{ frames: [{ name: 'F', channels }] }]));
    expect(namesOf(file)).toEqual('FRAMENO A A.bound B B.minus B.plus C.real C.imaginary'.split(' '));
  });

  it('makes columns of arrays, whose first index varies fastest, or lists', async () => {
    const samples = [1, 7].map((first) => Buffer.from([0, 1, 2, 3, 4, 5].map((step) => first + step)));
    const words: DlisChannel = {
      name: 'W',
      code: 'IDENT',
      dimensions: [2],
      samples: [hex('0141 0142'), hex('0143 00')].map((parts) => Buffer.concat(parts)),
    };
    const frame: DlisFrame = {
      ...main,
      channels: [depth(1, 2), { name: 'A', code: 'USHORT', unit: 'V', dimensions: [3, 2], samples }, words],
    };
    const content = dlisFile([{ frames: [frame] }]);
    const columns = await read(content);
    expect(namesOf(columns)).toEqual([
      'DEPT',
      'A[1,1]',
      'A[2,1]',
      'A[3,1]',
      'A[1,2]',
      'A[2,2]',
      'A[3,2]',
      'W[1]',
      'W[2]',
    ]);
    expect(columns.tables[0]?.columns.map(({ unit }) => unit)).toEqual([
      'm',
      ...Array(6).fill('V'),
      null,
      null,
    ]);
    expect(cellsOf(columns)).toEqual([
      ['1', '1', '2', '3', '4', '5', '6', 'A', 'B'],
      ['2', '7', '8', '9', '10', '11', '12', 'C', null],
    ]);
    const list = await read(content, { arrays: 'list' });
    expect(namesOf(list)).toEqual(['DEPT', 'A', 'W']);
    expect(cellsOf(list)).toEqual([
      ['1', '[[1,2,3],[4,5,6]]', '["A","B"]'],
      ['2', '[[7,8,9],[10,11,12]]', '["C",null]'],
    ]);
    expect(list.tables[0]?.header).toContainEqual(
      expect.objectContaining({ group: 'Channels', name: 'A', value: 'USHORT, 3 × 2', unit: 'V' }),
    );
  });

  it('makes lists of arrays with too many elements for columns, and says so', async () => {
    const samples = [Buffer.alloc(20_000, 7)];
    const channels = [{ name: 'IMAGE', code: 'USHORT', dimensions: [20_000], samples }];
    const file = await read(dlisFile([{ frames: [{ name: 'F', channels }] }], { segment: 4000 }));
    expect(namesOf(file)).toEqual(['FRAMENO', 'IMAGE']);
    expect(JSON.parse(cellsOf(file)[0]?.[1] ?? '')).toEqual(Array(20_000).fill(7));
    expect(warningsOf(file)).toEqual([['arrays_as_lists', expect.stringContaining('20000 columns')]]);
  });

  it.each<[string, DlisLayout]>([
    ['small segments', { segment: 7 }],
    ['small visible records', { visible: 64, segment: 16 }],
    ['padding', { padding: 5, segment: 30 }],
    ['checksums and lengths', { checksums: true, lengths: true, segment: 20, padding: 1 }],
    ['a tape image', { image: true, visible: 100, segment: 50 }],
  ])('is the same with %s', async (_, layout) => {
    const content = dlisFile([oneFile, { frames: [main] }], layout);
    expect(dlis.recognize(content, 'file')).toBe(true);
    const file = await read(content);
    expect([cellsOf(file), cellsOf(file, 1)]).toEqual([mainRows, mainRows]);
    expect(file.warnings).toEqual([]);
  });

  it('warns about checksums that differ, and not about those that fit', async () => {
    const content = dlisFile([oneFile], { checksums: true, padding: 2, lengths: true });
    expect((await read(content)).warnings).toEqual([]);
    content[content.indexOf('gAPI') + 1] = 0x42;
    expect(warningsOf(await read(content))[0]).toEqual([
      'records_damaged',
      expect.stringMatching(/^Checksums or lengths behind segments don’t fit: /),
    ]);
  });

  it('counts and names encrypted records, and reads the others', async () => {
    const records = [
      { type: 5, isExplicit: true, isEncrypted: true, body: Buffer.alloc(20, 0xe1) },
      { type: 5, isExplicit: true, isEncrypted: true, body: Buffer.alloc(20, 0xe2) },
      { type: 0, isEncrypted: true, body: Buffer.alloc(20, 0xe3) },
      { type: 200, isEncrypted: true, body: Buffer.alloc(20, 0xe3) },
    ];
    const file = await read(dlisFile([{ ...oneFile, records }], { padding: 1 }));
    expect(cellsOf(file)).toEqual(mainRows);
    expect(warningsOf(file)).toEqual([
      [
        'records_encrypted',
        'The file has encrypted records, which are skipped: 4 (2 STATIC, 1 FDATA, 1 IFLR type 200).',
      ],
    ]);
    expect(structure(file)).toContain(
      'Logical file 1, encrypted records: 4 (2 STATIC, 1 FDATA, 1 IFLR type 200)',
    );
  });

  it('has parameters, tools, and other objects in its header, with long names and absent attributes', async () => {
    const value = { code: 'FDOUBL', bytes: [dlisValue.FDOUBL(101.5)], unit: 'degC' };
    const longName = {
      name: obname('L1'),
      values: { QUANTITY: texts('Bottom'), ENTITY: texts('temperature') },
    };
    const records = [
      explicitSet(9, 'LONG-NAME', longName),
      explicitSet(
        5,
        'PARAMETER',
        {
          name: obname('BHT'),
          values: { 'LONG-NAME': { code: 'OBNAME', bytes: [obname('L1')] }, VALUES: value },
        },
        { name: obname('NONE'), values: { 'LONG-NAME': texts('Nothing'), VALUES: null } },
      ),
      explicitSet(5, 'TOOL', {
        name: obname('GRT'),
        values: { DESCRIPTION: texts('Gamma ray tool'), 'GENERIC-NAME': texts('GR'), STATUS: null },
      }),
      explicitSet(6, 'COMMENT', { name: obname('C'), values: { TEXT: texts('one', 'two') } }),
      // Types of companies aren't for others.
      explicitSet(130, '440-PRIVATE', { name: obname('X'), values: { A: texts('secret') } }),
    ];
    const { header = [] } = (await read(dlisFile([{ ...oneFile, records }]))).tables[0] ?? {};
    const named = (wanted: string) => header.filter(({ group }) => group === wanted);
    expect(named('Parameter')).toEqual([
      { group: 'Parameter', name: 'BHT', value: '101.5', unit: 'degC', description: 'Bottom temperature' },
      { group: 'Parameter', name: 'NONE', value: '', unit: null, description: 'Nothing' },
    ]);
    expect(named('Tool')).toMatchObject([
      { name: 'GRT', value: 'GENERIC-NAME: GR', description: 'Gamma ray tool' },
    ]);
    expect(named('Comment')).toMatchObject([{ name: 'C', value: 'one, two' }]);
    expect(JSON.stringify(header)).not.toContain('secret');
  });

  it('has several frames in a record, and records without frames', async () => {
    const [header, origin, channels, frames, ...data] = logicalRecords(oneFile);
    if (!header || !origin || !channels || !frames) throw new Error('four descriptions');
    const name = obname('MAIN');
    const rest = data.map(({ body }) => body.subarray(name.length));
    const joined = { type: 0, body: Buffer.concat([name, ...rest]) };
    const others = [
      { type: 1, body: Buffer.from('anything') },
      { type: 127, body: name },
    ];
    const file = await read(fileOfRecords([header, origin, channels, frames, joined, ...others]));
    expect(cellsOf(file)).toEqual(mainRows);
    expect(structure(file)).toContain('Logical file 1, unformatted records: 1');
  });

  it('is recognized with bytes before its label, without a label, and by no other content', async () => {
    const content = dlisFile([oneFile]);
    const garbage = Buffer.concat([Buffer.alloc(150, 0x2e), content]);
    const unlabeled = content.subarray(dlisLabel().length);
    for (const variant of [content, garbage, unlabeled]) {
      expect(dlis.recognize(variant, 'x')).toBe(true);
      expect(cellsOf(await read(variant))).toEqual(mainRows);
    }
    expect(dlis.recognize(Buffer.from('1V1.00 RECORD, and other text\n'), 'x.dlis')).toBe(false);
    expect(dlis.recognize(Buffer.alloc(0), 'x.dlis')).toBe(false);
  });
});

const position = (content: Buffer, text: string, skip = 0): number => {
  let at = content.indexOf(text);
  for (let count = 0; count < skip; count++) at = content.indexOf(text, at + 1);
  return at;
};

describe('a damaged DLIS file', () => {
  const long: DlisFrame = {
    ...main,
    channels: [
      depth(...Array.from({ length: 100 }, (_, row) => row)),
      numbersChannel('GR', Array(100).fill(1)),
    ],
  };
  const records = logicalRecords({ frames: [long] });
  const content = fileOfRecords(records, { visible: 120 });

  it('that is cut off has the rows before the cut, with its place', async () => {
    const cut = content.subarray(0, content.length - 50);
    const file = await read(cut);
    expect(file.tables[0]?.rows).toBe(97);
    expect(cellsOf(file).at(-1)).toEqual(['96', '1']);
    expect(file.warnings).toMatchObject([{ code: 'cut_short' }]);
    expect(file.warnings[0]?.message).toContain(`(byte ${cut.length})`);
  });

  it('that is zeroed from a place on, or in a part, has the rows before it', async () => {
    const from = content.length - 500;
    for (const to of [content.length, from + 200]) {
      const zeroed = Buffer.from(content).fill(0, from, to);
      const file = await read(zeroed);
      const rows = file.tables[0]?.rows ?? 0;
      expect(rows).toBeGreaterThan(70);
      expect(rows).toBeLessThan(90);
      expect(cellsOf(file)).toEqual(Array.from({ length: rows }, (_, row) => [String(row), '1']));
      const place = Number(/\(byte (\d+)\)/.exec(file.warnings[0]?.message ?? '')?.[1]);
      expect(Math.abs(place - from)).toBeLessThan(130);
    }
  });

  it.each<[string, (copy: Buffer, at: number) => void, RegExp]>([
    [
      'a visible record that claims fewer bytes',
      (copy, at) => copy.writeUInt16BE(copy.readUInt16BE(at) - 5, at),
      /segment|visible record/,
    ],
    [
      'a visible record that claims no bytes',
      (copy, at) => copy.writeUInt16BE(0, at),
      /a visible record has 0 bytes/,
    ],
    [
      'another mark of a visible record',
      (copy, at) => copy.writeUInt8(0x12, at + 2),
      /there is no visible record/,
    ],
    [
      'a segment that claims more bytes',
      (copy, at) => copy.writeUInt16BE(60_000, at + 4),
      /a segment has 60000 bytes/,
    ],
    ['a segment that claims one byte', (copy, at) => copy.writeUInt16BE(1, at + 4), /a segment has 1 bytes/],
    ['a segment that continues none', (copy, at) => copy.writeUInt8(0x40, at + 6), /no first segment/],
    ['a segment that isn’t continued', (copy, at) => copy.writeUInt8(0x20, at + 6), /no last segment/],
    [
      'padding that is longer than its segment',
      (copy, at) => {
        copy.writeUInt8(0x01, at + 6);
        copy.writeUInt8(200, at + 3 + copy.readUInt16BE(at + 4));
      },
      /trailer of a segment/,
    ],
  ])('with %s has the rows before it', async (_, damage, message) => {
    const copy = Buffer.from(content);
    const last = copy.lastIndexOf(Buffer.from([0xff, 1])) - 2;
    damage(copy, last);
    const file = await read(copy);
    const rows = file.tables[0]?.rows ?? 0;
    expect(rows).toBeGreaterThan(90);
    expect(rows).toBeLessThan(100);
    expect(cellsOf(file)).toEqual(Array.from({ length: rows }, (_row, row) => [String(row), '1']));
    expect(file.warnings[0]).toMatchObject({ code: 'cut_short' });
    expect(file.warnings[0]?.message).toMatch(message);
    expect(file.warnings[0]?.message).toMatch(/\(byte \d+\)/);
  });

  it('with a frame that isn’t complete ends that table alone', async () => {
    const other: DlisFrame = { ...main, name: 'OTHER' };
    const all = logicalRecords({ frames: [main, other] }).map((record, at) =>
      at === 5 ? { ...record, body: record.body.subarray(0, -1) } : record,
    );
    const file = await read(fileOfRecords(all));
    expect(file.tables.map(({ name, rows, found }) => [name, rows, found.length])).toEqual([
      ['MAIN', 1, 1],
      ['OTHER', 3, 3],
    ]);
    expect(file.warnings).toMatchObject([{ code: 'cut_short', table: 0 }]);
    expect(file.warnings[0]?.message).toContain('a frame of MAIN has 11 bytes instead of 12 (byte ');
  });

  it('with frames that can’t be read has the other tables, and says which', async () => {
    const wrong = (name: string, channel: DlisChannel): DlisFrame => ({ name, channels: [channel] });
    const samples = [Buffer.alloc(4)];
    const file = await read(
      dlisFile([
        {
          frames: [
            main,
            wrong('NO-CODE', { name: 'A', code: 'NONE', samples }),
            wrong('NO-SIZE', { name: 'B', code: 'FSINGL', dimensions: [], samples }),
            wrong('HUGE', { name: 'C', code: 'FSINGL', dimensions: [1_000_000, 1000], samples }),
            wrong('TWICE', { name: 'D', code: 'FSINGL', samples }),
            wrong('TWICE-TOO', { name: 'D', code: 'SLONG', samples }),
            { name: 'EMPTY', channels: [] },
          ],
          records: [{ type: 0, body: Buffer.concat([obname('UNKNOWN'), Buffer.from([1, 2, 3])]) }],
        },
      ]),
    );
    expect(file.tables.map(({ name }) => name)).toEqual(['MAIN']);
    expect(cellsOf(file)).toEqual(mainRows);
    const [[code, message] = []] = warningsOf(file);
    expect(code).toBe('records_damaged');
    for (const part of [
      'the frame NO-CODE is skipped: its channel A has no representation code of the standard',
      'the frame NO-SIZE is skipped: its channel B has no dimension',
      'the frame HUGE is skipped: its frames have 4000000000 bytes',
      'the frame TWICE is skipped: its channel D is described twice, in different ways',
      'the frame EMPTY is skipped: it has no channels',
      '1 frames of UNKNOWN, which isn’t described, are skipped',
    ])
      expect(message).toContain(part);
  });

  it('with a description that isn’t complete keeps what is before it', async () => {
    const claims = Buffer.from(content);
    // The attribute CHANNELS of the frame claims more values than the record has.
    claims.writeUInt8(0x7f, position(claims, 'DEPT', 1) - 4);
    const refused = read(claims);
    await expect(refused).rejects.toMatchObject({ code: 'file_unsuitable', details: { place: {} } });
    await expect(refused).rejects.toThrow(/no frames of data|damaged/);
  });

  it('without frames is refused with the place of the damage', async () => {
    const cut = content.subarray(0, 300);
    await expect(read(cut)).rejects.toMatchObject({
      code: 'file_unsuitable',
      details: { place: { byte: 300 } },
    });
    await expect(read(dlisLabel())).rejects.toThrow(/it has no frames of data/);
    await expect(read(dlisLabel().subarray(0, 40))).rejects.toThrow(/label isn’t complete/);
    await expect(read(dlisFile([{ frames: [] }]))).rejects.toThrow(/it has no frames of data/);
  });

  it('whose tape image loses a mark has the rows before it', async () => {
    const image = fileOfRecords(records, { visible: 120, image: true });
    const broken = Buffer.from(image);
    const at = broken.lastIndexOf(Buffer.from([0xff, 1])) - 2;
    broken.fill(7, at - 12, at);
    const file = await read(broken);
    expect(file.tables[0]?.rows).toBeGreaterThan(90);
    expect(file.warnings[0]?.message).toContain(`there is no mark of the tape image (byte ${at - 12})`);
  });
});
