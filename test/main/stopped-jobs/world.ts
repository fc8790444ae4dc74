import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startDemo, type Demo } from '../../../src/demo/index.ts';
import { createApp, type App } from '../../../src/main/app.ts';
import { sourceAt, targetAt } from '../../../src/main/core/files/files.ts';
import { noDialogs } from '../../../src/main/hosts/no-dialogs.ts';
import type { JsonObject } from '../../../src/shared/json.ts';

// The world of the stopped jobs: the same when they were stopped (make.ts) and when a test resumes them.

const start = Date.UTC(2026, 0, 30);
const minute = 60_000;
/** The dataset that is read. */
export const readName = 'wits';
/** The dataset that the upload fills. */
export const uploadAddress = { provider: 'demo', dataset: 'uploads.time' } as const;

/** Each job reads wells of its own, by which the interceptor recognizes its requests. */
export const wells = { export: 5001, check: 5002, comparison: 5003, mirror: [5004, 5005] } as const;
export const mirrorQuery = JSON.stringify({ asset_id: { $in: wells.mirror } });

const recordAt = (asset_id: number, n: number): JsonObject => ({
  company_id: 1,
  asset_id,
  version: 1,
  timestamp: start + n * minute,
  data: { rop: (n % 50) + 0.5, ...(n > 450 && { late: n }) },
});
const recordsOf = (asset: number, from: number, to: number): JsonObject[] =>
  Array.from({ length: to - from }, (_, n) => recordAt(asset, from + n));

/** The records that are read, and those that come after the first run of the mirror. */
export const firstRecords = [
  ...recordsOf(wells.export, 0, 600),
  ...recordsOf(wells.check, 0, 600),
  ...recordsOf(wells.comparison, 0, 600),
  ...wells.mirror.flatMap((well) => recordsOf(well, 0, 300)),
];
export const laterRecords = wells.mirror.flatMap((well) => recordsOf(well, 300, 600));

export const uploadRows = 200;
/** The file of the upload. */
export const uploadText = (): string =>
  [
    'asset_id,timestamp,version,data.n',
    ...Array.from({ length: uploadRows }, (_, n) => `5001,${Date.UTC(2020, 0, 1) + n * 1000},1,${n}`),
    '',
  ].join('\n');

/** The file of the comparison: its rows aren't in order, and some differ. */
export const comparedText = (): string => {
  const lines = Array.from(
    { length: 600 },
    (_, n) => `${wells.comparison},1,${start + n * minute},${n % 97 === 0 ? 0 : (n % 50) + 0.5}`,
  );
  return ['asset_id,version,timestamp,data.rop', ...lines.slice(300), ...lines.slice(0, 300), ''].join('\n');
};

/** What an interceptor does with a request: `lost` forwards it and sends no response. */
export type InterceptRule = (request: {
  readonly method: string;
  readonly text: string;
}) => Promise<'pass' | 'hold' | 'lost'>;

/** Records of a page: so few that a read has many pages. */
export const pageSize = 100;

/** A proxy of the services that sends small pages, and can withhold responses. */
async function openInterceptor(demo: Demo, rule: InterceptRule) {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const url = new URL(request.url ?? '/', demo.dataUrl);
      const limit = Number(url.searchParams.get('limit') ?? 0);
      if (limit > pageSize) url.searchParams.set('limit', String(pageSize));
      const { method = 'GET' } = request;
      const verdict = await rule({ method, text: decodeURIComponent(url.search) + body.toString() });
      if (verdict === 'hold') return;
      const headers = { ...request.headers, host: url.host };
      const forwarded = send(url, { method, headers }, (answer) => {
        if (verdict === 'lost') return void answer.resume();
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      forwarded.end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Services that have the first records, behind an interceptor. */
export async function openWorld(rule: InterceptRule) {
  const demo = await startDemo({ records: 100, wells: 6 });
  demo.change(`demo/${readName}`, { remove: {}, insert: firstRecords });
  const interceptor = await openInterceptor(demo, rule);
  return {
    demo,
    url: interceptor.url,
    async close(): Promise<void> {
      await interceptor.close();
      await demo.close();
    },
  };
}
type World = Awaited<ReturnType<typeof openWorld>>;

/** Where the jobs of a folder have their files. */
export const filesOf = (root: string) => ({
  data: join(root, 'data'),
  uploaded: join(root, 'rows.csv'),
  compared: join(root, 'compared.csv'),
  exported: join(root, 'out.csv'),
  mirror: join(root, 'mirror'),
});

export const openApp = (root: string): Promise<App> =>
  createApp({
    host: 'browser',
    fileMode: 'dialog',
    dataFolder: filesOf(root).data,
    env: { WELLBENCH_KEYCHAIN: 'off' },
    choose: () => noDialogs,
  });

export const addConnection = async (app: App, { demo, url }: World): Promise<string> =>
  (
    await app.client.connections.add({
      name: 'North Ridge',
      dataUrl: url,
      platformUrl: url + new URL(demo.platformUrl).pathname,
      credential: { method: 'api_key', apiKey: demo.apiKeys.write },
    })
  ).id;

/** Starts each kind of job. */
export function jobStarts(app: App, connection: string, root: string) {
  const files = filesOf(root);
  const from = { connection, provider: 'demo', dataset: readName };
  return {
    async upload(): Promise<string> {
      const { token: source } = await app.files.grantSource(sourceAt(files.uploaded));
      return (await app.client.upload.start({ connection, ...uploadAddress, source, settleSeconds: 0 })).job;
    },
    async export(path = files.exported): Promise<string> {
      const { token: target } = app.files.grantTarget(targetAt(path));
      const query = JSON.stringify({ asset_id: wells.export });
      return (await app.client.export.start({ ...from, query, format: 'csv', target })).job;
    },
    async mirror(path = files.mirror): Promise<string> {
      const { token: target } = app.files.grantFolder({ path, name: 'mirror' });
      const folder = { partition: ['asset_id'], mirror: { overlapMs: minute }, format: 'parquet' } as const;
      const request = { ...from, ...folder, partition: ['asset_id' as const], query: mirrorQuery, target };
      return (await app.client.export.start(request)).job;
    },
    async check(): Promise<string> {
      const query = JSON.stringify({ asset_id: wells.check });
      return (await app.client.quality.start({ ...from, query })).job;
    },
    async comparison(): Promise<string> {
      const { token: source } = await app.files.grantSource(sourceAt(files.compared));
      return (await app.client.quality.compareFile({ ...from, source })).job;
    },
  };
}
export type JobName = keyof ReturnType<typeof jobStarts>;
