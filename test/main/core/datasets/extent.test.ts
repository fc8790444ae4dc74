import { describe, expect, it } from 'vitest';
import { createDatasets } from '../../../../src/main/core/datasets/datasets.ts';
import { startDemo } from '../../../../src/demo/index.ts';
import type { DatasetType } from '../../../../src/shared/datasets/datasets.ts';
import { isObject, parseJson, type JsonObject } from '../../../../src/shared/json.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { askedOf } from './support.ts';

const servers = useServers();
const open = useServices();

const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** A service whose records have these values in a field, in ascending order; null: none. */
const serving = (
  field: string,
  values: (number | string | null)[],
  refuse: (path: string) => number | null,
) =>
  servers.http((seen, response) => {
    const status = refuse(seen.url.pathname);
    if (status !== null) return void response.writeHead(status).end();
    const { query, sort } = askedOf(seen);
    const bound = query[field];
    const least = isObject(bound) ? bound['$gte'] : undefined;
    // Like a database: a bound matches only values of its own type.
    const match = values.filter(
      (value) =>
        least === undefined ||
        (value !== null && typeof value === typeof least && least !== null && value >= least),
    );
    if (seen.url.pathname.endsWith('/count/')) return { count: match.length };
    const found = sort[field] === -1 ? match.at(-1) : match[0];
    return found === undefined ? [] : [{ _id: 'a', ...(found === null ? {} : { [field]: found }) }];
  });
const extent = (url: string, type: DatasetType | null, assets: number[] = [1]) =>
  createDatasets({ services: () => open(url) }).extent(
    { connection: 'c', provider: 'p', dataset: 'd', assets, companies: [], type },
    {},
  );
const noRefusals = () => null;

it('a failing service is asked three times, not ten: a person waits for the rest', async () => {
  const server = await servers.http((_seen, response) => void response.writeHead(503).end());
  await expect(extent(server.url, 'time')).resolves.toMatchObject({ count: null, problem: {} });
  const counts = server.seen.filter(({ url }) => url.pathname.endsWith('/count/'));
  expect(counts).toHaveLength(3);
});

describe('the range of the records of some wells', () => {
  it.each([
    ['time', 'timestamp', [5, 6, 7], '5', '7'],
    ['depth', 'measured_depth', [1.5, 9000], '1.5', '9000'],
    [
      'timeseries',
      'datetime',
      ['2026-01-01T00:00:00Z', '2026-02-01'],
      '"2026-01-01T00:00:00Z"',
      '"2026-02-01"',
    ],
  ] as const)('in %s has the minimum and the maximum %s', async (type, field, values, first, last) => {
    const server = await serving(field, [...values], noRefusals);
    await expect(extent(server.url, type)).resolves.toMatchObject({
      count: values.length,
      field,
      first,
      last,
      unplaced: false,
      of: 'wells',
    });
  });

  it('excludes records without a value, and reports that they exist', async () => {
    const server = await serving('timestamp', [null, null, 6, 7], noRefusals);
    await expect(extent(server.url, 'time')).resolves.toMatchObject({
      count: 4,
      first: '6',
      last: '7',
      unplaced: true,
    });
    const none = await serving('timestamp', [null], noRefusals);
    await expect(extent(none.url, 'time')).resolves.toMatchObject({
      first: null,
      last: null,
      unplaced: true,
    });
  });

  it('has no minimum for dates that no text bound matches, but a maximum', async () => {
    const server = await servers.http((seen) => {
      const { query, sort } = askedOf(seen);
      if (seen.url.pathname.endsWith('/count/')) return { count: 2 };
      if (query['datetime'] !== undefined) return [];
      return sort['datetime'] === -1 ? [{ datetime: '2026-02-01T00:00:00Z' }] : [{ _id: 'a' }];
    });
    await expect(extent(server.url, 'timeseries')).resolves.toMatchObject({
      first: null,
      last: '"2026-02-01T00:00:00Z"',
      unplaced: true,
    });
  });

  it('is empty without records, and covers all records when no well is selected', async () => {
    const empty = await serving('timestamp', [], noRefusals);
    await expect(extent(empty.url, 'time')).resolves.toMatchObject({
      count: 0,
      first: null,
      last: null,
      unplaced: false,
    });
    const server = await serving('timestamp', [1], noRefusals);
    await expect(extent(server.url, 'time', [])).resolves.toMatchObject({ of: 'all', count: 1 });
  });

  it('is empty for wells without a company if records are of companies', async () => {
    const server = await servers.http((seen) => {
      if (seen.url.pathname.endsWith('/count/')) return { count: 1 };
      return 'asset_id' in askedOf(seen).query ? [] : [{ _id: 'a', company_id: 3 }];
    });
    await expect(extent(server.url, 'reference')).resolves.toMatchObject({
      scope: 'company_id',
      of: 'wells',
      count: 0,
    });
  });

  it('is partial if counting or reading is rejected', async () => {
    const uncounted = await serving('timestamp', [1, 2], (path) => (path.endsWith('/count/') ? 422 : null));
    await expect(extent(uncounted.url, 'time')).resolves.toMatchObject({
      count: null,
      first: '1',
      last: '2',
      problem: { code: 'refused' },
    });
    const unread = await serving('timestamp', [1, 2], (path) => (path.endsWith('/count/') ? null : 403));
    await expect(extent(unread.url, 'time')).resolves.toMatchObject({
      count: 2,
      first: null,
      problem: { code: 'forbidden' },
    });
  });

  it('counts many wells with a request that is short enough for strict proxies', async () => {
    const server = await servers.http((seen, response) => {
      if (seen.method === 'POST') response.setHeader('Total', '30');
      return [];
    });
    await expect(extent(server.url, 'time', many(1000))).resolves.toMatchObject({ count: 30 });
    expect(server.seen.every(({ url }) => url.href.length <= 2000)).toBe(true);
  });
});

it('the sample workspace matches its records', async () => {
  const demo = await startDemo({ records: 20_000, wells: 5 });
  try {
    const { dataUrl, platformUrl, apiKeys } = demo;
    const services = open(dataUrl, { platformUrl, credential: { method: 'api_key', apiKey: apiKeys.read } });
    const datasets = createDatasets({ services: () => services });
    for (const [dataset, field] of [
      ['wits', 'timestamp'],
      ['drilling.wits.depth', 'measured_depth'],
      ['sensors.pad', 'datetime'],
    ] as const) {
      const address = { provider: 'demo', dataset };
      const query = { [dataset === 'sensors.pad' ? 'metadata.asset_id' : 'asset_id']: 5001 };
      const found = await datasets.extent({ connection: 'c', ...address, assets: [5001], companies: [] }, {});
      const { text } = await services.data.find(address, { query, sort: { [field]: 1 }, limit: 10_000 });
      const values = (parseJson(text) as JsonObject[]).map((record) => JSON.stringify(record[field]));
      expect(found).toMatchObject({
        field,
        first: values[0] ?? null,
        count: await services.data.count(address, query),
      });
    }
  } finally {
    await demo.close();
  }
});
