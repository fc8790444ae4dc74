import { describe, expect, it } from 'vitest';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

const servers = useServers();
const open = useServices();
const wits = { provider: 'demo', dataset: 'wits' };
const find = { query: {}, sort: {}, limit: 10 };

describe('find', () => {
  it('goes by query string: strict JSON, an explicit sort, and a trailing slash', async () => {
    const server = await servers.http((_request, response) => {
      response.setHeader('Total', '4711');
      response.end('[{"_id":"a","n":12345678901234567890},{"_id":"b"}]');
    });
    const { data } = open(server.url);
    const answer = await data.find(wits, {
      query: { asset_id: { $in: [1, 12345678901234567890n] } },
      sort: { timestamp: -1, _id: 1 },
      limit: 10_000,
      skip: 5,
      fields: ['_id', 'data.rop'],
      includeCount: true,
    });
    const text = '[{"_id":"a","n":12345678901234567890},{"_id":"b"}]';
    expect(answer).toMatchObject({ text, count: 2, total: 4711 });
    expect(Buffer.from(answer.bytes).toString()).toBe(text);
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: 'GET', headers: { authorization: 'API the-test-key' } });
    expect(seen?.url.pathname).toBe('/api/v1/data/demo/wits/');
    expect(Object.fromEntries(seen?.url.searchParams ?? [])).toEqual({
      query: '{"asset_id":{"$in":[1,12345678901234567890]}}',
      sort: '{"timestamp":-1,"_id":1}',
      limit: '10000',
      skip: '5',
      fields: '_id,data.rop',
      include_count: 'true',
    });
  });

  it('omits options that are not set', async () => {
    const server = await servers.http(() => []);
    const { data } = open(server.url);
    await expect(data.find(wits, find)).resolves.toMatchObject({ text: '[]', count: 0, total: null });
    expect([...(server.seen[0]?.url.searchParams.keys() ?? [])]).toEqual(['query', 'sort', 'limit']);
  });

  it('goes by body when the address would be too long, and is retried as a read', async () => {
    let tries = 0;
    const server = await servers.http((_request, response) => {
      tries += 1;
      if (tries === 1) response.statusCode = 503;
      return [];
    });
    const ids = Array.from({ length: 1000 }, (_, n) => 100_000 + n);
    const query = { asset_id: { $in: ids } };
    await open(server.url).data.find(wits, {
      query,
      sort: { _id: 1 },
      limit: 7,
      fields: ['a'],
      includeCount: true,
    });
    expect(server.seen).toHaveLength(2);
    expect(server.seen[1]).toMatchObject({
      method: 'POST',
      url: { pathname: '/api/v1/data/demo/wits/list/' },
    });
    expect(JSON.parse(server.seen[1]?.body ?? '')).toEqual({
      query,
      sort: { _id: 1 },
      limit: 7,
      fields: 'a',
      include_count: true,
    });
  });

  it('rejects a response with bytes that aren’t UTF-8, with the first of them and its place', async () => {
    const server = await servers.http((_request, response) => {
      response.end(Buffer.from('[{"a":"caf\xe9"}]', 'latin1'));
    });
    await expect(open(server.url).data.find(wits, find)).rejects.toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining('byte 11, E9 (hexadecimal), isn’t valid UTF-8'),
    });
    expect(server.seen).toHaveLength(1);
  });

  it('encodes each segment of the path, and rejects path traversal', async () => {
    const server = await servers.http(() => []);
    const { data } = open(server.url);
    await data.find({ provider: 'a/b', dataset: 'c d#é?' }, find);
    expect(server.seen[0]?.url.pathname).toBe('/api/v1/data/a%2Fb/c%20d%23%C3%A9%3F/');
    for (const dataset of ['..', '.', '']) {
      await expect(data.find({ provider: 'p', dataset }, find)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['{"message":"fine"}', 'it is not a list of records'],
    ['[{"a":NaN}]', 'it is not JSON'],
    ['<html></html>', 'it is a web page instead of JSON'],
  ])('reports a response that isn’t a list of records: %s', async (body, problem) => {
    const server = await servers.http((_request, response) => void response.end(body));
    await expect(open(server.url).data.find(wits, find)).rejects.toMatchObject({
      code: 'bad_answer',
      details: { problem },
    });
    expect(server.seen).toHaveLength(1);
  });

  it('names the dataset that is forbidden or unknown', async () => {
    const server = await servers.http((_request, response) => {
      response.statusCode = 404;
      return { code: 404, message: 'not found' };
    });
    await expect(open(server.url).data.find(wits, find)).rejects.toThrow(/the dataset demo\/wits/);
  });
});

describe('count', () => {
  it.each([
    ['{"count":12}', 12],
    ['{"count":"12"}', 12],
    ['{"count":0,"more":1}', 0],
  ])('%s', async (body, count) => {
    const server = await servers.http((_request, response) => void response.end(body));
    await expect(open(server.url).data.count(wits, { a: 1 })).resolves.toBe(count);
    expect(server.seen[0]?.url.pathname).toBe('/api/v1/data/demo/wits/count/');
    expect(server.seen[0]?.url.searchParams.get('query')).toBe('{"a":1}');
  });

  it.each(['{}', '{"count":-1}', '{"count":1.5}', '[]', 'null'])('can’t be read from %s', async (body) => {
    const server = await servers.http((_request, response) => void response.end(body));
    await expect(open(server.url).data.count(wits, {})).rejects.toMatchObject({ code: 'bad_answer' });
  });
});

