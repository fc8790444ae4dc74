import { createStore } from 'zustand/vanilla';
import { isAppError, toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { FileToken } from '../../../shared/files/files.ts';
import type { Job, JobAnswer } from '../../../shared/jobs/jobs.ts';
import type { Api } from '../../api/api.ts';
import { followStream } from '../../state/follow-stream.ts';
import { isInterrupted, mergeJob } from './job-list.ts';

export interface JobsState {
  /** The newest first. */
  readonly jobs: readonly Job[];
  /** Whether the list is expanded. */
  readonly isOpen: boolean;
  /** Why the last action failed. */
  readonly error: AppError | null;
}

const defaults: JobsState = { jobs: [], isOpen: false, error: null };

/** Exports and uploads, running and finished. */
export function createJobs(api: {
  readonly jobs: Api['jobs'];
  readonly files: Pick<Api['files'], 'saveCopy'>;
  readonly events: Pick<Api['events'], 'jobs'>;
}) {
  const store = createStore<JobsState>()(() => defaults);
  const perform = async (runAction: () => Promise<unknown>) => {
    store.setState({ error: null });
    try {
      await runAction();
    } catch (error) {
      store.setState({ error: toAppError(error) });
    }
  };
  const remove = async (job: string) => {
    await api.jobs.discard({ job });
    store.setState(({ jobs }) => ({ jobs: jobs.filter(({ id }) => id !== job) }));
  };
  const actions = {
    /** Updates the list until the signal aborts. */
    follow: (signal: AbortSignal) =>
      followStream(
        () => api.events.jobs({}, { signal }),
        (job) => store.setState(({ jobs }) => ({ jobs: mergeJob(jobs, job) })),
        {
          signal,
          // A list that can't be read is not empty.
          onError: (error) => {
            if (isAppError(error, 'file_unreadable')) store.setState({ error, isOpen: true });
          },
        },
      ),
    cancel: (job: string) => perform(() => api.jobs.cancel({ job })),
    resume: (job: string) => perform(() => api.jobs.resume({ job })),
    /** Resumes all interrupted jobs. One failure doesn't stop the others. */
    resumeInterrupted: () =>
      perform(async () => {
        const tries = await Promise.allSettled(
          isInterrupted(store.getState().jobs).map(({ id }) => api.jobs.resume({ job: id })),
        );
        const failed = tries.find((one) => one.status === 'rejected');
        if (!failed) return;
        // The list shows why.
        store.setState({ isOpen: true });
        throw failed.reason;
      }),
    /** Pauses a running job. */
    pause: (job: string) => perform(() => api.jobs.pause({ job })),
    /** Answers a waiting job's question. */
    answer: (job: string, answer: JobAnswer) => perform(() => api.jobs.answer({ job, answer })),
    discard: (job: string) => perform(() => remove(job)),
    /** Cancels and removes a job that the window started itself. Never rejects. */
    async removeQuietly(job: string) {
      await api.jobs.cancel({ job }).catch(() => undefined);
      await remove(job).catch(() => undefined);
    },
    /** Saves a job's file through the system's dialog. */
    save: (token: FileToken) => perform(() => api.files.saveCopy({ token })),
    show: (isOpen: boolean) => store.setState({ isOpen }),
  };
  return { store, actions };
}

export type Jobs = ReturnType<typeof createJobs>;

declare module '../../state/contexts.ts' {
  interface App {
    readonly jobs: Jobs;
  }
}
