import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { JobState } from '../../../shared/jobs/jobs.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { idle, load, type Loadable } from '../../state/loadable.ts';

export type JobReport = Awaited<ReturnType<Api['quality']['report']>>;

export interface QualityRunState {
  /** The job that reads the records; null: not started, or discarded. */
  readonly job: string | null;
  readonly isDiscarded: boolean;
  readonly isStarting: boolean;
  /** Why the last job could not start. */
  readonly problem: AppError | null;
  readonly report: Loadable<JobReport>;
}

export interface QualityRunDependencies {
  readonly api: { readonly quality: Pick<Api['quality'], 'report' | 'start' | 'compare' | 'compareFile'> };
  /** The state in which a job stopped. Rejects when the connection is closed. */
  readonly waitForJob: (job: string) => Promise<JobState>;
}

const none = { job: null, isDiscarded: false, isStarting: false, problem: null, report: idle };

/** A job that checks or compares records, and its report. */
export function createQualityRun({ api, waitForJob }: QualityRunDependencies, job: string | null = null) {
  const store = createStore<QualityRunState>()(() => ({ ...none, job }));
  const startTask = createLatestTask();
  const reportTask = createLatestTask();

  /** Loads the report of a job when it is done. A job that was discarded has none. */
  async function follow(id: string): Promise<void> {
    await reportTask.run(() => waitForJob(id), {
      onDone(state) {
        if (state === 'discarded') store.setState({ ...none, isDiscarded: true });
        if (state !== 'done') return;
        void load(
          reportTask,
          (signal) => api.quality.report({ job: id }, { signal }),
          (report) => store.setState({ report }),
        );
      },
      // The connection was closed.
      onFailed: () => undefined,
    });
  }
  if (job !== null) void follow(job);

  /** Stops the tasks of the window. The job continues. */
  function close(): void {
    startTask.drop();
    reportTask.drop();
  }

  return {
    store,
    close,
    /** Starts a job; the list of jobs shows it too. */
    async start(begin: (quality: typeof api.quality, signal: AbortSignal) => Promise<{ job: string }>) {
      store.setState({ isStarting: true, problem: null });
      await startTask.run((signal) => begin(api.quality, signal), {
        onDone(started) {
          store.setState({ ...none, job: started.job });
          void follow(started.job);
        },
        onFailed: (problem) => store.setState({ isStarting: false, problem }),
        onCanceled: () => store.setState({ isStarting: false }),
      });
    },
    cancelStart: startTask.cancel,
    /** Follows the job again after it was resumed. */
    follow(): void {
      const { job: current } = store.getState();
      if (current !== null) void follow(current);
    },
    hideProblem: () => store.setState({ problem: null }),
    /** Forgets the job, which continues. */
    reset(): void {
      close();
      store.setState(none);
    },
  };
}
export type QualityRun = ReturnType<typeof createQualityRun>;
