import { describe, expect, it } from 'vitest';
import { job as jobSchema, type Job, type JobState } from '../../../../src/shared/jobs.ts';
import { announcements } from '../../../../src/renderer/features/jobs/announce.ts';
import { mergeJob, shareDone, underWay } from '../../../../src/renderer/features/jobs/job-list.ts';
import { progressInWords } from '../../../../src/renderer/features/jobs/job-words.ts';

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
  });

  it('knows which are under way', () => {
    const jobs = (['running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted'] as const).map(
      (state) => made({ state }),
    );
    expect(underWay(jobs).map(({ state }) => state)).toEqual(['running', 'waiting']);
  });

  it('knows the share that is done, when it can be known', () => {
    expect(shareDone(made({ progress: { rows: 5, totalRows: null } }))).toBeNull();
    expect(shareDone(made({ progress: { rows: 5, totalRows: 20 } }))).toBe(0.25);
    expect(shareDone(made({ progress: { rows: 25, totalRows: 20 } }))).toBe(1);
    expect(shareDone(made({ state: 'done', progress: { totalRows: 0 } }))).toBe(1);
  });
});

describe('progressInWords', () => {
  it('says rows, rate, time left and the next try', () => {
    const progress = {
      rows: 50_000,
      totalRows: 200_000,
      rate: 41_200.4,
      secondsLeft: 11.2,
      nextTryMs: 3_100,
    };
    expect(progressInWords(made({ progress }))).toEqual([
      '50,000 of 200,000 rows',
      '41,200 rows/s',
      '12 s left',
      'next try in 4 s',
    ]);
  });

  it('says only the rows of a job that is over', () => {
    const progress = { rows: 200_000, totalRows: 200_000, rate: 5, secondsLeft: 0 };
    expect(progressInWords(made({ state: 'done', progress }))).toEqual(['200,000 rows']);
  });
});

describe('announcements', () => {
  const at = (rows: number, state: JobState = 'running') => [
    made({ state, progress: { rows, totalRows: 100 } }),
  ];
  const said = (before: Job[], now: Job[]) =>
    announcements(before, now).map((each) =>
      each.kind === 'share' ? `${each.quarters * 25} %` : each.job.state,
    );

  it('tell that a job has begun and ended', () => {
    expect(said([], at(0))).toEqual(['running']);
    expect(said(at(99), at(100, 'done'))).toEqual(['done']);
    expect(said(at(10), at(10, 'failed'))).toEqual(['failed']);
  });

  it('tell of each quarter once', () => {
    expect(said(at(10), at(24))).toEqual([]);
    expect(said(at(24), at(26))).toEqual(['25 %']);
    expect(said(at(26), at(49))).toEqual([]);
    expect(said(at(26), at(80))).toEqual(['75 %']);
    expect(said(at(80), at(100))).toEqual([]);
  });

  it('say nothing of jobs that were over before this window opened', () => {
    expect(said([], at(100, 'done'))).toEqual([]);
  });
});
