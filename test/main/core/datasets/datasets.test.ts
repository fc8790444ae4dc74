import { describe, expect, it } from 'vitest';
import { createDatasets } from '../../../../src/main/core/datasets/datasets.ts';
import { useServers, type RequestHandler } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';

const servers = useServers();
const open = useServices();
const ask = { connection: 'c', search: '' };

const serving = (definitions: object[], company: RequestHandler) =>
  servers.http((...all) => {
    const [{ url }] = all;
    if (url.pathname === '/api/v1/dataset/company/') return company(...all);
    return url.pathname === '/api/v1/dataset/' ? definitions : definitions[0];
  });
const listing: RequestHandler = () => ({ Company: [{ id: 2, provider: 'p', name: 'logs', type: 'depth' }] });

describe('the datasets of a connection', () => {
  it('have the type in their definition, without a request for the company listing', async () => {
    const server = await serving([{ name: 'p#wits', data_type: 'time' }], listing);
    const datasets = createDatasets({ services: () => open(server.url) });
    await expect(datasets.list({ ...ask, search: ' wits ', plottable: true }, {})).resolves.toMatchObject([
      { provider: 'p', dataset: 'wits', type: 'time' },
    ]);
    expect(server.seen.map(({ url }) => url.pathname + url.search)).toEqual([
      '/api/v1/dataset/?search=wits&plottable=true',
    ]);
  });

  it('are requested with few retries', async () => {
    const server = await servers.http((_seen, response) => void response.writeHead(503).end());
    const datasets = createDatasets({ services: () => open(server.url) });
    const input = { connection: 'c', provider: 'p', dataset: 'logs', maxTries: 2 };
    await expect(datasets.get(input, {})).rejects.toMatchObject({ code: 'service_failed' });
    expect(server.seen).toHaveLength(2);
  });

  it('have the type in the company listing when the definition has none', async () => {
    const server = await serving([{ name: 'p#logs' }, { name: 'p#wits', data_type: 'time' }], listing);
    const datasets = createDatasets({ services: () => open(server.url) });
    const all = await datasets.list(ask, {});
    expect(all).toMatchObject([{ dataset: 'logs', type: 'depth', typeSaid: 'depth' }, { dataset: 'wits' }]);
    const address = { provider: 'p', dataset: 'logs' };
    await expect(datasets.get({ connection: 'c', ...address }, {})).resolves.toMatchObject({
      ...address,
      type: 'depth',
    });
  });

  it.each<[string, RequestHandler]>([
    ['is forbidden', (_request, response) => void response.writeHead(403).end()],
    ['fails', (_request, response) => void response.writeHead(500).end()],
    ['is a web page', (_request, response) => void response.end('<html>')],
    ['has another type', () => ({ Company: [{ provider: 'p', name: 'logs', type: 'spatial' }] })],
  ])('are listed even if the company listing %s', async (_name, company) => {
    const server = await serving([{ name: 'p#logs' }], company);
    const datasets = createDatasets({ services: () => open(server.url) });
    await expect(datasets.list(ask, {})).resolves.toMatchObject([{ dataset: 'logs', type: null }]);
  });

  it('have no unknown type because the link fails', async () => {
    const server = await serving([{ name: 'p#logs' }], (_request, response) => void response.destroy());
    const datasets = createDatasets({ services: () => open(server.url) });
    await expect(datasets.list(ask, {})).rejects.toMatchObject({ code: 'unreachable' });
    const address = { connection: 'c', provider: 'p', dataset: 'logs' };
    await expect(datasets.get(address, {})).rejects.toMatchObject({ code: 'unreachable' });
  });
});
