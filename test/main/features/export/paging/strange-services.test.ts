import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolders } from '../../../../support/folders.ts';
import { readAll } from '../support/reading.ts';
import { idAt, Rows, type Behavior } from '../support/rows.ts';

const folder = useFolders();

/** Every test runs with one page at a time and with several range partitions in parallel. */
let concurrency = 1;

const many = (count: number, field: string, value: (n: number) => unknown): string[] =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ _id: idAt(n + 1), [field]: value(n), n }));

async function read(
  records: readonly string[],
  sort: Record<string, 1 | -1>,
  behavior: Behavior = {},
  query = {},
) {
  const rows = new Rows(records, behavior);
  const result = await readAll(rows, await folder(), { sort, query, concurrency });
  return { ...result, order: result.records.map(({ n }) => Number(n)), requestCount: rows.requestCount };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const day = (n: number): string => new Date(Date.UTC(2024, 0, 1) + n * 1000).toISOString();

describe.each([1, 4])('paging by range, %i at a time', (bands) => {
  beforeAll(() => {
    concurrency = bands;
  });

  it('needs few extra requests for any page size', async () => {
    const { order, reason, requestCount } = await read(
      many(100, 'timestamp', (n) => n),
      { timestamp: 1 },
    );
    expect(order).toEqual(upTo(100));
    expect(reason).toBeNull();
    expect(requestCount).toBeLessThan(bands === 1 ? 22 : 50);
  });

  it('reads times stored as text', async () => {
    const { order, reason } = await read(many(45, 'datetime', day), { datetime: -1 });
    expect(order).toEqual(upTo(45).toReversed());
    expect(reason).toBeNull();
  });

  it('reads a reference dataset by its ids', async () => {
    const { order, reason } = await read(
      many(45, 'name', () => 'x'),
      { _id: 1 },
    );
    expect(order).toEqual(upTo(45));
    expect(reason).toBeNull();
  });

  it.each([1, -1] as const)('pages inside a value that fills three pages, direction %i', async (way) => {
    const { records, reason } = await read(
      many(60, 'timestamp', (n) => (n > 9 && n < 45 ? 10 : n)),
      { timestamp: way },
    );
    expect(new Set(records.map(({ _id }) => _id)).size).toBe(60);
    const values = records.map(({ timestamp }) => Number(timestamp));
    expect(values).toEqual(values.toSorted((a, b) => way * (a - b)));
    expect(reason).toBeNull();
  });

  it('excludes records added above the maximum since the start', async () => {
    const rows: Rows = new Rows(
      many(40, 'timestamp', (n) => n),
      {
        before: (nth) =>
          rows.add(JSON.stringify({ _id: idAt(1000 + nth), timestamp: 1000 + nth, n: 1000 + nth })),
      },
    );
    const { records } = await readAll(rows, await folder(), { sort: { timestamp: 1 }, concurrency });
    expect(records.filter(({ n }) => Number(n) < 1000)).toHaveLength(40);
    expect(records.filter(({ n }) => Number(n) > 1002)).toEqual([]);
  });

  it('respects the user’s own conditions on the field', async () => {
    const query = { timestamp: { $gte: 5, $lt: 25 } };
    expect(
      (
        await read(
          many(40, 'timestamp', (n) => n),
          { timestamp: 1 },
          {},
          query,
        )
      ).order,
    ).toEqual(upTo(25).slice(5));
    expect(
      (
        await read(
          many(40, 'timestamp', (n) => n),
          { timestamp: -1 },
          {},
          { timestamp: 7 },
        )
      ).order,
    ).toEqual([7]);
  });

  it('reads values that are shown rounded', async () => {
    const records = many(60, 'measured_depth', (n) => n * 0.1524 + 0.00003 * (n % 3));
    for (const way of [1, -1] as const) {
      const { order } = await read(
        records,
        { measured_depth: way },
        { rounds: { field: 'measured_depth', places: 4 } },
      );
      expect(order).toEqual(way === 1 ? upTo(60) : upTo(60).toReversed());
    }
  });
});

describe.each([1, 4])('paging by skip when ranges are unreliable, %i at a time', (bands) => {
  beforeAll(() => {
    concurrency = bands;
  });

  it('is used because a text filter does not match dates', async () => {
    const { order, reason } = await read(many(45, 'datetime', day), { datetime: 1 }, { dates: 'datetime' });
    expect(order).toEqual(upTo(45));
    expect(reason).toContain('does not match');
  });

  it.each([1, -1] as const)(
    'is used because conditions on the field are ignored, direction %i',
    async (way) => {
      const { order, reason } = await read(
        many(45, 'timestamp', (n) => n),
        { timestamp: way },
        { ignores: 'timestamp' },
      );
      expect(order).toEqual(way === 1 ? upTo(45) : upTo(45).toReversed());
      expect(reason).toContain('limit');
    },
  );

  it('is used because the field contains numbers and texts', async () => {
    const { order } = await read(
      many(45, 'timestamp', (n) => (n < 20 ? n : `t${n}`)),
      { timestamp: 1 },
    );
    expect(order).toEqual(upTo(45));
  });

  it('is used because no record has the field', async () => {
    const { order } = await read(
      many(45, 'other', (n) => n),
      { timestamp: 1 },
    );
    expect(order).toEqual(upTo(45));
  });

  it('is used because the sort is by another field', async () => {
    const { order, reason } = await read(
      many(45, 'version', (n) => Math.floor(n / 9)),
      { version: -1 },
    );
    expect(order).toHaveLength(45);
    expect(new Set(order).size).toBe(45);
    expect(reason).toBe('no windows');
  });

  it('works even when the service rejects a second sort field', async () => {
    const { order } = await read(
      many(45, 'version', (n) => n),
      { version: 1 },
      { oneSortField: true },
    );
    expect(order).toEqual(upTo(45));
  });

  it('loses no record when one is deleted between two pages of one record each', async () => {
    for (let at = 1; at < 20; at += 1) {
      const rows: Rows = new Rows(
        many(4, 'version', (n) => n),
        {
          cap: () => 1,
          before: (nth) => nth === at && rows.remove(idAt(1)),
        },
      );
      const { records } = await readAll(rows, await folder(), { sort: { version: 1 } });
      expect(records.map(({ n }) => n)).toEqual(expect.arrayContaining([1, 2, 3]));
    }
  });

  it('reads records without an id too, as the service counts them', async () => {
    const records = Array.from({ length: 45 }, (_, n) => JSON.stringify({ version: n, n }));
    expect((await read(records, { version: 1 })).order).toEqual(upTo(45));
  });

  it('stops when a service ignores skip', async () => {
    const rows = new Rows(many(45, 'version', (n) => n));
    const find = rows.find.bind(rows);
    rows.find = (request) => find({ ...request, skip: 0 });
    await expect(readAll(rows, await folder(), { sort: { version: 1 } })).rejects.toMatchObject({
      code: 'bad_answer',
    });
  });
});

describe.each(['America/Chicago', 'Europe/Berlin'])('on a computer in %s', (zone) => {
  const own = process.env['TZ'];
  beforeAll(() => void (process.env['TZ'] = zone));
  afterAll(() => {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  });

  it.each(['2024-03-10T07:30:00', '2024-03-31T00:30:00', '2024-11-03T00:30:00', '2024-10-27T00:30:00'])(
    'times without a zone keep their order when daylight saving changes, from %s',
    async (from) => {
      const local = (n: number): string =>
        new Date(Date.parse(`${from}Z`) - 6 * 3_600_000 + n * 600_000).toISOString().slice(0, 19);
      const { order, reason } = await read(many(90, 'datetime', local), { datetime: 1 });
      expect(reason).toBeNull();
      expect(order).toEqual(upTo(90));
    },
  );
});
