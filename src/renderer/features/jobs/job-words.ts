import { canEndOtherwise, countsRecords, isActive, isStopped } from '../../../shared/jobs/job-states.ts';
import type { Job, JobState } from '../../../shared/jobs/jobs.ts';
import type { UploadResult } from '../../../shared/upload/result.ts';
import { formatDuration, formatRemaining } from '../../format/times.ts';
import { words } from '../../words/words.ts';
import { isCheck } from './job-list.ts';

/** The progress of a job: rows, rate, time left. Waiting jobs have neither rate nor time left. */
export function progressParts(job: Job): string[] {
  const { state, progress } = job;
  const { rows, totalRows, rate, secondsLeft, nextTryMs, isVerifying, existing } = progress;
  const w = words.jobs;
  const units = countsRecords(job) ? w.records : w;
  const parts = [totalRows === null || state === 'done' ? units.rows(rows) : units.rowsOf(rows, totalRows)];
  if (!isActive(state)) return parts;
  if (existing) return [...parts, w.comparing(existing.read, existing.total)];
  if (isVerifying) return [...parts, w.verifying];
  if (rate > 0) parts.push(units.rate(Math.round(rate)));
  if (secondsLeft !== null) parts.push(w.left(formatRemaining(secondsLeft)));
  else if (state === 'running' && totalRows !== null && nextTryMs === null) parts.push(w.estimating);
  return parts;
}

export function progressText(job: Job): string[] {
  const { nextTryMs } = job.progress;
  const hasRetry = nextTryMs !== null && isActive(job.state);
  return [...progressParts(job), ...(hasRetry ? [words.jobs.nextTry(Math.ceil(nextTryMs / 1000))] : [])];
}

export function kindText(job: Job): string {
  // A damaged job may have no kind.
  if (job.state === 'unreadable') return words.jobs.kinds.unreadable;
  return words.jobs.kinds[isCheck(job) ? 'check' : job.kind];
}

/** Why a job stopped, and what to do; null: nothing to say. */
export function errorText({ state, error }: Pick<Job, 'state' | 'error'>): string | null {
  if (!error || state === 'cancelled') return null;
  const { file, reason } = error.details;
  const isDamaged = state === 'unreadable' && error.code === 'file_unreadable';
  return isDamaged && typeof file === 'string' && typeof reason === 'string'
    ? words.jobs.damaged(file, reason)
    : error.message;
}

/** The dataset of a damaged job. */
const unknownName = 'unknown';

/** A job's dataset; for a rejects file, its upload. */
export const subjectText = ({ address, parent }: Pick<Job, 'address' | 'parent'>): string[] => [
  ...(address.provider === unknownName ? [] : [`${address.provider}/${address.dataset}`]),
  ...(parent ? [words.jobs.rejectsOf(parent.file)] : []),
];

/** The results of a stopped job's rows, without empty parts except inserted ones. */
export function resultText(job: Job): string[] {
  if (job.state === 'unreadable') return [];
  const w = words.jobs;
  if (job.kind === 'quality' && job.result)
    return 'matched' in job.result
      ? [
          w.matched(job.result.matched),
          w.differing(job.result.only, job.result.differing),
          ...(job.result.absent > 0 ? [w.absent(job.result.absent)] : []),
        ]
      : [w.records.rows(job.result.rows), w.gaps(job.result.gaps, job.result.uncheckedGaps)];
  if (job.kind !== 'upload' || !job.result) return progressText(job);
  // The ledger of a check counts the rows that it didn't read as pending.
  if (job.result.dryRun && job.state !== 'done') return progressText(job);
  const { accepted, rejected, unknown, pending, skipped } = job.result.ledger;
  if (job.result.dryRun) return [...(skipped > 0 ? [w.stored(skipped)] : []), w.wouldBe(pending, rejected)];
  return [
    w.inserted(accepted - skipped),
    ...(skipped > 0 ? [w.skippedRows(skipped)] : []),
    ...(rejected > 0 ? [w.rejected(rejected)] : []),
    ...(unknown > 0 ? [w.unknown(unknown)] : []),
    ...(pending > 0 ? [w.pending(pending)] : []),
  ];
}

export const stateText = ({ state, waitsFor }: Pick<Job, 'state' | 'waitsFor'>): string =>
  state === 'waiting' && waitsFor ? words.jobs.waits[waitsFor.for] : words.jobs.states[state];

/** A job's mark: its state, or done with rows that were not stored. */
export type JobMark = JobState | 'incomplete';

/** A job is complete only if every row was stored, or would be, and an export only without warnings. */
export function markOf(job: Job): JobMark {
  if (job.state !== 'done' || !job.result) return job.state;
  if (job.kind === 'upload') return isWhole(job.result) ? job.state : 'incomplete';
  return job.kind === 'export' && job.result.warnings.length > 0 ? 'incomplete' : job.state;
}

/** Whether an upload stored all rows, or would. */
const isWhole = ({ dryRun, ledger: { rejected, unknown, pending } }: UploadResult): boolean =>
  rejected + unknown + (dryRun ? 0 : pending) === 0;

/** The jobs that are done, without rejected or unknown rows, or warnings. */
export const finishedJobs = (jobs: readonly Job[]): Job[] => jobs.filter((job) => markOf(job) === 'done');

/** From the start of a job to its end, or to now. */
export const durationText = ({ started, updated }: Pick<Job, 'started' | 'updated'>): string =>
  formatDuration(Math.max(Date.parse(updated) - Date.parse(started), 0));

/** Whether a job can be resumed: sign-in and answers, for which one may wait, have their own controls. */
export const canResume = (job: Pick<Job, 'kind' | 'error' | 'state' | 'waitsFor'>): boolean =>
  isResumable(job.state) &&
  canEndOtherwise(job) &&
  (job.state !== 'waiting' || (job.waitsFor?.for !== 'login' && job.waitsFor?.for !== 'answer'));

export const isResumable = (state: JobState): boolean => isStopped(state) || state === 'waiting';
