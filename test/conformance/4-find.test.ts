import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import { client, subjects, target } from './suite.ts';
import { type Reply, ask, objects, textOf } from './target.ts';

const { time, depth, stages } = subjects;
type Parameters = Record<string, JsonValue>;

// The same operation by query string and by body: every statement applies to both.
const ways: readonly (readonly [string, (dataset: string, parameters: Parameters) => Promise<Reply>])[] = [
  ['by query string', (dataset, parameters) => client.data(dataset, '', parameters)],
  ['by body', (dataset, parameters) => client.data(dataset, 'list/', {}, { body: parameters })],
];

describe.each(ways)('4.1 Find records %s', (_way, find) => {
  const { dataset = '', assetId = 0 } = time ?? {};
  const usual = { query: { asset_id: assetId }, sort: { timestamp: 1, _id: 1 }, limit: 10 };
  const records = async (parameters: Parameters): Promise<JsonObject[]> =>
    objects((await find(dataset, parameters)).json);
  const times = async (parameters: Parameters): Promise<number[]> =>
    (await records(parameters)).map((r) => Number(r['timestamp']));

  describe.skipIf(!time)('in a time dataset', () => {
    test('returns 200 with an array of records', async () => {
      const reply = await find(dataset, usual);
      expect([reply.status, objects(reply.json).length]).toEqual([200, 10]);
    });

    test('returns an empty array when nothing matches', async () => {
      const reply = await find(dataset, { ...usual, query: { asset_id: assetId, timestamp: { $lt: 1 } } });
      expect([reply.status, reply.json]).toEqual([200, []]);
    });

    test.each(['query', 'sort', 'limit'])('returns 422 when %s is missing', async (name) => {
      const parameters = Object.fromEntries(Object.entries(usual).filter(([key]) => key !== name));
      expect((await find(dataset, parameters)).status).toBe(422);
    });

    test.each([0, -1, 10_001, 1.5])('returns 422 for the limit %d', async (limit) => {
      expect((await find(dataset, { ...usual, limit })).status).toBe(422);
    });

    test.each([1, 10_000])('accepts the limit %d', async (limit) => {
      const reply = await find(dataset, { ...usual, limit });
      expect([reply.status, objects(reply.json).length <= limit]).toEqual([200, true]);
    });

    test('returns 422 for a negative skip', async () => {
      expect((await find(dataset, { ...usual, skip: -1 })).status).toBe(422);
    });

    test('skip skips this many records; its default is 0', async () => {
      const all = await records({ ...usual, limit: 8 });
      expect(await records({ ...usual, limit: 5, skip: 3 })).toEqual(all.slice(3));
      expect(await records({ ...usual, limit: 8, skip: 0 })).toEqual(all);
    });

    test('sorts ascending by 1 and descending by -1', async () => {
      const up = await times({ ...usual, sort: { timestamp: 1 } });
      const down = await times({ ...usual, sort: { timestamp: -1 } });
      expect(up).toEqual(up.toSorted((a, b) => a - b));
      expect(down).toEqual(down.toSorted((a, b) => b - a));
      expect(down[0]).toBe(time!.newest['timestamp']);
    });

    test.each([0, 2, 'asc', '1', null])('returns 422 for the sort direction %j', async (direction) => {
      expect((await find(dataset, { ...usual, sort: { timestamp: direction } })).status).toBe(422);
    });

    test.each([[[]], ['text'], [7]])('returns 422 when query is %j instead of an object', async (value) => {
      expect((await find(dataset, { ...usual, query: value })).status).toBe(422);
    });

    test.each([[[]], [7]])('returns 422 when sort is %j instead of an object', async (value) => {
      expect((await find(dataset, { ...usual, sort: value })).status).toBe(422);
    });

    test('one asset: {asset_id: <id>}', async () => {
      expect((await records(usual)).every((r) => r['asset_id'] === assetId)).toBe(true);
    });

    test('several assets: {asset_id: {$in: […]}}', async () => {
      const ids = subjects.assetIds.slice(0, 5);
      const found = await records({ ...usual, query: { asset_id: { $in: ids } }, limit: 200 });
      expect(found.filter((r) => !ids.includes(Number(r['asset_id'])))).toEqual([]);
    });

    test('a time range by $gte and $lt: the first bound is included, the second is not', async () => {
      const all = [...new Set(await times({ ...usual, limit: 100 }))];
      const [from = 0, , , to = 0] = all;
      const inside = await times({
        ...usual,
        limit: 100,
        query: { asset_id: assetId, timestamp: { $gte: from, $lt: to } },
      });
      expect([...new Set(inside)]).toEqual(all.slice(0, 3));
    });

    test('$gt excludes the bound', async () => {
      const [first = 0] = await times(usual);
      const later = await times({ ...usual, query: { asset_id: assetId, timestamp: { $gt: first } } });
      expect(later.every((t) => t > first)).toBe(true);
    });

    test('a nested field by its dotted name', async () => {
      const [sample] = await records(usual);
      const [name, value] = Object.entries(sample?.['data'] as JsonObject).find(
        ([, v]) => typeof v === 'string' || typeof v === 'number',
      ) ?? ['', null];
      const found = await records({ ...usual, query: { asset_id: assetId, [`data.${name}`]: value } });
      expect(found.map((r) => (r['data'] as JsonObject)[name])).toEqual(found.map(() => value));
      expect(found.length).toBeGreaterThan(0);
    });

    test('fields returns _id and the fields requested, nested ones too', async () => {
      const [sample] = await records(usual);
      const [first = '', second = ''] = Object.keys(sample?.['data'] as JsonObject);
      const [found] = await records({ ...usual, limit: 1, fields: `timestamp,data.${second}` });
      expect(Object.keys(found ?? {}).toSorted()).toEqual(['_id', 'data', 'timestamp']);
      expect(Object.keys(found?.['data'] as JsonObject)).toEqual([second]);
      expect(first).not.toBe('');
    });

    test('empty fields means all fields', async () => {
      expect(await records({ ...usual, fields: '' })).toEqual(await records(usual));
    });

    test('include_count returns the number of all matches in the Total header', async () => {
      const reply = await find(dataset, { ...usual, include_count: true });
      expect(Number(reply.headers.get('Total'))).toBe(await client.count(dataset, usual.query));
    });

    test('without include_count there is no Total header', async () => {
      expect((await find(dataset, usual)).headers.has('Total')).toBe(false);
      expect((await find(dataset, { ...usual, include_count: false })).headers.has('Total')).toBe(false);
    });

    test('offset paging with _id as tiebreaker returns every record once', async () => {
      const total = await client.count(dataset, usual.query);
      const limit = Math.min(10_000, Math.ceil(total / 4));
      const ids: JsonValue[] = [];
      for (
        let page: JsonObject[] = [];
        ids.length === 0 || page.length === limit;
        ids.push(...page.map((r) => r['_id'] ?? null))
      ) {
        page = await records({ ...usual, limit, skip: ids.length, fields: '_id' });
        if (page.length === 0) break;
      }
      expect([ids.length, new Set(ids).size]).toEqual([total, total]);
    });

    test('windows by timestamp end at an empty array and lose no instant', async () => {
      const query = { asset_id: assetId };
      const seen = new Set<number>();
      for (let last = 0, page = [1]; page.length > 0; last = page.at(-1) ?? 0) {
        page = await times({
          query: { ...query, timestamp: { $gt: last } },
          sort: { timestamp: 1 },
          limit: 1000,
        });
        for (const t of page) seen.add(t);
      }
      const all = await times({ query, sort: { timestamp: 1 }, limit: 10_000 });
      expect([...seen].slice(0, new Set(all).size)).toEqual([...new Set(all)]);
    });
  });

  test.skipIf(!depth)('a depth range on measured_depth', async () => {
    const to = Number(depth!.newest['measured_depth']);
    const query = { asset_id: depth!.assetId, measured_depth: { $gte: to - 20, $lt: to } };
    const found = objects(
      (await find(depth!.dataset, { query, sort: { measured_depth: 1 }, limit: 1000 })).json,
    );
    expect(found.length).toBeGreaterThan(0);
    expect(
      found.every((r) => Number(r['measured_depth']) >= to - 20 && Number(r['measured_depth']) < to),
    ).toBe(true);
  });

  test.skipIf(!stages)('a stage by stage_number', async () => {
    const stage = stages!.newest['stage_number'] ?? 0;
    const query = { asset_id: stages!.assetId, stage_number: stage };
    const found = objects((await find(stages!.dataset, { query, sort: { timestamp: 1 }, limit: 50 })).json);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((r) => r['stage_number'] === stage)).toBe(true);
  });

  test('returns 404 for a dataset that does not exist', async () => {
    expect((await find('nobody/nothing', usual)).status).toBe(404);
  });

  test.skipIf(!target.forbidden)('returns 403 for a dataset that the identity may not read', async () => {
    expect((await find(target.forbidden!.dataset, usual)).status).toBe(403);
  });

  test.skipIf(!target.forbidden)('returns 403 for an asset that the identity may not access', async () => {
    const query = { asset_id: target.forbidden!.assetId };
    expect((await find(dataset, { ...usual, query })).status).toBe(403);
  });
});

