import { afterEach, describe, expect, it } from 'vitest';
import { createApp, type App } from '../../../../../src/main/app.ts';
import { noDialogs } from '../../../../../src/main/hosts/no-dialogs.ts';
import { readInsert } from '../../../../../src/main/core/wire/services/open.ts';
import type { AppError } from '../../../../../src/shared/errors/errors.ts';
import { isObject, parseJson, type JsonValue } from '../../../../../src/shared/json.ts';
import { parseWells } from '../../../../../src/shared/wells/packed-wells.ts';
import type { Notice } from '../../../../../src/shared/workspace/workspace.ts';
import { useFolders } from '../../../../support/folders.ts';
import { sampleOf } from '../../../../support/sample.ts';
import { useServers } from '../../../../support/servers.ts';

const servers = useServers();
const folders = useFolders();
const apps: App[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

const definition = (name: string) => ({
  id: 7,
  company_id: 3,
  provider: 'demo',
  name: `demo#${name}`,
  friendly_name: name,
  description: 'A dataset',
  schema: { data: { rop: 1.5 }, default_units: { rop: 'ft/h' } },
  data_type: 'time',
  plottable: true,
  temporary: false,
  permission_workflow: { read: 'all' },
  indexes: [{ name: 'i', fields: [{ asset_id: 1 }, { timestamp: -1 }], unique: false }],
  statistics: { size: 1, count: 2, storage_size: 3, index_size: 4 },
});
const well = (id: number) => ({
  id,
  type: 'well',
  attributes: {
    name: `Ridge ${id}`,
    asset_id: 5000 + id,
    api_number: '42-000-00000',
    lon_lat: [-101.5, 31.5],
    well_start: 1_700_000_000,
    settings: { timezone: 'America/Chicago' },
  },
  relationships: { company: { data: { id: 3, type: 'company' } } },
});
const listed = (name: string) => ({ id: 7, provider: 'demo', name: `demo#${name}`, type: 'time' });
const record = (at: number) => ({
  _id: `${at}`,
  asset_id: 5001,
  timestamp: 1_700_000_000 + at,
  data: { rop: 1.5, list: [1], deep: { a: 'x' } },
});

/** What no service should send as a value, as JSON text. */
const hostile = [
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '-1',
  '0',
  '1.5',
  'null',
  'true',
  '""',
  '"x"',
  '[]',
  '{}',
  '[null]',
  '{"a":null}',
  '{"__proto__":1}',
  '"\\ud800"',
  '"\\u0000\\u001b[2J\\u202e\\n"',
  '"#"',
  '"/"',
  '"demo#"',
  '".."',
  '"1e400"',
  '"-99999999999999999999"',
  '[[1,2],[3]]',
  '[1e400,1e400]',
  JSON.stringify('x'.repeat(300)),
  JSON.stringify('x'.repeat(100_000)),
  `${'['.repeat(5000)}1${']'.repeat(5000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
];

/** The paths of all values within a value, itself included. */
function pathsOf(value: JsonValue, path: readonly string[] = []): (readonly string[])[] {
  const parts = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
  return [path, ...parts.flatMap(([key, part]) => pathsOf(part, [...path, key]))];
}

/** JSON text of a value with one part replaced by another text. */
function withPart(value: JsonValue, [first, ...rest]: readonly string[], text: string): string {
  if (first === undefined) return text;
  const entries = Object.entries(value ?? {}).map(([key, part]: [string, JsonValue]) => {
    const json = key === first ? withPart(part, rest, text) : JSON.stringify(part);
    return Array.isArray(value) ? json : `${JSON.stringify(key)}:${json}`;
  });
  return Array.isArray(value) ? `[${entries.join()}]` : `{${entries.join()}}`;
}

/** The entry with its values replaced by hostile ones: each by a third of them, and each of them at a third of the places. */
function mutated(value: JsonValue): readonly string[] {
  const all = pathsOf(value).flatMap((path) => hostile.map((text) => [path, text] as const));
  return sampleOf(all, Math.ceil(all.length * 0.31)).map(([path, text]) => withPart(value, path, text));
}

/** The application over a service whose answers are set by path. */
async function start() {
  const bodies = new Map<string, string>();
  const server = await servers.http(({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    const isNextPage = Number(url.searchParams.get('page') ?? 1) > 1;
    response.end(isNextPage ? '{"data":[]}' : (bodies.get(url.pathname) ?? '[]'));
  });
  const notices: Notice[] = [];
  const app = await createApp({
    host: 'command-line',
    fileMode: 'dialog',
    dataFolder: await folders(),
    env: {
      WELLBENCH_DATA_URL: server.url,
      WELLBENCH_PLATFORM_URL: server.url,
      WELLBENCH_API_KEY: 'the-key-of-a-test',
      WELLBENCH_KEYCHAIN: 'off',
    },
    notice: (notice) => notices.push(notice),
    choose: () => noDialogs,
  });
  apps.push(app);
  const { id: connection } = await app.connections.fromEnvironment();
  return { app, client: app.client, connection, bodies, notices };
}

describe('one invalid entry among three', () => {
  it('of definitions hides no other', async () => {
    const { client, connection, bodies } = await start();
    for (const [at, text] of mutated(definition('mutated')).entries()) {
      bodies.set(
        '/api/v1/dataset/',
        `[${JSON.stringify(definition('one'))},${text},${JSON.stringify(definition('two'))}]`,
      );
      const names = (await client.datasets.list({ connection })).map(({ dataset }) => dataset);
      expect(names).toEqual(expect.arrayContaining(['one', 'two']));
      if (at % 8 > 0) continue;
      for await (const event of await client.catalogue.datasets({ connection }))
        if ('items' in event) expect(event.items.length).toBeGreaterThanOrEqual(2);
    }
  });

  it('of wells hides no other', async () => {
    const { app, client, connection, bodies } = await start();
    for (const [at, text] of mutated(well(2)).entries()) {
      bodies.set('/v2/wells', `{"data":[${JSON.stringify(well(1))},${text},${JSON.stringify(well(3))}]}`);
      const entities = await app.connections.services(connection).platform.list('wells', {});
      expect(entities.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 3]));
      if (at % 8 > 0) continue;
      for await (const event of await client.catalogue.wells({ connection, filter: {} }))
        if ('text' in event)
          expect(parseWells(event.text).map(({ platformId }) => platformId)).toEqual(
            expect.arrayContaining([1, 3]),
          );
    }
  });

  it('of companies hides no other', async () => {
    const { client, connection, bodies } = await start();
    bodies.set('/api/v1/dataset/', JSON.stringify([{ ...definition('one'), id: 7 }]));
    for (const text of mutated(listed('mutated'))) {
      bodies.set(
        '/api/v1/dataset/company/',
        `{"North":[${JSON.stringify(listed('one'))},${text},${JSON.stringify(listed('two'))}]}`,
      );
      for await (const event of await client.catalogue.companies({ connection }))
        if ('items' in event) expect(event.items).toContainEqual({ id: 3, name: 'North' });
    }
  });

  it('of records leaves the fields of the others', async () => {
    const { client, connection, bodies } = await start();
    for (const text of mutated(record(2))) {
      bodies.set(
        '/api/v1/data/demo/wits/',
        `[${JSON.stringify(record(1))},${text},${JSON.stringify(record(3))}]`,
      );
      bodies.set('/api/v1/dataset/demo/wits/', JSON.stringify(definition('wits')));
      const { fields } = await client.datasets.fields({ connection, provider: 'demo', dataset: 'wits' });
      expect(fields.map(({ path }) => path)).toEqual(expect.arrayContaining(['data.rop', 'data.deep.a']));
      await client.datasets
        .extent({ connection, provider: 'demo', dataset: 'wits' })
        .catch((error: AppError) => expect(error.code).not.toBe('internal'));
    }
  });

  it('of the messages of an insert leaves the ids', () => {
    for (const text of mutated({ message: 'no', row: 2 })) {
      const answer = parseJson(`{"inserted_ids":["a"],"failed_count":1,"messages":["b",${text},"c"]}`);
      const { insertedIds, messages } = readInsert(answer);
      expect(insertedIds).toEqual(['a']);
      expect(messages).toEqual(expect.arrayContaining(['b', 'c']));
      expect(() => JSON.stringify(messages, (_key, part: unknown) => String(part))).not.toThrow();
    }
  });

  it('is reported with the number of such entries', async () => {
    const { app, client, connection, bodies, notices } = await start();
    const bad = { ...definition('x'), name: `demo#${'x'.repeat(300)}` };
    bodies.set(
      '/api/v1/dataset/',
      JSON.stringify([definition('one'), bad, { ...definition('two'), provider: '', name: 'two' }]),
    );
    bodies.set('/v2/wells', JSON.stringify({ data: [well(1), { ...well(2), id: null }] }));
    await client.datasets.list({ connection });
    await app.connections.services(connection).platform.list('wells', {});
    expect(notices).toMatchObject([
      { kind: 'skipped', service: 'data', what: 'the list of datasets', count: 2, connection },
      { kind: 'skipped', service: 'platform', what: 'the list of wells', count: 1, connection },
    ]);
  });
});

it('no answer of a definition ends as an internal error', async () => {
  const { client, connection, bodies } = await start();
  for (const text of mutated(definition('wits'))) {
    bodies.set('/api/v1/dataset/demo/wits/', text);
    const outcome = await client.datasets.get({ connection, provider: 'demo', dataset: 'wits' }).then(
      () => 'a definition',
      (error: AppError) => error.code,
    );
    expect(['a definition', 'bad_answer']).toContain(outcome);
  }
});
