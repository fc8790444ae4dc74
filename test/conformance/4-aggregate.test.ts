import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import { client, subjects, target } from './suite.ts';
import { type Reply, objects } from './target.ts';

const { time } = subjects;
const { dataset = '', assetId = 0 } = time ?? {};
const match = { asset_id: assetId };
const sort = { timestamp: 1, _id: 1 };
type Parameters = Record<string, JsonValue>;

const aggregate = (parameters: Parameters): Promise<Reply> => client.data(dataset, 'aggregate/', parameters);

describe.skipIf(!time)('4.1 Simple aggregation', () => {
  test('returns an array of result objects', async () => {
    const reply = await aggregate({
      match,
      sort,
      limit: 100,
      group: { _id: '$asset_id', last: { $max: '$timestamp' } },
    });
    expect(reply.status).toBe(200);
    expect(objects(reply.json)).toEqual([{ _id: assetId, last: expect.any(Number) as number }]);
  });

  test('limit is applied before grouping', async () => {
    const reply = await aggregate({ match, sort, limit: 7, group: { _id: null, n: { $sum: 1 } } });
    expect(reply.json).toEqual([{ _id: null, n: 7 }]);
  });

  test('skip skips records before grouping', async () => {
    const [first, , third] = await client.find(dataset, match, { sort, limit: 3 });
    const group = { _id: null, first: { $min: '$timestamp' } };
    const whole = await aggregate({ match, sort, limit: 1, group });
    const skipped = await aggregate({ match, sort, limit: 1, skip: 2, group });
    expect(whole.json).toEqual([{ _id: null, first: first?.['timestamp'] }]);
    expect(skipped.json).toEqual([{ _id: null, first: third?.['timestamp'] }]);
  });

  test('sort decides which records are used', async () => {
    const group = { _id: null, at: { $max: '$timestamp' } };
    const newest = await aggregate({ match, sort: { timestamp: -1 }, limit: 1, group });
    expect(newest.json).toEqual([{ _id: null, at: time!.newest['timestamp'] }]);
  });

  test('project shapes the results', async () => {
    const reply = await aggregate({ match, sort, limit: 3, project: { _id: 0, at: '$timestamp' } });
    expect(objects(reply.json).map((result) => Object.keys(result))).toEqual([['at'], ['at'], ['at']]);
  });

  test('project comes after group', async () => {
    const group = { _id: '$asset_id', n: { $sum: 1 } };
    const reply = await aggregate({
      match,
      sort,
      limit: 5,
      group,
      project: { _id: 0, twice: { $multiply: ['$n', 2] } },
    });
    expect(reply.json).toEqual([{ twice: 10 }]);
  });

  test('without group and project it returns the records', async () => {
    const reply = await aggregate({ match, sort, limit: 4 });
    expect(reply.json).toEqual(await client.find(dataset, match, { sort, limit: 4 }));
  });

  test('returns an empty array when nothing matches', async () => {
    const reply = await aggregate({ match: { asset_id: assetId, timestamp: { $lt: 1 } }, sort, limit: 10 });
    expect([reply.status, reply.json]).toEqual([200, []]);
  });

  test.each(['match', 'sort', 'limit'])('returns 422 when %s is missing', async (name) => {
    const parameters = Object.fromEntries(
      Object.entries({ match, sort, limit: 1 }).filter(([key]) => key !== name),
    );
    expect((await aggregate(parameters)).status).toBe(422);
  });

  test.each<[string, Parameters]>([
    ['limit 0', { limit: 0 }],
    ['limit 10001', { limit: 10_001 }],
    ['skip -1', { skip: -1 }],
    ['a broken match', { match: '{a' }],
    ['a broken sort', { sort: '{a' }],
    ['a sort direction of 2', { sort: { timestamp: 2 } }],
    ['a broken group', { group: '{a' }],
    ['a broken project', { project: '{a' }],
  ])('returns 422 for %s', async (_words, wrong) => {
    expect((await aggregate({ match, sort, limit: 1, ...wrong })).status).toBe(422);
  });
});

