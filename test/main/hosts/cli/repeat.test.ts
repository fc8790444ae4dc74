import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { repeatUpdates, type UpdateRun } from '../../../../src/main/hosts/cli/jobs/repeat.ts';
import { AppError, type ErrorCode } from '../../../../src/shared/errors/errors.ts';
import type { ExportJob } from '../../../../src/shared/jobs/jobs.ts';
import { cliEnd, connectionEnv, runInProcess, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
const minute = 60_000;

const jobOf = (n: number): ExportJob => ({
  id: `20261126-00000000${n}-abcdef`,
  kind: 'export',
  state: 'done',
  address: { provider: 'demo', dataset: 'wits' },
  connection: 'c',
  file: 'wits',
  started: '',
  updated: '',
  progress: { rows: 0, totalRows: null, bytes: 0, rate: 0, secondsLeft: null, nextTryMs: null },
  error: null,
  waitsFor: null,
  artifacts: [],
  result: {
    rows: 10 + n,
    bytes: 1,
    sha256: '',
    expected: null,
    warnings: [],
    folder: { partitions: 1, added: 0, removed: 0, rewritten: 0, verified: true },
  },
});

const errorOf = (code: ErrorCode): AppError =>
  code === 'invalid_input'
    ? new AppError('invalid_input', { issues: [{ message: 'Another run updated wits meanwhile.' }] })
    : code === 'not_authenticated'
      ? new AppError('not_authenticated', { service: 'data', status: 401 })
      : new AppError('file_unwritable', { file: 'wits', reason: 'another run is updating it' });

type Step = 'done' | ErrorCode;

/** Runs updates with these outcomes; the signal is aborted after the last one. */
async function repeated(folder: string, steps: readonly Step[]) {
  const stop = new AbortController();
  const pauses: number[] = [];
  const resumed: (string | null)[] = [];
  const healths: Record<string, unknown>[] = [];
  const health = () => JSON.parse(readFileSync(join(folder, '_health.json'), 'utf8'));
  let n = 0;
  const ended = repeatUpdates(
    {
      everyMs: 15 * minute,
      folder,
      async update(job): Promise<UpdateRun> {
        resumed.push(job);
        const step = steps[n] ?? 'done';
        n += 1;
        return { job: jobOf(n), error: step === 'done' ? null : errorOf(step) };
      },
      async wait(ms) {
        pauses.push(ms);
        healths.push(health());
        if (n >= steps.length) stop.abort();
      },
    },
    {
      signal: stop.signal,
      messages: { say: () => undefined, progress: () => undefined, clear: () => undefined },
    },
  );
  return { outcome: await ended.catch((error: unknown) => error), pauses, resumed, healths, last: health() };
}

describe('a mirror that is updated again and again', () => {
  it('tells how it is, and ends without an error when it is stopped', async () => {
    const { outcome, healths, last, pauses } = await repeated(join(await folders(), 'wits'), [
      'done',
      'done',
    ]);
    expect(outcome).toEqual({ exitCode: 0 });
    expect(healths).toMatchObject([
      { state: 'waiting', rows: 11, verified: true, failures: 0, error: null, job: null },
      { state: 'waiting', rows: 12 },
    ]);
    expect(pauses.every((ms) => ms <= 15 * minute)).toBe(true);
    expect(last).toMatchObject({ state: 'stopped', nextRun: null, lastSuccess: expect.any(String) });
  });

  it('tries again after a failure, later each time but never later than usual, and continues its job', async () => {
    const failures = Array.from({ length: 7 }, (): Step => 'file_unwritable');
    const { pauses, resumed, healths } = await repeated(join(await folders(), 'wits'), [
      ...failures,
      'done',
      'done',
    ]);
    expect(pauses.slice(0, 7).map((ms) => ms / minute)).toEqual([0.5, 1, 2, 4, 8, 15, 15]);
    expect(resumed.slice(0, 3)).toEqual([null, jobOf(1).id, jobOf(2).id]);
    expect(healths[6]).toMatchObject({ state: 'failing', failures: 7, error: { code: 'file_unwritable' } });
    expect(healths[7]).toMatchObject({ state: 'waiting', failures: 0, error: null, job: null });
    expect(resumed[8]).toBeNull();
  });

  it('starts anew after another update has overtaken its job', async () => {
    const { resumed } = await repeated(join(await folders(), 'wits'), ['invalid_input', 'done']);
    expect(resumed).toEqual([null, null]);
  });

  it('ends with an error that lasts, and says so', async () => {
    const { outcome, pauses, last } = await repeated(join(await folders(), 'wits'), [
      'not_authenticated',
      'done',
    ]);
    expect(outcome).toMatchObject({ code: 'not_authenticated' });
    expect(pauses).toEqual([]);
    expect(last).toMatchObject({ state: 'stopped', error: { code: 'not_authenticated' } });
  });

  it('continues the job of a process that was killed, and starts without one if that can’t be read', async () => {
    const folder = await folders();
    const { healths } = await repeated(folder, ['file_unwritable']);
    writeFileSync(join(folder, '_health.json'), JSON.stringify(healths[0]));
    expect((await repeated(folder, ['done'])).resumed).toEqual([jobOf(1).id]);
    writeFileSync(join(folder, '_health.json'), '{"state":');
    expect((await repeated(folder, ['done'])).resumed).toEqual([null]);
  });
});

describe('mirror --every', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ records: 1000, wells: 2 });
  });
  afterAll(() => demo.close());

  it.skipIf(process.platform === 'win32')(
    'updates, ends with 0 on SIGTERM, refuses a second process, and leaves a mirror for a single update',
    async () => {
      const [data, work] = [await folders(), await folders()];
      const out = join(work, 'wits');
      const args = ['mirror', 'demo/wits', '--out', out, '--data-dir', data, '--json'];
      const service = startCli([...args, '--every', '1h'], connectionEnv(demo));
      const ended = cliEnd(service);
      if (!service.stdout) throw new Error('it has no output');
      await once(service.stdout, 'data');
      await expect
        .poll(() => existsSync(join(out, '_health.json')) && readFileSync(join(out, '_health.json'), 'utf8'))
        .toContain('"state": "waiting"');
      const second = await runInProcess([...args, '--every', '1h'], connectionEnv(demo));
      expect(second.code).toBe(1);
      expect(second.error()).toMatchObject({ code: 'file_unwritable' });
      service.kill('SIGTERM');
      const { code, lines } = await ended;
      expect(code).toBe(0);
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ state: 'done', verified: true });
      expect(JSON.parse(readFileSync(join(out, '_health.json'), 'utf8'))).toMatchObject({ state: 'stopped' });
      const once_ = await runInProcess(args, connectionEnv(demo));
      expect(once_.summary()).toMatchObject({ added: 0, verified: true });
      const jobs = await runInProcess(['jobs', 'list', '--data-dir', data, '--json'], {});
      expect(jobs.summary()).toMatchObject({ jobs: [{ state: 'done' }] });
    },
  );

  it.each([
    ['30s', 'isn’t a duration'],
    ['0m', 'from 1m to 7d'],
    ['8d', 'from 1m to 7d'],
  ])('refuses %s', async (every, message) => {
    const work = await folders();
    const args = [
      'mirror',
      'demo/wits',
      '--out',
      join(work, 'wits'),
      '--data-dir',
      work,
      '--json',
      '--every',
      every,
    ];
    const { code, error } = await runInProcess(args, connectionEnv(demo));
    expect(code).toBe(2);
    expect(JSON.stringify(error())).toContain(message);
  });
});
