import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { job as jobSchema, type Job, type JobState } from '../../../../src/shared/jobs/jobs.ts';
import { announcements } from '../../../../src/renderer/features/jobs/jobs-bar.tsx';
import {
  mergeJob,
  progressShare,
  activeJobs,
  totalOf,
} from '../../../../src/renderer/features/jobs/job-list.ts';
import {
  subjectText,
  errorText,
  kindText,
  markOf,
  resultText,
  progressText,
} from '../../../../src/renderer/features/jobs/job-words.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import type { Ledger } from '../../../../src/shared/upload/result.ts';
import { createJobs } from '../../../../src/renderer/features/jobs/jobs.ts';

it('a check has no number of gaps where they weren’t looked for', () => {
  const check = { gaps: 0, missing: 0, duplicates: 0, disorder: 0, fields: 0 };
  const textOf = (result: object) =>
    resultText(jobSchema.parse({ ...made({}), kind: 'quality', state: 'done', result }))[1];
  expect(textOf({ ...check, rows: 2 })).toBe('0 gaps');
  expect(textOf({ ...check, rows: 2, uncheckedGaps: 1 })).toBe('gaps not checked in 1 well');
  expect(textOf({ ...check, rows: 2, gaps: 3, uncheckedGaps: 2 })).toBe('3 gaps, not checked in 2 wells');
});

describe('the file of a job', () => {
  it('is shown without characters that could disguise its name', () => {
    const [job] = mergeJob([], { ...made({}), file: 'wits\u202evsc.exe\n.csv' });
    expect(job?.file).toBe('wits\\u202evsc.exe\\u000a.csv');
  });
});

interface Sketch {
  id?: string;
  state?: JobState;
  started?: string;
  progress?: Partial<Job['progress']>;
}

const made = ({
  id = 'export-1',
  state = 'running',
  started = '2026-11-21T06:00:00Z',
  progress = {},
}: Sketch): Job =>
  jobSchema.parse({
    kind: 'export',
    id,
    state,
    address: { provider: 'demo', dataset: 'wits' },
    connection: 'sample',
    file: 'wits.csv',
    started,
    updated: started,
    progress: {
      rows: 0,
      totalRows: null,
      bytes: 0,
      rate: 0,
      secondsLeft: null,
      nextTryMs: null,
      ...progress,
    },
    error: null,
    artifacts: [],
    result: null,
  });

describe('the list of jobs', () => {
  it('has the newest first and each once', () => {
    const old = made({ id: 'export-1', started: '2026-11-20T00:00:00Z' });
    const young = made({ id: 'export-2', started: '2026-11-21T00:00:00Z' });
    const both = mergeJob(mergeJob([], young), old);
    expect(both.map(({ id }) => id)).toEqual(['export-2', 'export-1']);
    const done = made({ id: 'export-1', state: 'done', started: '2026-11-20T00:00:00Z' });
    expect(mergeJob(both, done).map(({ state }) => state)).toEqual(['running', 'done']);
    // The clock was set back between the two.
    const later = made({ id: 'export-3', started: '2026-11-19T00:00:00Z' });
    expect(mergeJob(both, later).map(({ id }) => id)).toEqual(['export-3', 'export-2', 'export-1']);
  });

  it('marks the running ones', () => {
    const jobs = (['running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted'] as const).map(
      (state) => made({ state }),
    );
    expect(activeJobs(jobs).map(({ state }) => state)).toEqual(['running', 'waiting']);
  });

  it('counts the jobs that are not listed, where their number is known', () => {
    const jobs = Array.from({ length: 100 }, (_, at) => made({ id: `export-${at}`, state: 'done' }));
    expect(totalOf({ jobs, older: 400 })).toBe(500);
    expect(totalOf({ jobs, older: null })).toBeNull();
    expect(totalOf({ jobs: jobs.slice(1), older: null })).toBe(99);
  });

  it('has the completed share, when it is known', () => {
    expect(progressShare(made({ progress: { rows: 5, totalRows: null } }))).toBeNull();
    expect(progressShare(made({ progress: { rows: 5, totalRows: 20 } }))).toBe(0.25);
    expect(progressShare(made({ progress: { rows: 25, totalRows: 20 } }))).toBe(1);
    expect(progressShare(made({ state: 'done', progress: { totalRows: 0 } }))).toBe(1);
  });
});

