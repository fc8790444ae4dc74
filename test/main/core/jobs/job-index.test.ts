import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { JobStore } from '../../../../src/main/core/jobs/jobs.ts';
import type * as Files from '../../../../src/main/world/files.ts';
import { writeJobs, type WrittenJob } from '../../../support/finished-jobs.ts';
import { useFolders } from '../../../support/folders.ts';
import { sampleOf } from '../../../support/sample.ts';

/** How often each function is called. */
const calls = vi.hoisted(() => new Map<string, number>());
vi.mock('../../../../src/main/world/files.ts', async (original) => {
  const files = await original<typeof Files>();
  const count =
    <A extends unknown[], R>(name: string, run: (...args: A) => R) =>
    (...args: A): R => {
      calls.set(name, (calls.get(name) ?? 0) + 1);
      return run(...args);
    };
  return {
    ...files,
    open: count('open', files.open),
    readFile: count('readFile', files.readFile),
    stat: count('stat', files.stat),
    readdir: count('readdir', files.readdir),
  };
});
beforeEach(() => calls.clear());

const folders = useFolders();
const start = Date.UTC(2026, 10, 22);
const indexOf = (home: string): string => join(home, 'jobs.index');
const storeAt = (home: string): JobStore => new JobStore(home, '1');
const rejects: WrittenJob = {
  kind: 'upload',
  claim: 'a file',
  summary: {
    artifacts: [{ kind: 'rejects', path: '/home/rejects.csv' }],
    parent: { job: '20261101-000000000-abcdef', file: 'rig.csv' },
  },
};
const stopped: WrittenJob = { summary: { state: 'cancelled' } };

/** All that can be looked up. */
async function answers(home: string) {
  const store = storeAt(home);
  const ids = (jobs: readonly { readonly id: string }[]): string[] => jobs.map(({ id }) => id);
  return {
    newest: ids((await store.page({ finished: 5 })).jobs),
    unfinished: await store.page({ finished: 0 }),
    all: ids((await store.page({ finished: 10_000 })).jobs),
    rejects: ids(await store.related('rejects', 'other.csv', 'rejects.csv')),
    parent: ids(await store.related('parent', '20261101-000000000-abcdef')),
    claimant: (await store.claimant('a file'))?.id,
    removable: await store.removable({ jobs: 3, days: 90, last: 1 }),
  };
}

/** The calls of some work. */
async function callsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  calls.clear();
  await work();
  return Object.fromEntries(calls);
}

/** A data folder with some finished jobs, an upload, and a job that can be resumed. */
async function filled(count: number) {
  const home = await folders();
  const done = writeJobs(home, count, start);
  const [upload = ''] = writeJobs(home, 1, start + 86_400_000, rejects);
  const [open = ''] = writeJobs(home, 1, start - 86_400_000, stopped);
  return { home, done, upload, open };
}

describe('what is looked up in jobs', () => {
  it('is in the newest page, beside all that aren’t done', async () => {
    const { home, done, upload, open } = await filled(30);
    const store = storeAt(home);
    const { jobs, older } = await store.page({ finished: 5 });
    expect(jobs.map(({ id }) => id)).toEqual([open, ...done.slice(-4), upload]);
    expect(older).toBe(26);
    expect((await store.page({ finished: 0 })).jobs.map(({ id }) => id)).toEqual([open]);
  });

  it('is found by the file of rejected rows, the original upload, and the work that was claimed', async () => {
    const { home, done, upload } = await filled(30);
    expect(await answers(home)).toMatchObject({
      rejects: [upload],
      parent: [upload],
      claimant: upload,
      removable: done.slice(0, -2),
    });
  });

  it('takes as many files with hundreds of finished jobs as with some', async () => {
    const [few, many] = [await filled(50), await filled(200)];
    for (const { home } of [few, many]) await answers(home);
    const lookUps: readonly ((store: JobStore, id: string) => Promise<unknown>)[] = [
      (store) => store.page({ finished: 5 }),
      (store) => store.related('rejects', 'rejects.csv'),
      (store) => store.claimant('another file'),
      (store) => store.removable({ jobs: 500, days: 90 }),
      (store) => store.changes(),
      (store, id) => store.read(id),
      async (store, id) => (await store.claim(id, 'another file', () => undefined))(),
    ];
    for (const lookUp of lookUps) {
      const counts = await callsOf(() => lookUp(storeAt(few.home), few.open));
      expect(await callsOf(() => lookUp(storeAt(many.home), many.open))).toEqual(counts);
      expect((counts['open'] ?? 0) + (counts['stat'] ?? 0)).toBeLessThan(70);
    }
  });
});

