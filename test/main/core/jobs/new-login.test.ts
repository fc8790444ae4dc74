import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo } from '../../../../src/demo/index.ts';
import { createApp, type App } from '../../../../src/main/app.ts';
import { sourceAt, targetAt } from '../../../../src/main/core/files/files.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';
import type { Job } from '../../../../src/shared/jobs/jobs.ts';
import { makeCertificates } from '../../../support/certificates.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function openApp(dataFolder: string): Promise<App> {
  const app = await createApp({
    host: 'browser',
    fileMode: 'dialog',
    dataFolder,
    env: { WELLBENCH_KEYCHAIN: 'off' },
    choose: () => noDialogs,
  });
  open.push(app);
  return app;
}

async function world() {
  const demo = await startDemo({ records: 6000, wells: 3 });
  open.push(demo);
  const folder = await folders();
  const app = await openApp(folder);
  const { dataUrl, platformUrl, login } = demo;
  const { id } = await app.client.connections.add({
    name: 'North Ridge',
    dataUrl,
    platformUrl,
    credential: { method: 'login', ...login },
  });
  return { demo, folder, app, connection: id };
}

type World = Awaited<ReturnType<typeof world>>;

/** Signs in again, with a session that lasts. */
async function logInAgain({ demo, app, connection }: World): Promise<void> {
  Object.assign(demo.faults, { access_revoked: false, latency_ms: 0 });
  await app.client.connections.authenticate({ connection, credential: { method: 'login', ...demo.login } });
}

/** Ends the session as soon as the job has started to process rows, and waits until the job waits for a sign-in. */
async function endLogin({ demo, app }: World, id: string): Promise<Job> {
  for await (const job of await app.client.events.jobs({})) if (job.id === id && job.progress.rows > 0) break;
  Object.assign(demo.faults, { access_revoked: true, refresh_revoked: true });
  return until(app, id, 'waiting');
}

async function until(app: App, id: string, state: Job['state']): Promise<Job> {
  for await (const job of await app.client.events.jobs({})) {
    if (job.id !== id) continue;
    if (job.state === state) return job;
    if (job.state !== 'running' && job.state !== 'waiting')
      throw new Error(`${job.state}: ${job.error?.message}`);
  }
  throw new Error('there are no more events');
}

const rows = 8_000;
const start = Date.UTC(2020, 0, 1);

async function upload({ app, folder, connection }: World): Promise<string> {
  const path = join(folder, 'rows.csv');
  const lines = Array.from({ length: rows }, (_, n) => `5001,${start + n * 1000},1,${n}`);
  await writeFile(path, ['asset_id,timestamp,version,data.n', ...lines, ''].join('\n'));
  const { token: source } = await app.files.grantSource(sourceAt(path));
  const { job } = await app.client.upload.start({
    connection,
    provider: 'demo',
    dataset: 'uploads.time',
    source,
    settleSeconds: 0,
  });
  return job;
}

/** How many values are in the dataset once, and how many more than once. */
async function stored({ app, connection }: World): Promise<{ once: number; twice: number }> {
  const { text } = await app.connections
    .services(connection)
    .data.pipeline({ provider: 'demo', dataset: 'uploads.time' }, [
      { $match: { asset_id: 5001, timestamp: { $gte: start, $lt: start + rows * 1000 } } },
      { $group: { _id: '$data.n', times: { $sum: 1 } } },
      { $group: { _id: { $gt: ['$times', 1] }, values: { $sum: 1 } } },
    ]);
  const groups = z.array(z.object({ _id: z.boolean(), values: z.int() })).parse(JSON.parse(text));
  const valuesOf = (more: boolean) => groups.find(({ _id }) => _id === more)?.values ?? 0;
  return { once: valuesOf(false), twice: valuesOf(true) };
}

async function startExport({ app, folder, connection }: World) {
  const path = join(folder, 'out.jsonl');
  const { token: target } = app.files.grantTarget(targetAt(path));
  const { job } = await app.client.export.start({
    connection,
    provider: 'demo',
    dataset: 'wits',
    query: '{}',
    sort: '{"timestamp":1}',
    fields: ['_id', 'timestamp'],
    format: 'ndjson',
    target,
  });
  return { job, path };
}

async function expectWhole({ app }: World, job: string, path: string): Promise<void> {
  const done = await until(app, job, 'done');
  const ids = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(done.result).toMatchObject({ rows: ids.length, expected: ids.length, warnings: [] });
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(100);
}

describe('a job whose session expires', () => {
  it('while it sends rows waits for a sign-in, reports it, and stores each row once', async () => {
    const here = await world();
    here.demo.faults.latency_ms = 100;
    const id = await upload(here);
    const waiting = await endLogin(here, id);
    expect(waiting.error).toMatchObject({ code: 'not_authenticated', details: { why: 'login_needed' } });
    expect(waiting.progress.rows).toBeLessThan(rows);
    await logInAgain(here);
    const done = await until(here.app, id, 'done');
    expect(done.error).toBeNull();
    expect(done.result).toMatchObject({
      ledger: { rows, accepted: rows, rejected: 0, unknown: 0, pending: 0 },
    });
    expect(await stored(here)).toEqual({ once: rows, twice: 0 });
  });

  it('while it reads records waits for a sign-in, and writes each record once', async () => {
    const here = await world();
    here.demo.faults.latency_ms = 100;
    const { job, path } = await startExport(here);
    const waiting = await endLogin(here, job);
    expect(waiting.error).toMatchObject({ code: 'not_authenticated', details: { why: 'login_needed' } });
    await logInAgain(here);
    await expectWhole(here, job, path);
  });
});

describe('a job whose connection gets another network', () => {
  /** An authority that the connection didn't trust before: what is open is closed. */
  async function otherAuthority({ app, folder }: World): Promise<string> {
    const path = join(folder, 'corp.pem');
    await writeFile(path, makeCertificates(['wells.example']).ca);
    return (await app.files.grantSource(sourceAt(path))).token;
  }

  it('while it sends rows continues with it, and stores each row once', async () => {
    const here = await world();
    here.demo.faults.latency_ms = 100;
    const caFile = await otherAuthority(here);
    const id = await upload(here);
    for await (const job of await here.app.client.events.jobs({}))
      if (job.id === id && job.progress.rows > 0) break;
    await here.app.client.connections.change({ connection: here.connection, caFile });
    here.demo.faults.latency_ms = 0;
    const done = await until(here.app, id, 'done');
    expect(done.result).toMatchObject({ ledger: { rows, accepted: rows, unknown: 0, pending: 0 } });
    expect(await stored(here)).toEqual({ once: rows, twice: 0 });
  });

  it('while it reads continues with it, and writes each record once', async () => {
    const here = await world();
    here.demo.faults.latency_ms = 100;
    const caFile = await otherAuthority(here);
    const { job, path } = await startExport(here);
    for await (const { id, progress } of await here.app.client.events.jobs({}))
      if (id === job && progress.rows > 0) break;
    await here.app.client.connections.change({ connection: here.connection, caFile });
    here.demo.faults.latency_ms = 0;
    await expectWhole(here, job, path);
  });

  it('while it waits for a sign-in continues when the sign-in comes with it', async () => {
    const here = await world();
    here.demo.faults.latency_ms = 100;
    const caFile = await otherAuthority(here);
    const { job, path } = await startExport(here);
    await endLogin(here, job);
    Object.assign(here.demo.faults, { access_revoked: false, latency_ms: 0 });
    const credential = { method: 'login', ...here.demo.login } as const;
    await here.app.client.connections.change({ connection: here.connection, caFile, credential });
    await expectWhole(here, job, path);
  });
});