describe('progressInWords', () => {
  it('shows rows, rate, remaining time, and the next try', () => {
    const progress = {
      rows: 50_000,
      totalRows: 200_000,
      rate: 41_200.4,
      secondsLeft: 11.2,
      nextTryMs: 3_100,
    };
    expect(progressText(made({ progress }))).toEqual([
      words.jobs.rowsOf(50_000, 200_000),
      words.jobs.rate(41_200),
      words.jobs.left('12 s'),
      words.jobs.nextTry(4),
    ]);
  });

  it('reports that the remaining time is being estimated for a running job with a known end', () => {
    const progress = { rows: 10, totalRows: 200_000, rate: 0, secondsLeft: null };
    expect(progressText(made({ progress }))).toEqual([words.jobs.rowsOf(10, 200_000), words.jobs.estimating]);
    expect(progressText(made({ progress: { ...progress, nextTryMs: 2000 } }))).toEqual([
      words.jobs.rowsOf(10, 200_000),
      words.jobs.nextTry(2),
    ]);
    expect(progressText(made({ progress, state: 'waiting' }))).toEqual([words.jobs.rowsOf(10, 200_000)]);
    expect(progressText(made({ progress: { ...progress, totalRows: null } }))).toEqual([words.jobs.rows(10)]);
  });

  it('shows only the rows of a finished job', () => {
    const progress = { rows: 200_000, totalRows: 200_000, rate: 5, secondsLeft: 0 };
    expect(progressText(made({ state: 'done', progress }))).toEqual([words.jobs.rows(200_000)]);
  });
});

describe('a job whose files are damaged', () => {
  const error = new AppError('file_unreadable', { file: 'plan.json of job x', reason: 'it is damaged' });
  const damaged = jobSchema.parse({
    ...made({ state: 'unreadable' }),
    address: { provider: 'unknown', dataset: 'unknown' },
    error: error.toBody(),
  });

  it('is neither an export nor without rows, and is to be discarded', () => {
    expect(kindText(damaged)).toBe(words.jobs.kinds.unreadable);
    expect([...resultText(damaged), ...subjectText(damaged)]).toEqual([]);
    expect(errorText(damaged)).toBe(words.jobs.damaged('plan.json of job x', 'it is damaged'));
  });

  it('reports the error of another failed job', () => {
    const failed = { ...damaged, state: 'failed' as const };
    expect(errorText(failed)).toBe(error.message);
    expect(errorText({ ...failed, state: 'cancelled' })).toBeNull();
  });
});

