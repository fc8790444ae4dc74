import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { noFaults, startDemo, type Demo } from '../../../../src/demo/index.ts';
import { createApp } from '../../../../src/main/app.ts';
import type { CsvThread } from '../../../../src/main/core/mapping/mapping.ts';
import { sourceAt } from '../../../../src/main/core/files/files.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';
import { AppError, toAppError } from '../../../../src/shared/errors/errors.ts';
import { cliEnd, connectionEnv, runInProcess, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { openDemoJobs } from './support/demo-jobs.ts';
import { inProcessThread, journalOf } from './support/uploads.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 2 });
});
afterAll(() => demo.close());
afterEach(() => {
  Object.assign(demo.faults, noFaults);
});
const folders = useFolders();

let hour = 0;
/** Rows of two wells, one second apart, in hours that no other file of this test has. */
function csvOf(rows: number): string {
  const from = Date.UTC(2020, 0, 1, (hour += 1000));
  const lines = Array.from(
    { length: rows },
    (_, row) => `1,${row % 2 === 0 ? 5001 : 5002},${from + row * 1000},${row}.5`,
  );
  return ['version,asset_id,timestamp,rop', ...lines, ''].join('\n');
}

const summary = z.object({ job: z.string(), accepted: z.int(), skipped: z.int(), pending: z.int() });

async function setUp(rows: number) {
  const [data, work] = [await folders(), await folders()];
  const file = join(work, 'wits.csv');
  const copy = join(work, 'copy.csv');
  const mapping = join(work, 'mapping.json');
  const text = csvOf(rows);
  writeFileSync(file, text);
  writeFileSync(copy, text);
  const env = connectionEnv(demo);
  const argsOf = (path: string, dataset: string) => [
    'upload',
    `demo/${dataset}`,
    path,
    '--data-dir',
    data,
    '--json',
    // One batch at once, so that an upload goes on while another is planned.
    '--concurrency',
    '1',
  ];
  const run = (...args: string[]) => runInProcess([...args, '--data-dir', data, '--json'], env);
  return {
    data,
    file,
    copy,
    mapping,
    run,
    upload: (path: string, dataset = 'uploads.time', signal?: AbortSignal, ...more: string[]) =>
      runInProcess([...argsOf(path, dataset), ...more], env, signal),
    start: (path: string) => startCli(argsOf(path, 'uploads.time'), env),
    count: async (dataset = 'uploads.time') =>
      z.object({ count: z.int() }).parse((await run('count', `demo/${dataset}`)).summary()).count,
  };
}

describe('two uploads of the same rows into one dataset', () => {
  it('don’t run at once: the second is refused, and when it is resumed, skips what the first inserted', async () => {
    const { upload, run, count, file, copy } = await setUp(1500);
    const before = await count();
    demo.faults.latency_ms = 300;
    const ends = await Promise.all([upload(file), upload(copy)]);
    demo.faults.latency_ms = 0;
    expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([0, 2]));
    const refused = ends.find(({ code }) => code === 2);
    const done = ends.find(({ code }) => code === 0);
    const { job } = summary.parse(done?.summary());
    expect(refused?.error()).toMatchObject({ code: 'upload_repeated', details: { job, isRunning: true } });
    expect(await count()).toBe(before + 1500);
    // The slower one is refused before it is a job if the other one runs by then.
    const isJob = refused !== undefined && refused.stdout !== '';
    const next = isJob
      ? await run('jobs', 'resume', summary.parse(refused.summary()).job)
      : await upload(copy);
    expect(next.code).toBe(0);
    expect(next.summary()).toMatchObject({ skipped: 1500, pending: 0 });
    expect(await count()).toBe(before + 1500);
  });

  it('don’t run at once in two processes', async () => {
    const { start, count, file, copy } = await setUp(1500);
    const before = await count();
    demo.faults.latency_ms = 300;
    const ends = await Promise.all([file, copy].map((path) => cliEnd(start(path))));
    demo.faults.latency_ms = 0;
    // The slower process may have started when the other had ended: then it skips all rows.
    expect(ends.some(({ code }) => code === 0)).toBe(true);
    for (const { code, error } of ends)
      if (code !== 0) expect(error()).toMatchObject({ code: 'upload_repeated' });
    expect(await count()).toBe(before + 1500);
  });

  it('don’t run at once for two clients of one host', async () => {
    const { data, file, copy, count } = await setUp(1500);
    const before = await count();
    const app = await createApp({
      host: 'browser',
      fileMode: 'dialog',
      dataFolder: data,
      env: { WELLBENCH_KEYCHAIN: 'off' },
      choose: () => noDialogs,
    });
    const { id: connection } = await app.client.connections.add({
      name: 'North Ridge',
      dataUrl: demo.dataUrl,
      platformUrl: demo.platformUrl,
      credential: { method: 'api_key', apiKey: demo.apiKeys.write },
    });
    // The first one continues until the second one has been read, whichever finds a running thread.
    demo.faults.latency_ms = 300;
    const jobs = await Promise.all(
      [file, copy].map(async (path) => {
        const { token: source } = await app.files.grantSource(sourceAt(path));
        const request = { connection, provider: 'demo', dataset: 'uploads.time', source };
        // The slower one may find that the other one runs before it has a job.
        const started = await app.client.upload.start(request).catch(toAppError);
        if (started instanceof AppError) return { state: 'failed', error: started };
        const { job } = started;
        for await (const change of await app.client.events.jobs({}))
          if (change.id === job && (change.state === 'done' || change.state === 'failed')) return change;
        return null;
      }),
    );
    demo.faults.latency_ms = 0;
    await app.close();
    expect(new Set(jobs.map((job) => job?.state))).toEqual(new Set(['done', 'failed']));
    expect(jobs.find((job) => job?.state === 'failed')?.error).toMatchObject({ code: 'upload_repeated' });
    expect(await count()).toBe(before + 1500);
  });
});

