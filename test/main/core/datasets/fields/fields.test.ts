import { describe, expect, it } from 'vitest';
import { createDatasets } from '../../../../../src/main/core/datasets/datasets.ts';
import { readFields } from '../../../../../src/main/core/datasets/fields/fields.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import { startDemo } from '../../../../../src/demo/index.ts';
import { stringifyJson } from '../../../../../src/shared/json.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import { oneDataset, readsOf, type Asked } from '../support.ts';

const servers = useServers();
const open = useServices();
const address = { connection: 'c', provider: 'p', dataset: 'd' };
const ask = (url: string, assets: number[] = [], companies: number[] = []) =>
  createDatasets({ services: () => open(url) }).fields({ ...address, assets, companies }, {});
const definition = (type: string, more: object = {}) => ({ name: 'p#d', data_type: type, ...more });
const isOf = ({ query }: Asked, path: string) => stringifyJson(query).includes(`"${path}"`);

it('records of a failing service are asked for three times, not ten: they are a sample', async () => {
  const server = await servers.http(
    oneDataset(definition('time'), (_input, _seen, response) => void response.writeHead(503).end()),
  );
  await expect(ask(server.url, [1])).resolves.toMatchObject({ sampled: 0, problem: {} });
  const newest = readsOf(server.seen).filter(({ sort }) => sort['timestamp'] === -1);
  expect(newest).toHaveLength(3);
});

