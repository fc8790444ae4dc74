import { describe, expect, it } from 'vitest';
import { showJobProgress } from '../../../../src/main/hosts/electron/desktop.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { Job } from '../../../../src/shared/jobs/jobs.ts';

/** The part of a job that is in use. */
const job = (id: string, state: Job['state'], rows: number, totalRows: number | null) =>
  ({
    id,
    state,
    kind: 'export',
    file: `${id}.csv`,
    progress: { rows, totalRows },
    error: state === 'failed' ? new AppError('cancelled', {}).toBody() : null,
  }) as Job;

async function shown(jobs: readonly Job[], isFocused = false) {
  const shares: number[] = [];
  const titles: string[] = [];
  const bodies: string[] = [];
  const runner = {
    async *watch() {
      yield* jobs;
    },
  };
  await showJobProgress(
    {
      runner,
      progress: (share) => shares.push(share),
      notify(title, body) {
        titles.push(title);
        bodies.push(body);
      },
      isFocused: () => isFocused,
    },
    new AbortController().signal,
  );
  return { shares, titles, bodies };
}

describe('progress outside the window', () => {
  it('is the share of all running jobs, indeterminate while unknown', async () => {
    const { shares } = await shown([
      job('a', 'running', 50, 100),
      job('b', 'running', 0, 300),
      job('c', 'running', 0, null),
      job('c', 'done', 9, 9),
      job('a', 'done', 100, 100),
      job('b', 'cancelled', 1, 300),
    ]);
    expect(shares).toEqual([0.5, 0.125, 2, 0.125, 0, -1]);
  });

  it('ends with a notification if the window isn’t visible, but not for earlier jobs', async () => {
    const jobs = [
      job('old', 'done', 1, 1),
      job('a', 'running', 0, 1),
      job('a', 'done', 1, 1),
      job('b', 'running', 0, 1),
      job('b', 'failed', 0, 1),
      job('c', 'running', 0, 1),
      job('c', 'cancelled', 0, 1),
      job('d', 'waiting', 0, 1),
      job('d', 'failed', 0, 1),
    ];
    expect((await shown(jobs)).titles).toEqual(['a.csv is done', 'b.csv has stopped', 'd.csv has stopped']);
    expect((await shown(jobs, true)).titles).toEqual([]);
  });

  it('includes the result of an upload, and the expected result of a dry run', async () => {
    const ledger = { rows: 9, accepted: 6, rejected: 2, unknown: 1, pending: 0, skipped: 0 };
    const upload = (id: string, dryRun: boolean, counts: Partial<typeof ledger> = {}) =>
      ({
        ...job(id, 'done', 9, 9),
        kind: 'upload',
        result: { dryRun, footerRows: 0, ledger: { ...ledger, ...counts }, problems: [], warnings: [] },
      }) as Job;
    const { bodies } = await shown([
      job('a', 'running', 0, 9),
      job('b', 'running', 0, 9),
      upload('a', false),
      upload('b', true, { accepted: 0, unknown: 0, pending: 7 }),
      job('c', 'running', 0, 9),
      upload('c', false, { accepted: 3, rejected: 0, unknown: 0, pending: 6 }),
    ]);
    expect(bodies).toEqual([
      '6 accepted, 2 rejected, 1 unknown.',
      '7 rows can be sent, 2 would be rejected.',
      '3 accepted, 6 not sent.',
    ]);
  });
});