describe.each(['skip', 'insert'] as const)(
  'an upload with --existing %s that was stopped midway',
  (existing) => {
    /** A job of the file that was stopped by Ctrl-C after its first rows were stored. */
    async function stopped() {
      const all = await setUp(4000);
      const { upload, count, file, data } = all;
      const before = await count();
      demo.faults.latency_ms = 200;
      const stop = new AbortController();
      const end = upload(file, 'uploads.time', stop.signal, '--existing', existing);
      while ((await count()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
      stop.abort();
      const { code, error, stderr, summary: summaryOf } = await end;
      Object.assign(demo.faults, noFaults);
      const { job, accepted, pending } = summary.parse(summaryOf());
      expect(pending).toBeGreaterThan(0);
      expect(code).toBe(130);
      const command = `wellbench jobs resume ${job} --data-dir ${data}`;
      return { ...all, before, job, accepted, command, error, stderr };
    }

    it('says how to resume it, which stores each row once; the same command names it again, and starts no other upload', async () => {
      const { upload, run, count, copy, mapping, before, job, accepted, command, error, stderr } =
        await stopped();
      expect(error()).toMatchObject({ code: 'cancelled', details: { resume: command } });
      expect(stderr).toContain(command);
      expect(stderr).not.toMatch(/again/i);
      const second = await upload(copy, 'uploads.time', undefined, '--existing', existing);
      expect(second.code).toBe(2);
      expect(second.error()).toMatchObject({
        code: 'upload_repeated',
        details: { job, isRunning: false, isUnfinished: true },
      });
      expect(second.error()).not.toHaveProperty('details.isOther');
      expect(second.stderr).toContain(command);
      writeFileSync(mapping, JSON.stringify({ columns: { rop: { to: 'data.other' } } }));
      const other = await upload(copy, 'uploads.time', undefined, '--mapping', mapping);
      expect(other.error()).toMatchObject({ code: 'upload_repeated', details: { job, isOther: true } });
      expect(other.stderr).not.toContain(command);
      expect(await count()).toBe(before + accepted);
      expect((await run('jobs', 'list')).summary()).toMatchObject({ jobs: [{ id: job }] });
      // A check sends nothing.
      expect((await upload(copy, 'uploads.time', undefined, '--dry-run')).code).toBe(0);
      expect((await run('jobs', 'resume', job)).code).toBe(0);
      expect(await count()).toBe(before + 4000);
      // All of it is stored: the file is sent again on purpose.
      expect((await upload(copy)).summary()).toMatchObject({ skipped: 4000 });
      expect(await count()).toBe(before + 4000);
    });

    it('is refused once another one has sent the file on purpose, and a third one skips all rows', async () => {
      const { upload, run, count, copy, before, job, accepted } = await stopped();
      const second = await upload(copy, 'uploads.time', undefined, '--again');
      expect(second.summary()).toMatchObject({ accepted: 4000, skipped: accepted });
      const other = summary.parse(second.summary()).job;
      const expectRefused = async (): Promise<void> => {
        const refused = await run('jobs', 'resume', job);
        expect(refused.code).toBe(2);
        const details = { job: other, isRunning: false };
        expect(refused.error()).toMatchObject({ code: 'upload_repeated', details });
        expect(refused.stderr).not.toContain('can be resumed');
      };
      await expectRefused();
      expect((await run('jobs', 'discard', other)).code).toBe(0);
      await expectRefused();
      expect((await upload(copy)).summary()).toMatchObject({ skipped: 4000 });
      expect(await count()).toBe(before + 4000);
    });
  },
);

it.each(['skip', 'insert'] as const)(
  'a job with %s that stopped before its first row stores none twice when it is resumed after another one',
  async (existing) => {
    const jobs = await openDemoJobs();
    const rows = Array.from({ length: 25 }, (_, at) => ({ at, value: at }));
    const run = await jobs.job(rows, { existing });
    const root = join(await folders(), 'jobs');
    const first = join(root, '20260101-000000-aaaaaa');
    const second = join(root, '20260101-000001-bbbbbb');
    // It has read the existing records, and nothing of it reaches the journal.
    expect((await run({ folder: first, killAfter: 0 })).error).not.toBeNull();
    expect((await run({ folder: second })).result?.ledger.accepted).toBe(25);
    const { error, result } = await run({ folder: first });
    if (existing === 'skip') expect(result?.ledger.skipped).toBe(25);
    else expect(error).toMatchObject({ code: 'upload_repeated', details: { isRunning: false } });
    expect(await jobs.stored()).toHaveLength(25);
    await jobs.close();
  },
);

it('a resumed job that read its rows, but sent none, skips those that another stored since', async () => {
  const jobs = await openDemoJobs();
  const rows = Array.from({ length: 25 }, (_, at) => ({ at, value: at }));
  const run = await jobs.job(rows, { existing: 'skip' });
  const folder = join(await folders(), 'jobs', '20260101-000000-aaaaaa');
  const stop = new AbortController();
  // It is canceled once it has read its first rows, before it sends them.
  const openThread = () => {
    const thread = inProcessThread();
    const prepare: typeof thread.calls.prepare = async (...call) => {
      stop.abort();
      return thread.calls.prepare(...call);
    };
    const calls = new Proxy(thread.calls, {
      get(target, name: keyof CsvThread['calls']) {
        return name === 'prepare' ? prepare : target[name];
      },
    });
    return { ...thread, calls };
  };
  const first = await run({ folder, signal: stop.signal, engine: { openThread } });
  expect(first.error?.code).toBe('cancelled');
  expect(await journalOf(folder)).toEqual([expect.objectContaining({ kind: 'batch', skipped: [] })]);
  await jobs.insert(rows.slice(0, 5));
  const { result } = await run({ folder });
  expect(result?.ledger).toMatchObject({ accepted: 25, skipped: 5 });
  expect(await jobs.stored()).toHaveLength(25);
  await jobs.close();
});

it('a resumed job whose tries all came back skips those that another stored since, also after a kill', async () => {
  const jobs = await openDemoJobs();
  const rows = Array.from({ length: 25 }, (_, at) => ({ at, value: at }));
  const run = await jobs.job(rows, { existing: 'skip' });
  const folder = join(await folders(), 'jobs', '20260101-000000-aaaaaa');
  const stop = new AbortController();
  const insert: typeof jobs.services.data.insert = async () => {
    stop.abort();
    const error = new AppError('too_many_requests', { service: 'data' });
    return { kind: 'not_stored', status: 429, error, retryAfterMs: null };
  };
  const services = { ...jobs.services, data: { ...jobs.services.data, insert } };
  expect((await run({ folder, signal: stop.signal, services })).error?.code).toBe('cancelled');
  expect((await journalOf(folder)).map(({ kind }) => kind)).toEqual(['batch', 'sent', 'returned']);
  // As a kill leaves it.
  writeFileSync(join(folder, 'existing'), '');
  await jobs.insert(rows.slice(0, 5));
  const { result } = await run({ folder });
  expect(result?.ledger).toMatchObject({ accepted: 25, skipped: 5 });
  expect(await jobs.stored()).toHaveLength(25);
  await jobs.close();
});

describe('uploads at once', () => {
  it('of one file into two datasets, or of two files into one, both run', async () => {
    const { upload, file, copy } = await setUp(50);
    writeFileSync(copy, csvOf(50));
    const ends = await Promise.all([upload(file), upload(file, 'wits'), upload(copy)]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('that sent nothing don’t prevent another from being resumed', async () => {
    const { upload, run, count, file, copy } = await setUp(10_000);
    const before = await count();
    demo.faults.latency_ms = 500;
    const stop = new AbortController();
    const stopping = upload(file, 'uploads.time', stop.signal);
    while ((await count()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
    const refused = await upload(copy);
    expect(refused.error()).toMatchObject({ code: 'upload_repeated' });
    stop.abort();
    const { job } = summary.parse((await stopping).summary());
    Object.assign(demo.faults, noFaults);
    expect((await run('jobs', 'resume', job)).code).toBe(0);
    expect(await count()).toBe(before + 10_000);
  });
});
