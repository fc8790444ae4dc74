import { describe, expect, it } from 'vitest';
import { lis } from '../../../../../src/main/core/tables/sources/lis.ts';
import {
  comment,
  data,
  entries,
  format,
  information,
  lisFile,
  lisValue,
  type LisChannel,
  type LisLayout,
  type LisRecord,
} from '../../../features/upload/support/lis-files.ts';
import { cellsOf, namesOf, recordIndexes, readContent } from '../../../features/upload/support/sources.ts';

const read = (content: Uint8Array, options = {}) => readContent(lis, content, 'file.lis', options);
const { float, int16, int32, text } = lisValue;
const depth: LisChannel = { name: 'DEPT', unit: 'F', code: 68, size: 4 };
const gamma: LisChannel = { name: 'GR', unit: 'GAPI', code: 68, size: 4 };
const frames = (...rows: readonly (readonly number[])[]): LisRecord =>
  data(...rows.flatMap((row) => row.map(float)));
const log = [format([depth, gamma]), frames([100, 60.25], [100.5, 0.125]), frames([101, -999.25])];
const logRows = [
  ['100', '60.25'],
  ['100.5', '0.125'],
  ['101', null],
];
const well = information('CONS', [
  ['WN', '15/9-F-15'],
  ['RUN', '3'],
  ['BS', '8.5', 'IN'],
]);
const warningsOf = (source: Awaited<ReturnType<typeof read>>) =>
  source.warnings.map(({ code, message }) => [code, message]);
const structure = (source: Awaited<ReturnType<typeof read>>, table = 0) =>
  (source.tables[table]?.header ?? [])
    .filter(({ group }) => group === 'Structure')
    .map(({ name, value }) => `${name}: ${value}`);