describe('a stopped upload', () => {
  const upload = (ledger: Record<string, number>, dryRun = false): Job =>
    jobSchema.parse({
      ...made({ state: 'done', progress: { rows: 100, totalRows: 100 } }),
      kind: 'upload',
      result: {
        ledger: { rows: 100, accepted: 0, rejected: 0, unknown: 0, pending: 0, skipped: 0, ...ledger },
        dryRun,
        problems: [],
        warnings: [],
        footerRows: 0,
      },
    });

  it('counts records when it combines rows', () => {
    const job = upload({ accepted: 100 });
    expect(progressText(job)).toEqual([words.jobs.rows(100)]);
    const combined = jobSchema.parse({ ...job, result: { ...job.result, fileRows: 900 } });
    expect(progressText(combined)).toEqual([words.jobs.records.rows(100)]);
  });

  it('reports the results of its rows, without empty ones', () => {
    expect(resultText(upload({ accepted: 100 }))).toEqual([words.jobs.inserted(100)]);
    expect(resultText(upload({ accepted: 90, rejected: 6, unknown: 3, pending: 1 }))).toEqual([
      words.jobs.inserted(90),
      words.jobs.rejected(6),
      words.jobs.unknown(3),
      words.jobs.pending(1),
    ]);
  });

  it('of a rejects file names the upload of its rows', () => {
    const again = upload({ accepted: 3 });
    expect(subjectText(again)).toEqual(['demo/wits']);
    const parent = { job: 'job-00000001', file: 'surveys.csv' };
    expect(subjectText({ ...again, parent })).toEqual(['demo/wits', words.jobs.rejectsOf('surveys.csv')]);
  });

  it('that was a dry run is labeled so', () => {
    const trial = upload({ pending: 98, rejected: 2 }, true);
    expect(kindText(trial)).toBe(words.jobs.kinds.check);
    expect(resultText(trial)).toEqual([words.jobs.wouldBe(98, 2)]);
    const progress = { ...trial.progress, rows: 40 };
    for (const state of ['cancelled', 'failed', 'interrupted'] as const)
      expect(resultText({ ...trial, state, progress })).toEqual([words.jobs.rowsOf(40, 100)]);
    expect(kindText(upload({ accepted: 100 }))).toBe(words.jobs.kinds.upload);
  });

  it('without a result yet shows its rows', () => {
    expect(resultText({ ...upload({}), result: null })).toEqual([words.jobs.rows(100)]);
  });
});

function withJobs(refuse: boolean, events: readonly Job[] = [], opened?: number) {
  const requests: string[] = [];
  const answer = (what: string) => async (): Promise<Record<string, never>> => {
    requests.push(what);
    if (refuse) throw new AppError('job_busy', { job: 'export-1' });
    return {};
  };
  const downloaded: string[] = [];
  const ending = new AbortController();
  const jobs = createJobs(
    {
      jobs: {
        list: async () => ({ jobs: [], older: 0 }),
        show: async () => made({}),
        resume: answer('resume'),
        pause: answer('pause'),
        answer: answer('answer'),
        cancel: answer('cancel'),
        discard: answer('discard'),
        discardDone: async () => ({ discarded: 0 }),
      },
      files: { saveCopy: async () => ({ saved: true }) },
      events: {
        jobs: async () =>
          (async function* all() {
            yield* events;
            ending.abort();
          })() as never,
      },
    },
    ({ name }) => downloaded.push(name),
    () => undefined,
    opened,
  );
  jobs.store.setState({ jobs: [made({ state: 'done' })] });
  return { ...jobs, requests, downloaded, follow: () => jobs.actions.follow(ending.signal) };
}

describe('actions on jobs', () => {
  it('remove a discarded job from the list', async () => {
    const { actions, store } = withJobs(false);
    await actions.discard('export-1');
    expect(store.getState()).toMatchObject({ jobs: [], error: null });
  });

  it('clear completed jobs, and none that can be resumed or has warnings', async () => {
    const { actions, store, requests } = withJobs(false);
    const warned = { rows: 1, bytes: 1, pages: 1, sha256: '', warnings: ['It changed.'] };
    store.setState({
      jobs: [
        made({ id: 'export-1', state: 'done' }),
        made({ id: 'export-2', state: 'cancelled' }),
        { ...made({ id: 'export-3', state: 'done' }), kind: 'export', result: warned as never },
        made({ id: 'export-4', state: 'done' }),
      ],
    });
    await actions.clearFinished();
    expect(requests).toEqual(['discard', 'discard']);
    expect(store.getState().jobs.map(({ id }) => id)).toEqual(['export-2', 'export-3']);
  });

  it('that are rejected report why, and the job stays', async () => {
    const { actions, store } = withJobs(true);
    await actions.discard('export-1');
    expect(store.getState().jobs).toHaveLength(1);
    expect(store.getState().error).toMatchObject({ code: 'job_busy' });
  });

  it('resume all jobs that a crash interrupted, and no others', async () => {
    const jobsOf = (refuse: boolean) => {
      const all = withJobs(refuse);
      const jobs = (['interrupted', 'cancelled', 'interrupted', 'done'] as const).map((state, at) =>
        made({ id: `export-${at + 1}`, state }),
      );
      const ofSample = { ...made({ id: 'export-5', state: 'interrupted' }), connectionId: 'sample' };
      all.store.setState({ jobs: [...jobs, ofSample] });
      return all;
    };
    const { actions, requests } = jobsOf(false);
    await actions.resumeInterrupted();
    expect(requests).toEqual(['resume', 'resume']);
    const busy = jobsOf(true);
    await busy.actions.resumeInterrupted();
    expect(busy.requests).toEqual(['resume', 'resume']);
    expect(busy.store.getState()).toMatchObject({ isOpen: true, error: { code: 'job_busy' } });
  });

  it('of the window itself stop a job before removing it, without a message', async () => {
    const { actions, store, requests } = withJobs(false);
    await actions.removeQuietly('export-1');
    expect(requests).toEqual(['cancel', 'discard']);
    expect(store.getState().jobs).toEqual([]);
    const busy = withJobs(true);
    await busy.actions.removeQuietly('export-1');
    expect(busy.store.getState()).toMatchObject({ error: null, jobs: [{ id: 'export-1' }] });
  });
});

