import { describe, expect, it } from 'vitest';
import type { CheckSpec } from '../../../../src/main/features/quality/quality-plan.ts';
import { rangeOf, wellsOf } from '../../../../src/main/features/quality/query-bounds.ts';
import { extentQuery } from '../../../../src/main/features/quality/pairing.ts';
import { recordShapeOf } from '../../../../src/shared/quality/record-shape.ts';
import type { DatasetType } from '../../../../src/shared/datasets/datasets.ts';
import type { JsonObject } from '../../../../src/shared/json.ts';

const depth = { field: 'measured_depth', kind: 'depth', unit: 'ft' } as const;
const time = { field: 'timestamp', kind: 'time', unit: 's' } as const;
const open = { from: null, to: null, excludesFrom: false, includesTo: false };

describe('the range of a query', () => {
  it.each<[JsonObject, Partial<CheckSpec['range']>]>([
    [
      { $gte: 5, $lt: 9 },
      { from: 5, to: 9 },
    ],
    [
      { $gt: 5, $lte: 9 },
      { from: 5, to: 9, excludesFrom: true, includesTo: true },
    ],
    // The stricter of two limits.
    [
      { $gte: 5, $gt: 6, $lte: 8, $lt: 9 },
      { from: 6, to: 8, excludesFrom: true, includesTo: true },
    ],
    [
      { $gte: 6, $gt: 5, $lte: 9, $lt: 8 },
      { from: 6, to: 8 },
    ],
    [
      { $gte: 5, $gt: 5, $lte: 9, $lt: 9 },
      { from: 5, to: 9, excludesFrom: true },
    ],
    [{ $lte: 9 }, { to: 9, includesTo: true }],
    [{ $exists: true }, {}],
  ])('%j is %j', (condition, expected) => {
    expect(rangeOf({ asset_id: 7, measured_depth: condition }, depth)).toEqual({ ...open, ...expected });
  });

  it('has times as Unix milliseconds, and is open without an index', () => {
    const query = { timestamp: { $gt: '2026-01-01T00:00:00Z', $lt: 1_800_000_000_000 } };
    const from = Date.UTC(2026, 0, 1);
    expect(rangeOf(query, time)).toEqual({ ...open, from, to: 1_800_000_000_000, excludesFrom: true });
    expect(rangeOf(query, null)).toEqual(open);
    // A limit that is no time is none.
    expect(rangeOf({ timestamp: { $lt: Number.MAX_SAFE_INTEGER } }, time)).toEqual(open);
  });
});

it.each<[JsonObject[string], string[]]>([
  [5001, ['5001']],
  [{ $eq: 5001 }, ['5001']],
  [{ $in: [5001, '42-329'] }, ['5001', '42-329']],
  [{ $ne: 5001 }, []],
])('a query with asset_id %j names the wells %j', (condition, wells) => {
  expect(wellsOf({ asset_id: condition }, ['metadata.asset_id', 'asset_id'])).toEqual(wells);
});

it('the well of a record is where its kind of dataset can have it', () => {
  const wellFieldsOf = (type: DatasetType | null) => recordShapeOf(type, () => null).wellFields;
  expect(wellFieldsOf('depth')).toEqual(['asset_id']);
  expect(wellFieldsOf('timeseries')).toEqual(['metadata.asset_id', 'asset_id']);
  expect(wellFieldsOf(null).toSorted()).toEqual(['asset_id', 'metadata.asset_id']);
});

describe('the query for the records of a file', () => {
  const queryOf = (index: typeof depth | typeof time) =>
    extentQuery({ range: { from: 0.1 + 0.2, to: 5, times: null }, series: [['asset_id', [7]]] }, { index });

  it('has the depths at its ends also where a conversion of units has rounded them', () => {
    const { asset_id: well, measured_depth: limits } = queryOf(depth);
    expect(well).toBe(7);
    expect(limits).toEqual({ $gte: expect.closeTo(0.3, 5), $lte: expect.closeTo(5, 5) });
    const isIn = rangeOf({ measured_depth: limits ?? null }, depth);
    expect(isIn.from).toBeLessThan(0.3);
    expect(isIn.to).toBeGreaterThan(5);
  });

  it('has times exactly', () => {
    expect(queryOf(time)['timestamp']).toEqual({ $gte: 0.1 + 0.2, $lte: 5 });
  });
});
