import type { Demo } from '../../src/demo/index.ts';
import type { JsonObject } from '../../src/shared/json.ts';

/** A well without records at the start; a key sees no other wells than those of the demo. */
const lateWell = 5006;

/** The dataset that is mirrored. */
export const mirrored = 'demo/wits';

const middle = Date.UTC(2026, 10, 15);
const minute = 60_000;

const recordAt = (timestamp: number, data: JsonObject, asset_id = 5001): JsonObject => ({
  company_id: 1,
  asset_id,
  version: 1,
  timestamp,
  data,
});
const recordsAt = (count: number, data: JsonObject, asset_id?: number): JsonObject[] =>
  Array.from({ length: count }, (_, at) => recordAt(middle + at * minute, data, asset_id));

/** What happens to a dataset before each update of its mirror, in this order. */
export const mirrorChanges: Readonly<Record<string, (demo: Demo) => void>> = {
  'first run': (demo) => demo.change(mirrored, { remove: { asset_id: lateWell } }),
  'no change': () => undefined,
  'new records and a new column': (demo) => {
    demo.change(mirrored, { insert: recordsAt(200, { rop: 1.5, vibration: 0.25 }) });
  },
  'removed records and a new well': (demo) => {
    demo.change(mirrored, { remove: { asset_id: 5002, timestamp: { $lt: middle } } });
    demo.change(mirrored, { insert: recordsAt(50, { rop: 2.5 }, lateWell) });
  },
  'text in a column of numbers': (demo) => {
    demo.change(mirrored, { insert: [recordAt(middle + 1, { rop: 'off', vibration: 'none' })] });
  },
};