describe.skipIf(!time)('4.1 Find records, by query string alone', () => {
  const address = (search: string): string => `${target.dataUrl}/api/v1/data/${time!.dataset}/?${search}`;
  const rest = `sort={"timestamp":1}&limit=2`;

  test.each([
    ['broken JSON', 'query={asset_id:5}&'],
    ['truncated JSON', 'query={"asset_id":&'],
    ['an empty text', 'query=&'],
  ])('returns 422 for %s as query', async (_words, search) => {
    expect((await ask(target, address(search + rest))).status).toBe(422);
  });

  test('returns 422 for broken JSON as sort', async () => {
    expect((await ask(target, address(`query={}&sort={timestamp}&limit=2`))).status).toBe(422);
  });

  test('raw and encoded brackets and quotes are equivalent', async () => {
    const raw = `query={"asset_id":{"$in":[${textOf(time!.assetId)}]}}&${rest}`;
    const encoded = raw
      .replaceAll('{', '%7B')
      .replaceAll('}', '%7D')
      .replaceAll('[', '%5B')
      .replaceAll(']', '%5D')
      .replaceAll('"', '%22');
    expect((await ask(target, address(encoded))).json).toEqual((await ask(target, address(raw))).json);
  });

  test('unknown parameters and headers are ignored', async () => {
    const reply = await ask(
      target,
      address(`query={"asset_id":${textOf(time!.assetId)}}&${rest}&unheard_of=1`),
    );
    expect(reply.status).toBe(200);
  });

  test('returns 307 for the slashed path when the slash is missing', async () => {
    const search = `query={"asset_id":${textOf(time!.assetId)}}&${rest}`;
    const reply = await ask(target, `${target.dataUrl}/api/v1/data/${time!.dataset}?${search}`);
    expect(reply.status).toBe(307);
    expect(reply.headers.get('Location')).toContain(`/api/v1/data/${time!.dataset}/?`);
  });
});

describe.skipIf(!time)('4.1 Find records, by body alone', () => {
  test('returns 400 for a body that is not JSON', async () => {
    expect(
      (await client.data(time!.dataset, 'list/', {}, { method: 'POST', rawBody: '{"query":' })).status,
    ).toBe(400);
  });
});

describe.skipIf(!time)('4.1 Count records', () => {
  test('counts the matching records', async () => {
    const found = await client.find(
      time!.dataset,
      { asset_id: time!.assetId },
      { limit: 10_000, fields: '_id' },
    );
    const count = await client.count(time!.dataset, { asset_id: time!.assetId });
    expect(count < 10_000 ? found.length : Math.min(count, 10_000)).toBe(Math.min(count, 10_000));
  });

  test('returns 422 when query is missing or not a JSON object', async () => {
    expect((await client.data(time!.dataset, 'count/')).status).toBe(422);
    expect((await client.data(time!.dataset, 'count/', { query: '{a:1}' })).status).toBe(422);
  });
});