describe('the index', () => {
  it('is made from the folders if it is missing, and made again for jobs that it lacks', async () => {
    const { home } = await filled(20);
    const before = await answers(home);
    const text = readFileSync(indexOf(home), 'utf8');
    expect(text.trim().split('\n')).toHaveLength(21);
    rmSync(indexOf(home));
    expect(await answers(home)).toEqual(before);
    expect(readFileSync(indexOf(home), 'utf8')).toBe(text);
    writeFileSync(indexOf(home), text.split('\n').slice(9).join('\n'));
    expect(await answers(home)).toEqual(before);
    expect(readFileSync(indexOf(home), 'utf8').split('\n').toSorted()).toEqual(text.split('\n').toSorted());
  });

  it('changes no answer if it is cut, has zeros, or its lines are mixed', async () => {
    const { home } = await filled(3);
    const before = await answers(home);
    const text = readFileSync(indexOf(home), 'utf8');
    const [first = ''] = text.split('\n');
    const cuts = (length: number): number[] => [...Array.from({ length }).keys()];
    const damaged = [
      ...sampleOf(cuts(first.length * 2), 30).map((at) => text.slice(0, at)),
      ...sampleOf(cuts(first.length), 30).map((at) => text.slice(0, at) + text.slice(first.length + 1)),
      text.slice(0, first.length),
      ...Array.from({ length: 9 }, (_, at) => `${text.slice(0, at * 7)}${'\0'.repeat(100)}`),
      `${first.slice(0, 40)}${text}`,
      `no line\n${text.replaceAll('-abcdef', '-abcdeg')}`,
    ];
    for (const content of damaged) {
      writeFileSync(indexOf(home), content);
      expect(await answers(home)).toEqual(before);
    }
  });

  it('hides no job that isn’t done, although it says that it is', async () => {
    const { home, open } = await filled(20);
    // As after a backup: written at another time than what the index knows of.
    utimesSync(join(home, 'jobs', open, 'summary.json'), new Date(), new Date('2026-11-21'));
    await answers(home);
    const line = readFileSync(indexOf(home), 'utf8').split('\n')[0] ?? '';
    const wrong = line.replace(/^\S+/, open);
    writeFileSync(indexOf(home), `${wrong}\n`, { flag: 'a' });
    const store = storeAt(home);
    const shown = async (finished: number) =>
      (await store.page({ finished })).jobs
        .filter(({ id }) => id === open)
        .map(({ summary }) => summary.state);
    // A list that has its place finds it; the start of a window finds all.
    expect(await shown(5)).toEqual([]);
    expect(await shown(100)).toEqual(['cancelled']);
    expect(await shown(0)).toEqual(['cancelled']);
    writeFileSync(indexOf(home), `${wrong}\n`, { flag: 'a' });
    await store.checkIndex();
    expect(await shown(0)).toEqual(['cancelled']);
    expect(await store.isRemovable(open)).toBe(false);
  });

  it('loses the lines of removed jobs when they are many', async () => {
    const { home } = await filled(4);
    await answers(home);
    const text = readFileSync(indexOf(home), 'utf8');
    const removedLines = Array.from({ length: 1001 }, (_, n) =>
      text.split('\n')[0]?.replace(/^\d{8}-\d{4}/, `2020${String(n).padStart(4, '0')}-0000`),
    );
    writeFileSync(indexOf(home), `${removedLines.join('\n')}\n${text}`);
    const before = await answers(home);
    expect(readFileSync(indexOf(home), 'utf8').split('\n').toSorted()).toEqual(text.split('\n').toSorted());
    expect(await answers(home)).toEqual(before);
  });

  it('is only a copy: a full disk, or a folder in its place, changes no answer', async () => {
    const { home } = await filled(4);
    const before = await answers(home);
    rmSync(indexOf(home));
    execFileSync('mkdir', [indexOf(home)]);
    expect(await answers(home)).toEqual(before);
  });
});

describe('changes since the last look', () => {
  it('are jobs that other processes created, changed, or removed, of whichever kind', async () => {
    const { home, done, open } = await filled(10);
    const store = storeAt(home);
    expect(await store.changes()).toEqual({ changed: [], removed: [] });
    const [added = ''] = writeJobs(home, 1, start + 2 * 86_400_000, stopped);
    const [ended = ''] = writeJobs(home, 1, start + 3 * 86_400_000);
    utimesSync(join(home, 'jobs', open, 'summary.json'), new Date(), new Date('2030-01-01'));
    const other = storeAt(home);
    await other.page();
    await other.remove(done[3] ?? '');
    const { changed, removed } = await store.changes();
    expect(changed.toSorted()).toEqual([open, added, ended].toSorted());
    expect(removed).toEqual([done[3]]);
    expect(await store.changes()).toEqual({ changed: [], removed: [] });
    // What this process removed is no news for it.
    await store.remove(done[4] ?? '');
    expect(await store.changes()).toEqual({ changed: [], removed: [] });
  });

  it('access no finished job and don’t list the folder while it doesn’t change', async () => {
    const { home } = await filled(100);
    const past = new Date(Date.now() - 60_000);
    const store = storeAt(home);
    await store.page();
    utimesSync(join(home, 'jobs'), past, past);
    await store.changes();
    const counts = await callsOf(() => store.changes());
    expect(counts).toEqual({ stat: 2 });
    expect(statSync(join(home, 'jobs')).mtimeMs).toBe(past.getTime());
  });
});

it.skipIf(process.platform === 'win32')(
  'all of hundreds of jobs are listed although the process may open few files',
  async () => {
    const home = await folders();
    writeJobs(home, 700, start);
    const script = join(home, 'list.ts');
    const module = join(import.meta.dirname, '../../../../src/main/core/jobs/store.ts');
    writeFileSync(
      script,
      `import { JobStore } from ${JSON.stringify(module)};
       const { jobs } = await new JobStore(${JSON.stringify(home)}, '1').page({ finished: 5000 });
       process.stdout.write(String(jobs.filter(({ summary }) => summary.state === 'done').length));`,
    );
    const run = `ulimit -n 256 && exec "$0" "$1"`;
    const listed = execFileSync('sh', ['-c', run, process.execPath, script], { encoding: 'utf8' });
    expect(listed).toBe('700');
    expect(existsSync(indexOf(home))).toBe(true);
  },
);