describe('a completed export', () => {
  const file = { kind: 'result', name: 'wits.csv', bytes: 1, token: 'a'.repeat(32) } as const;
  const done = (id: string): Job => ({ ...made({ id, state: 'done' }), artifacts: [file] });

  it('is downloaded once by the window that started it, and by no other', async () => {
    const events = [made({ id: 'export-9' }), done('export-9'), done('export-9'), done('export-8')];
    const mine = withJobs(false, events);
    mine.actions.downloadWhenDone('export-9');
    const other = withJobs(false, events);
    await Promise.all([mine.follow(), other.follow()]);
    expect(mine.downloaded).toEqual(['wits.csv']);
    expect(other.downloaded).toEqual([]);
    // The start gets its response after the end of a short export.
    const late = withJobs(false, events);
    await late.follow();
    late.actions.downloadWhenDone('export-9');
    expect(late.downloaded).toEqual(['wits.csv']);
  });

  it('is shown in the job bar until the list is open', async () => {
    const { follow, store, actions } = withJobs(false, [made({ id: 'export-9' }), done('export-9')]);
    await follow();
    expect(store.getState().stopped).toBe('export-9');
    actions.show(true);
    expect(store.getState().stopped).toBeNull();
  });

  it('is shown in the job bar too if it has ended when it is first listed, unless that was before the window opened', async () => {
    const { started } = made({});
    const shownBy = async (opened: number) => {
      const { follow, store } = withJobs(false, [done('export-8'), done('export-9')], opened);
      await follow();
      return store.getState().stopped;
    };
    expect(await shownBy(Date.parse(started))).toBe('export-9');
    expect(await shownBy(Date.parse(started) + 1)).toBeNull();
  });
});

describe('announcements', () => {
  const at = (rows: number, state: JobState = 'running') => [
    made({ state, progress: { rows, totalRows: 100 } }),
  ];
  const announcementsOf = (before: Job[], now: Job[], opened = Infinity) =>
    announcements(before, now, opened).map((text) => text.slice(text.indexOf(': ') + 2));
  const { running, done, failed } = words.jobs.states;

  it('report the start and end of a job', () => {
    expect(announcementsOf([], at(0))).toEqual([`${running}.`]);
    expect(announcementsOf(at(99), at(100, 'done'))).toEqual([`${done}.`]);
    expect(announcementsOf(at(10), at(10, 'failed'))).toEqual([`${failed}.`]);
  });

  it('report each quarter once', () => {
    expect(announcementsOf(at(10), at(24))).toEqual([]);
    expect(announcementsOf(at(24), at(26))).toEqual(['25% done.']);
    expect(announcementsOf(at(26), at(49))).toEqual([]);
    expect(announcementsOf(at(26), at(80))).toEqual(['75% done.']);
    expect(announcementsOf(at(80), at(100))).toEqual([]);
  });

  it('omit jobs that ended before this window opened', () => {
    const ended = at(100, 'done');
    const started = Date.parse(ended[0]?.started ?? '');
    expect(announcementsOf([], ended, started + 1)).toEqual([]);
    // A short job has ended when it is first listed.
    expect(announcementsOf([], ended, started)).toEqual([`${done}.`]);
  });
});