describe('aggregate and pipeline', () => {
  it('aggregate sends every expression as strict JSON', async () => {
    const server = await servers.http(() => [{ _id: 1 }]);
    const group = { _id: '$asset_id', deepest: { $max: '$measured_depth' } };
    const aggregate = { match: { a: 1 }, sort: { a: 1 }, limit: 5, skip: 2, group, project: { deepest: 1 } };
    const answer = await open(server.url).data.aggregate(wits, aggregate);
    expect(answer).toMatchObject({ count: 1, total: null });
    expect(server.seen[0]?.url.pathname).toBe('/api/v1/data/demo/wits/aggregate/');
    expect(Object.fromEntries(server.seen[0]?.url.searchParams ?? [])).toEqual({
      match: '{"a":1}',
      sort: '{"a":1}',
      limit: '5',
      skip: '2',
      group: JSON.stringify(group),
      project: '{"deepest":1}',
    });
  });

  it('a pipeline goes by body, and is retried as a read', async () => {
    let tries = 0;
    const server = await servers.http((_request, _response, socket) => {
      tries += 1;
      if (tries > 1) return [];
      socket.destroy();
      return undefined;
    });
    await open(server.url).data.pipeline(wits, [{ $match: {} }, { $limit: 1 }]);
    expect(server.seen).toHaveLength(2);
    expect(server.seen[1]).toMatchObject({
      method: 'POST',
      url: { pathname: '/api/v1/data/demo/wits/aggregate/pipeline/' },
      body: '{"stages":[{"$match":{}},{"$limit":1}]}',
    });
  });

  it.each([[[{ $match: {} }, { $out: 'x' }]], [[{ $merge: {} }]]])(
    'a pipeline that writes is rejected before it is sent: %j',
    async (stages) => {
      const server = await servers.http(() => []);
      await expect(open(server.url).data.pipeline(wits, stages)).rejects.toMatchObject({
        code: 'invalid_input',
      });
      expect(server.seen).toEqual([]);
    },
  );
});

describe('find, unparsed', () => {
  const bodies = (...all: string[]) =>
    servers.http((_request, response) => void response.end(all.shift() ?? '[]'));
  const read = async (url: string) => Buffer.from(await open(url).data.findUnchecked(wits, find)).toString();

  it('returns the bytes as received', async () => {
    const { url } = await bodies('\n[ {"a": 1.0} ]\n');
    expect(await read(url)).toBe('\n[ {"a": 1.0} ]\n');
  });

  it('is requested again when it was truncated', async () => {
    const { url, seen } = await bodies('[{"a":1},{"a"', '[{"a":1},{"a":2}]');
    expect(await read(url)).toBe('[{"a":1},{"a":2}]');
    expect(seen).toHaveLength(2);
  });

  it('doesn’t detect errors in the middle, which the reader does', async () => {
    const { url } = await bodies('[{"a":]');
    expect(await read(url)).toBe('[{"a":]');
  });

  it('is rejected when it isn’t an array', async () => {
    const { url } = await bodies('{"code":7}');
    await expect(read(url)).rejects.toMatchObject({ code: 'bad_answer' });
  });
});

describe('behind a proxy that rejects long addresses', () => {
  const query = { asset_id: { $in: Array.from({ length: 300 }, (_, n) => 100_000 + n) } };
  const refusing = (status: number, most: number) =>
    servers.http((seen, response) => {
      if (seen.url.href.length > most) return void response.writeHead(status).end('<title>too long</title>');
      if (seen.url.pathname.endsWith('/count/')) return { count: 7 };
      if (seen.body.includes('include_count')) response.setHeader('Total', '7');
      return [];
    });

  it('every read of many wells goes by body, and none gets a 414', async () => {
    const server = await refusing(414, 2000);
    const { data } = open(server.url);
    await expect(data.count(wits, query)).resolves.toBe(7);
    await data.find(wits, { ...find, query });
    await data.findUnchecked(wits, { ...find, query });
    await data.aggregate(wits, {
      match: query,
      sort: {},
      limit: 10,
      skip: 2,
      group: { _id: '$asset_id' },
    });
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST']);
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({ query, limit: 1, include_count: true });
    expect(JSON.parse(server.seen[3]?.body ?? '')).toEqual({
      stages: [{ $match: query }, { $skip: 2 }, { $limit: 10 }, { $group: { _id: '$asset_id' } }],
    });
  });

  it.each([413, 414, 431])('an address that is rejected anyway (%i) is sent by body', async (status) => {
    const server = await refusing(status, 60);
    const { data } = open(server.url);
    await expect(data.count(wits, { asset_id: 1 })).resolves.toBe(7);
    await expect(data.find(wits, find)).resolves.toMatchObject({ count: 0 });
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST']);
  });

  it('a count without a total by body is requested by its long address', async () => {
    const server = await servers.http((seen) => (seen.method === 'POST' ? [] : { count: 7 }));
    await expect(open(server.url).data.count(wits, query)).resolves.toBe(7);
  });

  it('a list of many wells is requested in parts', async () => {
    const server = await servers.http((seen, response) => {
      if (seen.url.href.length > 2000) return void response.writeHead(414).end();
      const ids = seen.url.searchParams.getAll('asset_id[]');
      if (ids.length > 40) return void response.writeHead(431).end();
      return { data: ids.map((id) => ({ type: 'well', id, attributes: { asset_id: Number(id) } })) };
    });
    const ids = Array.from({ length: 300 }, (_, n) => 100_000 + n);
    const wells = await open(server.url).platform.list('wells', { asset_id: ids, per_page: 40 });
    expect(wells.map(({ id }) => id)).toEqual(ids);
  });
});
