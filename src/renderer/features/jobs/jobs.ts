import { createStore } from 'zustand/vanilla';
import { isAppError, toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { FileToken } from '../../../shared/files/files.ts';
import type { Job, JobAnswer } from '../../../shared/jobs/jobs.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/feature.ts';
import { follow } from '../../state/follow.ts';
import { interrupted, mergeJob } from './job-list.ts';

export interface JobsState {
  /** The newest first. */
  readonly jobs: readonly Job[];
  /** Whether the panel with all jobs is open. */
  readonly open: boolean;
  /** Why the last order to a job was not carried out. */
  readonly error: AppError | null;
}

export interface JobsActions {
  /** Listens to the jobs until the signal aborts. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
  readonly cancel: (job: string) => Promise<void>;
  readonly resume: (job: string) => Promise<void>;
  /** Goes on with every job that a crash or a restart interrupted; one that can't does not keep back the others. */
  readonly resumeInterrupted: () => Promise<void>;
  /** Has a running job wait until it is resumed. */
  readonly pause: (job: string) => Promise<void>;
  /** Answers what a job asks. */
  readonly answer: (job: string, answer: JobAnswer) => Promise<void>;
  readonly discard: (job: string) => Promise<void>;
  /** Stops a job if it runs, and removes it; for jobs that the window began for itself. Never rejects. */
  readonly drop: (job: string) => Promise<void>;
  /** Saves a file that a job made where the person wants it; only where the host has a dialog. */
  readonly save: (token: FileToken) => Promise<void>;
  readonly show: (open: boolean) => void;
}

export type Jobs = Feature<JobsState, JobsActions>;

const defaults: JobsState = { jobs: [], open: false, error: null };

/** Exports and uploads, running and finished. */
export function createJobs(api: {
  readonly jobs: Api['jobs'];
  readonly files: Pick<Api['files'], 'saveCopy'>;
  readonly events: Pick<Api['events'], 'jobs'>;
}): Jobs {
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
  const actions: JobsActions = {
    follow: (signal) =>
      follow(
        () => api.events.jobs({}, { signal }),
        (job) => store.setState(({ jobs }) => ({ jobs: mergeJob(jobs, job) })),
        {
          signal,
          // A list that can't be read is not an empty one.
          broken: (error) => {
            if (isAppError(error, 'file_unreadable')) store.setState({ error, open: true });
          },
        },
      ),
    cancel: (job) => order(() => api.jobs.cancel({ job })),
    resume: (job) => order(() => api.jobs.resume({ job })),
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
    pause: (job) => order(() => api.jobs.pause({ job })),
    answer: (job, answer) => order(() => api.jobs.answer({ job, answer })),
    discard: (job) => order(() => remove(job)),
    async drop(job) {
      await api.jobs.cancel({ job }).catch(() => undefined);
      await remove(job).catch(() => undefined);
    },
    save: (token) => order(() => api.files.saveCopy({ token })),
    show: (open) => store.setState({ open }),
  };
  return { store, actions };
}

declare module '../../state/contexts.ts' {
  interface App {
    readonly jobs: Jobs;
  }
}
