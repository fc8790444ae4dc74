import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { takeLock } from '../../../../src/main/core/files/lock.ts';
import { createFiles } from '../../../../src/main/core/files/files.ts';
import { JobRunner, JobStore, planHead, type Engine } from '../../../../src/main/core/jobs/jobs.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { exportResult } from '../../../../src/shared/export/export.ts';
import { useFolders } from '../../../support/folders.ts';

const plan = planHead.extend({ rows: z.int() });
type Plan = z.infer<typeof plan>;
const entry = z.object({ row: z.int() });
type Entry = z.infer<typeof entry>;

/** Counts to the plan's number, one journal entry each, waiting at the gate before every step. */
function countingEngine(gate: (row: number, signal: AbortSignal) => Promise<void>): Engine<Plan, Entry> {
  return {
    kind: 'export',
    format: 1,
    plan,
    entry,
    result: exportResult,
    async *run(job, { signal }) {
      for (let row = job.entries.length; row < job.plan.rows; row++) {
        await gate(row, signal);
        signal.throwIfAborted();
        yield { kind: 'entries', entries: [{ row }], flush: true };
        yield { kind: 'progress', progress: { rows: row + 1, totalRows: job.plan.rows } };
      }
      const path = join(job.folder, job.plan.fileName);
      await writeFile(path, String(job.plan.rows));
      yield { kind: 'artifact', artifact: { kind: 'result', path } };
      return { rows: job.plan.rows, bytes: 1, sha256: '', expected: null, warnings: [] };
    },
  };
}

const retention = { jobs: 500, days: 90 };
const noServices: Services = {
  dataUrl: 'https://data.example',
  data: null as unknown as Services['data'], // the counting engine uses no service
  platform: null as unknown as Services['platform'],
  close: async () => undefined,
};

function setUp(
  dataFolder: string,
  gate: (row: number, signal: AbortSignal) => Promise<void> = async () => undefined,
) {
  const store = new JobStore(dataFolder, '0.0.0');
  const engine = countingEngine(gate) as Engine;
  const runner = new JobRunner({
    store,
    engine: async () => engine,
    services: () => noServices,
    files: createFiles(),
    pollMs: 20,
    isAttended: true,
    retention: async () => retention,
  });
  return { store, runner };
}

const planOf = (rows: number): Plan => ({
  connection: { id: 'c', name: 'North Ridge', dataUrl: 'http://127.0.0.1:1' },
  address: { provider: 'demo', dataset: 'wits' },
  fileName: 'wits.csv',
  concurrency: 1,
  rows,
});

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    const stop = (): void => reject(new AppError('cancelled', {}));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });

