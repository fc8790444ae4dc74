import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { repeatUpdates, type UpdateRun } from '../../../../src/main/hosts/cli/jobs/repeat.ts';
import { AppError, type ErrorCode } from '../../../../src/shared/errors/errors.ts';
import type { ExportJob } from '../../../../src/shared/jobs/jobs.ts';
import { cliEnd, connectionEnv, runInProcess, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';
import { hourly } from '../../features/export/support/mirrors.ts';
import { Rows } from '../../features/export/support/rows.ts';
import { recordsService } from '../../features/export/support/service.ts';

const folders = useFolders();
const servers = useServers();
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
      : code === 'file_unreadable'
        ? new AppError('file_unreadable', { file: 'wits', reason: 'the drive doesn’t respond' })
        : code === 'unreachable'
          ? new AppError('unreachable', { service: 'data', host: 'data', reason: 'refused' })
          : new AppError('file_unwritable', { file: 'wits', reason: 'another run is updating it' });

/** How an update ends; or what happens before and while it runs, or is wrong with the files of its job. */
type Step = 'done' | ErrorCode | 'unreadable before' | 'clock set back' | 'damaged plan' | 'damaged journal';

/** Runs updates with these outcomes; the signal is aborted after the last one. */
async function repeated(folder: string, steps: readonly Step[]) {
  const stop = new AbortController();
  const pauses: number[] = [];
  const resumed: (string | null)[] = [];
  const healths: Record<string, unknown>[] = [];
  const running: Record<string, unknown>[] = [];
  const health = () => JSON.parse(readFileSync(join(folder, '_health.json'), 'utf8'));
  let n = 0;
  const ended = repeatUpdates(
    {
      everyMs: 15 * minute,
      folder,
      async update(job, began): Promise<UpdateRun> {
        resumed.push(job);
        const step = steps[n] ?? 'done';
        n += 1;
        if (step === 'unreachable') throw errorOf(step);
        if (step === 'unreadable before') throw errorOf('file_unreadable');
        if (step === 'clock set back') vi.setSystemTime(Date.UTC(2020, 0, 1));
        await began(jobOf(n).id);
        running.push(health());
        const damaged = {
          'damaged plan': `plan.json of job ${jobOf(n).id}`,
          'damaged journal': 'journal.ndjson',
        };
        if (step === 'damaged plan' || step === 'damaged journal')
          return {
            job: jobOf(n),
            error: new AppError('file_unreadable', { file: damaged[step], reason: 'it is damaged' }),
          };
        return { job: jobOf(n), error: step === 'done' || step === 'clock set back' ? null : errorOf(step) };
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
  return {
    outcome: await ended.catch((error: unknown) => error),
    pauses,
    resumed,
    running,
    healths,
    last: health(),
  };
}

describe('a mirror that is updated again and again', () => {
  it('tells how it is, and ends without an error when it is stopped', async () => {
    const { outcome, healths, last, pauses } = await repeated(join(await folders(), 'wits'), [
      'done',
      'done',
    ]);
    expect(outcome).toEqual({});
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

  it.each(['invalid_input', 'damaged plan', 'damaged journal'] as const)(
    'starts another job after one that can’t continue (%s), but not after a drive that doesn’t respond',
    async (step) => {
      const { resumed } = await repeated(join(await folders(), 'wits'), [step, 'file_unreadable', 'done']);
      expect(resumed).toEqual([null, null, jobOf(2).id]);
    },
  );

  it('ends with an error that lasts, and says so', async () => {
    const { outcome, pauses, last } = await repeated(join(await folders(), 'wits'), [
      'not_authenticated',
      'done',
    ]);
    expect(outcome).toMatchObject({ code: 'not_authenticated' });
    expect(pauses).toEqual([]);
    expect(last).toMatchObject({ state: 'stopped', error: { code: 'not_authenticated' } });
  });

  it('keeps the job of an update from its begin, through errors of the key and failures before the next one', async () => {
    const folder = await folders();
    const { running, last } = await repeated(folder, ['done', 'not_authenticated']);
    expect(running).toMatchObject([
      { state: 'running', job: jobOf(1).id },
      { state: 'running', job: jobOf(2).id },
    ]);
    expect(last).toMatchObject({ state: 'stopped', job: jobOf(2).id });
    const again = await repeated(folder, ['unreachable', 'done', 'done']);
    expect(again.resumed).toEqual([jobOf(2).id, jobOf(2).id, null]);
  });

  it('keeps its last success when the process starts again', async () => {
    const folder = await folders();
    const first = await repeated(folder, ['done']);
    const { lastSuccess } = first.last;
    const { last } = await repeated(folder, ['file_unwritable']);
    expect(last).toMatchObject({ lastSuccess, rows: 11, verified: true });
  });

  it('waits for a drive that doesn’t respond', async () => {
    const { healths } = await repeated(await folders(), ['unreadable before', 'done']);
    expect(healths).toMatchObject([
      { state: 'failing', error: { code: 'file_unreadable' } },
      { state: 'waiting' },
    ]);
  });

  it('is not delayed by a clock that was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 27) });
    try {
      const { pauses } = await repeated(await folders(), ['clock set back', 'done']);
      expect(pauses[0]).toBe(15 * minute);
    } finally {
      vi.useRealTimers();
    }
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

  it('takes a folder whose drive isn’t there yet for no wrong option, so that its service starts it again', async () => {
    const args = ['mirror', 'demo/wits', '--out', join(await folders(), 'drive', 'wits'), '--json'];
    const ended = await runInProcess([...args, '--every', '1h'], connectionEnv(demo));
    expect([ended.code, (await runInProcess(args, connectionEnv(demo))).code]).toEqual([1, 2]);
    expect(ended.error()).toMatchObject({ code: 'file_unwritable' });
  });

  it.skipIf(process.platform === 'win32')(
    'continues its job after kill -9, and touches no job of another folder that its health file names',
    async () => {
      const [data, work] = [await folders(), await folders()];
      const link = { responds: true };
      const firstRead = Promise.withResolvers<void>();
      const handler = recordsService(new Rows(hourly(30)));
      const { url } = await servers.http(async (request, response, socket) => {
        if (!link.responds && request.url.searchParams.has('limit')) {
          firstRead.resolve();
          await new Promise(() => undefined);
        }
        return handler(request, response, socket);
      });
      const env = { ...connectionEnv(demo), WELLBENCH_DATA_URL: url };
      const argsOf = (name: string) => [
        'mirror',
        'demo/wits',
        '--out',
        join(work, name),
        '--data-dir',
        data,
        '--json',
      ];
      const healthOf = (name: string) => join(work, name, '_health.json');
      const readHealth = (name: string): { job: string | null; state: string } =>
        JSON.parse(readFileSync(healthOf(name), 'utf8'));
      const jobs = async (): Promise<{ id: string; state: string }[]> =>
        JSON.parse(
          (await runInProcess(['jobs', 'list', '--data-dir', data, '--json'], {})).lines.at(-1) ?? '',
        ).jobs;
      /** Starts a service, and kills it when the first update is done. */
      async function serve(name: string): Promise<Record<string, unknown>> {
        const service = startCli([...argsOf(name), '--every', '1h'], env);
        const ended = cliEnd(service);
        if (!service.stdout) throw new Error('it has no output');
        const [line] = (await once(service.stdout, 'data')) as [Buffer];
        service.kill('SIGKILL');
        await ended;
        return JSON.parse(String(line));
      }
      // An update that waits for its records is killed.
      link.responds = false;
      for (const name of ['a', 'b']) {
        const service = startCli([...argsOf(name), '--every', '1h'], env);
        const ended = cliEnd(service);
        await expect.poll(() => existsSync(healthOf(name)) && readHealth(name).job).toMatch(/^\d/);
        service.kill('SIGKILL');
        await ended;
      }
      await firstRead.promise;
      link.responds = true;
      const { job } = readHealth('b');
      // The file of another folder names the job of b: it stays as it is.
      writeFileSync(healthOf('a'), JSON.stringify({ ...readHealth('a'), job }));
      const other = await serve('a');
      expect(other).toMatchObject({ state: 'done', rows: 60 });
      expect(other['job']).not.toBe(job);
      expect(await jobs()).toContainEqual(expect.objectContaining({ id: job, state: 'interrupted' }));
      expect(await serve('b')).toMatchObject({ state: 'done', rows: 60, job });
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
