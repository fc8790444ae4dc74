import { expect, it } from 'vitest';
import { checkFile } from '../../../../src/main/features/quality/check-file.ts';
import { fileWith, scanPath } from '../upload/support/files.ts';

/** The quality of a file with these lines. */
async function check(...lines: readonly string[]) {
  const path = await fileWith(lines.join('\n'), 'rig.csv');
  return checkFile({
    path,
    fileName: 'rig.csv',
    places: null,
    scan: scanPath(path),
    // As the first column of a LAS file.
    facts: { index: lines[0]?.startsWith('DATE') ? { name: 'DATE', unit: null, kind: 'time' } : null },
    fields: [],
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

it('dates that can be of two orders of day and month are no index: the depth is', async () => {
  const report = await check('Time,Depth', '01/02/2026 00:00,100', '01/03/2026 00:00,101', '01/04/2026,102');
  expect(report.index).toMatchObject({ field: 'Depth', kind: 'depth' });
});

it('numbers that mean null in the file are null values, and no measurements', async () => {
  const rows = ['12,-32768', '1e30,1.5', '13,2.5', '14,3.5'].map((row, at) => `${at},${row}`);
  const { fields } = await check('Depth,RES,GR', ...rows);
  expect(fields).toMatchObject([
    { name: 'RES', tokens: 1, max: 14 },
    { name: 'GR', tokens: 1, min: 1.5 },
  ]);
});

it('times are read in the zone that the file names, in the order of rows where clocks go back', async () => {
  const report = await check(
    'Time,ROP',
    'America/Chicago,ft/h',
    ...['00:30', '01:00', '01:30', '01:00', '01:30', '02:00'].map((clock) => `2026-11-01 ${clock},5`),
  );
  expect(report).toMatchObject({ gaps: [], duplicates: 0, disorder: 0 });
  expect(report.index).toMatchObject({ first: ms('2026-11-01T05:30:00Z'), last: ms('2026-11-01T08:00:00Z') });
});
