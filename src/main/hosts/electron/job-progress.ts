import { isActive } from '../../../shared/jobs/job-states.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import type { JobRunner } from '../../core/jobs/jobs.ts';

export interface JobProgressOptions {
  readonly runner: Pick<JobRunner, 'watch'>;
  /** Progress from 0 to 1; above 1: indeterminate; -1: no job is running. */
  readonly progress: (share: number) => void;
  /** Notifies the user, who may use another application. */
  readonly notify: (title: string, body: string) => void;
  /** Whether the window is focused, so no notification is needed. */
  readonly isFocused: () => boolean;
}

const notifiedStates = new Set<Job['state']>(['done', 'failed']);

function share(running: readonly Job[]): number {
  if (running.length === 0) return -1;
  const measurable = running.filter(({ progress }) => progress.totalRows !== null && progress.totalRows > 0);
  // Electron shows a bar without an end for what is above 1.
  if (measurable.length < running.length) return 2;
  const rows = measurable.reduce((sum, { progress }) => sum + progress.rows, 0);
  return Math.min(1, rows / measurable.reduce((sum, { progress }) => sum + (progress.totalRows ?? 0), 0));
}

/** The outcome of a finished job: the ledger of an upload, or the result of a dry run. */
function outcome(job: Job): string {
  if (job.kind !== 'upload' || !job.result) return `The ${job.kind} is complete.`;
  const { dryRun, ledger } = job.result;
  const { accepted, rejected, unknown, pending } = ledger;
  if (dryRun) {
    const stored = ledger.skipped > 0 ? `${ledger.skipped} rows already exist, ` : '';
    return `${stored}${pending} ${stored === '' ? 'rows' : 'new rows'} can be sent, ${rejected} would be rejected.`;
  }
  const left = [rejected > 0 ? `${rejected} rejected` : '', unknown > 0 ? `${unknown} unknown` : ''];
  return `${[`${accepted} accepted`, ...left.filter((part) => part !== '')].join(', ')}.`;
}

function describeOutcome(job: Job): { title: string; body: string } {
  const file = visibleLine(job.file);
  if (job.state === 'done') return { title: `${file} is done`, body: outcome(job) };
  return { title: `${file} has stopped`, body: job.error?.message ?? 'Open the job for the reason.' };
}

/**
 * Shows the jobs' progress on the dock or taskbar, and notifies about a job that ends while the window isn't
 * focused. Ends with the signal.
 */
export async function showJobProgress(options: JobProgressOptions, signal: AbortSignal): Promise<void> {
  const { runner, progress, notify, isFocused } = options;
  const jobs = new Map<string, Job>();
  for await (const job of runner.watch(signal)) {
    const before = jobs.get(job.id);
    jobs.set(job.id, job);
    progress(share([...jobs.values()].filter(({ state }) => state === 'running')));
    // Jobs that ended before are not notified.
    if (!before || !isActive(before.state) || !notifiedStates.has(job.state) || isFocused()) continue;
    const { title, body } = describeOutcome(job);
    notify(title, body);
  }
}
