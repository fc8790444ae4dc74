import { isActive, sampleId } from '../../../shared/jobs/job-states.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { visibleLine } from '../../../shared/errors/errors.ts';

/** The jobs with one of them updated or removed; the newest first. File names are escaped for display. */
export function mergeJob(jobs: readonly Job[], given: Job): Job[] {
  const job = { ...given, file: visibleLine(given.file) };
  if (job.state === 'discarded') return jobs.filter(({ id }) => id !== job.id);
  const at = jobs.findIndex(({ id }) => id === job.id);
  if (at !== -1) return jobs.with(at, job);
  // By id, because clocks can be set back.
  return [job, ...jobs].sort((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
}

/** Maximum number of finished jobs that are listed before older ones are requested. */
const maxFinished = 100;

/** Number of jobs, including those that aren't listed; null: unknown. */
export function totalOf({ jobs, older }: { jobs: readonly Job[]; older: number | null }): number | null {
  if (older !== null) return jobs.length + older;
  return jobs.filter(({ state }) => state === 'done').length < maxFinished ? jobs.length : null;
}

/** The jobs that run, or wait for the link, sign-in, or disk space. */
export function activeJobs(jobs: readonly Job[]): Job[] {
  return jobs.filter(({ state }) => isActive(state));
}

/** The jobs that can be resumed after their process ended by a crash or a restart: not checks, or those of the sample workspace. */
export function interruptedJobs(jobs: readonly Job[]): Job[] {
  return jobs.filter((job) => job.state === 'interrupted' && !isCheck(job) && job.connectionId !== sampleId);
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

/** Whether a job was started since the window opened. @param opened in Unix milliseconds */
export const isStartedSince = ({ started }: Job, opened: number): boolean => Date.parse(started) >= opened;

/**
 * Whether a change ends a job: it ran or waited before, or it is so short that it has ended when it is first listed.
 * @param before undefined: it wasn't listed
 * @param opened when the window opened, in Unix milliseconds: jobs that were started before may have ended long ago
 */
export function isEnd(before: Job | undefined, now: Job, opened: number): boolean {
  if (isActive(now.state)) return false;
  return before === undefined ? isStartedSince(now, opened) : isActive(before.state);
}
