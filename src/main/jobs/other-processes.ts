import { AppError } from '../../shared/errors/errors.ts';
import type { Job, JobKind } from '../../shared/jobs/jobs.ts';
import type { JobStore, StoredSummary } from './store.ts';
import { unreadableJob } from './unreadable-job.ts';

interface OtherProcessesOptions {
  readonly store: Pick<JobStore, 'stamps' | 'show'>;
  /** Whether this process works on a job, and tells of it by itself. */
  readonly isOurs: (id: string) => boolean;
  /** Tells whoever listens of a job. Never rejects. */
  readonly tell: (id: string, kind: JobKind, summary: StoredSummary) => Promise<void>;
  /** How often the folder is looked at, in milliseconds. */
  readonly intervalMs: number;
}

/** A job that is gone, of which nothing but its id is known. */
function discarded(id: string): StoredSummary {
  const reason = new AppError('job_unknown', { job: id });
  const { summary } = unreadableJob({ id, plan: null, summary: null, appVersion: '', reason });
  return { ...summary, state: 'discarded', error: null };
}

/**
 * Tells of jobs that other processes create, change or discard in the same data folder. Their folder is looked at by
 * turns, and only while somebody listens: what systems tell of changed folders differs, and network drives tell nothing.
 */
export function followOtherProcesses({ store, isOurs, tell, intervalMs }: OtherProcessesOptions) {
  /** When each job changed last; null: nobody has looked yet. */
  let known: Map<string, number> | null = null;
  let listeners = 0;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    const stamps = await store.stamps();
    const before = known ?? stamps;
    known = stamps;
    for (const id of before.keys())
      if (!stamps.has(id) && !isOurs(id)) await tell(id, 'export', discarded(id));
    for (const [id, stamp] of stamps) {
      if (before.get(id) === stamp || isOurs(id)) continue;
      const job = await store.show(id).catch(() => null);
      if (job) await tell(id, job.kind, job.summary);
    }
  }

  async function lookOn(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    // A folder that can't be read now is looked at again.
    await look().catch(() => undefined);
    isLooking = false;
    if (listeners > 0) timer = setTimeout(() => void lookOn(), intervalMs).unref();
  }

  return {
    /** Events of jobs; while they are taken, the jobs of other processes are followed. */
    async *beside(events: AsyncGenerator<Job>): AsyncGenerator<Job> {
      listeners += 1;
      if (listeners === 1) void lookOn();
      try {
        yield* events;
      } finally {
        listeners -= 1;
        if (listeners === 0) clearTimeout(timer);
      }
    },
    /** A job was discarded here, and that was told. */
    forget: (id: string) => void known?.delete(id),
  };
}