describe('a job that verifies sent rows', () => {
  it('reports it, with the next try when the connection is lost', () => {
    const progress = { rows: 5, totalRows: 10, rate: 7, secondsLeft: 3, isVerifying: true };
    expect(progressText(made({ progress }))).toEqual([words.jobs.rowsOf(5, 10), words.jobs.verifying]);
    expect(progressText(made({ progress: { ...progress, nextTryMs: 1000 } })).at(-1)).toBe(
      words.jobs.nextTry(1),
    );
  });
});

describe('a finished upload', () => {
  const uploaded = (ledger: Partial<Ledger>, dryRun = false) =>
    markOf(
      jobSchema.parse({
        ...made({ state: 'done' }),
        kind: 'upload',
        result: {
          ledger: { rows: 3, accepted: 3, rejected: 0, unknown: 0, pending: 0, skipped: 0, ...ledger },
          dryRun,
          problems: [],
          warnings: [],
          footerRows: 0,
        },
      }),
    );
  it('is complete only when every row was stored', () => {
    expect(uploaded({})).toBe('done');
    expect(uploaded({ accepted: 2, rejected: 1 })).toBe('incomplete');
    expect(uploaded({ accepted: 2, unknown: 1 })).toBe('incomplete');
    expect(uploaded({ accepted: 2, pending: 1 })).toBe('incomplete');
    expect(uploaded({ accepted: 0, pending: 3 }, true)).toBe('done');
  });
});

