import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { noProgress } from '../../../../src/main/core/jobs/waits.ts';
import { type StoredSummary, JobStore } from '../../../../src/main/core/jobs/store.ts';
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
  expect((await store.page()).jobs).toEqual([]);
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
  expect((await new JobStore(home, '1').page()).jobs.map(({ id }) => id)).toEqual(created);
});
