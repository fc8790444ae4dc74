import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseWells } from '../../../../src/shared/wells/packed-wells.ts';
import type { CatalogueEvent, LongCatalogueEvent } from '../../../../src/shared/contract/catalogue.ts';
import type { Connection } from '../../../../src/shared/connections/connections.ts';
import { toAppError } from '../../../../src/shared/errors/errors.ts';
import {
  createCatalogue,
  type CatalogueDependencies,
} from '../../../../src/main/features/catalogue/catalogue.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers, type RequestHandler } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';

const servers = useServers();
const open = useServices();
const folders = useFolders();

const connection: Connection = {
  id: 'c-1',
  name: 'Test',
  color: 'blue',
  dataUrl: 'https://data.test',
  platformUrl: 'https://platform.test',
  method: 'api_key',
  secret: 'session',
  readOnly: false,
  sample: false,
};
const entity = (id: number, name: string) => ({
  id,
  type: 'well',
  attributes: { name, asset_id: 5000 + id },
});
/** Wells in one page. */
const serving =
  (...names: string[]): RequestHandler =>
  ({ url }) => ({
    data: url.searchParams.get('page') === '1' ? names.map((name, at) => entity(at + 1, name)) : [],
  });
const down: RequestHandler = (_request, response) => void response.writeHead(403).end();

async function bench(first: RequestHandler, more: Partial<CatalogueDependencies> = {}) {
  const folder = await folders();
  const warnings: string[] = [];
  let answer = first;
  const server = await servers.http((...call) => answer(...call));
  const services = open(server.url);
  const made = (also: Partial<CatalogueDependencies> = {}) =>
    createCatalogue({
      folder,
      connection: () => connection,
      services: () => services,
      warn: (sentence) => warnings.push(sentence),
      ...more,
      ...also,
    });
  return {
    folder,
    file: join(folder, 'c-1', 'wells.ndjson'),
    warnings,
    made,
    server,
    now: (next: RequestHandler) => void (answer = next),
  };
}

const nameOf = (item: unknown) =>
  typeof item === 'object' && item !== null && 'name' in item ? String(item.name) : '';

const itemsOf = (event: { items: unknown[] } | { text: string }): unknown[] =>
  'text' in event ? parseWells(event.text) : event.items;

/** A summary of the events; a failure is the last. */
async function eventsOf(
  events: AsyncIterable<CatalogueEvent<unknown> | LongCatalogueEvent>,
): Promise<string[]> {
  const summary: string[] = [];
  try {
    for await (const event of events) {
      const source = 'source' in event ? `${event.source} ` : '';
      const names = event.kind === 'items' ? `: ${itemsOf(event).map(nameOf).join(', ')}` : '';
      summary.push(`${source}${event.kind}${names}`);
    }
  } catch (error) {
    summary.push(toAppError(error).code);
  }
  return summary;
}
const wellsOf = async ({ handlers }: ReturnType<typeof createCatalogue>) =>
  eventsOf(await handlers.wells({ connection: 'c-1', filter: {} }, {}));

