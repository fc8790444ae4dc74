import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/shared/json.ts';
import { Newer, type AskPage, type Batch } from '../../../../src/main/query/live/newer.ts';

/** A dataset that answers as a service does, never more than `cap` records at a time. */
function datasetOf(records: JsonObject[], cap: number): AskPage {
  const time = (record: JsonObject) => Number(record['timestamp']);
  return async ({ above, direction, skip, limit }) =>
    records
      .filter((record) => above === null || time(record) >= above)
      .toSorted((a, b) => direction * (time(a) - time(b)))
      .slice(skip, skip + Math.min(limit, cap));
}
const idsOf = (batches: readonly Batch[]) =>
  batches.flatMap(({ records }) => records.map((record) => (record as JsonObject)['_id']));
async function all(newer: Newer): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of newer.since()) batches.push(batch);
  return batches;
}
const field = 'timestamp';
const record = (_id: string, timestamp: number): JsonObject => ({ _id, timestamp });

describe('newer records', () => {
  it('come once each, however many share a value, whatever the service caps a page at', async () => {
    const times = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 5 }), async (rounds, cap) => {
        const records: JsonObject[] = [record('first', 1000)];
        // As large a page as a value has records: what shares one value can be paged through.
        const newer = new Newer(
          { ask: datasetOf(records, 12 + cap), field, lookBack: 0, pageSize: 12 + cap },
          null,
        );
        const given = idsOf([await newer.newest(10)].flatMap((batch) => batch ?? []));
        let now = 1000;
        for (const [round, steps] of rounds.entries()) {
          for (const [at, step] of steps.entries()) records.push(record(`${round}/${at}`, (now += step)));
          given.push(...idsOf(await all(newer)));
        }
        expect(given).toEqual(records.map(({ _id }) => _id));
      }),
    );
  });

  it('of one value fill several pages', async () => {
    const records = [record('a', 1)];
    const newer = new Newer({ ask: datasetOf(records, 10), field, lookBack: 0, pageSize: 10 }, null);
    await newer.newest(10);
    records.push(...Array.from({ length: 35 }, (_, at) => record(`b${at}`, 2)));
    expect(idsOf(await all(newer))).toHaveLength(35);
    expect(await all(newer)).toEqual([]);
    records.push(record('late twin', 2), record('c', 3));
    expect(idsOf(await all(newer))).toEqual(['late twin', 'c']);
  });

  it('come to an end where a service ignores `skip`', async () => {
    const records = [record('a', 1)];
    const all10 = datasetOf(records, 10);
    const newer = new Newer(
      { ask: (page) => all10({ ...page, skip: 0 }), field, lookBack: 0, pageSize: 10 },
      null,
    );
    await newer.newest(10);
    records.push(...Array.from({ length: 35 }, (_, at) => record(`b${at}`, 2)));
    expect(idsOf(await all(newer)).length).toBeGreaterThan(0);
  });

  it('of a well that is late are not lost within the look back', async () => {
    const records = [record('a0', 4000), record('a', 10_000)];
    const newer = new Newer({ ask: datasetOf(records, 5), field, lookBack: 5000, pageSize: 100 }, null);
    await newer.newest(10);
    records.push(...Array.from({ length: 20 }, (_, at) => record(`a${at}`, 10_000 + at * 100)));
    expect(idsOf(await all(newer))).toHaveLength(20);
    records.push(record('late', 8000), record('too late', 1000), record('before', 3999));
    expect(idsOf(await all(newer))).toEqual(['late']);
  });

  it('go on from where another left off', async () => {
    const records = [record('a', 1), record('b', 2), record('c', 2)];
    const ask = datasetOf(records, 100);
    const newer = new Newer({ ask, field, lookBack: 0, pageSize: 100 }, { value: 2, floor: 0, ids: ['b'] });
    expect(idsOf(await all(newer))).toEqual(['c']);
  });

  it('begin where there is nothing yet', async () => {
    const records: JsonObject[] = [];
    const newer = new Newer({ ask: datasetOf(records, 100), field, lookBack: 0, pageSize: 100 }, null);
    expect(await newer.newest(10)).toBeNull();
    expect(await all(newer)).toEqual([]);
    records.push(record('a', 1), { _id: 'no time' });
    expect(idsOf(await all(newer))).toEqual(['a']);
  });

  it('remembers no more ids than can come again', async () => {
    const records = [record('a', 1)];
    const newer = new Newer({ ask: datasetOf(records, 100), field, lookBack: 2, pageSize: 100 }, null);
    await newer.newest(10);
    records.push(...Array.from({ length: 50 }, (_, at) => record(`r${at}`, 2 + at)));
    const batches = await all(newer);
    expect(batches.at(-1)?.cursor).toEqual({ value: 51, floor: 1, ids: ['r47', 'r48', 'r49'] });
  });
});

describe.each(['America/Chicago', 'Europe/Berlin'])('newer records on a computer in %s', (zone) => {
  const own = process.env['TZ'];
  afterEach(() => {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  });

  it.each(['2024-03-10', '2024-03-31'])('are not missed where daylight saving begins, %s', async (day) => {
    process.env['TZ'] = zone;
    const at = (n: number): JsonObject => ({
      _id: `r${n}`,
      datetime: new Date(Date.parse(`${day}T00:00:00Z`) + n * 600_000).toISOString().slice(0, 19),
    });
    const records = [at(0)];
    const ask: AskPage = async ({ skip, limit }) => records.toReversed().slice(skip, skip + limit);
    const newer = new Newer({ ask, field: 'datetime', lookBack: 10_000, pageSize: 100 }, null);
    await newer.newest(10);
    const given: unknown[] = [];
    for (let n = 1; n < 24; n += 1) {
      records.push(at(n));
      given.push(...idsOf(await all(newer)));
    }
    expect(given).toEqual(records.slice(1).map(({ _id }) => _id));
  });
});