describe('the jobs of a window', () => {
  /** A service that lists its newest two jobs, and whose events the test sends; `lose` ends the stream. */
  function service(...listed: Job[]) {
    let current = listed;
    let isDown = false;
    const shown: string[] = [];
    let send: ((job: Job) => void) | null = null;
    let lose: () => void = () => undefined;
    const api = {
      jobs: {
        list: async () => ({ jobs: current.slice(-2), older: Math.max(0, current.length - 2) }),
        show: async ({ job }: { job: string }) => {
          shown.push(job);
          if (isDown) throw new AppError('internal', { problem: 'down' });
          const found = current.find(({ id }) => id === job);
          if (!found) throw new AppError('job_unknown', { job });
          return found;
        },
      },
      events: {
        jobs: async () => {
          const queue = current.slice(-2);
          let wake: () => void = () => undefined;
          const link = { isLost: false };
          send = (job) => {
            queue.push(job);
            wake();
          };
          lose = () => {
            link.isLost = true;
            wake();
          };
          return (async function* events() {
            while (!link.isLost) {
              const job = queue.shift();
              if (job) yield job;
              else await new Promise<void>((resolve) => (wake = resolve));
            }
          })();
        },
      },
    } as never;
    return {
      jobs: createJobs(api, () => undefined),
      send: (job: Job) => send?.(job),
      lose: () => lose(),
      /** The jobs that were looked up. */
      shown,
      setDown: (down: boolean) => void (isDown = down),
      set: (...jobs: Job[]) => void (current = jobs),
    };
  }
  const idsOf = ({ jobs }: ReturnType<typeof service>) => jobs.store.getState().jobs.map(({ id }) => id);
  const [first, second] = [made({ id: 'export-1' }), made({ id: 'export-2' })];

  it('that were discarded while the link was lost leave the list', async () => {
    const stop = new AbortController();
    const services = service(first, second);
    void services.jobs.actions.follow(stop.signal);
    await expect.poll(() => idsOf(services)).toEqual(['export-2', 'export-1']);
    services.set(second);
    services.lose();
    await expect.poll(() => idsOf(services)).toEqual(['export-2']);
    stop.abort();
  });

  it('that only a tab looked up stay when the link is back, until they are discarded', async () => {
    const stop = new AbortController();
    const old = made({ id: 'export-0', state: 'done' });
    const services = service(old, first, second);
    void services.jobs.actions.follow(stop.signal);
    await expect.poll(() => idsOf(services)).toHaveLength(2);
    expect(await services.jobs.actions.waitForEnd('export-0', stop.signal)).toBe('done');
    services.lose();
    await expect.poll(() => services.shown).toEqual(['export-0', 'export-0']);
    expect(idsOf(services)).toEqual(['export-2', 'export-1', 'export-0']);
    services.set(first, second);
    services.lose();
    await expect.poll(() => idsOf(services)).toEqual(['export-2', 'export-1']);
    stop.abort();
  });

  it('are looked up once for all who wait, however often that fails', async () => {
    const stop = new AbortController();
    const services = service(first);
    services.setDown(true);
    const { waitForEnd } = services.jobs.actions;
    const ends = [1, 2, 3].map(() => waitForEnd('export-1', stop.signal));
    await expect.poll(() => services.shown).toHaveLength(2);
    services.setDown(false);
    await expect.poll(() => idsOf(services)).toEqual(['export-1']);
    expect(services.shown).toHaveLength(3);
    stop.abort();
    expect(await Promise.all(ends)).toEqual(['interrupted', 'interrupted', 'interrupted']);
    services.setDown(true);
    const lost = new AbortController();
    const wait = waitForEnd('export-8', lost.signal);
    lost.abort();
    expect(await wait).toBe('interrupted');
  });

  it('that are older than those of the list are counted when it is shown, and added page by page', async () => {
    const done = Array.from({ length: 250 }, (_, n) =>
      made({ id: `export-${String(n).padStart(3, '0')}`, state: 'done' }),
    );
    let readCount = 0;
    const list = async ({ finished = 0 }: { finished?: number }) => {
      const jobs = done.slice(Math.max(0, done.length - finished));
      readCount += jobs.length;
      return { jobs, older: done.length - jobs.length };
    };
    const { store, actions } = createJobs({ jobs: { list } } as never, () => undefined);
    // The oldest was looked up for its tab.
    store.setState({ jobs: [...done.slice(150).toReversed(), ...done.slice(0, 1)] });
    actions.show(true);
    await expect.poll(() => store.getState().older).toBe(149);
    expect(store.getState().jobs).toHaveLength(101);
    expect(readCount).toBe(0);
    await actions.showOlder();
    expect(store.getState()).toMatchObject({ older: 48, error: null });
    expect(store.getState().jobs).toHaveLength(202);
    await actions.showOlder();
    expect(store.getState().older).toBe(0);
    expect(store.getState().jobs.map(({ id }) => id)).toEqual(done.map(({ id }) => id).toReversed());
  });

  it('are waited for with one stream, until they stop, are discarded, or the wait ends', async () => {
    const stop = new AbortController();
    const services = service(first, second);
    const { waitForEnd } = services.jobs.actions;
    void services.jobs.actions.follow(stop.signal);
    const ends = [waitForEnd('export-1', stop.signal), waitForEnd('export-2', stop.signal)];
    const unknown = await waitForEnd('export-9', stop.signal);
    expect(unknown).toBe('discarded');
    await expect.poll(() => idsOf(services)).toHaveLength(2);
    services.send({ ...first, state: 'done' });
    expect(await ends[0]).toBe('done');
    services.send({ ...second, state: 'discarded' });
    expect(await ends[1]).toBe('discarded');
    services.set(first);
    const last = waitForEnd('export-1', stop.signal);
    services.send(first);
    stop.abort();
    expect(['interrupted', 'done']).toContain(await last);
  });
});
