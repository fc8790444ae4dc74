import type { Job } from '../../../shared/jobs/jobs.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import type { JobRunner } from '../../jobs/runner.ts';

export interface WorkShownOptions {
  readonly runner: Pick<JobRunner, 'watch'>;
  /** Share of the work that is done, from 0 to 1; above 1: it can't be told; -1: nothing is going on. */
  readonly progress: (share: number) => void;
  /** Tells the person, who may be elsewhere. */
  readonly notify: (title: string, body: string) => void;
  /** Whether the person is looking at our window, and sees for themselves. */
  readonly watched: () => boolean;
}

const restful = new Set<Job['state']>(['done', 'failed']);

function share(running: readonly Job[]): number {
  if (running.length === 0) return -1;
  const known = running.filter(({ progress }) => progress.totalRows !== null && progress.totalRows > 0);
  // Electron shows a bar without an end for what is above 1.
  if (known.length < running.length) return 2;
  const rows = known.reduce((sum, { progress }) => sum + progress.rows, 0);
  return Math.min(1, rows / known.reduce((sum, { progress }) => sum + (progress.totalRows ?? 0), 0));
}

/** What has come of a job that is done: of an upload its ledger, of a trial what would become of the rows. */
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

function inWords(job: Job): { title: string; body: string } {
  const file = visibleLine(job.file);
  if (job.state === 'done') return { title: `${file} is done`, body: outcome(job) };
  return { title: `${file} has stopped`, body: job.error?.message ?? 'Open the job for the reason.' };
}

/**
 * Shows on the dock or taskbar how far the jobs are, and tells of a job that came to its end while nobody was looking.
 * Ends with the signal.
 */
export async function showWork(options: WorkShownOptions, signal: AbortSignal): Promise<void> {
  const { runner, progress, notify, watched } = options;
  const jobs = new Map<string, Job>();
  for await (const job of runner.watch(signal)) {
    const before = jobs.get(job.id);
    jobs.set(job.id, job);
    progress(share([...jobs.values()].filter(({ state }) => state === 'running')));
    // What was over when we came is no news.
    if (before?.state !== 'running' || !restful.has(job.state) || watched()) continue;
    const { title, body } = inWords(job);
    notify(title, body);
  }
}
