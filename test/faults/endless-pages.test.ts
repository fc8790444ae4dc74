import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp, type App } from '../../src/main/app.ts';
import { targetAt } from '../../src/main/core/files/files.ts';
import { noDialogs } from '../../src/main/hosts/no-dialogs.ts';
import { fromBody } from '../../src/shared/errors/errors.ts';
import { isObject, parseJson, stringifyJson, type JsonValue } from '../../src/shared/json.ts';
import type { Job } from '../../src/shared/jobs/jobs.ts';
import { idAt, Rows, type FindPart } from '../main/features/export/support/rows.ts';
import { recordsService } from '../main/features/export/support/service.ts';
import { useFolders } from '../support/folders.ts';
import { findRequest, recordsBeside } from '../support/records.ts';
import { sampleOf } from '../support/sample.ts';
import { useServers, type TestServer } from '../support/servers.ts';

const folders = useFolders();
const servers = useServers();
const apps: App[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

type Find = (request: FindPart) => string;
/** A service that answers a find in its own way; `honest` is what it should send. */
type Service = (honest: Find, nth: number) => Find;

const edit =
  (change: (records: JsonValue[]) => readonly JsonValue[]) =>
  (text: string): string => {
    const records = parseJson(text);
    return stringifyJson([...change(Array.isArray(records) ? records : [])]);
  };
const renamed = (nth: number) =>
  edit((records) =>
    records.map((record, at) => (isObject(record) ? { ...record, _id: idAt(nth * 100_000 + at) } : record)),
  );
const anywhere = { query: {}, skip: 0 };

const hostile: Record<string, Service> = {
  'sends one record for every request': (honest) => (request) =>
    honest({ ...request, ...anywhere, sort: {}, limit: 1 }),
  'sends the first page for every request, as a cache without the query does': (honest) => (request) =>
    honest({ ...request, ...anywhere, sort: {}, limit: 10_000 }),
  'sends the first records for every request': (honest) => (request) => honest({ ...request, ...anywhere }),
  'reverses each page': (honest) => (request) => edit((records) => records.toReversed())(honest(request)),
  'sends more than was requested, with new ids for ever': (honest, nth) => (request) =>
    renamed(nth)(honest({ ...request, ...anywhere, limit: request.limit + 1 })),
  'sends records with new ids for ever': (honest, nth) => (request) =>
    renamed(nth)(honest({ ...request, ...anywhere })),
};

const second = 1000;
const start = Date.UTC(2026, 0, 1);
const timed = (n: number, ms = start + n * second): string =>
  JSON.stringify({ _id: idAt(n + 1), asset_id: 5001, timestamp: ms, version: 1, n });
const many = (count: number): string[] => Array.from({ length: count }, (_, n) => timed(n));

interface World {
  readonly app: App;
  readonly server: TestServer;
  readonly connection: string;
  readonly folder: string;
}

async function worldOf(records: readonly string[], service: Service): Promise<World> {
  const rows = new Rows(records);
  const honest = rows.find.bind(rows);
  let nth = 0;
  rows.find = (request) => service(honest, (nth += 1))(request);
  const answer = recordsService(rows);
  const server = await servers.http((request, response, socket) => {
    if (request.url.pathname.startsWith('/v2/')) return { data: [] };
    return request.url.pathname === '/api/v1/dataset/' ? [] : answer(request, response, socket);
  });
  const folder = await folders();
  const app = await createApp({
    host: 'browser',
    fileMode: 'dialog',
    dataFolder: join(folder, 'data'),
    env: { WELLBENCH_KEYCHAIN: 'off' },
    choose: () => noDialogs,
  });
  apps.push(app);
  const urls = { dataUrl: server.url, platformUrl: server.url };
  const credential = { method: 'api_key', apiKey: 'the-test-key' } as const;
  const { id: connection } = await app.client.connections.add({ name: 'North Ridge', ...urls, credential });
  return { app, server, connection, folder };
}

const isEnded = ({ state }: Job): boolean => state === 'done' || state === 'failed';

/** The end of a job: its rows. @throws AppError with which it failed */
async function rowsOfJob({ app }: World, id: string): Promise<number> {
  for await (const job of await app.client.events.jobs({})) {
    if (job.id !== id || !isEnded(job)) continue;
    if (job.error) throw fromBody(job.error);
    return job.progress.rows;
  }
  throw new Error('there are no more events');
}

const dataset = { provider: 'demo', dataset: 'wits' };
/** Whatever reads all records of a dataset; returns their number. */
const readers: Record<string, (world: World) => Promise<number>> = {
  async 'an export'(world) {
    const { app, connection, folder } = world;
    const { token: target } = app.files.grantTarget(targetAt(join(folder, 'out.csv')));
    const { job } = await app.client.export.start({ connection, ...dataset, format: 'csv', target });
    return rowsOfJob(world, job);
  },
  async 'an export by another order'(world) {
    const { app, connection, folder } = world;
    const { token: target } = app.files.grantTarget(targetAt(join(folder, 'out.ndjson')));
    const request = { connection, ...dataset, sort: '{ version: 1 }', format: 'ndjson' } as const;
    const { job } = await app.client.export.start({ ...request, target });
    return rowsOfJob(world, job);
  },
  async 'a mirror'(world) {
    const { app, connection, folder } = world;
    const path = join(folder, 'mirror');
    const { token: target } = app.files.grantFolder({ path, name: 'mirror' });
    const request = { connection, ...dataset, format: 'parquet', mirror: {}, target } as const;
    const { job } = await app.client.export.start({ ...request, partition: ['asset_id'] });
    return rowsOfJob(world, job);
  },
  async 'a quality check'(world) {
    const { app, connection } = world;
    const { job } = await app.client.quality.start({ connection, ...dataset, query: '{}' });
    return rowsOfJob(world, job);
  },
  async 'a comparison'(world) {
    const { app, connection } = world;
    const queries = { query: '{}', againstQuery: '{}' };
    const { job } = await app.client.quality.compare({ connection, ...dataset, ...queries });
    return (await rowsOfJob(world, job)) / 2;
  },
  async 'loading all rows in the window'({ app, connection }) {
    const { records } = recordsBeside(app.client);
    const request = findRequest({ connection, sort: '{ timestamp: 1 }' });
    const signal = new AbortController().signal;
    const { records: result } = await records.open({ kind: 'find', request }, { signal, isUnlimited: true });
    for (let to = 0; to < result.shape().rows && to < 150_000;) {
      to = result.shape().rows;
      await result.load({ from: 0, to }, { signal, onEvent: () => undefined });
    }
    return result.shape().held;
  },
};

const maxRequests = 400;

/** The cases of a reader: one of them in `npm test`, another one for each reader. */
const casesOf = <T>(cases: readonly T[], reader: number): readonly T[] =>
  sampleOf([...cases.slice(reader % cases.length), ...cases.slice(0, reader % cases.length)], 1);
const allReaders = Object.entries(readers).map(([name, read], at) => [name, read, at] as const);

describe.each(allReaders)('%s', (_, read, at) => {
  it.each(casesOf(Object.entries(hostile), at))('ends when the service %s', async (_name, service) => {
    const world = await worldOf(many(12_000), service);
    const outcome = await read(world).catch((error: unknown) => error);
    expect(world.server.seen.length).toBeLessThan(maxRequests);
    if (typeof outcome !== 'number')
      expect(outcome).toMatchObject({ code: 'bad_answer', details: { service: 'data' } });
  });
});

const cappedAt =
  (cap: number): Service =>
  (honest) =>
  (request) =>
    honest({ ...request, limit: Math.min(cap, request.limit) });
const exact = allReaders.filter(([name]) => !name.includes('window'));

describe.each(exact)('%s', (_, read, at) => {
  const tables = [
    ['a table of one record', many(1), cappedAt(10_000)],
    ['a service of one record a page', many(40), cappedAt(1)],
    ['a service of three records a page', many(100), cappedAt(3)],
    [
      'a hundred records of one time',
      Array.from({ length: 100 }, (_each, n) => timed(n, start)),
      cappedAt(7),
    ],
  ] as const;
  it.each(casesOf(tables, at))('has all records of %s', async (_name, records, service) => {
    expect(await read(await worldOf(records, service))).toBe(records.length);
  });
});
