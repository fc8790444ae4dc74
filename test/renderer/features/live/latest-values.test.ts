import { expect, it } from 'vitest';
import { latestValues } from '../../../../src/renderer/features/live/latest-values.ts';
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
  expect(latestValues(records, 'asset_id', 'timestamp')).toEqual([
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
