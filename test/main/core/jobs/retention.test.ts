import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createApp } from '../../../../src/main/app.ts';
import { createFiles } from '../../../../src/main/core/files/files.ts';
import { JobRunner, planHead, type Engine } from '../../../../src/main/core/jobs/jobs.ts';
import { noProgress } from '../../../../src/main/core/jobs/waits.ts';
import { JobStore, type Retention, type StoredSummary } from '../../../../src/main/core/jobs/store.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';
import type { JobKind } from '../../../../src/shared/jobs/jobs.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const summary: StoredSummary = {
  state: 'done',
  address: { provider: 'demo', dataset: 'wits' },
  connection: 'North Ridge',
  file: 'a.csv',
  started: '2026-11-22T00:00:00Z',
  updated: '2026-11-22T00:00:00Z',
  progress: noProgress,
  error: null,
  waitsFor: null,
  artifacts: [],
  result: null,
};

const plan = {
  connection: { id: 'c', name: 'North Ridge', dataUrl: 'http://127.0.0.1:1' },
  address: { provider: 'demo', dataset: 'wits' },
  fileName: 'a.csv',
  concurrency: 1,
};

/** Runs jobs that end at once. */
async function openRunner(dataFolder: string, retention: Retention): Promise<JobRunner> {
  const engine: Engine = {
    kind: 'quality',
    format: 1,
    plan: planHead,
    entry: z.unknown(),
    result: z.unknown(),
    // oxlint-disable-next-line require-yield
    async *run() {
      return null;
    },
  };
  return new JobRunner({
    store: new JobStore(dataFolder, '1'),
    engine: async () => engine,
    services: () => ({}) as Services,
    files: createFiles(),
    isAttended: false,
    retention: async () => retention,
  });
}

/** Writes jobs, one a minute from a time on; returns their ids. */
async function write(
  home: string,
  count: number,
  from: number,
  given: Partial<StoredSummary> = {},
  kind: JobKind = 'export',
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const [day = '', time = ''] = new Date(from + at * 60_000)
      .toISOString()
      .replaceAll(/[-:.Z]/g, '')
      .split('T');
    const id = `${day}-${time}-abcdef`;
    const folder = join(home, 'jobs', id);
    await mkdir(folder, { recursive: true });
    const plan = { folderFormat: 1, format: 1, app: '1', kind, plan: {} };
    await writeFile(join(folder, 'plan.json'), JSON.stringify(plan));
    const updated = new Date(from + at * 60_000).toISOString();
    await writeFile(join(folder, 'summary.json'), JSON.stringify({ ...summary, updated, ...given }));
    ids.push(id);
  }
  return ids;
}

const daysAgo = (days: number): number => Date.now() - days * 86_400_000;

/** The ids that are left after one removal. */
async function idsAfter(home: string, retention: Retention = { jobs: 500, days: 90 }): Promise<string[]> {
  const store = new JobStore(home, '1');
  for (const id of await store.removable(retention)) {
    expect(await store.isRemovable(id)).toBe(true);
    await store.remove(id);
  }
  return (await store.page({ finished: 1000 })).jobs.map(({ id }) => id);
}

