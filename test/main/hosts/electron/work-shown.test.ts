import { describe, expect, it } from 'vitest';
import { showWork } from '../../../../src/main/hosts/electron/work-shown.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import type { Job } from '../../../../src/shared/jobs.ts';

/** As much of a job as is looked at. */
const job = (id: string, state: Job['state'], rows: number, totalRows: number | null) =>
  ({
    id,
    state,
    kind: 'export',
    file: `${id}.csv`,
    progress: { rows, totalRows },
    error: state === 'failed' ? new AppError('cancelled', {}).toBody() : null,
  }) as Job;

async function shown(jobs: readonly Job[], watched = false) {
  const shares: number[] = [];
  const told: string[] = [];
  const runner = {
    async *watch() {
      yield* jobs;
    },
  };
  await showWork(
    {
      runner,
      progress: (share) => shares.push(share),
      notify: (title) => told.push(title),
      watched: () => watched,
    },
    new AbortController().signal,
  );
  return { shares, told };
}

describe('work shown outside the window', () => {
  it('is the share of all that runs, without an end while it can’t be known', async () => {
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

  it('is told of when it ends and nobody looks, and not of what was over before', async () => {
    const jobs = [
      job('old', 'done', 1, 1),
      job('a', 'running', 0, 1),
      job('a', 'done', 1, 1),
      job('b', 'running', 0, 1),
      job('b', 'failed', 0, 1),
      job('c', 'running', 0, 1),
      job('c', 'cancelled', 0, 1),
    ];
    expect((await shown(jobs)).told).toEqual(['a.csv is done', 'b.csv has stopped']);
    expect((await shown(jobs, true)).told).toEqual([]);
  });
});
