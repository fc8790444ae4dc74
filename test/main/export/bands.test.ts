import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { useFolders } from '../../support/folders.ts';
import { readAll } from './support/reading.ts';
import { idAt, Rows, type Behaviour } from './support/rows.ts';

const folder = useFolders();

const records = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ _id: idAt(n + 1), timestamp: n, n }));

/** Reads in bands, and counts how many requests were under way at once, and how many were never alone. */
async function read(rows: Rows, concurrency: number, way: 1 | -1 = 1) {
  let underWay = 0;
  let most = 0;
  let beside = 0;
  const during = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay > 1) beside += 1;
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    underWay -= 1;
  };
  const { records: got, why } = await readAll(rows, await folder(), {
    sort: { timestamp: way },
    limit: 20,
    concurrency,
    during,
  });
  return { order: got.map(({ n }) => Number(n)), why, most, beside, asked: rows.asked };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('bands', () => {
  it.each([1, -1] as const)(
    'are fetched several at a time and written in order, direction %i',
    async (way) => {
      const { order, why, most, beside, asked } = await read(new Rows(records(500)), 4, way);
      expect(order).toEqual(way === 1 ? upTo(500) : upTo(500).toReversed());
      expect(why).toBeNull();
      expect(most).toBeGreaterThanOrEqual(4);
      expect(beside).toBeGreaterThan(asked * 0.6);
    },
  );

  it.each([1, -1] as const)(
    'cost one small request for each page, and none to prove that they are complete, direction %i',
    async (way) => {
      const sequential = await read(new Rows(records(500)), 1, way);
      const { asked } = await read(new Rows(records(500)), 4, way);
      expect(asked).toBeLessThan(sequential.asked * 2.6);
    },
  );

  it.each([1, -1] as const)(
    'cost a small request for some pages only where records follow one another evenly, direction %i',
    async (way) => {
      const unevenly = records(500).map((record) =>
        record.replace(/"timestamp":(\d+)/, (_, n) => `"timestamp":${n ** 2}`),
      );
      const even = await read(new Rows(records(500)), 4, way);
      const uneven = await read(new Rows(unevenly), 4, way);
      expect(even.order).toEqual(uneven.order);
      expect(even.asked).toBeLessThan(uneven.asked * 0.8);
    },
  );

  it('are not joined where a service rounds up what it shows', async () => {
    const shown = Array.from({ length: 300 }, (_, n) =>
      JSON.stringify({ _id: idAt(n + 1), timestamp: 0.1524 * n + 0.00004 * (n % 5), n }),
    );
    const rounds: Behaviour = { rounds: { field: 'timestamp', places: 1 } };
    for (const way of [1, -1] as const) {
      const { order } = await read(new Rows(shown, rounds), 5, way);
      expect(order).toHaveLength(300);
      expect(new Set(order).size).toBe(300);
    }
  });

  it('whose seams are gone when they are read are read in sequence', async () => {
    const gone = upTo(500).filter((n) => n % 3 === 0);
    const rows: Rows = new Rows(records(500), {
      before: (nth) => nth === 8 && rows.remove(...gone.map((n) => idAt(n + 1))),
    });
    const { order } = await read(rows, 4);
    expect(new Set(order).size).toBe(order.length);
    expect(order).toEqual(expect.arrayContaining(upTo(500).filter((n) => n % 3 !== 0)));
  });

  it('are not cut where a service can’t find the seams', async () => {
    const rows = new Rows(records(200));
    const find = rows.find.bind(rows);
    rows.find = (asked) => {
      if (asked.limit === 1 && (asked.skip ?? 0) > 0) throw new Error('no');
      return find(asked);
    };
    expect((await read(rows, 4)).order).toEqual(upTo(200));
  });
});
