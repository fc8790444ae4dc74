import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startDemo } from '../../../../src/demo/index.ts';
import { createApp, type App } from '../../../../src/main/app.ts';
import { sourceAt } from '../../../../src/main/core/files/files.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';
import type { Job } from '../../../../src/shared/jobs/jobs.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

const rows = 30_000;
/** Rows of two wells, the second half first. */
const fileText = () => {
  const lines = Array.from(
    { length: rows },
    (_, n) => `${5003 + (n % 2)},1,${Date.UTC(2020, 0, 1) + (n >> 1) * 1000},${n % 7}`,
  );
  const mixed = [...lines.slice(rows / 2), ...lines.slice(0, rows / 2)];
  return ['asset_id,version,timestamp,data.rop', ...mixed, ''].join('\n');
};

async function openApp(dataFolder: string): Promise<App> {
  const app = await createApp({
    host: 'browser',
    fileMode: 'dialog',
    dataFolder,
    env: { WELLBENCH_KEYCHAIN: 'off' },
    choose: () => noDialogs,
  });
  opened.push(app);
  return app;
}

async function setUp() {
  const demo = await startDemo({ records: 6000, wells: 3 });
  opened.push(demo);
  const dataFolder = await folders();
  const app = await openApp(dataFolder);
  const profile = {
    name: 'North Ridge',
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write } as const,
  };
  const { id: connection } = await app.client.connections.add(profile);
  const path = join(dataFolder, 'rows.csv');
  await writeFile(path, fileText());
  const { token: source } = await app.files.grantSource(sourceAt(path));
  const request = { connection, provider: 'demo', dataset: 'wits', source, againstQuery: '{}' };
  const start = async () => (await app.client.quality.compareFile(request)).job;
  return { app, dataFolder, start };
}

/** The job, once it is as wanted. */
async function waitFor(app: App, id: string, isWanted: (job: Job) => boolean): Promise<Job> {
  for await (const job of await app.client.events.jobs({})) if (job.id === id && isWanted(job)) return job;
  throw new Error('there are no more events');
}
const isDone = ({ state }: Job): boolean => state === 'done';

const reportOf = async (app: App, job: string) => {
  await waitFor(app, job, isDone);
  return app.client.quality.report({ job });
};

/** The files of the compared rows in the folder of a job. */
const spools = async (dataFolder: string, job: string) =>
  (await readdir(join(dataFolder, 'jobs', job))).filter((name) => name.startsWith('row'));

it('a comparison of a file in any order has the same report after a cancel, with what a crash leaves', async () => {
  const { app, dataFolder, start } = await setUp();
  const whole = await start();
  const report = await reportOf(app, whole);
  expect(report).toMatchObject({ kind: 'comparison', report: { source: { rows, only: rows } } });
  expect(await spools(dataFolder, whole)).toEqual([]);

  const canceled = await start();
  await waitFor(app, canceled, ({ progress }) => progress.rows > 0);
  await app.client.jobs.cancel({ job: canceled });
  await waitFor(app, canceled, ({ state }) => state === 'cancelled');
  for (const name of ['rows', 'row-places', 'row-places-in-order'])
    await writeFile(join(dataFolder, 'jobs', canceled, name), 'left by a crash');
  await app.client.jobs.resume({ job: canceled });
  expect(await reportOf(app, canceled)).toEqual(report);
  expect(await spools(dataFolder, canceled)).toEqual([]);
}, 120_000);
