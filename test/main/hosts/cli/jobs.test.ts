import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { runInProcess } from '../../../support/cli.ts';
import { writeJobs } from '../../../support/finished-jobs.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const dayMs = 86_400_000;
const daysAgo = (days: number): number => Date.now() - days * dayMs;
const ledger = { rows: 9, accepted: 9, rejected: 0, unknown: 0, pending: 0, skipped: 0 };

async function setUp() {
  const data = await folders();
  const run = (...args: string[]) => runInProcess(['jobs', ...args, '--data-dir', data, '--json']);
  const listed = async (...args: string[]) => {
    const shape = z.object({ jobs: z.array(z.object({ id: z.string() })) });
    return shape.parse((await run('list', ...args)).summary()).jobs.map(({ id }) => id);
  };
  return { data, run, listed, left: async () => (await readdir(join(data, 'jobs'))).toSorted() };
}

describe('jobs list', () => {
  it('has all jobs that aren’t done and the last 100 that are; --all has all, and stderr and the JSON say how many are older', async () => {
    const { data, run, listed } = await setUp();
    const [stopped = ''] = writeJobs(data, 1, daysAgo(9), { summary: { state: 'failed' } });
    const done = writeJobs(data, 130, daysAgo(8));
    expect(await listed()).toEqual([stopped, ...done.slice(30)]);
    expect(await listed('--all')).toEqual([stopped, ...done]);
    const [last, all] = [await run('list'), await run('list', '--all')];
    expect(last.stderr).toContain('30');
    expect(last.summary()).toMatchObject({ older: 30 });
    expect(all.stderr).toBe('');
    expect(all.summary()).toMatchObject({ older: 0 });
  });
});

describe('jobs discard --done', () => {
  /** Jobs of three kinds: done, with something that only they have, and stopped. */
  async function filled() {
    const all = await setUp();
    const { data } = all;
    return {
      ...all,
      old: writeJobs(data, 3, daysAgo(40)),
      unknown: writeJobs(data, 1, daysAgo(39), {
        kind: 'upload',
        summary: { result: { ledger: { ...ledger, accepted: 8, unknown: 1 } } },
      }),
      stopped: writeJobs(data, 2, daysAgo(38), { summary: { state: 'cancelled' } }),
      recent: writeJobs(data, 4, daysAgo(2)),
    };
  }

  it('removes those that ended earlier than --older', async () => {
    const { run, left, unknown, stopped, recent } = await filled();
    const { code, summary } = await run('discard', '--done', '--older', '30d');
    expect([code, summary()]).toEqual([0, { discarded: 3 }]);
    expect(await left()).toEqual([...unknown, ...stopped, ...recent]);
  });

  it('removes all of them, except those that can be resumed or have rows that only they have', async () => {
    const { run, left, unknown, stopped } = await filled();
    expect((await run('discard', '--done')).summary()).toEqual({ discarded: 7 });
    expect(await left()).toEqual([...unknown, ...stopped]);
  });

  it('needs a job or --done, not both, and an age that is one', async () => {
    const { run, left, old, stopped } = await filled();
    const before = await left();
    const [id = ''] = old;
    for (const args of [
      [],
      [id, '--done'],
      [id, '--older', '30d'],
      ['--older', '30d'],
      ['--done', '--older', 'a month'],
    ]) {
      const { code, error } = await run('discard', ...args);
      expect([code, error()]).toMatchObject([2, { code: 'invalid_input' }]);
    }
    expect(await left()).toEqual(before);
    expect((await run('discard', stopped[0] ?? '')).code).toBe(0);
    expect(await left()).toEqual(before.filter((name) => name !== stopped[0]));
  });
});
