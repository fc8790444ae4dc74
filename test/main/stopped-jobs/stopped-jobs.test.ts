import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { App } from '../../../src/main/app.ts';
import type { Job } from '../../../src/shared/jobs/jobs.ts';
import type { JsonObject } from '../../../src/shared/json.ts';
import { useFolders } from '../../support/folders.ts';
import { restoreStopped } from './stopped-files.ts';
import {
  addConnection,
  filesOf,
  jobStarts,
  laterRecords,
  openApp,
  openWorld,
  pageSize,
  uploadAddress,
  uploadRows,
  wells,
  type JobName,
} from './world.ts';

const folders = useFolders();
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

const fixture = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
/** Made by the version of their names; each stays as it is. */
const fixtures = readdirSync(fixture('.')).filter((name) => name.endsWith('.ndjson'));

/** The data folder of an earlier version, with the services as they were when its jobs were stopped. */
async function setUp(name: string) {
  const world = await openWorld(async () => 'pass');
  opened.push(world);
  world.demo.change('demo/wits', { insert: laterRecords });
  const root = await folders();
  const { jobs, stored } = await restoreStopped(fixture(name), root, world.url);
  world.demo.change(`demo/${uploadAddress.dataset}`, { insert: stored as JsonObject[] });
  const app = await openApp(root);
  opened.push(app);
  const connection = (await app.client.connections.list({}))[0]?.id ?? '';
  const credential = { method: 'api_key', apiKey: world.demo.apiKeys.write } as const;
  await app.client.connections.authenticate({ connection, credential });
  /** Resumes a job to its end. */
  const resumed = async (job: JobName): Promise<Job> => {
    const id = jobs[job] ?? '';
    expect(await app.client.jobs.show({ job: id })).toMatchObject({ state: 'interrupted' });
    await app.client.jobs.resume({ job: id });
    return waitUntilDone(app, id);
  };
  /** The same jobs, begun now, in a data folder of their own. */
  const fresh = async () => {
    const other = await folders();
    const freshApp = await openApp(other);
    opened.push(freshApp);
    const starts = jobStarts(app, connection, root);
    const own = jobStarts(freshApp, await addConnection(freshApp, world), other);
    return { app: freshApp, files: filesOf(other), starts, own };
  };
  return { world, root, files: filesOf(root), app, jobs, stored, resumed, fresh };
}

async function waitUntilDone(app: App, id: string): Promise<Job> {
  for await (const job of await app.client.events.jobs({})) {
    if (job.id !== id || job.state === 'running' || job.state === 'interrupted') continue;
    expect(job).toMatchObject({ state: 'done', error: null });
    return job;
  }
  throw new Error('there are no more events');
}

const journalOf = (root: string, job: string | undefined): string =>
  readFileSync(join(filesOf(root).data, 'jobs', job ?? '', 'journal.ndjson'), 'utf8');

describe.each(fixtures)('the stopped jobs of %s', (name) => {
  it('an export continues at its last durable page, and has the bytes of an uninterrupted one', async () => {
    const { root, files, jobs, resumed, fresh } = await setUp(name);
    const { result, progress } = await resumed('export');
    expect(result).toMatchObject({ rows: 600, expected: 600, warnings: [] });
    expect(progress).toMatchObject({ rows: 600, totalRows: 600 });
    expect(journalOf(root, jobs['export'])).not.toContain('"anew"');
    const { app, own, files: freshFiles } = await fresh();
    await waitUntilDone(app, await own.export());
    expect(readFileSync(files.exported, 'utf8')).toBe(readFileSync(freshFiles.exported, 'utf8'));
  }, 60_000);

  it('an upload sends the rows that the service lacks, and no other', async () => {
    const { app, stored, resumed } = await setUp(name);
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.length).toBeLessThan(uploadRows);
    expect(await resumed('upload')).toMatchObject({
      result: { ledger: { rows: uploadRows, accepted: uploadRows, unknown: 0, pending: 0, skipped: 0 } },
    });
    const connection = (await app.client.connections.list({}))[0]?.id ?? '';
    const { data } = app.connections.services(connection);
    const values: number[] = [];
    for (let skip = 0; skip <= uploadRows; skip += pageSize) {
      const find = { query: { asset_id: wells.export }, sort: { timestamp: 1 }, limit: pageSize, skip };
      const { text } = await data.find(uploadAddress, find);
      values.push(...(JSON.parse(text) as { data: { n: number } }[]).map(({ data: { n } }) => n));
    }
    expect(values).toEqual(Array.from({ length: uploadRows }, (_, n) => n));
  }, 60_000);
});
