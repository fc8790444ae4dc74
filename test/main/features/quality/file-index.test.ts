import { expect, it } from 'vitest';
import { checkFile } from '../../../../src/main/features/quality/check-file.ts';
import type { ColumnMapping } from '../../../../src/shared/upload/upload.ts';
import { fileWith, scanPath } from '../upload/support/files.ts';

const check = async (...lines: readonly string[]) => checkWith({}, ...lines);

/** The quality of a file with these lines. @param times how they are read, by column */
async function checkWith(
  times: Readonly<Record<string, Pick<ColumnMapping, 'format' | 'join'>>>,
  ...lines: readonly string[]
) {
  const path = await fileWith(lines.join('\n'), 'rig.csv');
  return checkFile({
    path,
    fileName: 'rig.csv',
    places: null,
    scan: scanPath(path),
    // As the first column of a LAS file.
    facts: { index: lines[0]?.startsWith('DATE') ? { name: 'DATE', unit: null, kind: 'time' } : null },
    fields: [],
    times,
    spikeThreshold: 8,
    minFlatRecords: 30,
    synonyms: new Map(),
  });
}

const ms = (time: string) => Date.parse(time);

it.each([
  ['Date', '2026-01-13', ['00:00', '00:01', '00:02', '07:00']],
  ['Date', '13.01.2026', ['12:00 AM', '12:01 AM', '12:02 AM', '7:00 AM']],
  ['DATE', '20260113', ['00:00:00', '00:01:00', '00:02:00', '07:00:00']],
])('times of day complete the dates of an index: %s %s', async (name, date, clocks) => {
  const report = await check(`${name},Time,ROP`, ...clocks.map((clock) => `${date},${clock},5`));
  expect(report).toMatchObject({ duplicates: 0, disorder: 0, unplaced: 0 });
  expect(report.index).toMatchObject({ field: `${name} + Time`, first: ms('2026-01-13T00:00:00Z') });
  expect(report.gaps[0]).toMatchObject({ from: ms('2026-01-13T00:02:00Z'), to: ms('2026-01-13T07:00:00Z') });
  expect(report.fields.map((field) => field.name)).toEqual(['ROP']);
});

it('durations don’t complete dates: times of day are in a column called time, or beside the dates', async () => {
  const rows = ['01', '02', '03'].map((day) => `2026-01-${day},5,06:00`);
  expect((await check('Date,ROP,Run length', ...rows)).index.field).toBe('Date');
  expect((await check('Date,ROP,End time', ...rows)).index.field).toBe('Date + End time');
});

it('dates in several formats are no index: the depth beside them is', async () => {
  const dates = ['28-DEC-1995', '15-jan-12', '28-DEC-1996', '16-jan-12'];
  const rows = dates.map((date, at) => `${date},${2726 + at}`);
  expect((await check('Date,Depth', ...rows)).index).toMatchObject({ field: 'Depth', kind: 'depth' });
});

it('dates that can be of two orders of day and month are an index within one day; else the rows are', async () => {
  const isOf = async (...lines: readonly string[]) => {
    const { index, gaps } = await check(...lines);
    return { field: index.field, kind: index.kind, gaps: gaps.length };
  };
  const days = ['01/02/2026 00:00,100', '01/03/2026 00:00,101', '01/04/2026 00:00,102'];
  expect(await isOf('Time,Depth', ...days)).toEqual({ field: null, kind: 'rows', gaps: 0 });
  const clocks = ['00:00', '00:01', '00:02', '07:00'];
  const times = clocks.map((clock) => `01/02/2026 ${clock},100`);
  expect(await isOf('Time,Depth', ...times)).toEqual({ field: 'Time', kind: 'time', gaps: 1 });
  const separate = clocks.map((clock) => `01/02/2026,${clock},100`);
  const joined = { field: 'Date + Time', kind: 'time', gaps: 1 };
  expect(await isOf('Date,Time,Depth', ...separate)).toEqual(joined);
});

it('dates whose format the user set are an index, with the times of day if it has them', async () => {
  const days = ['01/02/2026', '01/03/2026', '01/04/2026'];
  const first = ms('2026-02-01T00:00:00Z');
  const index = async (format: string, ...lines: readonly string[]) =>
    (await checkWith({ Date: { format } }, ...lines)).index;
  const plain = days.map((day, at) => `${day},${100 + at}`);
  expect(await index('d/M/yyyy', 'Date,Depth', ...plain)).toMatchObject({ field: 'Date', first });
  const separate = days.map((day) => `${day},00:00,5`);
  const joined = await index('d/M/yyyy H:mm', 'Date,Time,ROP', ...separate);
  expect(joined).toMatchObject({ field: 'Date + Time', first });
  const apart = ['Date,ROP,Clock', ...days.map((day) => `${day},5,06:00`)];
  const wanted = { format: 'd/M/yyyy H:mm', join: ['Clock'] };
  expect((await checkWith({ Date: wanted }, ...apart)).index.field).toBe('Date + Clock');
  const lacking = { format: 'd/M/yyyy', join: ['Shift'] };
  expect((await checkWith({ Date: lacking }, ...apart)).index).toMatchObject({ field: 'Date', first });
});

it('numbers that mean null in the file are null values, and no measurements', async () => {
  const rows = ['12,-32768', '1e30,1.5', '13,2.5', '14,3.5'].map((row, at) => `${at},${row}`);
  const { fields } = await check('Depth,RES,GR', ...rows);
  expect(fields).toMatchObject([
    { name: 'RES', tokens: 1, max: 14 },
    { name: 'GR', tokens: 1, min: 1.5 },
  ]);
});

it.each([
  { clocks: ['00:30', '01:00', '01:30', '01:00', '01:30', '02:00'], disorder: 0 },
  { clocks: ['02:00', '01:50', '01:30', '01:10', '01:50', '01:30', '01:10', '00:30'], disorder: 0 },
  // A row out of order moves no other.
  { clocks: ['00:30', '01:10', '01:20', '01:15', '01:25', '01:35', '02:00'], disorder: 1 },
])(
  'times are read in the zone of the file, where clocks go back near the row before: $clocks',
  async (rows) => {
    const times = rows.clocks.map((clock) => `2026-11-01 ${clock},5`);
    const report = await check('Time,ROP', 'America/Chicago,ft/h', ...times);
    expect(report).toMatchObject({ duplicates: 0, disorder: rows.disorder });
    const { first, last } = report.index;
    const ends = [ms('2026-11-01T05:30:00Z'), ms('2026-11-01T08:00:00Z')];
    expect([first, last]).toEqual(expect.arrayContaining(ends));
  },
);
