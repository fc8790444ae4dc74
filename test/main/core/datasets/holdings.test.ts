import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDatasets } from '../../../../src/main/core/datasets/datasets.ts';
import type { DatasetType } from '../../../../src/shared/datasets/datasets.ts';
import type { Holding } from '../../../../src/shared/contract/catalogue.ts';
import { useServers, type RequestHandler } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';
import { askedOf } from './support.ts';

const servers = useServers();
const open = useServices();
const named = (names: string[], type: DatasetType | null = 'time') =>
  names.map((dataset) => ({ provider: 'p', dataset, type }));
const nameIn = ({ url }: Parameters<RequestHandler>[0]) => url.pathname.split('/')[5] ?? '';

async function holdingsOf(
  url: string,
  datasets: ReturnType<typeof named>,
  signal?: AbortSignal,
  most = Infinity,
  companies = [3],
): Promise<Holding[]> {
  const module = createDatasets({ services: () => open(url) });
  const input = { connection: 'c', assets: [1], companies, datasets };
  const holdings: Holding[] = [];
  for await (const one of await module.holdings(input, { signal })) {
    holdings.push(one);
    if (holdings.length >= most) break;
  }
  return holdings;
}

describe('datasets with data of some wells', () => {
  it('are detected with one request each for the newest record, without its content', async () => {
    const server = await servers.http((seen) => (nameIn(seen) === 'wits' ? [{ _id: 'a' }] : []));
    await expect(holdingsOf(server.url, named(['wits', 'empty']))).resolves.toEqual(
      expect.arrayContaining([
        { provider: 'p', dataset: 'wits', holds: 'some' },
        { provider: 'p', dataset: 'empty', holds: 'none' },
      ]),
    );
    expect(server.seen).toHaveLength(2);
    const [seen] = server.seen;
    expect(seen && askedOf(seen)).toEqual({ query: { asset_id: 1 }, sort: { timestamp: -1 }, limit: 1 });
    expect(seen?.url.searchParams.get('fields')).toBe('_id');
  });

  it('use whichever path to the well their records have', async () => {
    const server = await servers.http((seen) => {
      const { query } = askedOf(seen);
      if (nameIn(seen) === 'nobody')
        return 'asset_id' in query || 'company_id' in query ? [] : [{ _id: 'x' }];
      return 'asset_id' in query ? [] : [{ _id: 'a', company_id: 3 }];
    });
    const holdings = await holdingsOf(server.url, named(['company', 'nobody'], 'reference'));
    expect(holdings).toContainEqual({ provider: 'p', dataset: 'company', holds: 'some' });
    expect(holdings).toContainEqual({ provider: 'p', dataset: 'nobody', holds: 'none' });
  });

  it('are searched by each path if the service requires one in every query', async () => {
    const server = await servers.http((seen, response) => {
      const { query } = askedOf(seen);
      if (Object.keys(query).length === 0) return void response.writeHead(422).end();
      return nameIn(seen) in query ? [{ _id: 'a' }] : [];
    });
    const paths = ['asset_id', 'company_id', 'nothing'];
    const holdings = await holdingsOf(server.url, named(paths, 'timeseries'));
    expect(holdings.toSorted((a, b) => paths.indexOf(a.dataset) - paths.indexOf(b.dataset))).toEqual([
      { provider: 'p', dataset: 'asset_id', holds: 'some' },
      { provider: 'p', dataset: 'company_id', holds: 'some' },
      { provider: 'p', dataset: 'nothing', holds: 'none' },
    ]);
  });

  it('are none of a well without a company where records are of companies', async () => {
    const server = await servers.http((seen) =>
      'asset_id' in askedOf(seen).query ? [] : [{ _id: 'a', company_id: 3 }],
    );
    const holdings = await holdingsOf(server.url, named(['company'], 'reference'), undefined, Infinity, []);
    expect(holdings).toEqual([{ provider: 'p', dataset: 'company', holds: 'none' }]);
  });

  it('are unknown when they may not be read, without affecting others', async () => {
    const server = await servers.http((seen, response) =>
      nameIn(seen) === 'secret' ? void response.writeHead(403).end() : [{ _id: 'a' }],
    );
    const holdings = await holdingsOf(server.url, named(['a', 'secret', 'b']));
    expect(holdings.map(({ holds }) => holds).toSorted()).toEqual(['some', 'some', 'unknown']);
    expect(holdings.find(({ dataset }) => dataset === 'secret')?.problem).toMatchObject({
      code: 'forbidden',
    });
  });

  it('end with a rejected key, which affects all of them', async () => {
    const server = await servers.http((_seen, response) => void response.writeHead(401).end());
    await expect(holdingsOf(server.url, named(['a', 'b']))).rejects.toMatchObject({
      code: 'not_authenticated',
    });
  });

  it('are requested three at a time, until the caller disconnects', async () => {
    let running = 0;
    let peak = 0;
    const server = await servers.http(async () => {
      running += 1;
      peak = Math.max(peak, running);
      await wait(20);
      running -= 1;
      return [];
    });
    const names = Array.from({ length: 40 }, (_, at) => `d${at}`);
    await holdingsOf(server.url, named(names), undefined, 6);
    expect(peak).toBe(3);
    await wait(60);
    expect(server.seen.length).toBeLessThan(12);
    const stop = new AbortController();
    const holdings = holdingsOf(server.url, named(names), stop.signal);
    await wait(50);
    stop.abort();
    await expect(holdings).rejects.toMatchObject({ code: 'cancelled' });
    await wait(60);
    expect(server.seen.length).toBeLessThan(36);
  });
});
