import { readFile, writeFile } from 'node:fs/promises';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startDemo } from '../../../../src/demo/index.ts';
import { createApp, type App } from '../../../../src/main/app.ts';
import { sourceAt, targetAt } from '../../../../src/main/core/files/files.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';
import type { Job } from '../../../../src/shared/jobs/jobs.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** A link to a service that can be cut and restored. */
async function openLink(to: number) {
  const sockets = new Set<Socket>();
  let server: Server;
  let port = 0;
  const link = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    async mend() {
      server = createServer((near) => {
        const far = connect(to, '127.0.0.1');
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
        }
        near.pipe(far).pipe(near);
        near.on('close', () => far.destroy());
      });
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    },
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    close: async () => link.cut().catch(() => undefined),
  };
  await link.mend();
  open.push(link);
  return link;
}

async function world() {
  const demo = await startDemo({ records: 6000, wells: 3 });
  open.push(demo);
  const link = await openLink(Number(new URL(demo.dataUrl).port));
  const folder = await folders();
  const app = await createApp({
    host: 'browser',
    fileMode: 'dialog',
    dataFolder: folder,
    env: { WELLBENCH_KEYCHAIN: 'off' },
    choose: () => noDialogs,
  });
  open.push(app);
  const { id } = await app.client.connections.add({
    name: 'North Ridge',
    dataUrl: new URL(new URL(demo.dataUrl).pathname, link.url).href,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write },
  });
  demo.faults.latency_ms = 100;
  return { demo, link, folder, app, connection: id };
}
type World = Awaited<ReturnType<typeof world>>;

async function until(app: App, id: string, test: (job: Job) => boolean): Promise<Job> {
  for await (const job of await app.client.events.jobs({})) {
    if (job.id !== id) continue;
    if (test(job)) return job;
    if (job.state !== 'running' && job.state !== 'waiting')
      throw new Error(`${job.state}: ${job.error?.message}`);
  }
  throw new Error('the jobs are told no more');
}
const waitsFor =
  (what: string) =>
  (job: Job): boolean =>
    job.state === 'waiting' && job.waitsFor?.for === what;

const rows = 20_000;
async function upload({ app, folder, connection }: World): Promise<string> {
  const path = join(folder, 'rows.csv');
  const lines = Array.from({ length: rows }, (_, n) => `5001,${Date.UTC(2020, 0, 1) + n * 1000},1,${n}`);
  await writeFile(path, ['asset_id,timestamp,version,data.n', ...lines, ''].join('\n'));
  const { token: source } = await app.files.grantSource(sourceAt(path));
  const { job } = await app.client.upload.start({
    connection,
    provider: 'demo',
    dataset: 'uploads.time',
    source,
    settleSeconds: 0,
  });
  await until(app, job, ({ progress }) => progress.rows > 0);
  return job;
}
const stored = async ({ app, connection }: World): Promise<number> =>
  app.connections
    .services(connection)
    .data.count(
      { provider: 'demo', dataset: 'uploads.time' },
      { asset_id: 5001, timestamp: { $lt: 1.6e12 } },
    );
const whole = { rows, accepted: rows, rejected: 0, unknown: 0, pending: 0, skipped: 0 };

describe('an upload whose connection is lost', () => {
  it('waits, reports the next try, and continues automatically without lost or duplicate rows', async () => {
    const here = await world();
    const id = await upload(here);
    await here.link.cut();
    const waiting = await until(here.app, id, waitsFor('link'));
    // Requests in flight are reset, later ones refused.
    const reason = expect.stringMatching(/^(?:refused|reset)$/);
    expect(waiting.error).toMatchObject({ code: 'unreachable', details: { reason } });
    expect(waiting.progress.nextTryMs).toBeGreaterThan(0);
    await here.link.mend();
    const done = await until(here.app, id, ({ state }) => state === 'done');
    expect(done).toMatchObject({ error: null, waitsFor: null, result: { ledger: whole } });
    expect(await stored(here)).toBe(rows);
  });
});

describe('a paused job', () => {
  it('that was sending starts no request until it is resumed', async () => {
    const here = await world();
    const id = await upload(here);
    await here.app.client.jobs.pause({ job: id });
    await until(here.app, id, waitsFor('resume'));
    await sleep(300);
    const before = await stored(here);
    await sleep(300);
    expect(await stored(here)).toBe(before);
    expect(before).toBeLessThan(rows);
    await here.app.client.jobs.resume({ job: id });
    const done = await until(here.app, id, ({ state }) => state === 'done');
    expect(done.result).toMatchObject({ ledger: whole });
    expect(await stored(here)).toBe(rows);
    await expect(here.app.client.jobs.pause({ job: id })).rejects.toMatchObject({ code: 'job_state' });
  });

  it('that was reading starts no request until it is resumed; a cancel ends the pause too', async () => {
    const here = await world();
    const path = join(here.folder, 'out.jsonl');
    const { token: target } = here.app.files.grantTarget(targetAt(path));
    const { job: id } = await here.app.client.export.start({
      connection: here.connection,
      provider: 'demo',
      dataset: 'wits',
      query: '{}',
      sort: '{"timestamp":1}',
      format: 'ndjson',
      target,
    });
    await here.app.client.jobs.pause({ job: id });
    await until(here.app, id, waitsFor('resume'));
    await sleep(300);
    const { rows: before } = (await here.app.client.jobs.show({ job: id })).progress;
    await sleep(300);
    expect((await here.app.client.jobs.show({ job: id })).progress.rows).toBe(before);
    await here.app.client.jobs.cancel({ job: id });
    expect(await here.app.client.jobs.show({ job: id })).toMatchObject({
      state: 'cancelled',
      waitsFor: null,
    });
    await here.app.client.jobs.resume({ job: id });
    const done = await (await here.app.runner()).waitUntilStopped(id);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(done.result).toMatchObject({ rows: lines.length, warnings: [] });
  });
});
