import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noFaults, startDemo, type Demo } from '../../../../../src/demo/index.ts';
import { parseJson } from '../../../../../src/shared/json.ts';
import type { InsertOutcome } from '../../../../../src/main/core/wire/services/services.ts';
import { testClock } from '../../../../support/clock.ts';
import { useServices } from '../../../../support/services.ts';

const open = useServices();
const wits = { provider: 'demo', dataset: 'wits' };
const uploads = { provider: 'demo', dataset: 'uploads.time' };
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ records: 5000, wells: 30, seed: 3 });
});
afterAll(() => demo.close());
beforeEach(() => {
  Object.assign(demo.faults, noFaults);
});

function services() {
  const { dataUrl, platformUrl, apiKeys } = demo;
  return open(dataUrl, { platformUrl, credential: { method: 'api_key', apiKey: apiKeys.write } });
}

const record = (n: number) => ({ version: 1, asset_id: 5001, timestamp: 1_800_000_000_000 + n, data: { n } });

describe('against the demo services', () => {
  it('100 finds with 20% 429, 10% 5xx, 5% resets, and 2% truncated bodies all return correct results', async () => {
    const clock = testClock({ frozen: true });
    const { dataUrl, platformUrl, apiKeys } = demo;
    const credential = { method: 'api_key', apiKey: apiKeys.read } as const;
    let retries = 0;
    const { data } = open(dataUrl, { platformUrl, credential, clock, onRetry: () => (retries += 1) });
    const find = { query: {}, sort: { timestamp: 1, _id: 1 }, limit: 2, includeCount: true };
    const expected = await Promise.all([0, 1, 2, 3, 4].map((skip) => data.find(wits, { ...find, skip })));
    Object.assign(demo.faults, { rate_429: 0.2, rate_5xx: 0.1, reset_before: 0.05, truncate: 0.02 });
    for (let n = 0; n < 100; n += 1) {
      // In sequence: the demo's random faults are the same in each run of this test.
      expect(await data.find(wits, { ...find, skip: n % 5 })).toEqual(expected[n % 5]);
    }
    expect(retries).toBeGreaterThan(30);
    expect(retries).toBeLessThan(100);
  });

  it('lists of wells are complete, with pages capped, page numbers ignored, or ids as digits', async () => {
    const { platform } = services();
    const ids = async () => (await platform.list('wells', {})).map(({ id }) => id);
    const all = await ids();
    expect(all).toHaveLength(30);
    Object.assign(demo.faults, { cap_per_page: 7, string_ids: true });
    await expect(ids()).resolves.toEqual(all);
    Object.assign(demo.faults, { ignore_page: true });
    await expect(ids()).resolves.toHaveLength(7);
  });

  it('reads by query string, by body, by aggregate, and by pipeline return the same', async () => {
    const { data, platform } = services();
    const wells = await platform.list('wells', {});
    const ids = Array.from({ length: 1500 }, (_, n) =>
      Number(wells[n % wells.length]?.attributes['asset_id']),
    );
    const short = await data.find(wits, {
      query: {},
      sort: { timestamp: -1, _id: 1 },
      limit: 20,
      includeCount: true,
    });
    const long = await data.find(wits, {
      query: { asset_id: { $in: ids } },
      sort: { timestamp: -1, _id: 1 },
      limit: 20,
      includeCount: true,
    });
    expect(long).toEqual(short);
    expect(await data.count(wits, {})).toBe(short.total);
    const stages = [{ $match: {} }, { $sort: { timestamp: -1, _id: 1 } }, { $limit: 20 }];
    expect((await data.pipeline(wits, stages)).text).toBe(short.text);
    const group = { _id: '$provider', newest: { $max: '$timestamp' } };
    const grouped = await data.aggregate(wits, { match: {}, sort: { timestamp: -1 }, limit: 20, group });
    expect(grouped.count).toBe(1);
  });

  it('definitions have types, and an opened one its indexes', async () => {
    const { data } = services();
    const list = await data.datasets({ search: 'wits' });
    expect(list.map(({ dataset }) => dataset)).toContain('wits');
    const one = await data.dataset(wits);
    expect(one).toMatchObject({ ...wits, type: 'time' });
    expect(one.indexes.length).toBeGreaterThan(0);
  });

  it('a sign-in with email and password works', async () => {
    const { dataUrl, platformUrl, login } = demo;
    const { data, platform } = open(dataUrl, { platformUrl, credential: { method: 'login', ...login } });
    await expect(Promise.all([data.count(wits, {}), platform.list('rigs', {})])).resolves.toHaveLength(2);
    const wrong = open(dataUrl, {
      platformUrl,
      credential: { method: 'login', ...login, password: 'wrong one' },
    });
    await expect(wrong.data.count(wits, {})).rejects.toMatchObject({ code: 'not_authenticated' });
  });

  it('each insert is sent once, whatever happens, and never reports an unknown result as known', async () => {
    const { data } = services();
    Object.assign(demo.faults, {
      rate_429: 0.1,
      rate_5xx: 0.1,
      reset_before: 0.1,
      reset_after_write: 0.2,
      fail_after_partial_write: 0.1,
      truncate: 0.1,
    });
    const outcomes: InsertOutcome[] = [];
    for (let batch = 0; batch < 60; batch += 1) {
      const rows = [record(batch * 2), record(batch * 2 + 1)];
      outcomes.push(await data.insert(uploads, Buffer.from(JSON.stringify(rows)), rows.length));
    }
    Object.assign(demo.faults, noFaults);
    const stored = await data.find(uploads, {
      query: { asset_id: 5001 },
      sort: { timestamp: 1 },
      limit: 10_000,
    });
    const values = parseJson(stored.text) as { data: { n: number } }[];
    const times = new Map<number, number>();
    for (const { data: row } of values) times.set(row.n, (times.get(row.n) ?? 0) + 1);
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['answered', 'not_stored', 'unknown']));
    for (const [batch, { kind }] of outcomes.entries()) {
      const counts = [times.get(batch * 2) ?? 0, times.get(batch * 2 + 1) ?? 0];
      expect(Math.max(...counts)).toBeLessThanOrEqual(1);
      if (kind === 'answered') expect(counts).toEqual([1, 1]);
      if (kind === 'not_stored') expect(counts).toEqual([0, 0]);
    }
  });
});
