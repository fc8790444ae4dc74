import { AppError } from '../../../shared/errors/errors.ts';
import type { Job, JobKind } from '../../../shared/jobs/jobs.ts';
import type { StoredSummary } from './job-files.ts';
import type { JobStore } from './store.ts';
import { unreadableJob } from './unreadable-job.ts';
import { clearTimeout, setTimeout } from '../../world/time.ts';

interface OtherProcessesOptions {
  readonly store: Pick<JobStore, 'stamps' | 'show'>;
  /** Whether this process runs a job and publishes its changes itself. */
  readonly isOurs: (id: string) => boolean;
  /** Publishes a job to listeners. Never rejects. */
  readonly publish: (id: string, kind: JobKind, summary: StoredSummary) => Promise<void>;
  readonly intervalMs: number;
}

/** A removed job, of which only the id is known. */
function discardedSummary(id: string): StoredSummary {
  const reason = new AppError('job_unknown', { job: id });
  const { summary } = unreadableJob({ id, plan: null, summary: null, appVersion: '', reason });
  return { ...summary, state: 'discarded', error: null };
}

/**
 * Publishes jobs that other processes create, change, or discard in the same data folder. The folder is
 * polled, and only while somebody listens: file system events differ between systems, and network drives have
 * none.
 * @returns a wrapper for the events of this process
 */
export function followOtherProcesses({ store, isOurs, publish, intervalMs }: OtherProcessesOptions) {
  /** When each job changed last; null before the first poll. */
  let lastStamps: Map<string, number> | null = null;
  let listeners = 0;
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;

  async function poll(): Promise<void> {
    const stamps = await store.stamps();
    const previousStamps = lastStamps ?? stamps;
    lastStamps = stamps;
    for (const id of previousStamps.keys())
      if (!stamps.has(id) && !isOurs(id)) await publish(id, 'export', discardedSummary(id));
    for (const [id, stamp] of stamps) {
      if (previousStamps.get(id) === stamp || isOurs(id)) continue;
      const job = await store.show(id).catch(() => null);
      if (job) await publish(id, job.kind, job.summary);
    }
  }

  async function pollRepeatedly(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    // An unreadable folder is polled again.
    await poll().catch(() => undefined);
    isPolling = false;
    if (listeners > 0) timer = setTimeout(() => void pollRepeatedly(), intervalMs).unref();
  }

  return {
    /** The given events; while they are read, other processes are polled. */
    async *withOtherProcesses(events: AsyncGenerator<Job>): AsyncGenerator<Job> {
      listeners += 1;
      if (listeners === 1) void pollRepeatedly();
      try {
        yield* events;
      } finally {
        listeners -= 1;
        if (listeners === 0) clearTimeout(timer);
      }
    },
    /** A job was discarded and published by this process. */
    forget: (id: string) => void lastStamps?.delete(id),
  };
}
