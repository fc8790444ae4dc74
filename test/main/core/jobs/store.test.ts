import { execFileSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { noProgress } from '../../../../src/main/core/jobs/progress.ts';
import type { StoredSummary } from '../../../../src/main/core/jobs/job-files.ts';
import { JobStore } from '../../../../src/main/core/jobs/store.ts';
import { isAppError } from '../../../../src/shared/errors/errors.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const summary: StoredSummary = {
  state: 'cancelled',
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

it('a job is removed completely although others read it and request a stop meanwhile', async () => {
  const home = await folders();
  const store = new JobStore(home, '1');
  for (let round = 0; round < 20; round += 1) {
    const { id, lock, folder } = await store.create('export', 1, {}, summary);
    lock.release();
    // A larger folder takes longer to remove.
    await mkdir(join(folder, 'spool'));
    await Promise.all(Array.from({ length: 30 }, (_, n) => writeFile(join(folder, 'spool', `${n}`), '')));
    const removed = new AbortController();
    const others = Array.from({ length: 8 }, async () => {
      while (!removed.signal.aborted)
        await store
          .requestStop(id)
          .catch((error: unknown) => expect(error).toMatchObject({ code: 'ENOENT' }));
    });
    try {
      await store.remove(id);
    } finally {
      removed.abort();
      await Promise.all(others);
    }
    const after = await store.read(id).catch((error: unknown) => error);
    expect(isAppError(after, 'job_unknown')).toBe(true);
  }
  expect(await readdir(join(home, 'jobs'))).toEqual([]);
});

it('the remains of a job whose removal crashed are removed with the next one', async () => {
  const home = await folders();
  const store = new JobStore(home, '1');
  await mkdir(join(home, 'jobs', '20261122-000000000-abcdef.gone'), { recursive: true });
  expect(await store.list()).toEqual([]);
  const { id, lock } = await store.create('export', 1, {}, summary);
  lock.release();
  await store.remove(id);
  expect(await readdir(join(home, 'jobs'))).toEqual([]);
});

it('a discarded job is neither busy nor listed', async () => {
  const store = new JobStore(await folders(), '1');
  const { id, lock } = await store.create('export', 1, {}, summary);
  lock.release();
  expect(store.isBusy(id)).toBe(false);
  await store.remove(id);
  const error = await (async () => store.isBusy(id))().catch((thrown: unknown) => thrown);
  expect(isAppError(error, 'job_unknown')).toBe(true);
});

it('jobs are in the order of their creation although the clock is set back', async () => {
  const home = await folders();
  const created: string[] = [];
  for (const now of [
    '2026-11-22T10:00:00Z',
    '2026-11-22T09:00:00Z',
    '2026-11-22T09:00:00Z',
    '2026-11-22T10:00:01Z',
  ]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
    try {
      const { id, lock } = await new JobStore(home, '1').create('export', 1, {}, summary);
      lock.release();
      created.push(id);
    } finally {
      vi.useRealTimers();
    }
  }
  expect(created.map((id) => id.slice(0, 18))).toEqual([
    '20261122-100000000',
    '20261122-100000001',
    '20261122-100000002',
    '20261122-100001000',
  ]);
  expect((await new JobStore(home, '1').list()).map(({ id }) => id)).toEqual(created);
});

it.skipIf(process.platform === 'win32')(
  'a list has all of thousands of jobs although the process may open few files',
  async () => {
    const home = await folders();
    const script = join(home, 'list.ts');
    const modules = join(import.meta.dirname, '../../../../src/main/core/jobs');
    await writeFile(
      script,
      `import { mkdirSync, writeFileSync } from 'node:fs';
     import { JobStore } from ${JSON.stringify(join(modules, 'store.ts'))};
     const plan = JSON.stringify({ folderFormat: 1, format: 1, app: '1', kind: 'export', plan: {} });
     for (let n = 0; n < 2000; n += 1) {
       const folder = ${JSON.stringify(join(home, 'jobs'))} + '/20261122-' + String(n).padStart(9, '0') + '-abcdef';
       mkdirSync(folder, { recursive: true });
       writeFileSync(folder + '/plan.json', plan);
       writeFileSync(folder + '/summary.json', ${JSON.stringify(JSON.stringify({ ...summary, state: 'done' }))});
     }
     const store = new JobStore(${JSON.stringify(home)}, '1');
     const jobs = await store.list();
     const stamps = await store.stamps();
     process.stdout.write(jobs.filter(({ summary }) => summary.state === 'done').length + ' ' + stamps.size);`,
    );
    const run = `ulimit -n 256 && exec "$0" "$1"`;
    const listed = execFileSync('sh', ['-c', run, process.execPath, script], { encoding: 'utf8' });
    expect(listed).toBe('2000 2000');
  },
);

it('jobs that are done aren’t polled again, and all others are', async () => {
  const home = await folders();
  const store = new JobStore(home, '1');
  const [done, stopped] = [
    await store.create('export', 1, {}, { ...summary, state: 'done' }),
    await store.create('export', 1, {}, summary),
  ];
  for (const { lock } of [done, stopped]) lock.release();
  await store.list();
  const before = await store.stamps();
  for (const { folder } of [done, stopped])
    await utimes(join(folder, 'summary.json'), new Date(), new Date('2030-01-01'));
  const after = await store.stamps();
  expect(after.get(done.id)).toBe(before.get(done.id));
  expect(after.get(stopped.id)).toBe(Date.parse('2030-01-01'));
  await store.remove(done.id);
  expect([...(await store.stamps()).keys()]).toEqual([stopped.id]);
});
