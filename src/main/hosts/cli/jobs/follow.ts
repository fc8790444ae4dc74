import { onAbort } from '../../../../shared/abort.ts';
import type { Job, JobProgress } from '../../../../shared/jobs/jobs.ts';
import type { Cli } from '../context.ts';
import type { Session } from '../session.ts';

async function showProgress(
  { app }: Session,
  { messages }: Cli,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  for await (const job of (await app.runner()).watchJob(id, signal)) {
    if (signal.aborted) return;
    if (job.state === 'running') messages.progress(describeProgress(job.progress));
  }
}

/**
 * Follows a job that runs in this process until it stops, and prints its progress. Ctrl-C cancels the job, so that it
 * can be resumed.
 */
export async function followJob(session: Session, cli: Cli, id: string): Promise<Job> {
  const progressEnd = new AbortController();
  const cancel = (): void => void session.client.jobs.cancel({ job: id }).catch(() => undefined);
  const progressTask = showProgress(session, cli, id, progressEnd.signal).catch(() => undefined);
  const stop = onAbort(cli.signal, cancel);
  try {
    return await (await session.app.runner()).waitUntilStopped(id);
  } finally {
    stop();
    progressEnd.abort();
    await progressTask;
    cli.messages.clear();
  }
}

const grouped = (count: number): string => Math.round(count).toLocaleString('en');

/** A time in words: "45 s", "12 min", "3 h 20 min". */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The progress of a job in one line: "12,000 of 100,000 rows (12%), 5,000 rows/s, 18 s left". */
function describeProgress({
  rows,
  totalRows,
  rate,
  secondsLeft,
  nextTryMs,
  isVerifying,
  existing,
}: JobProgress): string {
  const parts = [
    totalRows === null
      ? `${grouped(rows)} rows`
      : `${grouped(rows)} of ${grouped(totalRows)} rows (${Math.floor((100 * rows) / Math.max(1, totalRows))}%)`,
  ];
  if (existing)
    parts.push(`comparing with ${grouped(existing.read)} of ${grouped(existing.total)} existing records`);
  else if (isVerifying) parts.push('verifying sent rows');
  else if (rate > 0) parts.push(`${grouped(rate)} rows/s`);
  if (secondsLeft !== null && !isVerifying && !existing) parts.push(`${duration(secondsLeft)} left`);
  if (nextTryMs !== null) parts.push(`retrying in ${duration(nextTryMs / 1000)}`);
  return parts.join(', ');
}
