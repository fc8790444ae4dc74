import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { createApp } from '../../../../src/main/app.ts';
import { targetAt } from '../../../../src/main/core/files/files.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';
import { cliEnd, connectionEnv, runInProcess, startCli, type CliRun } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 6000, wells: 10 });
});
afterAll(() => demo.close());
afterEach(() => {
  demo.faults.bandwidth = 0;
});
const folders = useFolders();
/** Bytes per second: a definition arrives quickly, a page of records does not. */
const trickle = 50_000;

const summaryShape = z.object({
  job: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string().nullable(),
  file: z.string().nullable(),
  manifest: z.string().nullable(),
});
const summaryOf = (run: CliRun) => summaryShape.parse(run.summary());
const listShape = z.object({
  jobs: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      state: z.string(),
      file: z.string(),
      dataset: z.string(),
      started: z.string(),
    }),
  ),
});

const sha256Of = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** A folder for the application's data and one for results. */
async function setUp() {
  const [data, results] = [await folders(), await folders()];
  const withData = (args: readonly string[]) => [...args, '--data-dir', data, '--json'];
  return {
    data,
    results,
    out: join(results, 'wits.csv'),
    run: (...args: string[]) => runInProcess(withData(args), connectionEnv(demo)),
    runWith: (env: Record<string, string>, ...args: string[]) =>
      runInProcess(withData(args), { ...connectionEnv(demo), ...env }),
    start: (...args: string[]) => startCli(withData(args), connectionEnv(demo)),
    jobs: async () => listShape.parse((await runInProcess(withData(['jobs', 'list']))).summary()).jobs,
  };
}
/** The first message on stderr: the job exists by then. */
const firstMessage = async (child: ReturnType<typeof startCli>): Promise<string> => {
  const [text] = (await once(child.stderr!, 'data')) as [Buffer];
  return text.toString();
};

