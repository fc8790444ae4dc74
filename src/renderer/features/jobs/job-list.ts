import type { Job, JobState } from '../../../shared/jobs/jobs.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';

/**
 * The jobs with one of them as it is now, without one that was discarded; the newest stands first. Names of files are made
 * visible here: of jobs they are only shown.
 */
export function mergeJob(jobs: readonly Job[], given: Job): Job[] {
  const job = { ...given, file: visibleLine(given.file) };
  if (job.state === 'discarded') return jobs.filter(({ id }) => id !== job.id);
  const at = jobs.findIndex(({ id }) => id === job.id);
  if (at !== -1) return jobs.with(at, job);
  return [job, ...jobs].sort((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : 0));
}

/** Jobs that are under way: running, or waiting for a link, a login or space. */
export function underWay(jobs: readonly Job[]): Job[] {
  return jobs.filter(({ state }) => state === 'running' || state === 'waiting');
}

/** Jobs whose process went away under them, by a crash or a restart; a trial over all rows leaves nothing to go on with. */
export function interrupted(jobs: readonly Job[]): Job[] {
  return jobs.filter((job) => job.state === 'interrupted' && !isCheck(job));
}

/** Whether a job is a trial over all rows, which sends nothing. */
export const isCheck = (job: Job): boolean => job.kind === 'upload' && job.result?.dryRun === true;

/** The share that is done, from 0 to 1; null when nobody knows how much there is in all. */
export function shareDone({
  state,
  progress: { rows, totalRows },
}: Pick<Job, 'state' | 'progress'>): number | null {
  if (state === 'done') return 1;
  if (totalRows === null || totalRows === 0) return null;
  return Math.min(rows / totalRows, 1);
}

/** Resolves with the state of a job once it runs and waits no more; interrupted, when nobody can tell any longer. */
export async function jobAtRest(
  events: Pick<Api['events'], 'jobs'>,
  id: string,
  signal: AbortSignal,
): Promise<JobState> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  let state: JobState = 'interrupted';
  await followStream(
    () => events.jobs({}, { signal: either }),
    (job) => {
      if (job.id !== id || stoppable(job.state)) return;
      ({ state } = job);
      enough.abort();
    },
    { signal: either },
  );
  return state;
}

/** Whether a job in this state can be stopped. */
export const stoppable = (state: JobState): boolean => state === 'running' || state === 'waiting';
