import { commaList } from '../../format/comma-list.ts';
import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import type { JobState, QualityJob } from '../../../shared/jobs/jobs.ts';
import type { QualityReport } from '../../../shared/quality/report.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { idle, load, type Loadable } from '../../state/loadable.ts';

export interface QualityForm {
  /** Relaxed JSON. */
  readonly query: string;
  /** Dotted paths, separated by commas; empty: all fields. */
  readonly fields: string;
  /** The expected step, such as `1s`; empty: the most frequent one. */
  readonly step: string;
}

export interface QualityTabState {
  readonly form: QualityForm;
  /** The job that checks the records; null: not started. */
  readonly job: string | null;
  readonly isStarting: boolean;
  /** Why the last check could not start. */
  readonly problem: AppError | null;
  readonly report: Loadable<QualityReport>;
}

export interface QualityTabDependencies {
  readonly api: Pick<Api, 'quality'>;
  /** How far a spike deviates, by the settings. */
  readonly spikeThreshold: () => number;
  /** The state in which a job stopped. Rejects when the connection is closed. */
  readonly waitForJob: (job: string) => Promise<JobState>;
}

export interface QualitySubject {
  readonly connection: string;
  readonly dataset: Dataset;
  readonly query: string;
  readonly job?: string | null;
}

export type QualityTab = ReturnType<typeof createQualityTab>;

/** A check of the records of a dataset: its request, its job, and its report. */
export function createQualityTab(
  { api, waitForJob, spikeThreshold }: QualityTabDependencies,
  { connection, dataset, query, job = null }: QualitySubject,
) {
  const store = createStore<QualityTabState>()(() => ({
    form: { query, fields: '', step: '' },
    job,
    isStarting: false,
    problem: null,
    report: idle,
  }));
  const reportTask = createLatestTask();

  /** Loads the report of a job when it is done. */
  async function follow(id: string): Promise<void> {
    const state = await waitForJob(id).catch(() => null);
    if (state !== 'done' || store.getState().job !== id) return;
    await load(
      reportTask,
      (signal) => api.quality.report({ job: id }, { signal }),
      (report) => store.setState({ report }),
    );
  }
  if (job !== null) void follow(job);

  const actions = {
    change: (change: Partial<QualityForm>) =>
      store.setState(({ form }) => ({ form: { ...form, ...change }, problem: null })),
    /** Starts a check; the list of jobs shows it too. */
    async start(): Promise<void> {
      const { form } = store.getState();
      store.setState({ isStarting: true, problem: null });
      try {
        const started = await api.quality.start({
          connection,
          provider: dataset.provider,
          dataset: dataset.dataset,
          query: form.query,
          fields: commaList(form.fields),
          spikeThreshold: spikeThreshold(),
          ...(form.step.trim() === '' ? {} : { step: form.step }),
        });
        store.setState({ job: started.job, report: idle });
        void follow(started.job);
      } catch (error) {
        store.setState({ problem: toAppError(error) });
      } finally {
        store.setState({ isStarting: false });
      }
    },
    /** Follows the job again after it was resumed. */
    follow(): void {
      const { job: current } = store.getState();
      if (current !== null) void follow(current);
    },
    close: () => reportTask.drop(),
  };
  return { store, actions, dataset, connection };
}

declare module '../../state/contexts.ts' {
  interface Session {
    /** Opens a check of the selected wells in a dataset. */
    readonly openQuality: (dataset: Dataset) => void;
    /** Opens the report of a check of this connection. */
    readonly openReport: (job: QualityJob) => Promise<void>;
  }
}