const ways: readonly (readonly [string, (stages: JsonValue) => Promise<Reply>])[] = [
  ['by POST', (stages) => client.data(dataset, 'aggregate/pipeline/', {}, { body: { stages } })],
  ['by GET', (stages) => client.data(dataset, 'aggregate/pipeline/', { stages })],
];

describe.skipIf(!time).each(ways)('4.1 Aggregation pipeline %s', (_way, pipeline) => {
  const first = { $match: match };

  test('$match, $sort, $limit, $group and $project run', async () => {
    const reply = await pipeline([
      first,
      { $sort: { timestamp: -1 } },
      { $limit: 20 },
      { $group: { _id: '$asset_id', n: { $sum: 1 }, newest: { $max: '$timestamp' } } },
      { $project: { _id: 0, asset: '$_id', n: 1, newest: 1 } },
    ]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual([{ asset: assetId, n: 20, newest: time!.newest['timestamp'] }]);
  });

  test('$match alone returns the records', async () => {
    const reply = await pipeline([first, { $sort: sort }, { $limit: 3 }]);
    expect(reply.json).toEqual(await client.find(dataset, match, { sort, limit: 3 }));
  });

  test('the order of stages matters: $limit before $sort selects other records than after it', async () => {
    const newest = await pipeline([first, { $sort: { timestamp: -1 } }, { $limit: 1 }]);
    const reply = await pipeline([
      first,
      { $sort: { timestamp: 1 } },
      { $limit: 2 },
      { $sort: { timestamp: -1 } },
      { $limit: 1 },
    ]);
    expect(objects(reply.json)[0]?.['_id']).not.toBe(objects(newest.json)[0]?.['_id']);
  });

  test('a $match after $group tests the groups', async () => {
    const reply = await pipeline([
      first,
      { $group: { _id: '$asset_id', n: { $sum: 1 } } },
      { $match: { n: { $lt: 0 } } },
    ]);
    expect(reply.json).toEqual([]);
  });

  test('returns 422 when stages is empty', async () => {
    expect((await pipeline([])).status).toBe(422);
  });

  test.each<[JsonValue]>([[{}], ['text'], [null]])(
    'returns 422 when stages is %j instead of an array',
    async (stages) => {
      expect((await pipeline(stages)).status).toBe(422);
    },
  );

  test.each<[string, JsonObject]>([
    ['$merge', { $merge: { into: 'other' } }],
    ['$out', { $out: 'other' }],
  ])('the write stage %s is not available', async (_name, stage) => {
    const before = await client.count(dataset, match);
    expect([400, 403, 422]).toContain((await pipeline([first, stage])).status);
    expect(await client.count(dataset, match)).toBe(before);
  });

  test('it is not available inside $facet either', async () => {
    expect([400, 403, 422]).toContain(
      (await pipeline([{ $facet: { a: [first, { $out: 'other' }] } }])).status,
    );
  });

  test('a stage that does not exist is rejected', async () => {
    expect([400, 403, 422]).toContain((await pipeline([first, { $unheardOf: {} }])).status);
  });

  test.skipIf(!target.forbidden)('returns 403 for an asset that the identity may not access', async () => {
    expect((await pipeline([{ $match: { asset_id: target.forbidden!.assetId } }])).status).toBe(403);
  });
});

describe.skipIf(!time)('4.1 Aggregation pipeline', () => {
  test('returns 422 when stages is missing', async () => {
    expect((await client.data(dataset, 'aggregate/pipeline/', {}, { body: {} })).status).toBe(422);
    expect((await client.data(dataset, 'aggregate/pipeline/')).status).toBe(422);
  });

  test('returns 422 for stages that aren’t JSON, by GET', async () => {
    expect((await client.data(dataset, 'aggregate/pipeline/', { stages: '[{$match:{}}]' })).status).toBe(422);
  });

  test('returns 400 for a body that isn’t JSON', async () => {
    const reply = await client.data(
      dataset,
      'aggregate/pipeline/',
      {},
      { method: 'POST', rawBody: '{"stages":[' },
    );
    expect(reply.status).toBe(400);
  });
});