describe('finished jobs', () => {
  it('are removed when they are beyond the newest 500', async () => {
    const home = await folders();
    const ids = await write(home, 560, daysAgo(10));
    expect(await idsAfter(home)).toEqual(ids.slice(60));
  });

  it('are removed when they are older than 90 days, except the last 20: a clock that is set forward makes all old', async () => {
    const few = await folders();
    const fewIds = await write(few, 15, daysAgo(100));
    expect(await idsAfter(few)).toEqual(fewIds);
    const home = await folders();
    const old = await write(home, 25, daysAgo(100));
    expect(await idsAfter(home)).toEqual(old.slice(5));
    const recent = await write(home, 19, daysAgo(80));
    expect(await idsAfter(home)).toEqual([...old.slice(24), ...recent]);
  });

  it('stay when they ended lately, however long ago they started', async () => {
    const home = await folders();
    const [resumed] = await write(home, 1, daysAgo(200), { updated: new Date(daysAgo(1)).toISOString() });
    const old = await write(home, 25, daysAgo(100));
    expect(await idsAfter(home)).toEqual([resumed, ...old.slice(5)]);
  });

  it('stay while there is something to resume', async () => {
    const home = await folders();
    const stopped = await write(home, 3, daysAgo(100), { state: 'cancelled' });
    const failed = await write(home, 3, daysAgo(99), { state: 'failed' });
    const interrupted = await write(home, 3, daysAgo(98), { state: 'running' });
    expect(await idsAfter(home)).toEqual([...stopped, ...failed, ...interrupted]);
  });

  it('are as many as the settings say', async () => {
    const home = await folders();
    const ids = await write(home, 60, daysAgo(10));
    expect(await idsAfter(home, { jobs: 50, days: 90 })).toEqual(ids.slice(10));
    expect(await idsAfter(home, { jobs: 50, days: 9 })).toEqual(ids.slice(40));
    expect(await idsAfter(home, { jobs: 0, days: 0, last: 0 })).toEqual([]);
  });

  it.each<[string, boolean, { unknown?: number; rejected?: number; rejects?: string; dryRun?: boolean }]>([
    ['all rows stored', true, {}],
    ['unknown rows', false, { unknown: 1 }],
    ['rejected rows in its own folder', false, { rejected: 1, rejects: 'own' }],
    ['rejected rows of a dry run', true, { rejected: 1, rejects: 'own', dryRun: true }],
    ['rejected rows and no file of them', false, { rejected: 1 }],
    ['rejected rows in a file of the user', true, { rejected: 1, rejects: '/home/rejects.csv' }],
    ['rejected rows in a folder with a similar name', true, { rejected: 1, rejects: 'similar' }],
  ])(
    'of an upload with %s: removable is %s',
    async (_, expected, { unknown = 0, rejected = 0, rejects, dryRun }) => {
      const home = await folders();
      const result = { ledger: { rows: 9, accepted: 8, rejected, unknown, pending: 0, skipped: 0 }, dryRun };
      const [id = ''] = await write(home, 1, daysAgo(100), { result }, 'upload');
      const folder = join(home, 'jobs', id);
      const paths = { own: join(folder, 'rejects.csv'), similar: join(`${folder}-2`, 'rejects.csv') };
      const path = rejects === 'own' || rejects === 'similar' ? paths[rejects] : rejects;
      const artifacts = path === undefined ? [] : [{ kind: 'rejects', path }];
      await writeFile(join(folder, 'summary.json'), JSON.stringify({ ...summary, result, artifacts }));
      expect(await idsAfter(home, { jobs: 0, days: 0, last: 0 })).toEqual(expected ? [] : [id]);
    },
  );

  it('with a result that can’t be read stay', async () => {
    const home = await folders();
    const ids = await write(home, 1, daysAgo(100), { result: 7 }, 'upload');
    expect(await idsAfter(home, { jobs: 0, days: 0, last: 0 })).toEqual(ids);
  });

  it('stay while a job can be resumed that has to know of them', async () => {
    const home = await folders();
    const result = { ledger: { rows: 9, accepted: 9, rejected: 0, unknown: 0, pending: 0, skipped: 0 } };
    const [stopped = ''] = await write(home, 1, daysAgo(100), { state: 'cancelled' }, 'upload');
    const [same = '', other = ''] = await write(home, 2, daysAgo(99), { result }, 'upload');
    for (const [id, key] of [
      [stopped, 'a file'],
      [same, 'a file'],
      [other, 'another file'],
    ] as const)
      await writeFile(join(home, 'jobs', id, 'claim.json'), JSON.stringify({ key, turn: 1, isIdle: false }));
    expect(await idsAfter(home, { jobs: 0, days: 0, last: 0 })).toEqual([stopped, same]);
  });

  it('stay while what they or a job that can be resumed claimed can’t be read', async () => {
    const home = await folders();
    const result = { ledger: { rows: 9, accepted: 9, rejected: 0, unknown: 0, pending: 0, skipped: 0 } };
    const [damaged = '', same = ''] = await write(home, 2, daysAgo(99), { result }, 'upload');
    const claim = (id: string, text: string): Promise<void> =>
      writeFile(join(home, 'jobs', id, 'claim.json'), text);
    await claim(damaged, '{"key":"a fi');
    await claim(same, JSON.stringify({ key: 'a file', turn: 2, isIdle: false }));
    const none = { jobs: 0, days: 0, last: 0 };
    const [stopped = ''] = await write(home, 1, daysAgo(100), { state: 'cancelled' }, 'upload');
    await claim(stopped, '');
    expect(await idsAfter(home, none)).toEqual([stopped, damaged, same]);
    await claim(stopped, JSON.stringify({ key: 'another file', turn: 1, isIdle: false }));
    expect(await idsAfter(home, none)).toEqual([stopped, damaged]);
  });
});

describe('old jobs are removed', () => {
  it('when a window starts, as the settings say', async () => {
    const dataFolder = await folders();
    const ids = await write(dataFolder, 40, daysAgo(5));
    const settings = { format: 1, values: { keptJobs: 25 }, shortcuts: {} };
    await writeFile(join(dataFolder, 'settings.json'), JSON.stringify(settings));
    const options = { fileMode: 'dialog', dataFolder, env: { WELLBENCH_KEYCHAIN: 'off' } } as const;
    const app = await createApp({ ...options, host: 'browser', choose: () => noDialogs });
    const left = async (): Promise<string[]> => (await readdir(join(dataFolder, 'jobs'))).toSorted();
    await expect.poll(left, { timeout: 20_000 }).toEqual(ids.slice(15));
    await app.close();
  });

  it('after a job, and not before a command that starts none', async () => {
    const dataFolder = await folders();
    const ids = await write(dataFolder, 30, daysAgo(5));
    const runner = await openRunner(dataFolder, { jobs: 30, days: 90, last: 5 });
    expect((await runner.list()).jobs.map(({ id }) => id)).toEqual(ids);
    const { id } = await runner.start('quality', plan, undefined);
    await runner.waitUntilStopped(id);
    await runner.close();
    expect((await runner.list()).jobs.map((job) => job.id)).toEqual([...ids.slice(1), id]);
  });
});