describe('a LIS file', () => {
  it('has a table for a format, named by the well, the run, and the file, with a header and null values', async () => {
    const file = await read(lisFile([[well, comment('A remark'), ...log]]));
    expect(file.tables).toMatchObject([
      {
        name: '15/9-F-15, run 3, FILE  .001',
        rows: 3,
        columns: [
          { name: 'DEPT', unit: 'F' },
          { name: 'GR', unit: 'GAPI' },
        ],
        index: { name: 'DEPT', unit: 'F', kind: 'depth' },
      },
    ]);
    expect(cellsOf(file)).toEqual(logRows);
    expect(recordIndexes(file)).toEqual([1, 2, 3]);
    expect(file.warnings).toEqual([]);
    const named = (name: string) => file.tables[0]?.header?.filter((entry) => entry.name === name);
    expect(named('BS')).toMatchObject([{ group: 'Information CONS', value: '8.5', unit: 'IN' }]);
    expect(named('NAME')).toMatchObject([
      { group: 'Reel', value: 'Reel one' },
      { group: 'Tape', value: 'Tape one' },
    ]);
    expect(named('')).toMatchObject([{ group: 'Comments', value: 'A remark' }]);
    expect(structure(file)).toEqual([
      'Logical file 1: FILE  .001',
      'Logical file 1, data 1: 3 frames, 2 channels, DEPT 100 to 101 F',
    ]);
  });

  it('has several logical files, and several formats in one, of which one has one row', async () => {
    const second = [format([depth]), frames([7]), format([depth, gamma]), frames([2, 20], [1, 10])];
    const file = await read(lisFile([log, second]));
    expect(file.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['FILE  .001', 3],
      ['FILE  .002, pass 1', 1],
      ['FILE  .002, pass 2', 2],
    ]);
    expect([0, 1, 2].map((table) => cellsOf(file, table))).toEqual([
      logRows,
      [['7']],
      [
        ['2', '20'],
        ['1', '10'],
      ],
    ]);
  });

  it.each<[string, LisLayout]>([
    ['small physical records', { physical: 16 }],
    ['numbers and checksums behind records', { physical: 30, trailers: true }],
    ['a tape image', { physical: 100, image: true }],
    ['a tape image of small records with trailers', { physical: 24, image: true, trailers: true }],
  ])('is the same with %s', async (_, layout) => {
    const content = lisFile([[well, ...log], log], layout);
    expect(lis.recognize(content, 'x')).toBe(true);
    const file = await read(content);
    expect([cellsOf(file), cellsOf(file, 1)]).toEqual([logRows, logRows]);
    expect(file.warnings).toEqual([]);
  });

  it.each<[number, string, string[], ...string[]]>([
    [49, 'low floats', ['153', '-153'], '4c88', 'b388'],
    [50, 'low resolution floats', ['153', '-153'], '00084c80', '0008b380'],
    [56, 'bytes with a sign', ['89', '-89'], '59', 'a7'],
    [65, 'text', ['ABC', 'é'], '41424320', 'e9202000'],
    [66, 'bytes', ['217'], 'd9'],
    [68, 'floats', ['153', '-153', '0', '0.099999994'], '444c8000', 'bbb38000', '40000000', '3ee66666'],
    [
      70,
      'numbers of fixed point',
      ['153.25', '-153.25', '1.0000152587890625'],
      '00994000',
      'ff66c000',
      '00010001',
    ],
    [73, 'integers', ['153', '-153', '134807551'], '00000099', 'ffffff67', '0808ffff'],
    [77, 'masks', ['0fa0'], '0fa0'],
    [79, 'short integers', ['153', '-153'], '0099', 'ff67'],
  ])('reads %i, %s, as the description says', async (code, _, cells, ...samples) => {
    const values = samples.map((sample) => Buffer.from(sample, 'hex'));
    const channels = [depth, { name: 'C', code, size: values[0]?.length ?? 0 }];
    const rows = values.map((value, row) => data(float(row), value));
    expect(cellsOf(await read(lisFile([[format(channels), ...rows]]))).map(([, cell]) => cell)).toEqual(
      cells,
    );
  });

  it('computes the depths of frames from that of their record, the spacing, and the direction', async () => {
    const channels = [{ name: 'A', code: 79, size: 2 }];
    const file = (direction: 1 | 255 | null, spacing: readonly [number, string]) =>
      read(
        lisFile([
          [
            format(channels, [
              ...(direction === null ? [] : [entries.direction(direction)]),
              ...entries.spacing(...spacing),
              ...entries.depthInRecord('.1IN'),
            ]),
            data(int32(600), int16(1), int16(2)),
            data(int32(480), int16(3)),
          ],
        ]),
      );
    const rows = (first: string, second: string, third: string) => [
      [first, '1'],
      [second, '2'],
      [third, '3'],
    ];
    const up = await file(1, [60, '.1IN']);
    expect(cellsOf(up)).toEqual(rows('600', '540', '480'));
    expect(up.tables[0]?.index).toMatchObject({ name: 'DEPT', unit: '.1IN', kind: 'depth' });
    expect(cellsOf(await file(255, [6, 'IN']))).toEqual(rows('600', '660', '480'));
    // Without a direction, the data were taken upwards.
    expect(cellsOf(await file(null, [60, '.1IN']))).toEqual(rows('600', '540', '480'));
    // Frames whose depth nobody can compute aren't read.
    const unknown = await file(1, [60, 'XYZ']);
    expect(cellsOf(unknown)).toEqual([['600', '1']]);
    expect(warningsOf(unknown)).toMatchObject([['cut_short', expect.stringContaining('isn’t declared')]]);
  });

  it('has a table for each number of samples, with the index between frames', async () => {
    const channels: LisChannel[] = [
      depth,
      { name: 'FAST', code: 79, size: 6, samples: 3 },
      { name: 'SLOW', code: 79, size: 2 },
      { name: 'TWO', code: 79, size: 4, samples: 2 },
    ];
    const row = (at: number, ...values: readonly number[]) => [float(at), ...values.map(int16)];
    const content = (...some: Parameters<typeof format>[1] & object) =>
      lisFile([
        [format(channels, some), data(...row(300, 1, 2, 3, 4, 5, 6), ...row(330, 7, 8, 9, 10, 11, 12))],
      ]);
    const file = await read(content());
    expect(file.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['FILE  .001', 2],
      ['FILE  .001, 2 samples', 4],
      ['FILE  .001, 3 samples', 6],
    ]);
    expect(cellsOf(file)).toEqual([
      ['300', '4'],
      ['330', '10'],
    ]);
    // Before the first frame, the index isn't in the file.
    expect(cellsOf(file, 2)).toEqual([
      [null, '1'],
      [null, '2'],
      ['300', '3'],
      ['310', '7'],
      ['320', '8'],
      ['330', '9'],
    ]);
    const spaced = await read(content(entries.direction(255), ...entries.spacing(30, 'F')));
    expect(cellsOf(spaced, 1)).toEqual([
      ['285', '5'],
      ['300', '6'],
      ['315', '11'],
      ['330', '12'],
    ]);
  });

  it('makes columns or lists of arrays, and leaves suppressed channels out', async () => {
    const channels: LisChannel[] = [
      depth,
      { name: 'SUP', code: 79, size: -2 },
      { name: 'WF', code: 79, size: 6 },
      { name: 'NOTE', code: 65, size: 4 },
    ];
    const content = lisFile([
      [format(channels), data(float(1), int16(9), ...[1, 2, 3].map(int16), text('ab', 4))],
    ]);
    const columns = await read(content);
    expect(namesOf(columns)).toEqual(['DEPT', 'WF[1]', 'WF[2]', 'WF[3]', 'NOTE']);
    expect(cellsOf(columns)).toEqual([['1', '1', '2', '3', 'ab']]);
    expect(cellsOf(await read(content, { arrays: 'list' }))).toEqual([['1', '[1,2,3]', 'ab']]);
  });

  it('has the null value that it declares, also in 12 bits', async () => {
    const channels: LisChannel[] = [depth, gamma, { name: 'LOW', code: 49, size: 2 }];
    const low = (hex: string): Buffer => Buffer.from(hex, 'hex');
    const file = await read(
      lisFile([
        [
          format(channels, [entries.absent(-9999)]),
          data(float(-9999), float(-9999), low('b1ee'), float(2), float(-999.25), low('4c88')),
        ],
      ]),
    );
    // -9999 has no 12 bits: -9992 and -10000 are next to it.
    expect(cellsOf(file)).toEqual([
      ['-9999', null, null],
      ['2', '-999.25', '153'],
    ]);
  });

  it('counts encrypted tables, and names records without a format', async () => {
    const file = await read(
      lisFile([
        [
          { type: 42, body: Buffer.from('????') },
          { type: 42, body: Buffer.from('????') },
          { type: 1, body: Buffer.from('data') },
          ...log,
        ],
      ]),
    );
    expect(cellsOf(file)).toEqual(logRows);
    expect(warningsOf(file)).toEqual([
      ['records_encrypted', 'The file has encrypted records, which are skipped: 2 (2 table dump).'],
      ['records_damaged', expect.stringContaining('1 records of data, whose format isn’t described')],
    ]);
    expect(structure(file)).toContain('Logical file 1, encrypted records: 2 (2 table dump)');
  });

  it('is recognized by its first record alone', () => {
    expect(lis.recognize(lisFile([log]), 'x.csv')).toBe(true);
    expect(lis.recognize(lisFile([log], { image: true }), 'x')).toBe(true);
    expect(lis.recognize(Buffer.from('DEPT,GR\n1,2\n'), 'x.lis')).toBe(false);
    expect(lis.recognize(Buffer.alloc(0), 'x.lis')).toBe(false);
  });
});

