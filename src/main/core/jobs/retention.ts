import { relative, isAbsolute } from 'node:path';
import * as z from 'zod';
import { ledger } from '../../../shared/upload/result.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { StoredJob } from './job-files.ts';
import type { JobStore } from './store.ts';
import { startTimeOf } from './unreadable-job.ts';
import { elapsedMs, wallMs } from '../../world/time.ts';
import { randomNumber } from '../../world/random.ts';

/** Finished jobs beyond the newest ones, or older, are removed; the last ones stay even if a clock makes them old. */
const retention = { jobs: 500, days: 90, lastJobs: 20 } as const;
/** How long each call removes jobs: a command ends only then. */
const maxMs = 250;

const uploadCounts = z.object({ ledger: ledger.pick({ unknown: true, rejected: true }) });

const isInside = (folder: string, path: string): boolean => {
  const from = relative(folder, path);
  return !from.startsWith('..') && !isAbsolute(from);
};

/** Whether nothing is lost with a job: it has nothing to resume, no unknown rows, and no rejected rows that only it has. */
export function isRemovable({ kind, summary }: StoredJob, folder: string): boolean {
  if (summary.state !== 'done') return false;
  if (kind !== 'upload') return true;
  const { data } = uploadCounts.safeParse(summary.result);
  if (!data || data.ledger.unknown > 0) return false;
  const isSaved = summary.artifacts.some((file) => file.kind === 'rejects' && !isInside(folder, file.path));
  return data.ledger.rejected === 0 || isSaved;
}

/**
 * Removes finished jobs that are beyond the newest 500 or older than 90 days, except the last 20. Of many, each call
 * removes some.
 * @param discard removes a job
 * @throws Error of the file system
 */
export async function removeOldJobs(
  store: Pick<JobStore, 'ids' | 'read' | 'folder'>,
  discard: (id: string) => Promise<void>,
): Promise<void> {
  const ids = await store.ids();
  const oldest = wallMs() - retention.days * 86_400_000;
  const isSurplus = (at: number): boolean => at < ids.length - retention.jobs;
  const old = ids.filter(
    (id, at) =>
      isSurplus(at) || (at < ids.length - retention.lastJobs && Date.parse(startTimeOf(id)) < oldest),
  );
  // Not always the same ones first, because jobs that stay can be many.
  const from = Math.floor(randomNumber() * old.length);
  const startedAt = elapsedMs();
  for (const id of [...old.slice(from), ...old.slice(0, from)]) {
    if (elapsedMs() - startedAt > maxMs) return;
    try {
      const job = await store.read(id);
      // One that was resumed ended later than its start tells.
      const isOld = isSurplus(ids.indexOf(id)) || Date.parse(job.summary.updated) < oldest;
      if (isOld && isRemovable(job, store.folder(id))) await discard(id);
    } catch (error) {
      // Another process uses it, or removes it as well.
      if (!(error instanceof AppError)) throw error;
    }
  }
}
