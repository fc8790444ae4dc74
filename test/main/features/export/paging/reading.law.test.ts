import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/shared/json.ts';
import { lawRuns } from '../../../../support/sample.ts';
import { readAll } from '../support/reading.ts';
import { idAt, Rows, type Behavior } from '../support/rows.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wellbench-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Value = number | null | undefined;

const recordOf = (field: string, value: Value, n: number): string =>
  JSON.stringify({ _id: idAt(n), ...(value === undefined ? {} : { [field]: value }), data: { n } });

/** Values with many repeats, pages full of one value, and some null or missing values. */
const values = (number: fc.Arbitrary<number>): fc.Arbitrary<Value[]> =>
  fc
    .array(
      fc.record({
        value: fc.oneof({ weight: 8, arbitrary: number }, fc.constant(null), fc.constant(undefined)),
        times: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 40 })),
      }),
      { maxLength: 30 },
    )
    .map((groups) => groups.flatMap(({ value, times }) => Array.from({ length: times }, () => value)));

const behavior: fc.Arbitrary<Behavior> = fc
  .record({
    caps: fc.option(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 })),
    shuffles: fc.boolean(),
  })
  .map(({ caps, shuffles }) => ({
    shuffles,
    ...(caps ? { cap: (_, nth) => caps[nth % caps.length] ?? 1 } : {}),
  }));

/** The count at the start: none, the true one, or a wrong one. */
const counted = fc.oneof(fc.constant(null), fc.constant('exactly' as const), fc.nat(200));

const direction = fc.constantFrom<1 | -1>(1, -1);

function inOrder(field: string, way: 1 | -1) {
  const rank = (record: JsonObject): number => Number(record[field] ?? Number.NEGATIVE_INFINITY);
  return (a: JsonObject, b: JsonObject): number => {
    const [x, y] = [rank(a), rank(b)];
    return (x === y ? 0 : x < y ? -way : way) || (String(a['_id']) < String(b['_id']) ? -1 : 1);
  };
}

describe('reading all pages', () => {
  it.each([
    ['timestamp', fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_012 })],
    ['measured_depth', fc.integer({ min: 0, max: 20 }).map((step) => step * 0.1524)],
  ])('returns each record once, ordered by %s and then by _id, wherever pages end', async (field, number) => {
    await fc.assert(
      fc.asyncProperty(
        values(number),
        behavior,
        direction,
        fc.integer({ min: 2, max: 15 }),
        fc.integer({ min: 1, max: 6 }),
        counted,
        async (all, how, way, limit, concurrency, counts) => {
          const total = counts === 'exactly' ? all.length : counts;
          const rows = new Rows(
            all.map((value, n) => recordOf(field, value, n)),
            how,
          );
          const { records, reason } = await readAll(rows, folder, {
            sort: { [field]: way },
            limit,
            concurrency,
            total,
          });
          expect(records).toEqual(rows.records.sort(inOrder(field, way)));
          if (all.some((value) => typeof value === 'number')) expect(reason).toBeNull();
        },
      ),
      { numRuns: lawRuns(75) },
    );
  });

  it('ends when the only record of a value is replaced by an earlier one, and the service sends single records', async () => {
    const rows: Rows = new Rows(
      [12, 0].map((value, n) => recordOf('timestamp', value, n)),
      {
        cap: () => 1,
        before(nth) {
          if (nth === 2) rows.add(recordOf('timestamp', 12, 1102));
          if (nth !== 12) return;
          rows.remove(idAt(1));
          rows.add(recordOf('timestamp', 1, 2201));
        },
      },
    );
    const { records } = await readAll(rows, folder, { sort: { timestamp: -1 }, limit: 7 });
    expect(records.map(({ _id }) => _id)).toEqual([idAt(0), idAt(1102)]);
  });

  it('loses and duplicates no record while records are added and deleted', async () => {
    const change = fc.record({
      at: fc.integer({ min: 1, max: 25 }),
      value: fc.integer({ min: -3, max: 15 }),
      gone: fc.nat(99),
    });
    const sorts = fc.constantFrom<JsonObject>(
      { timestamp: 1 },
      { timestamp: -1 },
      { 'data.n': 1 },
      { version: -1 },
      { _id: 1 },
    );
    await fc.assert(
      fc.asyncProperty(
        values(fc.integer({ min: 0, max: 12 })),
        fc.uniqueArray(change, { maxLength: 15, selector: ({ at, gone }) => at * 100 + gone }),
        sorts,
        behavior,
        fc.integer({ min: 1, max: 6 }),
        counted,
        async (all, changes, sort, how, concurrency, counts) => {
          const total = counts === 'exactly' ? all.length : counts;
          const rows: Rows = new Rows(
            all.map((value, n) => recordOf('timestamp', value, n)),
            {
              ...how,
              before: (nth) => {
                for (const { at, value, gone } of changes.filter((one) => one.at === nth)) {
                  rows.remove(idAt(gone));
                  rows.add(recordOf('timestamp', value, 1000 + at * 100 + gone));
                }
              },
            },
          );
          const { records } = await readAll(rows, folder, { sort, limit: 7, concurrency, total });
          const ids = records.map(({ _id }) => String(_id));
          const stableIds = rows.records
            .map(({ _id }) => String(_id))
            .filter((id) => Number(`0x${id}`) < 1000);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids).toEqual(expect.arrayContaining(stableIds));
        },
      ),
      { numRuns: lawRuns(300) },
    );
  });
});
