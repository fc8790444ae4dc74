import { expect, it } from 'vitest';
import { partTime, wellOfPart } from '../../../../src/renderer/features/results/record-parts.ts';
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
