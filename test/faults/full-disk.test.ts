import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { writeVersioned } from '../../src/main/core/files/shared-file.ts';
import { connectionEnv, runInProcess, type CliRun } from '../support/cli.ts';
import { canMount, withSmallDisk } from '../support/small-disk.ts';
import { sampleOf } from '../support/sample.ts';
import { lasForm } from './round-forms.ts';

const diskKilobytes = 4096;
/** Free space in kilobytes: it ends at the folder of the job, its plan, its journal, its spool, or a converted file. */
const spaces = sampleOf([0, 8, 16, 24, 48, 200], 2);

let demo: Demo;
let place: string;
beforeAll(async () => {
  demo = await startDemo({ records: 6000, wells: 4, seed: 7 });
});
afterAll(() => demo.close());
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'wellbench-disk-'));
});
afterEach(() => rm(place, { recursive: true, force: true }));

const inPlace = (name: string): string => join(place, name);
const run = (...args: string[]): Promise<CliRun> =>
  runInProcess([...args, '--json', '--data-dir', inPlace('data')], connectionEnv(demo));
const errorCode = (run: CliRun): string => z.object({ code: z.string() }).parse(run.error()).code;
const jobsOf = async (): Promise<string[]> =>
  z
    .object({ jobs: z.array(z.object({ id: z.string() })) })
    .parse((await run('jobs', 'list')).summary())
    .jobs.map(({ id }) => id);

/** Leaves this much space on the disk of the data folder. */
async function fill(freeKilobytes: number): Promise<void> {
  const filler = inPlace('data/filler');
  await writeFile(filler, '');
  const { bavail, bsize } = await statfs(inPlace('data'));
  await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeKilobytes * 1024)));
}

/** Runs a job on a full disk, then resumes it, or starts it again if there was no space for the job. */
async function runOnFullDisk(args: string[], freeKilobytes: number): Promise<void> {
  await fill(freeKilobytes);
  const first = await run(...args);
  if (first.code !== 0) expect(errorCode(first), first.stderr).toBe('disk_full');
  await truncate(inPlace('data/filler'));
  const [job] = await jobsOf();
  if (first.code === 0) return;
  const second = await run(...(job === undefined ? args : ['jobs', 'resume', job]));
  expect(second.code, second.stderr).toBe(0);
}

describe.runIf(canMount)('when the disk of the data folder is full', () => {
  beforeEach(() => mkdir(inPlace('data')));

  it.each(spaces)('an export fails with disk_full and resumes, with %i kB', async (space) => {
    await withSmallDisk(inPlace('data'), diskKilobytes, async () => {
      const exportTo = (name: string): string[] => ['export', 'demo/wits', '--out', inPlace(name)];
      await runOnFullDisk(exportTo('f.csv'), space);
      expect((await run(...exportTo('whole.csv'))).code).toBe(0);
      expect((await readFile(inPlace('f.csv'))).equals(await readFile(inPlace('whole.csv')))).toBe(true);
    });
  });

  it.each(spaces)('an upload of a converted file stores each row once, with %i kB', async (space) => {
    const rows = Array.from({ length: 500 }, (_, n) => `${1_700_000_000_000 + space * 1e7 + n * 1000} 5`);
    const query = `{asset_id: 5001, timestamp: {$gte: ${1_700_000_000_000 + space * 1e7}, $lt: ${1_700_000_000_000 + space * 1e7 + 600_000}}}`;
    await writeFile(inPlace(lasForm.name), lasForm.write(rows));
    await writeFile(inPlace('mapping.json'), JSON.stringify(lasForm.mapping));
    const upload = [
      'upload',
      `demo/${lasForm.dataset}`,
      inPlace(lasForm.name),
      '--mapping',
      inPlace('mapping.json'),
    ];
    await withSmallDisk(inPlace('data'), diskKilobytes, async () => {
      await runOnFullDisk(upload, space);
      const counted = await run('count', `demo/${lasForm.dataset}`, '--query', query);
      expect(counted.summary()).toMatchObject({ count: rows.length });
    });
  });

  it('settings stay as they were', async () => {
    await withSmallDisk(inPlace('data'), diskKilobytes, async () => {
      const path = inPlace('data/settings.json');
      await writeVersioned(path, 1, { theme: 'dark' });
      await fill(0);
      await expect(writeVersioned(path, 1, { theme: 'x'.repeat(9000) })).rejects.toMatchObject({
        code: 'disk_full',
        details: { file: 'settings.json' },
      });
      expect(await readFile(path, 'utf8')).toBe('{"format":1,"theme":"dark"}');
    });
  });
});

describe.runIf(canMount)('a data folder that can only be read', () => {
  it('is reported at the start, by its path', async () => {
    await mkdir(inPlace('data'));
    await withSmallDisk(inPlace('data'), diskKilobytes, async () => {
      execFileSync('mount', ['-o', 'remount,ro', inPlace('data')], { stdio: 'ignore' });
      const { code, stderr } = await run('jobs', 'list');
      expect(code).toBe(1);
      expect(JSON.parse(stderr)).toMatchObject({
        code: 'file_unwritable',
        details: { file: inPlace('data'), reason: 'the drive is read-only' },
      });
    });
  });
});