describe('the job runner', () => {
  const folder = useFolders();

  it('begins no job that was canceled while it was created, and lists none', async () => {
    const { runner } = setUp(await folder());
    const stop = new AbortController();
    const start = runner.start('export', planOf(5), stop.signal);
    stop.abort();
    await expect(start).rejects.toMatchObject({ code: 'cancelled' });
    expect((await runner.list()).jobs).toEqual([]);
  });

  it('runs a job to its end and shows its result', async () => {
    const { runner } = setUp(await folder());
    const { id } = await runner.start('export', planOf(5), undefined);
    const job = await runner.waitUntilStopped(id);
    expect(job).toMatchObject({ kind: 'export', state: 'done', file: 'wits.csv', error: null });
    expect(job).toMatchObject({ connection: 'North Ridge', connectionId: 'c' });
    expect(job.progress).toMatchObject({ rows: 5, totalRows: 5 });
    expect(job.result).toMatchObject({ rows: 5 });
    expect(job.artifacts).toMatchObject([{ kind: 'result', name: 'wits.csv' }]);
    expect(JSON.stringify(job)).not.toContain('core/jobs/');
  });

  it('reports a plan that is damaged, also where it is valid JSON', async () => {
    const dataFolder = await folder();
    const { runner } = setUp(dataFolder, async (_row, signal) => waitForAbort(signal));
    const { id } = await runner.start('export', planOf(5), undefined);
    await runner.cancel(id);
    const file = join(dataFolder, 'jobs', id, 'plan.json');
    const plan = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...plan, plan: { rows: 'many' } }));
    await runner.resume(id);
    expect(await runner.waitUntilStopped(id)).toMatchObject({
      state: 'failed',
      error: {
        code: 'file_unreadable',
        details: { file: `plan.json of job ${id}`, reason: 'it is damaged' },
      },
    });
  });

  it('cancels a running job, and resumes it where it stopped', async () => {
    let open = false;
    const { runner } = setUp(await folder(), async (row, signal) => {
      if (row === 3 && !open) await waitForAbort(signal);
    });
    const { id } = await runner.start('export', planOf(6), undefined);
    for await (const job of runner.watch(AbortSignal.timeout(20_000))) if (job.progress.rows === 3) break;
    await runner.cancel(id);
    expect(await runner.show(id)).toMatchObject({ state: 'cancelled', progress: { rows: 3 } });
    open = true;
    await runner.resume(id);
    expect(await runner.waitUntilStopped(id)).toMatchObject({ state: 'done', progress: { rows: 6 } });
  });

  it('leaves a job that is stopped by closing as interrupted, for another process to resume', async () => {
    const dataFolder = await folder();
    const first = setUp(dataFolder, async (row, signal) => {
      if (row === 2) await waitForAbort(signal);
    });
    const { id } = await first.runner.start('export', planOf(4), undefined);
    await first.runner.close();
    const second = setUp(dataFolder);
    expect(await second.runner.show(id)).toMatchObject({ state: 'interrupted' });
    await second.runner.resume(id);
    expect(await second.runner.waitUntilStopped(id)).toMatchObject({ state: 'done', progress: { rows: 4 } });
  });

  it('runs once if it is resumed twice, as by a double click', async () => {
    let open = false;
    const { runner } = setUp(await folder(), async (_row, signal) => {
      if (!open) await waitForAbort(signal);
    });
    const { id } = await runner.start('export', planOf(2), undefined);
    await runner.cancel(id);
    open = true;
    await runner.resume(id);
    await runner.resume(id);
    expect(await runner.waitUntilStopped(id)).toMatchObject({ state: 'done', progress: { rows: 2 } });
  });

  it('rejects a job that another process is running', async () => {
    const dataFolder = await folder();
    const first = setUp(dataFolder, (_row, signal) => waitForAbort(signal));
    const { id } = await first.runner.start('export', planOf(1), undefined);
    const second = setUp(dataFolder);
    await expect(second.runner.resume(id)).rejects.toMatchObject({ code: 'job_busy' });
    await expect(second.runner.discard(id)).rejects.toMatchObject({ code: 'job_busy' });
    await first.runner.close();
  });

  it('stops a job that another process runs when it is canceled here', async () => {
    const dataFolder = await folder();
    const first = setUp(dataFolder, (_row, signal) => waitForAbort(signal));
    const { id } = await first.runner.start('export', planOf(1), undefined);
    const second = setUp(dataFolder);
    await second.runner.cancel(id);
    expect(await first.runner.waitUntilStopped(id)).toMatchObject({ state: 'cancelled' });
  });

  it('stores the error of a failed job as a message with its code', async () => {
    const failure = new AppError('disk_full', { file: 'wits.csv', writtenBytes: 7 });
    const { runner } = setUp(await folder(), async () => {
      throw failure;
    });
    const { id } = await runner.start('export', planOf(1), undefined);
    expect(await runner.waitUntilStopped(id)).toMatchObject({
      state: 'failed',
      error: { code: 'disk_full', message: failure.message },
    });
  });

  it('rejects resuming a finished job, a missing one, and a name that is a path', async () => {
    const { runner } = setUp(await folder());
    const { id } = await runner.start('export', planOf(1), undefined);
    await runner.waitUntilStopped(id);
    await expect(runner.resume(id)).rejects.toMatchObject({ code: 'job_state' });
    await expect(runner.show('20200101-000000-abcdef')).rejects.toMatchObject({ code: 'job_unknown' });
    await expect(runner.discard('../../../etc')).rejects.toMatchObject({ code: 'job_unknown' });
  });

  it('rejects a job of a newer format, and leaves it unchanged', async () => {
    const dataFolder = await folder();
    const { runner } = setUp(dataFolder);
    const { id } = await runner.start('export', planOf(1), undefined);
    await runner.waitUntilStopped(id);
    const planFile = join(dataFolder, 'jobs', id, 'plan.json');
    const newer = JSON.stringify({ ...JSON.parse(await readFile(planFile, 'utf8')), format: 2 });
    await writeFile(planFile, newer);
    await expect(runner.resume(id)).rejects.toMatchObject({ code: 'job_too_new', details: { format: 2 } });
    expect(await readFile(planFile, 'utf8')).toBe(newer);
  });

  it('lists jobs oldest first, skips other folders, and deletes a discarded one from disk', async () => {
    const dataFolder = await folder();
    const { runner } = setUp(dataFolder);
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      const { id } = await runner.start('export', planOf(1), undefined);
      await runner.waitUntilStopped(id);
      ids.push(id);
    }
    await mkdir(join(dataFolder, 'jobs', '20260101-000000-aaaaaa'));
    expect((await runner.list()).jobs.map(({ id }) => id)).toEqual(ids);
    await runner.discard(ids[0] ?? '');
    expect((await runner.list()).jobs).toHaveLength(2);
    expect(existsSync(join(dataFolder, 'jobs', ids[0] ?? ''))).toBe(false);
  });

  it('lists damaged and newer jobs with the reason, and lets the user discard a damaged one', async () => {
    const dataFolder = await folder();
    const { runner } = setUp(dataFolder);
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      const { id } = await runner.start('export', planOf(1), undefined);
      await runner.waitUntilStopped(id);
      ids.push(id);
    }
    const fileOf = (nth: number, name: string): string => join(dataFolder, 'jobs', ids[nth] ?? '', name);
    const edit = async (nth: number, name: string, change: object): Promise<void> => {
      const text = await readFile(fileOf(nth, name), 'utf8');
      await writeFile(fileOf(nth, name), JSON.stringify({ ...JSON.parse(text), ...change }));
    };
    await writeFile(fileOf(0, 'plan.json'), '{"kind":');
    await writeFile(fileOf(1, 'summary.json'), 'nothing');
    await edit(2, 'plan.json', { folderFormat: 99, kind: 'import' });
    await edit(3, 'plan.json', { app: '99.0.0' });
    await edit(3, 'summary.json', { state: 'verified' });
    await edit(4, 'summary.json', { result: { rows: 'many' } });
    const { jobs } = await runner.list();
    expect(jobs.map(({ id }) => id)).toEqual(ids);
    expect(jobs.map(({ state }) => state)).toEqual(Array.from(ids, () => 'unreadable'));
    expect(jobs.map(({ error }) => error?.code)).toEqual([
      'file_unreadable',
      'file_unreadable',
      'job_too_new',
      'job_too_new',
      'file_unreadable',
    ]);
    expect(jobs[1]).toMatchObject({ file: 'wits.csv', address: { dataset: 'wits' } });
    await runner.discard(ids[0] ?? '');
    await runner.discard(ids[1] ?? '');
    await expect(runner.discard(ids[2] ?? '')).rejects.toMatchObject({ code: 'job_too_new' });
    expect((await runner.list()).jobs.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  it('reports that the folder of jobs can’t be read, instead of showing no jobs', async () => {
    const dataFolder = await folder();
    await writeFile(join(dataFolder, 'jobs'), '');
    const { runner } = setUp(dataFolder);
    await expect(runner.list()).rejects.toMatchObject({ code: 'file_unreadable', details: { file: 'jobs' } });
  });

  it('notifies every window that a job was discarded', async () => {
    const { runner } = setUp(await folder());
    const { id } = await runner.start('export', planOf(1), undefined);
    await runner.waitUntilStopped(id);
    const states: string[] = [];
    for await (const job of runner.watch(AbortSignal.timeout(20_000))) {
      states.push(job.state);
      if (job.state === 'discarded') break;
      await runner.discard(id);
    }
    expect(states).toEqual(['done', 'discarded']);
  });

  it('notifies the windows of other processes that a job was started, changed, and discarded', async () => {
    const dataFolder = await folder();
    const [ours, theirs] = [setUp(dataFolder), setUp(dataFolder)];
    const { id: first } = await theirs.runner.start('export', planOf(1), undefined);
    await theirs.runner.waitUntilStopped(first);
    const notices: [string, string][] = [];
    let second = '';
    for await (const { id, state, file } of ours.runner.watch(AbortSignal.timeout(20_000))) {
      const notice: [string, string] = [id === first ? 'first' : 'second', state];
      // A state may be reported again, with other progress.
      if (notices.at(-1)?.join() === notice.join()) continue;
      notices.push(notice);
      if (id === first && state === 'done') {
        // A job that starts before the folder is read is part of the list.
        await new Promise((resolve) => setTimeout(resolve, 100));
        await theirs.runner.discard(first);
      } else if (state === 'discarded' && id === first) {
        ({ id: second } = await theirs.runner.start('export', planOf(1), undefined));
        await theirs.runner.waitUntilStopped(second);
      } else if (state === 'done') {
        expect([id, file]).toEqual([second, 'wits.csv']);
        await theirs.runner.discard(second);
      } else if (state === 'discarded') break;
    }
    expect(notices.filter(([, state]) => state !== 'running')).toEqual([
      ['first', 'done'],
      ['first', 'discarded'],
      ['second', 'done'],
      ['second', 'discarded'],
    ]);
  });

  it('notifies the windows of other processes that the process of a job was killed', async () => {
    const dataFolder = await folder();
    const [ours, theirs] = [setUp(dataFolder), setUp(dataFolder)];
    const { id } = await theirs.runner.start('export', planOf(1), undefined);
    await theirs.runner.waitUntilStopped(id);
    // As a process leaves it that has the job, saves it each second, and is killed.
    const summary = join(dataFolder, 'jobs', id, 'summary.json');
    const lock = takeLock(join(dataFolder, 'jobs', id, 'lock'));
    const stored: object = JSON.parse(await readFile(summary, 'utf8'));
    const save = () => writeFile(summary, JSON.stringify({ ...stored, state: 'running' }));
    await save();
    const states: string[] = [];
    for await (const { state } of ours.runner.watch(AbortSignal.timeout(20_000))) {
      states.push(state);
      if (state === 'interrupted') break;
      if (states.length === 1) await save();
      else lock?.release();
    }
    expect(states).toEqual(['running', 'running', 'interrupted']);
  });

  it('lists a job without its plan with the remaining facts, and lets the user discard it', async () => {
    const dataFolder = await folder();
    const { runner } = setUp(dataFolder);
    const { id } = await runner.start('export', planOf(3), undefined);
    await runner.waitUntilStopped(id);
    await rm(join(dataFolder, 'jobs', id, 'plan.json'));
    const [job] = (await runner.list()).jobs;
    expect(job).toMatchObject({
      id,
      state: 'unreadable',
      file: 'wits.csv',
      address: { provider: 'demo', dataset: 'wits' },
      progress: { rows: 3 },
      error: {
        code: 'file_unreadable',
        details: { file: `plan.json of job ${id}`, reason: 'it is missing' },
      },
    });
    await runner.discard(id);
    expect((await runner.list()).jobs).toEqual([]);
  });

  it('continues when listeners fail', async () => {
    const store = new JobStore(await folder(), '0.0.0');
    const engine = countingEngine(async () => undefined) as Engine;
    let notices = 0;
    const runner = new JobRunner({
      store,
      engine: async () => engine,
      services: () => noServices,
      files: {
        grantSource() {
          notices += 1;
          throw new Error('a file of the job is gone');
        },
      },
      isAttended: true,
      retention: async () => retention,
    });
    const { id } = await runner.start('export', planOf(1), undefined);
    await expect(runner.waitUntilStopped(id)).rejects.toThrow();
    expect(notices).toBeGreaterThan(0);
    expect((await store.read(id)).summary.state).toBe('done');
  });

  it.skipIf(process.platform !== 'linux')('closes the journal when cleanup fails', async () => {
    const store = new JobStore(await folder(), '0.0.0');
    const engine: Engine = {
      ...(countingEngine(async () => undefined) as Engine),
      discard: async () => {
        throw new Error('the spool is held');
      },
    };
    const runner = new JobRunner({
      store,
      engine: async () => engine,
      services: () => noServices,
      files: createFiles(),
      isAttended: true,
      retention: async () => retention,
    });
    const { id } = await runner.start('export', planOf(1), undefined);
    await runner.waitUntilStopped(id);
    await runner.discard(id);
    expect(await openFilesOf(id)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('releases a job that could not be written', async () => {
    const dataFolder = await folder();
    const { store, runner } = setUp(dataFolder);
    const { id } = await runner.start('export', planOf(1), undefined);
    await runner.waitUntilStopped(id);
    const { summary } = await store.read(id);
    const circular: { self?: unknown } = {};
    circular.self = circular;
    await expect(store.create('export', 1, circular, summary)).rejects.toThrow();
    expect(await readdir(join(dataFolder, 'jobs'))).toEqual([id]);
    expect(await openFilesOf(dataFolder)).toEqual([]);
  });
});

/** Open files of this process whose paths contain this text. */
async function openFilesOf(part: string): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return paths.filter((path) => path.includes(part));
}