describe('the catalogue', () => {
  it('yields entries as the service sends them, stores them, and yields the stored ones first next time', async () => {
    const { made, now } = await bench(serving('A', 'B'));
    expect(await wellsOf(made())).toEqual(['service items: A, B', 'service whole']);
    expect(await wellsOf(made())).toEqual(['kept items: A, B', 'kept whole', 'same']);
    now(serving('A', 'C'));
    expect(await wellsOf(made())).toEqual([
      'kept items: A, B',
      'kept whole',
      'service items: A, C',
      'service whole',
    ]);
    expect(await wellsOf(made())).toEqual(['kept items: A, C', 'kept whole', 'same']);
  });

  it('yields the stored entries when the service rejects the request, when offline, and when the services can’t be opened', async () => {
    const { made, now, file } = await bench(serving('A'));
    await wellsOf(made());
    const before = await readFile(file, 'utf8');
    now(down);
    expect(await wellsOf(made())).toEqual(['kept items: A', 'kept whole', 'forbidden']);
    const nobody = open((await servers.nobody()).url);
    expect(await wellsOf(made({ services: () => nobody }))).toEqual([
      'kept items: A',
      'kept whole',
      'unreachable',
    ]);
    const closed = () => {
      throw new Error('no secret');
    };
    expect((await wellsOf(made({ services: closed }))).slice(0, 2)).toEqual(['kept items: A', 'kept whole']);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('yields the part of an interrupted list that arrived, and stores none of it', async () => {
    const { made, folder } = await bench((call, ...rest) =>
      call.url.searchParams.get('page') === '1' ? { data: [entity(1, 'A')] } : down(call, ...rest),
    );
    expect(await wellsOf(made())).toEqual(['service items: A', 'forbidden']);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['truncated', (text: string) => text.slice(0, -20)],
    ['missing its end', (text: string) => text.split('\n').slice(0, 2).join('\n')],
    ['missing a part', (text: string) => text.replace(/\n\[.*\n/, '\n')],
    ['under another name', (text: string) => text.replace('"A"', '"B"')],
    ['of other items', (text: string) => text.replace('[[', '[{"id":1},[')],
    ['of another format', () => 'hello'],
  ])('sets aside a list that is %s', async (_name, damage) => {
    const { made, file, warnings } = await bench(serving('A'));
    await wellsOf(made());
    const damaged = damage(await readFile(file, 'utf8'));
    await writeFile(file, damaged);
    const summary = await wellsOf(made());
    expect(summary.slice(-3)).toEqual(['damaged', 'service items: A', 'service whole']);
    expect(await readFile(`${file}.damaged`, 'utf8')).toBe(damaged);
    expect(warnings).toHaveLength(1);
    expect(await wellsOf(made())).toEqual(['kept items: A', 'kept whole', 'same']);
  });

  it.each<[string, Partial<Connection>]>([
    ['at another address', { platformUrl: 'https://elsewhere.test' }],
    ['of another account', { email: 'other@example.com' }],
    ['with another key', { replacedAt: '2026-01-01T00:00:00Z' }],
  ])('does not use the list of a connection %s', async (_name, change) => {
    const { made } = await bench(serving('A'));
    await wellsOf(made());
    const other = made({ connection: () => ({ ...connection, ...change }) });
    expect(await wellsOf(other)).toEqual(['service items: A', 'service whole']);
  });

  it.each([
    ['format', '"format":2', '"format":1'],
    ['item format', /"form":"\w+"/, '"form":"other"'],
  ])('does not read a list of another %s', async (_name, now, other) => {
    const { made, file } = await bench(serving('A'));
    await wellsOf(made());
    const kept = await readFile(file, 'utf8');
    expect(kept).toMatch(now);
    await writeFile(file, kept.replace(now, other));
    expect(await wellsOf(made())).toEqual(['service items: A', 'service whole']);
  });

  it('uses the list of an earlier version', async () => {
    const { made, file } = await bench(serving('A'));
    await wellsOf(made());
    expect(await readFile(file, 'utf8')).toContain('"of":"https://data.test https://platform.test  "');
  });

  it('stores nothing of the sample workspace, and nothing outside its folder', async () => {
    const { made, folder } = await bench(serving('A'));
    await wellsOf(made({ connection: () => ({ ...connection, sample: true }) }));
    const { handlers } = made();
    await eventsOf(await handlers.wells({ connection: '../c', filter: {} }, {}));
    expect(await readdir(folder)).toEqual([]);
  });

  it('shows a list that can’t be stored', async () => {
    const { made, folder, warnings } = await bench(serving('A'));
    await writeFile(join(folder, 'c-1'), 'a file in the place of the folder');
    expect(await wellsOf(made())).toEqual(['damaged', 'service items: A', 'service whole']);
    expect(warnings.length).toBeGreaterThan(0);
  });

  it('deletes a connection’s lists, and leaves no credentials behind', async () => {
    const { made, folder, file } = await bench(serving('A'));
    await wellsOf(made());
    expect(await readFile(file, 'utf8')).not.toContain('the-test-key');
    await made().removeConnection('c-1');
    expect(await readdir(folder)).toEqual([]);
    await made().removeConnection('..');
    expect(await readdir(join(folder, '..'))).not.toEqual([]);
  });

  it('keeps entities, datasets, and single definitions, with every digit', async () => {
    const definition =
      '{"id":7,"company_id":3,"name":"p#wits","data_type":"time","schema":{"big":12345678901234567890}}';
    const { made, now } = await bench(({ url }, response, socket) => {
      if (url.pathname === '/api/v1/dataset/company/')
        return { 'North Ridge': [{ id: 7, provider: 'p', name: 'wits' }] };
      if (url.pathname.startsWith('/api/v1/dataset/'))
        return void response.end(url.pathname.endsWith('/wits/') ? definition : `[${definition}]`);
      return serving('A')({ url, method: 'GET', headers: {}, body: '' }, response, socket);
    });
    const { handlers } = made();
    const all = async () => [
      await eventsOf(await handlers.datasets({ connection: 'c-1' }, {})),
      await eventsOf(await handlers.dataset({ connection: 'c-1', provider: 'p', dataset: 'wits' }, {})),
      await eventsOf(await handlers.companies({ connection: 'c-1' }, {})),
      await eventsOf(await handlers.entities({ connection: 'c-1', resource: 'rigs', filter: {} }, {})),
    ];
    await all();
    now(down);
    expect(await all()).toEqual([
      ['kept items: ', 'kept whole', 'forbidden'],
      ['kept items: ', 'kept whole', 'forbidden'],
      ['kept items: North Ridge', 'kept whole', 'forbidden'],
      ['kept items: ', 'kept whole', 'forbidden'],
    ]);
    for await (const event of await handlers.dataset(
      { connection: 'c-1', provider: 'p', dataset: 'wits' },
      {},
    )) {
      if (event.kind === 'items') expect(event.items[0]?.schema).toEqual({ big: 12345678901234567890n });
      break;
    }
  });
});
