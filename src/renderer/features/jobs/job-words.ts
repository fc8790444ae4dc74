import type { Job, JobState, JobWait } from '../../../shared/jobs/jobs.ts';
import { formatRemaining } from '../../format/times.ts';
import { words } from '../../words/words.ts';
import { isCheck, stoppable } from './job-list.ts';

/**
 * How far a job is: rows, rate, time left or that it is being estimated. Empty parts are left out. A job that waits has
 * neither rate nor time left, and nothing is estimated before the next try.
 */
export function farInWords({ state, progress }: Pick<Job, 'state' | 'progress'>): string[] {
  const { rows, totalRows, rate, secondsLeft, nextTryMs, isVerifying } = progress;
  const w = words.jobs;
  const parts = [totalRows === null || state === 'done' ? w.rows(rows) : w.rowsOf(rows, totalRows)];
  if (!stoppable(state)) return parts;
  if (isVerifying) return [...parts, w.verifying];
  if (rate > 0) parts.push(w.rate(Math.round(rate)));
  if (secondsLeft !== null) parts.push(w.left(formatRemaining(secondsLeft)));
  else if (state === 'running' && totalRows !== null && nextTryMs === null) parts.push(w.estimating);
  return parts;
}

/** How far a job is, and when its next try is. */
export function progressInWords(job: Pick<Job, 'state' | 'progress'>): string[] {
  const { nextTryMs } = job.progress;
  const tries = nextTryMs !== null && stoppable(job.state);
  return [...farInWords(job), ...(tries ? [words.jobs.nextTry(Math.ceil(nextTryMs / 1000))] : [])];
}

/** What a job is called. */
export function kindInWords(job: Job): string {
  // What is damaged may not say what it was.
  if (job.state === 'unreadable') return words.jobs.kinds.unreadable;
  return words.jobs.kinds[isCheck(job) ? 'check' : job.kind];
}

/** Why a job came to rest, and what can be done; null: nothing is to be said. */
export function errorInWords({ state, error }: Pick<Job, 'state' | 'error'>): string | null {
  if (!error || state === 'cancelled') return null;
  const { file, reason } = error.details;
  const isDamaged = state === 'unreadable' && error.code === 'file_unreadable';
  return isDamaged && typeof file === 'string' && typeof reason === 'string'
    ? words.jobs.damaged(file, reason)
    : error.message;
}

/** What stands in the place of a dataset that a damaged job does not name. */
const unknownName = 'unknown';

/** Where a job belongs: its dataset, and for a rejects file the upload that it comes from. */
export const aboutInWords = ({ address, parent }: Pick<Job, 'address' | 'parent'>): string[] => [
  ...(address.provider === unknownName ? [] : [`${address.provider}/${address.dataset}`]),
  ...(parent ? [words.jobs.rejectsOf(parent.file)] : []),
];

/** What has become of the rows of a job at rest. Parts without rows are left out, but for what was accepted. */
export function outcomeInWords(job: Job): string[] {
  if (job.state === 'unreadable') return [];
  if (job.kind === 'export' || !job.result) return progressInWords(job);
  const w = words.jobs;
  const { accepted, rejected, unknown, pending, skipped } = job.result.ledger;
  if (job.result.dryRun) return [...(skipped > 0 ? [w.stored(skipped)] : []), w.wouldBe(pending, rejected)];
  return [
    w.accepted(accepted),
    ...(rejected > 0 ? [w.rejected(rejected)] : []),
    ...(unknown > 0 ? [w.unknown(unknown)] : []),
    ...(pending > 0 ? [w.pending(pending)] : []),
  ];
}

/** The state in a word. */
export const stateInWords = ({ state, waitsFor }: Pick<Job, 'state' | 'waitsFor'>): string =>
  state === 'waiting' && waitsFor ? words.jobs.waits[waitsFor.for] : words.jobs.states[state];

/** How a job is marked: by its state, or as done with rows that were not stored. */
export type JobMark = JobState | 'incomplete';

/** A job that is done is complete only where every row was stored, or would be. */
export function markOf(job: Job): JobMark {
  if (job.kind !== 'upload' || job.state !== 'done' || !job.result) return job.state;
  const { dryRun, ledger } = job.result;
  const { rejected, unknown, pending } = ledger;
  return rejected + unknown + (dryRun ? 0 : pending) > 0 ? 'incomplete' : job.state;
}

/** Whether a resume would change anything for a job that waits: a login or an answer is given elsewhere. */
const resumes = (wait: JobWait | null): boolean => wait?.for !== 'login' && wait?.for !== 'answer';

/** Whether a job can be resumed now. */
export const canResume = ({ state, waitsFor }: Pick<Job, 'state' | 'waitsFor'>): boolean =>
  resumable(state) && (state !== 'waiting' || resumes(waitsFor));

/** Whether a job in this state can go on. */
export const resumable = (state: JobState): boolean =>
  state === 'interrupted' || state === 'cancelled' || state === 'failed' || state === 'waiting';
