import { expect, it } from 'vitest';
import type { JobState } from '../../../../src/shared/jobs/jobs.ts';
import {
  createQualityRun,
  type QualityRunDependencies,
} from '../../../../src/renderer/features/quality/quality-run.ts';

/** A run of a stored job, which stopped in a state. */
function runOf(job: string, state: JobState) {
  const requests: string[] = [];
  const api = {
    quality: {
      report: async (input: { job: string }) => {
        requests.push(input.job);
        return { kind: 'check' };
      },
    },
  };
  const dependencies = { api, waitForJob: async () => state } as unknown as QualityRunDependencies;
  return { run: createQualityRun(dependencies, job), requests };
}

it('the report of a stored job is loaded when it is done', async () => {
  const { run, requests } = runOf('first', 'done');
  await expect.poll(() => run.store.getState().report.status).toBe('loaded');
  expect(requests).toEqual(['first']);
});

it('a stored job that was discarded can be started again: nothing waits for it, and it is said', async () => {
  const { run, requests } = runOf('second', 'discarded');
  await expect
    .poll(() => run.store.getState())
    .toMatchObject({ job: null, isDiscarded: true, report: { status: 'idle' } });
  expect(requests).toEqual([]);
});