describe('a damaged LIS file', () => {
  const rows = Array.from({ length: 100 }, (_, row) => [row, 1]);
  const records = [format([depth, gamma]), ...rows.map((row) => frames(row))];
  const content = lisFile([records], { physical: 20 });
  /** Where the physical record of a row begins. */
  const recordOf = (row: number): number => {
    const at = content.indexOf(Buffer.concat([float(row), float(1)]), content.indexOf('GAPI') + 20);
    return at - 6;
  };

  it.each<[string, (copy: Buffer, at: number) => Buffer | void, RegExp]>([
    ['a cut', (copy, at) => copy.subarray(0, at + 9), /the file ends within a physical record/],
    ['a cut in a header', (copy, at) => copy.subarray(0, at + 2), /ends within the header/],
    ['zeros to the end', (copy, at) => void copy.fill(0, at), /a physical record has 0 bytes/],
    ['a hole', (copy, at) => void copy.fill(0, at, at + 100), /a physical record has 0 bytes/],
    [
      'a record that claims more bytes',
      (copy, at) => void copy.writeUInt16BE(64_000, at),
      /the file ends within/,
    ],
    [
      'a record that claims one byte',
      (copy, at) => void copy.writeUInt16BE(1, at),
      /a physical record has 1 bytes/,
    ],
    [
      'a record that continues none',
      (copy, at) => void copy.writeUInt16BE(2, at + 2),
      /no first physical record/,
    ],
    ['a record that isn’t continued', (copy, at) => void copy.writeUInt16BE(1, at + 2), /isn’t complete/],
  ])('with %s has the rows before it', async (_, damage, message) => {
    const copy = Buffer.from(content);
    const place = recordOf(60);
    const file = await read(damage(copy, place) ?? copy);
    expect(cellsOf(file)).toEqual(rows.slice(0, 60).map((row) => row.map(String)));
    expect(file.tables[0]?.rows).toBe(60);
    expect(file.warnings).toMatchObject([{ code: 'cut_short', place: null }]);
    expect(file.warnings[0]?.message).toMatch(message);
    expect(file.warnings[0]?.message).toMatch(/\(byte \d+\)/);
  });

  it('with a frame that isn’t complete ends that table alone', async () => {
    const short = { ...frames([3, 4]), body: frames([3, 4], [5, 6]).body.subarray(0, 11) };
    const file = await read(lisFile([[format([depth, gamma]), frames([1, 2]), short, frames([7, 8])], log]));
    expect(cellsOf(file)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    expect(cellsOf(file, 1)).toEqual(logRows);
    expect(file.warnings).toMatchObject([{ code: 'cut_short', table: 0 }]);
    expect(file.warnings[0]?.message).toContain('a frame has 3 bytes instead of 8 (byte ');
  });

  it('with formats that can’t be read has the other tables, and says which', async () => {
    const bad = (channel: Partial<LisChannel>): LisRecord[] => [
      format([depth, { name: 'BAD', code: 68, size: 4, ...channel }]),
      frames([1, 2]),
    ];
    const cut = format([depth, gamma]);
    const file = await read(
      lisFile([
        bad({ code: 83 }),
        bad({ size: 6 }),
        bad({ samples: 0 }),
        [{ ...cut, body: cut.body.subarray(0, -10) }, frames([1, 2])],
        [{ type: 64, body: Buffer.from([65, 1, 66, 0, 0, 0, 66]) }],
        [format([]), frames([1, 2])],
        log,
      ]),
    );
    expect(file.tables.map(({ name }) => name)).toEqual(['FILE  .007']);
    expect(cellsOf(file)).toEqual(logRows);
    const [[code, message] = []] = warningsOf(file);
    expect(code).toBe('records_damaged');
    for (const part of [
      'the channel BAD has the unknown code 83 (byte ',
      'the channel BAD has 6 bytes for 1 samples of 4 (byte ',
      'the channel BAD has no samples (byte ',
      'a value is longer than its record (byte ',
      'an unknown entry 65 of code 66 (byte ',
      'the format of the data has no channels (byte ',
    ])
      expect(message).toContain(part);
  });

  it('without data is refused, with the place of the damage', async () => {
    await expect(read(content.subarray(0, 300))).rejects.toMatchObject({
      code: 'file_unsuitable',
      details: { place: { byte: 300 } },
    });
    await expect(read(lisFile([[]]))).rejects.toThrow(/it has no frames of data/);
  });
});
