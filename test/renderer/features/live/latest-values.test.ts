import { expect, it } from 'vitest';
import { latestValues, type LatestOfWell } from '../../../../src/renderer/features/live/latest-values.ts';
import { createLiveRecords } from '../../../../src/renderer/features/live/live-records.ts';
import { toPackedColumns } from '../../../../src/renderer/features/records/to-columns.ts';
import type { JsonValue } from '../../../../src/shared/json.ts';

it('the latest value of each channel is shown for each well, with the number of records without one', () => {
  const records = createLiveRecords(100);
  const values: JsonValue[] = [
    { asset_id: 1, timestamp: 1_700_000_000_000, data: { rop: 10.5, wob: 1, state: 'a' } },
    { asset_id: 2, timestamp: 1_700_000_000_500, data: { rop: 99 } },
    { asset_id: 1, timestamp: 1_700_000_001_000, data: { rop: 11.5, wob: -999.25, state: 'b' } },
    { asset_id: 1, timestamp: 1_700_000_002_000, data: { rop: 12.5, wob: null, state: 'c' } },
  ];
  records.add({ chunks: toPackedColumns(values), count: values.length });
  expect(latestValues(records, 'asset_id', 'timestamp', new Map())).toEqual([
    {
      well: '1',
      at: 1_700_000_002_000,
      state: 'c',
      values: [
        { field: 'data.rop', value: 12.5, behind: 0 },
        { field: 'data.wob', value: 1, behind: 2 },
      ],
    },
    {
      well: '2',
      at: 1_700_000_000_500,
      state: null,
      values: [{ field: 'data.rop', value: 99, behind: 0 }],
    },
  ]);
});

it('a well that is silent stays with its last values, while another one fills the newest records', () => {
  const records = createLiveRecords(2_000);
  const add = (asset: number, from: number, count: number) =>
    records.add({
      chunks: toPackedColumns(
        Array.from({ length: count }, (_, at): JsonValue => ({
          asset_id: asset,
          timestamp: from + at * 1000,
          data: { rop: asset * 100 + at },
        })),
      ),
      count,
    });
  add(2, 1_700_000_000_000, 2);
  add(1, 1_700_000_002_000, 2);
  const seen = new Map<string, LatestOfWell>();
  const wells = () =>
    latestValues(records, 'asset_id', 'timestamp', seen).map(({ well, values }) => [well, values[0]?.value]);
  expect(wells()).toEqual([
    ['1', 101],
    ['2', 201],
  ]);
  add(1, 1_700_000_004_000, 900);
  expect(wells()).toEqual([
    ['1', 999],
    ['2', 201],
  ]);
});
