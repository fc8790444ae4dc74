import { expect, it } from 'vitest';
import { createLatestValues } from '../../../../src/renderer/features/live/latest-values.ts';
import { createLiveRecords } from '../../../../src/renderer/features/live/live-records.ts';
import { toPackedColumns } from '../../../../src/renderer/features/records/chunk.ts';
import type { JsonValue } from '../../../../src/shared/json.ts';
import { inComputerZone } from '../../../support/computer-zone.ts';
import type { LiveField } from '../../../../src/shared/tabs/live.ts';

const start = 1_700_000_000_000;

/** The last values of records that come one after the other; at most 1,000 are kept. */
function latestOf(field: LiveField = 'timestamp') {
  const records = createLiveRecords(1000);
  const latest = createLatestValues(records, 'asset_id', field);
  return {
    latest,
    add(...values: JsonValue[]) {
      records.add({ chunks: toPackedColumns(values), count: values.length });
      latest.update({});
    },
    value: (well: string, channel: string) =>
      latest
        .wells()
        .find((one) => one.well === well)
        ?.values.find((one) => one.field === channel),
  };
}
const many = (asset: number, from: number, count: number): JsonValue[] =>
  Array.from({ length: count }, (_, at) => ({
    asset_id: asset,
    timestamp: from + at * 1000,
    data: { rop: asset * 10_000 + at },
  }));

it('the latest value of each channel is shown for each well, with the time of its record', () => {
  const { latest, add } = latestOf();
  add(
    { asset_id: 1, timestamp: start, data: { rop: 10.5, wob: 1, state: 'a' } },
    { asset_id: 2, timestamp: start + 500, data: { rop: 99 } },
    { asset_id: 1, timestamp: start + 1000, data: { rop: 11.5, wob: -999.25, state: 'b' } },
    { asset_id: 1, timestamp: start + 2000, data: { rop: 12.5, wob: null, state: 'c' } },
  );
  expect(latest.wells()).toEqual([
    {
      well: '1',
      at: start + 2000,
      state: 'c',
      values: [
        { field: 'data.rop', value: 12.5, at: start + 2000, isOld: false },
        { field: 'data.wob', value: 1, at: start, isOld: true },
      ],
    },
    {
      well: '2',
      at: start + 500,
      state: null,
      values: [{ field: 'data.rop', value: 99, at: start + 500, isOld: false }],
    },
  ]);
});

it('a silent well and a silent channel stay with their last values, after their records were dropped', () => {
  const { add, value } = latestOf();
  add(
    { asset_id: 1, timestamp: start, data: { rop: 1, gas: 7 } },
    { asset_id: 2, timestamp: start, data: { rop: 2, gas: 8 } },
  );
  add(...many(1, start + 1000, 900));
  add(...many(1, start + 901_000, 900));
  expect(value('1', 'data.rop')).toMatchObject({ value: 10_899, isOld: false });
  expect(value('1', 'data.gas')).toEqual({ field: 'data.gas', value: 7, at: start, isOld: true });
  expect(value('2', 'data.gas')).toEqual({ field: 'data.gas', value: 8, at: start, isOld: false });
});

it('all records of a large update are read', () => {
  const { add, value } = latestOf();
  add({ asset_id: 2, timestamp: start, data: { rop: 5 } }, ...many(1, start + 1000, 999));
  expect(value('2', 'data.rop')).toMatchObject({ value: 5 });
});

it('a late record replaces no newer value, and adds channels that the newer ones lack', () => {
  const { latest, add, value } = latestOf();
  add(
    { asset_id: 1, timestamp: start + 5000, data: { rop: 20, state: 'drilling' } },
    { asset_id: 2, timestamp: start + 5000, data: { rop: 30 } },
  );
  add({ asset_id: 1, timestamp: start, data: { rop: 10, gas: 3, state: 'tripping' } });
  expect(value('1', 'data.rop')).toMatchObject({ value: 20, at: start + 5000 });
  expect(value('1', 'data.gas')).toMatchObject({ value: 3, isOld: true });
  expect(latest.wells()).toMatchObject([{ well: '1', at: start + 5000, state: 'drilling' }, { well: '2' }]);
});

it('records by depth have no times, and the deepest one is the newest', () => {
  const { latest, add, value } = latestOf('measured_depth');
  add({ asset_id: 1, measured_depth: 9000, data: { gr: 80 } }, { asset_id: 2, measured_depth: 1, data: {} });
  add({ asset_id: 1, measured_depth: 8000, data: { gr: 70, dt: 5 } });
  expect(latest.wells()).toMatchObject([{ well: '1', at: null }, { well: '2' }]);
  expect(value('1', 'data.gr')).toEqual({ field: 'data.gr', value: 80, at: null, isOld: false });
  expect(value('1', 'data.dt')).toEqual({ field: 'data.dt', value: 5, at: null, isOld: true });
});

it('times without a zone are UTC, as in records', () => {
  const { latest, add } = latestOf('datetime');
  inComputerZone('America/Chicago', () => {
    add({ asset_id: 1, datetime: '2026-03-08T02:30:00', data: { rop: 10.5 } });
  });
  expect(latest.wells()).toMatchObject([{ at: Date.UTC(2026, 2, 8, 2, 30) }]);
});