describe('the sample of records for the fields', () => {
  it('has the newest and oldest records of the wells, and of the first wells one by one', async () => {
    const server = await servers.http(
      oneDataset(definition('time'), ({ query, sort }) => [
        { _id: stringifyJson([query, sort]), timestamp: 1, data: { a: 1 } },
      ]),
    );
    const found = await ask(server.url, [1, 2, 3, 4, 5]);
    expect(found).toMatchObject({ sampled: 6, of: 'wells', scope: 'asset_id', more: false });
    expect(readsOf(server.seen)).toEqual(
      expect.arrayContaining([
        { query: { asset_id: { $in: [1, 2, 3, 4, 5] } }, sort: { timestamp: -1 }, limit: 60 },
        { query: { asset_id: { $in: [1, 2, 3, 4, 5] } }, sort: { timestamp: 1 }, limit: 40 },
        { query: { asset_id: { $in: [1, 2, 3, 4, 5] } }, sort: { _id: -1 }, limit: 20 },
        { query: { asset_id: 1 }, sort: { timestamp: -1 }, limit: 20 },
        { query: { asset_id: 2 }, sort: { timestamp: -1 }, limit: 20 },
        { query: { asset_id: 5 }, sort: { timestamp: -1 }, limit: 20 },
      ]),
    );
    expect(readsOf(server.seen)).toHaveLength(6);
  });

  it('has any records when the wells have none, with a note', async () => {
    const server = await servers.http(
      oneDataset(definition('depth'), (input) =>
        isOf(input, 'asset_id') ? [] : [{ _id: 'a', measured_depth: 7 }],
      ),
    );
    const found = await ask(server.url, [1]);
    expect(found).toMatchObject({ sampled: 1, of: 'any', scope: 'asset_id' });
    expect(found.fields.find(({ path }) => path === 'measured_depth')).toMatchObject({ example: '7' });
  });

  it('counts a record once that is both among the newest and the oldest', async () => {
    const server = await servers.http(oneDataset(definition('time'), () => [{ _id: 'a' }, { _id: 'b' }]));
    await expect(ask(server.url)).resolves.toMatchObject({ sampled: 2, of: 'any' });
  });

  it('includes places between the ends, when records exist there', async () => {
    const server = await servers.http(
      oneDataset(definition('time'), ({ query, sort, limit }) => {
        if (query['timestamp'] !== undefined) return [{ _id: 'between', data: { rop: 120 } }];
        const from = sort['timestamp'] === 1 ? 1000 : 9000;
        return Array.from({ length: limit }, (_, at) => ({
          _id: `${from + at}`,
          timestamp: from + at,
          data: { rop: 0 },
        }));
      }),
    );
    const { fields, sampled } = await ask(server.url, [1]);
    expect(sampled).toBe(101);
    for (const $gte of [3014, 5029, 7044])
      expect(readsOf(server.seen)).toContainEqual({
        query: { asset_id: 1, timestamp: { $gte } },
        sort: { timestamp: 1 },
        limit: 20,
      });
    // A zero is less informative than any other number.
    expect(fields.find(({ path }) => path === 'data.rop')).toMatchObject({ example: '120' });
  });

  it('has the fields of a recent upload, and of other wells, wherever their records are', async () => {
    const server = await servers.http(
      oneDataset(definition('depth'), ({ query, sort, limit }) => {
        const record = (id: number, asset_id: number, data: object) => ({
          _id: `${id}`,
          asset_id,
          measured_depth: id,
          data,
        });
        if ('_id' in sort) return [record(5, 7, { cali: 8.5 })];
        if (query['asset_id'] === 7) return [record(6, 7, { den: 2.5 })];
        return Array.from({ length: limit }, (_, at) => record(at * 10, 1, { gr: 70 }));
      }),
    );
    const { fields } = await ask(server.url);
    expect(fields.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['data.gr', 'data.cali', 'data.den']),
    );
    expect(readsOf(server.seen).length).toBeLessThanOrEqual(10);
  });

  it('has another order when the service doesn’t sort by the index field', async () => {
    const server = await servers.http(
      oneDataset(definition('time'), ({ sort }, _seen, response) => {
        if (!Object.keys(sort).includes('timestamp')) return [{ _id: 'a' }];
        return void response.writeHead(412).end('{"message":"No matching index found"}');
      }),
    );
    await expect(ask(server.url, [1])).resolves.toMatchObject({ sampled: 1, of: 'wells' });
  });

  it('may be forbidden: fields of the type and the definition remain, with the reason', async () => {
    const server = await servers.http(
      oneDataset(definition('time', { schema: { default_units: { rop: 'ft/h' } } }), (...all) => {
        all[2].writeHead(403).end();
      }),
    );
    const found = await ask(server.url, [1]);
    expect(found).toMatchObject({ sampled: 0, of: 'none', problem: { code: 'forbidden' } });
    expect(found.fields.map(({ path }) => path)).toEqual(expect.arrayContaining(['timestamp', 'data.rop']));
  });

  it('has the units of the definition while the listing with its type is throttled', async () => {
    const { data } = open(
      (await servers.http(oneDataset({ name: 'p#d', schema: { default_units: { rop: 'ft/h' } } }, () => [])))
        .url,
    );
    const companyDatasets = () => Promise.reject(new AppError('too_many_requests', { service: 'data' }));
    const throttled = Object.assign(Object.create(data), { companyDatasets });
    const { fields, problem } = await readFields(throttled, { provider: 'p', dataset: 'd' }, undefined);
    expect(problem?.code).toBe('too_many_requests');
    expect(fields.find(({ path }) => path === 'data.rop')).toMatchObject({ unit: 'ft/h' });
  });

  it('exists even if the definition is forbidden; both forbidden is an error', async () => {
    let records = [{ _id: 'a', data: { x: 1 } }];
    const server = await servers.http(({ url }, response) => {
      if (url.pathname.startsWith('/api/v1/data/') && records.length > 0) return records;
      return void response.writeHead(403).end();
    });
    const found = await ask(server.url, [1]);
    expect(found).toMatchObject({ sampled: 1, problem: { code: 'forbidden' } });
    expect(found.fields.find(({ path }) => path === 'data.x')).toBeDefined();
    records = [];
    await expect(ask(server.url, [1])).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('ends with a rejected key, and with a cancel', async () => {
    const server = await servers.http(
      oneDataset(definition('time'), (...all) => void all[2].writeHead(401).end()),
    );
    await expect(ask(server.url, [1])).rejects.toMatchObject({ code: 'not_authenticated' });
    const datasets = createDatasets({ services: () => open(server.url) });
    const input = { ...address, assets: [], companies: [] };
    await expect(datasets.fields(input, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

describe('how a dataset refers to wells', () => {
  const serving = (type: string, record: object | null, matches: string | null) =>
    servers.http(
      oneDataset(definition(type), (input) => {
        const scoped = Object.keys(input.query).length > 0;
        return record && (!scoped || (matches !== null && isOf(input, matches))) ? [record] : [];
      }),
    );

  it.each([
    ['reference', { _id: 'a', asset_id: 9, company_id: 3 }, null, 'asset_id', 'any'],
    ['reference', { _id: 'a', asset_id: 1, company_id: 3 }, 'asset_id', 'asset_id', 'wells'],
    ['reference', { _id: 'a', company_id: 3 }, 'company_id', 'company_id', 'wells'],
    ['reference', { _id: 'a' }, null, null, 'any'],
    [
      'timeseries',
      { _id: 'a', metadata: { asset_id: 1 } },
      'metadata.asset_id',
      'metadata.asset_id',
      'wells',
    ],
    [
      'timeseries',
      { _id: 'a', metadata: { company_id: 3 } },
      'metadata.company_id',
      'metadata.company_id',
      'wells',
    ],
    ['timeseries', { _id: 'a', asset_id: 1 }, 'asset_id', 'asset_id', 'wells'],
    [
      'an unknown type',
      { _id: 'a', metadata: { asset_id: 1 } },
      'metadata.asset_id',
      'metadata.asset_id',
      'wells',
    ],
  ])('is detected for %s from a record such as %j', async (type, record, matches, scope, of) => {
    const server = await serving(type, record, matches);
    await expect(ask(server.url, [1], [3])).resolves.toMatchObject({ scope, of, sampled: 1 });
  });

  it('is the most likely way when there are no records, or the service requires a well in each query', async () => {
    const empty = await serving('reference', null, null);
    await expect(ask(empty.url, [1], [3])).resolves.toMatchObject({ scope: 'asset_id', of: 'none' });
    const strict = await servers.http(
      oneDataset(definition('reference'), ({ query }, _seen, response) => {
        if (Object.keys(query).length > 0) return [];
        return void response.writeHead(400).end('{"message":"give asset_id or company_id"}');
      }),
    );
    await expect(ask(strict.url, [1], [3])).resolves.toMatchObject({ scope: 'asset_id', of: 'none' });
  });
});

it('the sample workspace has channels with units, and ids beyond 2^53', async () => {
  const demo = await startDemo({ records: 20_000, wells: 5 });
  try {
    const { dataUrl, platformUrl, apiKeys } = demo;
    const credential = { method: 'api_key', apiKey: apiKeys.read } as const;
    const { fields } = createDatasets({ services: () => open(dataUrl, { platformUrl, credential }) });
    const found = await fields(
      { connection: 'c', provider: 'demo', dataset: 'wits', assets: [5001, 5002], companies: [] },
      {},
    );
    const load = found.fields.find(({ path }) => path === 'data.hook_load');
    expect(load).toMatchObject({ types: ['number'], unit: 'klbf', absent: 0 });
    const serial = await fields(
      { connection: 'c', provider: 'demo', dataset: 'data.formations', assets: [5001], companies: [] },
      {},
    );
    expect(serial.fields.find(({ path }) => path === 'data.sample_id')?.example).toMatch(/^9007199259\d+$/);
  } finally {
    await demo.close();
  }
});
