import type { Job, JobState } from '../../../shared/jobs.ts';
import { formatRemaining } from '../../format/times.ts';
import { words } from '../../words/words.ts';
import type { Announcement } from './announce.ts';

/** How far a job is: rows, rate, time left, the next try. Empty parts are left out. */
export function progressInWords({ state, progress }: Pick<Job, 'state' | 'progress'>): string[] {
  const { rows, totalRows, rate, secondsLeft, nextTryMs } = progress;
  const w = words.jobs;
  const parts = [totalRows === null || state === 'done' ? w.rows(rows) : w.rowsOf(rows, totalRows)];
  if (state !== 'running' && state !== 'waiting') return parts;
  if (rate > 0) parts.push(w.rate(Math.round(rate)));
  if (secondsLeft !== null) parts.push(w.left(formatRemaining(secondsLeft)));
  if (nextTryMs !== null) parts.push(w.nextTry(Math.ceil(nextTryMs / 1000)));
  return parts;
}

/** What a screen reader is told. */
export function announcementInWords(announcement: Announcement): string {
  const { job } = announcement;
  if (announcement.kind === 'share') return words.jobs.announceQuarter(job.file, announcement.quarters);
  return words.jobs.announceState(job.file, words.jobs.states[job.state]);
}

/** Whether a job in this state can go on. */
export const resumable = (state: JobState): boolean =>
  state === 'interrupted' || state === 'cancelled' || state === 'failed' || state === 'waiting';

/** Whether a job in this state can be stopped. */
export const stoppable = (state: JobState): boolean => state === 'running' || state === 'waiting';
