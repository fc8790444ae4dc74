import { createStore } from 'zustand/vanilla';
import { isAppError, toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { FileToken } from '../../../shared/files/files.ts';
import type { Job, JobAnswer } from '../../../shared/jobs/jobs.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';
import { interrupted, mergeJob } from './job-list.ts';

export interface JobsState {
  /** The newest first. */
  readonly jobs: readonly Job[];
  /** Whether the panel with all jobs is open. */
  readonly open: boolean;
  /** Why the last order to a job was not carried out. */
  readonly error: AppError | null;
}

const defaults: JobsState = { jobs: [], open: false, error: null };

/** Exports and uploads, running and finished. */
export function createJobs(api: {
  readonly jobs: Api['jobs'];
  readonly files: Pick<Api['files'], 'saveCopy'>;
  readonly events: Pick<Api['events'], 'jobs'>;
}) {
  const store = createStore<JobsState>()(() => defaults);
  const order = async (carryOut: () => Promise<unknown>) => {
    store.setState({ error: null });
    try {
      await carryOut();
    } catch (error) {
      store.setState({ error: toAppError(error) });
    }
  };
  const remove = async (job: string) => {
    await api.jobs.discard({ job });
    store.setState(({ jobs }) => ({ jobs: jobs.filter(({ id }) => id !== job) }));
  };
  const actions = {
    /** Listens to the jobs until the signal aborts. */
    follow: (signal: AbortSignal) =>
      followStream(
        () => api.events.jobs({}, { signal }),
        (job) => store.setState(({ jobs }) => ({ jobs: mergeJob(jobs, job) })),
        {
          signal,
          // A list that can't be read is not an empty one.
          onError: (error) => {
            if (isAppError(error, 'file_unreadable')) store.setState({ error, open: true });
          },
        },
      ),
    cancel: (job: string) => order(() => api.jobs.cancel({ job })),
    resume: (job: string) => order(() => api.jobs.resume({ job })),
    /** Goes on with every job that a crash or a restart interrupted; one that can't does not keep back the others. */
    resumeInterrupted: () =>
      order(async () => {
        const tries = await Promise.allSettled(
          interrupted(store.getState().jobs).map(({ id }) => api.jobs.resume({ job: id })),
        );
        const failed = tries.find((one) => one.status === 'rejected');
        if (!failed) return;
        // Why stands in the list.
        store.setState({ open: true });
        throw failed.reason;
      }),
    /** Has a running job wait until it is resumed. */
    pause: (job: string) => order(() => api.jobs.pause({ job })),
    /** Answers what a job asks. */
    answer: (job: string, answer: JobAnswer) => order(() => api.jobs.answer({ job, answer })),
    discard: (job: string) => order(() => remove(job)),
    /** Stops a job if it runs, and removes it; for jobs that the window began for itself. Never rejects. */
    async drop(job: string) {
      await api.jobs.cancel({ job }).catch(() => undefined);
      await remove(job).catch(() => undefined);
    },
    /** Saves a file that a job made where the person wants it; only where the host has a dialog. */
    save: (token: FileToken) => order(() => api.files.saveCopy({ token })),
    show: (open: boolean) => store.setState({ open }),
  };
  return { store, actions };
}

export type Jobs = ReturnType<typeof createJobs>;

declare module '../../state/contexts.ts' {
  interface App {
    readonly jobs: Jobs;
  }
}