describe('export', () => {
  it('writes all matching records, and prints their number, the path, and the checksum', async () => {
    const { run, out, jobs } = await setUp();
    const ended = await run('export', 'demo/wits', '--out', out);
    const { rows, job, manifest } = summaryOf(ended);
    const { count } = z.object({ count: z.int() }).parse((await run('count', 'demo/wits')).summary());
    const bytes = await readFile(out);
    expect(ended.code).toBe(0);
    expect(rows).toBe(count);
    expect(bytes.toString().trimEnd().split('\r\n')).toHaveLength(rows + 1);
    expect(summaryOf(ended)).toEqual({
      job,
      rows,
      bytes: bytes.length,
      sha256: await sha256Of(out),
      file: out,
      manifest,
    });
    expect(JSON.parse(await readFile(manifest ?? '', 'utf8'))).toBeTypeOf('object');
    expect(await jobs()).toEqual([
      {
        id: job,
        kind: 'export',
        state: 'done',
        file: 'wits.csv',
        dataset: 'demo/wits',
        started: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
  });

  it.each([
    ['ndjson', [], /^\{"_id"/],
    ['jsonl', [], /^\{"_id"/],
    ['json', [], /^\[/],
    ['parquet', [], /^PAR1/],
    ['txt', ['--format', 'csv', '--fields', 'timestamp,data.rop'], /^timestamp,data\.rop\r\n\d{13},/],
    [
      'csv',
      ['--time-zone', 'America/Chicago', '--fields', 'timestamp'],
      /^timestamp\r\n\d{4}-\d\d-\d\dT[^\n]*-0[56]:00/,
    ],
  ])('writes .%s with these options: %j', async (ending, args, start) => {
    const { run, results } = await setUp();
    const out = join(results, `wits.${ending}`);
    const ended = await run('export', 'demo/wits', '--query', '{ asset_id: 5001 }', '--out', out, ...args);
    expect(ended.code).toBe(0);
    expect((await readFile(out)).toString('latin1')).toMatch(start);
  });

  const counted = ['--stages', '[{ $count: "n" }]'];
  it.each([
    ['an invalid query', ['--query', '{ asset_id: }'], { field: 'query', line: 1, column: 13 }],
    ['a query that stages have no use for', ['--query', '{ a: 1 }', ...counted], { field: 'query' }],
    ['a sort that stages have no use for', ['--sort', '{ a: 1 }', ...counted], { field: 'sort' }],
    ['an unknown time zone', ['--time-zone', 'Texas'], { field: expect.any(String) }],
    ['16 times the maximum concurrency', ['--concurrency', '256'], { field: 'concurrency' }],
    ['a missing folder', ['--out', '/no/such/folder/x.csv'], { field: 'out' }],
  ])('rejects %s; no job, no file', async (_what, args, place) => {
    const { run, out, results, jobs } = await setUp();
    const ended = await run('export', 'demo/wits', '--out', out, ...args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.error()).toMatchObject({ code: 'invalid_input', details: { issues: [{ place }] } });
    expect(await jobs()).toEqual([]);
    expect(await readdir(results)).toEqual([]);
  });

  it('leaves an existing file unchanged', async () => {
    const { run, out } = await setUp();
    await writeFile(out, 'mine');
    const ended = await run('export', 'demo/wits', '--out', out);
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({ code: 'file_exists' });
    expect(await readFile(out, 'utf8')).toBe('mine');
  });

  it('exits with 4 for a wrong key and 1 for an unknown dataset, and creates no file', async () => {
    const { run, runWith, out, results } = await setUp();
    const wrong = await runWith({ WELLBENCH_API_KEY: 'wrong' }, 'export', 'demo/wits', '--out', out);
    expect(wrong.code).toBe(4);
    const unknown = await run('export', 'demo/nothing', '--out', out);
    expect(unknown.code).toBe(1);
    expect(await readdir(results)).toEqual([]);
  });
});

describe('an export that is stopped', () => {
  /** The checksum of an uninterrupted export. No test changes the records. */
  let checksum: Promise<string> | null = null;
  const referenceChecksum = (): Promise<string> => (checksum ??= exportOnce());
  async function exportOnce(): Promise<string> {
    const { run, out } = await setUp();
    await run('export', 'demo/wits', '--out', out);
    return sha256Of(out);
  }

  it('by Ctrl-C ends with 130, prints how to resume, and resumes to the same bytes', async () => {
    const { start, run, out, jobs } = await setUp();
    demo.faults.bandwidth = trickle;
    const child = start('export', 'demo/wits', '--out', out);
    const words = firstMessage(child);
    const end = cliEnd(child);
    await words;
    child.kill('SIGINT');
    // A terminal and a parent may both send it: that is one Ctrl-C, not two.
    child.kill('SIGINT');
    const ended = await end;
    const { job, sha256, file } = summaryOf(ended);
    expect(ended.code).toBe(130);
    expect({ sha256, file }).toEqual({ sha256: null, file: null });
    expect(ended.error()).toMatchObject({ code: 'cancelled' });
    expect(ended.stderr).toContain(`jobs resume ${job}`);
    expect(existsSync(out)).toBe(false);
    expect(await jobs()).toMatchObject([{ id: job, state: 'cancelled' }]);

    demo.faults.bandwidth = 0;
    const resumed = await run('jobs', 'resume', job);
    expect(resumed.code).toBe(0);
    expect(await sha256Of(out)).toBe(await referenceChecksum());
    expect(summaryOf(await run('jobs', 'show', job))).toEqual(summaryOf(resumed));
    const again = await run('jobs', 'resume', job);
    expect(again.code).toBe(2);
    expect(again.error()).toMatchObject({ code: 'job_state' });
  });

  it('is named by the next one to the same file, which says how to resume it and starts anew', async () => {
    const { start, run, data, out, jobs } = await setUp();
    demo.faults.bandwidth = trickle;
    const child = start('export', 'demo/wits', '--out', out);
    // The check before the job creates such a file for a moment.
    await firstMessage(child);
    await expect.poll(() => existsSync(`${out}.partial`), { timeout: 20_000 }).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    demo.faults.bandwidth = 0;
    const [stopped] = await jobs();
    const other = await run('export', 'demo/wits', '--out', join(data, 'other.csv'));
    expect(other.stderr).not.toContain('jobs resume');
    const next = await run('export', 'demo/wits', '--out', out, '--force');
    expect(next.code).toBe(0);
    expect(next.stderr).toContain(`wellbench jobs resume ${stopped!.id} --data-dir ${data}`);
    expect(await sha256Of(out)).toBe(await referenceChecksum());
    // The file is complete now: the stopped job doesn't replace it.
    const late = await run('jobs', 'resume', stopped!.id);
    expect(late.error()).toMatchObject({ code: 'file_exists' });
    expect(late.code).toBe(1);
    expect(await sha256Of(out)).toBe(await referenceChecksum());
  });

  it('that is done is discarded without the incomplete file that another one writes to its path', async () => {
    const { run, out, jobs } = await setUp();
    await run('export', 'demo/wits', '--out', out);
    await writeFile(`${out}.partial`, 'of another export');
    const [done] = await jobs();
    expect((await run('jobs', 'discard', done!.id)).code).toBe(0);
    expect(await readFile(`${out}.partial`, 'utf8')).toBe('of another export');
  });

  it('by a kill is interrupted, and resumed to the same bytes', async () => {
    const { start, run, out, jobs } = await setUp();
    demo.faults.bandwidth = trickle;
    const child = start('export', 'demo/wits', '--out', out);
    await firstMessage(child);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [interrupted] = await jobs();
    expect(interrupted).toMatchObject({ state: 'interrupted' });
    demo.faults.bandwidth = 0;
    expect((await run('jobs', 'resume', interrupted!.id)).code).toBe(0);
    expect(await sha256Of(out)).toBe(await referenceChecksum());
  });

  it('of a comparison is resumed to the exit code of records that differ', async () => {
    const { start, run, jobs } = await setUp();
    demo.faults.bandwidth = trickle;
    const queries = [
      '--query',
      '{ asset_id: { $lte: 5004 } }',
      '--against-query',
      '{ asset_id: { $gt: 5004 } }',
    ];
    const child = start('quality', 'demo/wits', ...queries);
    await firstMessage(child);
    child.kill('SIGKILL');
    await once(child, 'exit');
    demo.faults.bandwidth = 0;
    const [interrupted] = await jobs();
    expect((await run('jobs', 'resume', interrupted!.id)).code).toBe(3);
  });

  it('by another process has stopped when that process ends', async () => {
    const { start, run, out, jobs } = await setUp();
    demo.faults.bandwidth = trickle;
    const child = start('export', 'demo/wits', '--out', out);
    const words = firstMessage(child);
    const end = cliEnd(child);
    await words;
    const [running] = await jobs();
    expect(running).toMatchObject({ state: 'running' });
    const busy = await run('jobs', 'resume', running!.id);
    expect(busy.code).toBe(1);
    expect(busy.error()).toMatchObject({ code: 'job_busy' });
    const cancel = await run('jobs', 'cancel', running!.id);
    expect(cancel).toMatchObject({ code: 0 });
    expect(cancel.summary()).toEqual({ job: running!.id, state: 'cancelled' });
    expect((await end).code).toBe(130);
    expect(existsSync(`${out}.partial`)).toBe(true);
    expect((await run('jobs', 'discard', running!.id)).code).toBe(0);
    expect(await jobs()).toEqual([]);
    expect(existsSync(`${out}.partial`)).toBe(false);
  });

  it('that waits in another process has stopped when that process ends it', async () => {
    const { data, run, out, jobs } = await setUp();
    const other = await createApp({
      host: 'browser',
      fileMode: 'stream',
      dataFolder: data,
      env: connectionEnv(demo),
      choose: () => noDialogs,
    });
    try {
      const { id: connection } = await other.connections.fromEnvironment();
      const { token: target } = other.files.grantTarget(targetAt(out, false));
      demo.faults.bandwidth = trickle;
      const request = { connection, provider: 'demo', dataset: 'wits', format: 'csv', target } as const;
      const { job } = await other.client.export.start(request);
      (await other.runner()).pause(job);
      await expect.poll(jobs, { timeout: 10_000 }).toMatchObject([{ state: 'waiting' }]);
      expect((await run('jobs', 'cancel', job)).summary()).toEqual({ job, state: 'cancelled' });
    } finally {
      await other.close();
    }
  });

  it('resumes only with the connection and the service it started with', async () => {
    const { start, run, runWith, out, results, jobs } = await setUp();
    demo.faults.bandwidth = trickle;
    const child = start('export', 'demo/wits', '--out', out);
    await firstMessage(child);
    child.kill('SIGKILL');
    await once(child, 'exit');
    demo.faults.bandwidth = 0;
    const id = (await jobs())[0]?.id ?? '';
    const otherUrl = demo.dataUrl.replace('127.0.0.1', 'localhost');
    const ended = await runWith({ WELLBENCH_DATA_URL: otherUrl }, 'jobs', 'resume', id);
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(otherUrl),
    });
    const file = join(results, 'connections.json');
    const { dataUrl, platformUrl } = demo;
    const profile = { name: 'North', dataUrl, platformUrl, method: 'api_key', readOnly: false };
    await writeFile(
      file,
      JSON.stringify({ kind: 'wellbench-connections', format: 1, connections: [profile] }),
    );
    expect((await run('connections', 'import', file)).code).toBe(0);
    const named = await run('--connection', 'North', 'jobs', 'resume', id);
    expect(named.error()).toMatchObject({ details: { issues: [{ place: { field: 'connection' } }] } });
    expect((await run('jobs', 'resume', id)).code).toBe(0);
  });
});

describe('jobs', () => {
  it.each(['show', 'resume', 'cancel', 'discard'])('%s reports an unknown job', async (what) => {
    const { run } = await setUp();
    for (const id of ['20261121-000000-abcdef', '../etc', 'X']) {
      const ended = await run('jobs', what, id);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.error()).toMatchObject({ code: 'job_unknown', details: { job: id } });
    }
  });
});
