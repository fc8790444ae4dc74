import { describe, expect, it } from 'vitest';
import { createQuery } from '../../../../src/main/features/query/query.ts';
import { connection } from '../../../../src/shared/connections/connections.ts';
import type { ReadRequest } from '../../../../src/shared/query/query.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';

const servers = useServers();
const open = useServices();
const target = { connection: 'c', provider: 'demo', dataset: 'wits' };
const facts = (url: string) =>
  connection.parse({
    id: 'c',
    name: 'Test bed',
    color: 'grey',
    dataUrl: url,
    platformUrl: url,
    method: 'api_key',
    secret: 'session',
    readOnly: false,
    sample: false,
  });
const find = { ...target, query: '{}', sort: '{}', limit: 10, skip: 0, fields: [], includeCount: false };

async function serving(body: string) {
  const server = await servers.http((_request, response) => void response.setHeader('total', '7').end(body));
  return {
    server,
    query: createQuery({ services: () => open(server.url), connection: () => facts(server.url) }),
  };
}

describe('a query', () => {
  it('is entered as relaxed JSON and sent as strict JSON', async () => {
    const { server, query } = await serving('[{"é":12345678901234567890}]');
    const page = await query.find(
      { ...find, query: "{ asset_id: {$in: [1, 2,]}, state: 'é' } // mine", sort: '{timestamp: -1}' },
      {},
    );
    expect(page).toMatchObject({ count: 1, total: 7 });
    expect(Buffer.from(page.records).toString()).toBe('[{"é":12345678901234567890}]');
    expect(page.records.buffer.byteLength, 'nothing else lies in its memory').toBe(29);
    expect(page.ms).toBeGreaterThanOrEqual(0);
    const { searchParams } = server.seen[0]?.url ?? new URL('http://none');
    expect(searchParams.get('query')).toBe('{"asset_id":{"$in":[1,2]},"state":"é"}');
    expect(searchParams.get('sort')).toBe('{"timestamp":-1}');
  });

  it('for all records is requested page by page, with `_id` as the last sort field', async () => {
    const { server, query } = await serving('[]');
    await query.page({ ...find, sort: '{ timestamp: -1 }', skip: 20_000 }, {});
    await query.page({ ...find, sort: '{ _id: -1 }' }, {});
    const [one, other] = server.seen.map(({ url }) => url.searchParams);
    expect([one?.get('sort'), one?.get('skip')]).toEqual(['{"timestamp":-1,"_id":1}', '20000']);
    expect(other?.get('sort')).toBe('{"_id":-1}');
  });

  it.each(['page', 'find'] as const)('gets no %s of another address than its first records', async (call) => {
    const { server, query } = await serving('[]');
    const { dataUrl } = await query[call](find, {});
    expect(dataUrl).toBe(server.url);
    await query[call]({ ...find, dataUrl, skip: 10 }, {});
    const before = { dataUrl: 'https://before.example' };
    for (const read of [
      query[call]({ ...find, ...before }, {}),
      // Of all records, for a plot.
      query.pipeline({ ...target, stages: '[]', ...before }, {}),
    ])
      await expect(read).rejects.toMatchObject({ code: 'invalid_input' });
    expect(server.seen).toHaveLength(2);
  });

  it('for all records ends at the maximum at the start, combined with the user’s own conditions', async () => {
    const { server, query } = await serving('[]');
    const upTo = { field: 'timestamp', value: 1_700_000_000_000 };
    await query.page({ ...find, query: '{ timestamp: { $gte: 5, $lt: 1800000000000 }, a: 1 }', upTo }, {});
    await query.page({ ...find, query: '{ timestamp: /x/ }', upTo }, {});
    const [one, other] = server.seen.map(({ url }) => JSON.parse(url.searchParams.get('query') ?? ''));
    expect(one).toEqual({ timestamp: { $gte: 5, $lt: 1_700_000_000_001 }, a: 1 });
    expect(other).toEqual({ timestamp: { $regex: 'x' } });
  });

  it('for all records keeps to a whole depth among fractional ones', async () => {
    const { server, query } = await serving('[]');
    const upTo = { field: 'measured_depth', value: 5000 };
    await query.page({ ...find, query: '{ measured_depth: { $lte: 5000 } }', upTo }, {});
    const { measured_depth: bounds } = JSON.parse(server.seen[0]?.url.searchParams.get('query') ?? '');
    expect(bounds.$lt).toBeGreaterThan(5000);
    expect(bounds.$lt).toBeLessThan(5000.000_001);
  });

  it('that is empty requests all records', async () => {
    const { server, query } = await serving('[]');
    await query.find({ ...find, query: '  ', sort: '' }, {});
    expect(server.seen[0]?.url.searchParams.get('query')).toBe('{}');
  });

  it('may be a count', async () => {
    const { server, query } = await serving('{"count":3}');
    await expect(query.count({ ...target, query: '{a: 1}' }, {})).resolves.toMatchObject({ count: 3 });
    expect(server.seen[0]?.url.searchParams.get('query')).toBe('{"a":1}');
  });

  it('may be an aggregate or a pipeline', async () => {
    const { server, query } = await serving('[{}]');
    const aggregate = {
      ...target,
      match: '{a: 1}',
      sort: '{}',
      limit: 5,
      skip: 0,
      group: "{_id: '$a'}",
      project: ' ',
    };
    await expect(query.aggregate(aggregate, {})).resolves.toMatchObject({ count: 1 });
    expect(server.seen[0]?.url.searchParams.get('group')).toBe('{"_id":"$a"}');
    expect(server.seen[0]?.url.searchParams.has('project')).toBe(false);
    await expect(query.pipeline({ ...target, stages: '[{$match: {}},]' }, {})).resolves.toMatchObject({
      count: 1,
    });
    expect(server.seen[1]?.body).toBe('{"stages":[{"$match":{}}]}');
  });

  it.each([
    ['find', { ...find, query: '{ a: 1,\n b: }' }, 'query', 2],
    ['find', { ...find, sort: '[1]' }, 'sort', undefined],
    ['find', { ...find, sort: '{a: 0}' }, 'sort', undefined],
    ['count', { ...target, query: '{' }, 'query', 1],
    ['pipeline', { ...target, stages: '{}' }, 'stages', undefined],
    ['pipeline', { ...target, stages: '' }, 'stages', undefined],
    ['pipeline', { ...target, stages: '[{$match: {}}, {$merge: {into: "x"}}]' }, 'stages', undefined],
  ] as const)(
    'that is invalid is rejected before it is sent, with its position: %s %j',
    async (name, input, field, line) => {
      const { server, query } = await serving('[]');
      const run: Promise<unknown> =
        name === 'find'
          ? query.find(input, {})
          : name === 'count'
            ? query.count(input, {})
            : query.pipeline(input, {});
      const place = line === undefined ? { field } : { field, line };
      await expect(run).rejects.toMatchObject({ code: 'invalid_input', details: { issues: [{ place }] } });
      expect(server.seen).toEqual([]);
    },
  );

  const aggregate = { ...target, match: '{}', sort: '{}', limit: 1, skip: 0 };
  it.each<[string, ReadRequest, object]>([
    ['syntax', { kind: 'find', request: { ...find, query: '{ a: 1 2 }' } }, { field: 'query', column: 8 }],
    ['a direction', { kind: 'find', request: { ...find, sort: '{ a: 2 }' } }, { field: 'sort', column: 6 }],
    ['$where', { kind: 'find', request: { ...find, query: '{ $where: "1" }' } }, { field: 'query' }],
    [
      '$where',
      { kind: 'count', request: { ...target, query: '{ a: { $where: "1" } }' } },
      { field: 'query' },
    ],
    ['a limit', { kind: 'find', request: { ...find, limit: 10_001 } }, { field: 'limit' }],
    ['a skip', { kind: 'find', request: { ...find, skip: -1 } }, { field: 'skip' }],
    ['a limit', { kind: 'aggregate', request: { ...aggregate, limit: 0 } }, { field: 'limit' }],
    ['a direction', { kind: 'aggregate', request: { ...aggregate, sort: '{ a: "up" }' } }, { field: 'sort' }],
    [
      '$where',
      { kind: 'aggregate', request: { ...aggregate, match: '{ $where: "1" }' } },
      { field: 'match' },
    ],
    ['syntax', { kind: 'aggregate', request: { ...aggregate, group: '{ _id: }' } }, { field: 'group' }],
    ['syntax', { kind: 'aggregate', request: { ...aggregate, project: '[1]' } }, { field: 'project' }],
    ...[
      '[]',
      '[{}]',
      '[5]',
      '{}',
      '[{ $out: "x" }]',
      '[{ $merge: { into: "x" } }]',
      '[{ $gruop: {} }]',
      '[{ $match: {}, $limit: 1 }]',
      '[{ $limit: 0 }]',
      '[{ $skip: -1 }]',
      '[{ $sort: { a: 0 } }]',
      '[{ $match: { $where: "1" } }]',
      '[{ $match: { $or: [{ $where: "1" }] } }]',
      '[{ $facet: { a: [{ $out: "x" }] } }]',
    ].map((stages): [string, ReadRequest, object] => [
      stages,
      { kind: 'pipeline', request: { ...target, stages } },
      { field: 'stages', line: 1 },
    ]),
  ])('with an error in it is not sent: %s %j', async (_what, description, place) => {
    const { server, query } = await serving('[]');
    const asking: Record<ReadRequest['kind'], () => Promise<unknown>> = {
      find: () => (description.kind === 'find' ? query.find(description.request, {}) : Promise.resolve()),
      count: () => (description.kind === 'count' ? query.count(description.request, {}) : Promise.resolve()),
      aggregate: () =>
        description.kind === 'aggregate' ? query.aggregate(description.request, {}) : Promise.resolve(),
      pipeline: () =>
        description.kind === 'pipeline' ? query.pipeline(description.request, {}) : Promise.resolve(),
    };
    const refused = { code: 'invalid_input', details: { issues: [{ place }] } };
    await expect(asking[description.kind]()).rejects.toMatchObject(refused);
    await expect(query.describe(description, {})).rejects.toMatchObject(refused);
    expect(server.seen).toEqual([]);
  });

  it.each<[string, ReadRequest]>([
    ['find', { kind: 'find', request: { ...find, query: '{a: 1}', fields: ['a', 'b'], skip: 3 } }],
    ['a long find', { kind: 'find', request: { ...find, query: `{a: {$in: [${'1234567,'.repeat(999)}]}}` } }],
    ['count', { kind: 'count', request: { ...target, query: '{a: /b/i}' } }],
    [
      'aggregate',
      {
        kind: 'aggregate',
        request: { ...target, match: '{}', sort: '{}', limit: 1, skip: 0, group: '{_id: 1}' },
      },
    ],
    ['pipeline', { kind: 'pipeline', request: { ...target, stages: "[{$match: {a: 'é'}}]" } }],
  ])('is shown as it is sent, without credentials: %s', async (_name, description) => {
    const { server, query } = await serving(description.kind === 'count' ? '{"count":1}' : '[]');
    const described = await query.describe(description, {});
    expect(server.seen).toEqual([]);
    if (description.kind === 'find') await query.find(description.request, {});
    else if (description.kind === 'count') await query.count(description.request, {});
    else if (description.kind === 'aggregate') await query.aggregate(description.request, {});
    else await query.pipeline(description.request, {});
    const [seen] = server.seen;
    const url = new URL(described.url);
    expect({ ...described, url: url.pathname + url.search }).toMatchObject({
      method: seen?.method,
      url: `${seen?.url.pathname}${seen?.url.search}`,
      body: seen?.body === '' ? null : seen?.body,
    });
    expect(seen?.headers).toMatchObject(described.headers);
    expect(JSON.stringify(described)).not.toContain('the-test-key');
  });

  it('is rejected in its preview for the same reason as when it runs', async () => {
    const { query } = await serving('[]');
    const description = { kind: 'pipeline', request: { ...target, stages: '[{$out: "x"}]' } } as const;
    await expect(query.describe(description, {})).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('can be canceled, and has its own timeout', async () => {
    const server = await servers.http(() => undefined);
    const query = createQuery({ services: () => open(server.url), connection: () => facts(server.url) });
    const cancel = new AbortController();
    const running = query.find(find, { signal: cancel.signal });
    cancel.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    const slow = query.count({ ...target, query: '{}', timeoutMs: 1000 }, {});
    await expect(slow).rejects.toMatchObject({ code: 'timed_out', details: { afterMs: 1000 } });
  });
});
