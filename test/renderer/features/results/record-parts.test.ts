import { expect, it } from 'vitest';
import {
  partMeasure,
  partTime,
  partWithId,
  recordParts,
  wellOfPart,
} from '../../../../src/renderer/features/results/record-detail.tsx';
import { words } from '../../../../src/renderer/words/words.ts';

it.each([
  [['timestamp'], 1_700_000_000_000, '2023-11-14 16:13:20'],
  [['datetime'], '2023-11-14T22:13:20Z', '2023-11-14 16:13:20'],
  [['data', 'rop'], 1_700_000_000_000, null],
  [['timestamp'], 17, null],
])(
  'a time in a record is shown in the zone, with its raw value as a tooltip: %j %s',
  (path, value, expected) => {
    const time = partTime(path, value, 'America/Chicago');
    expect(time?.text ?? null).toBe(
      expected === null ? null : words.record.time(expected, 'America/Chicago'),
    );
    if (time) expect(time.tip).toContain(String(value));
    expect(partTime(path, value, null)).toBeNull();
  },
);

it('an asset id in a record has the name of its well', () => {
  const names = new Map([['5001', 'Ridge 1']]);
  expect(wellOfPart(['asset_id'], 5001, names)).toBe('Ridge 1');
  expect(wellOfPart(['metadata', 'asset_id'], '5001', names)).toBe('Ridge 1');
  expect(wellOfPart(['data', 'asset_id'], 5001, names)).toBeUndefined();
});

it('a number in a record has the unit of the table, with the stored number as a tooltip', () => {
  const record = { measured_depth: 9000, data: { rop: 100, gap: -999.25, list: [5], note: 'x', odd: 7 } };
  const stored = new Map([
    ['measured_depth', 'ft'],
    ['data.rop', 'ft/h'],
    ['data.gap', 'ft'],
    ['data.list', 'ft'],
    ['data.note', 'ft'],
  ]);
  const units = {
    unitOf: (path: string) => stored.get(path),
    changes: { measured_depth: { from: 'ft', to: 'm' } },
  };
  const measureAt = (id: string) => {
    const part = partWithId(record, id);
    return part && partMeasure(part, units);
  };
  expect(measureAt('measured_depth')).toEqual({
    text: '2743.2 m',
    tip: words.results.storedTip('9000', 'ft'),
  });
  expect(measureAt('data.rop')?.text).toBe('100 ft/h');
  for (const id of ['data.gap', 'data.list.0', 'data.note', 'data.odd']) expect(measureAt(id)).toBeNull();
});

it('a record begins with its position, its well, and its values, as the table does, and ends with what all records share', () => {
  const record = {
    _id: '66f00100000000000000015d',
    company_id: 1,
    asset_id: 5001,
    version: 1,
    provider: 'demo',
    collection: 'wits',
    timestamp: 1_700_000_000_000,
    data: { rop: 100, wob: 20 },
  };
  expect(recordParts(record).map(({ name }) => name)).toEqual([
    'timestamp',
    'asset_id',
    'data',
    'company_id',
    'version',
    'provider',
    'collection',
    '_id',
  ]);
  expect(recordParts([7, 8]).map(({ name }) => name)).toEqual(['0', '1']);
  // The id of a group is what it is grouped by.
  expect(recordParts({ mean: 5, _id: { well: 5001 } }).map(({ name }) => name)).toEqual(['_id', 'mean']);
});
