import { expect, it } from 'vitest';
import { isWideRange } from '../../../../../src/renderer/features/query/range/scope-bar.tsx';
import { readRange, type RangeField } from '../../../../../src/shared/language/text/conditions.ts';

const time: RangeField = { path: 'timestamp', of: 'time' };
const depth: RangeField = { path: 'measured_depth', of: 'depth' };
const now = Date.UTC(2026, 0, 31);

it.each([
  ['{ asset_id: 1 }', time, true],
  ['{ timestamp: { $lt: 5 } }', time, true],
  ['{ timestamp: { $gte: {{now-24h}} } }', time, false],
  ['{ timestamp: { $gte: {{now-90d}} } }', time, true],
  ['{ timestamp: { $gte: {{now-90d}}, $lt: {{now-80d}} } }', time, false],
  ['{ timestamp: { $gte: ISODate("2025-01-01"), $lt: ISODate("2025-01-31") } }', time, false],
  ['{ timestamp: { $gte: ISODate("2025-01-01"), $lt: ISODate("2025-02-28") } }', time, true],
  ['{ timestamp: { $in: [1] } }', time, false],
  ['{ timestamp: ', time, false],
  ['{ asset_id: 1 }', depth, true],
  ['{ measured_depth: { $gte: 100 } }', depth, false],
] as const)('%s prompts for a count first: %j %s', (query, field, wide) => {
  expect(isWideRange(readRange(query, field), field, now)).toBe(wide);
});
