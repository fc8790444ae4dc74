import type { Job, JobState } from '../../../shared/jobs/jobs.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';

/** The jobs with one of them updated or removed; the newest first. File names are escaped for display. */
export function mergeJob(jobs: readonly Job[], given: Job): Job[] {
  const job = { ...given, file: visibleLine(given.file) };
  if (job.state === 'discarded') return jobs.filter(({ id }) => id !== job.id);
  const at = jobs.findIndex(({ id }) => id === job.id);
  if (at !== -1) return jobs.with(at, job);
  // By id, because clocks can be set back.
  return [job, ...jobs].sort((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
}

/** Whether a job runs, or waits for the link, sign-in, or disk space. */
export function isActive(jobs: readonly Job[]): Job[] {
  return jobs.filter(({ state }) => state === 'running' || state === 'waiting');
}

/** Whether a job's process ended, by a crash or a restart. Checks are excluded: they can't be resumed. */
export function isInterrupted(jobs: readonly Job[]): Job[] {
  return jobs.filter((job) => job.state === 'interrupted' && !isCheck(job));
}

/** Whether a job is a check, which sends nothing. */
export const isCheck = (job: Job): boolean => job.kind === 'upload' && job.result?.dryRun === true;

/** The progress from 0 to 1; null: the total is unknown. */
export function progressShare({
  state,
  progress: { rows, totalRows },
}: Pick<Job, 'state' | 'progress'>): number | null {
  if (state === 'done') return 1;
  if (totalRows === null || totalRows === 0) return null;
  return Math.min(rows / totalRows, 1);
}

/** Resolves with the state of a job when it stops; `interrupted` if the events end. */
export async function waitForJob(
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
      if (job.id !== id || isStoppable(job.state)) return;
      ({ state } = job);
      enough.abort();
    },
    { signal: either },
  );
  return state;
}

/** Whether a job in this state can be canceled. */
export const isStoppable = (state: JobState): boolean => state === 'running' || state === 'waiting';
