import type { Mapping } from '../../../../shared/upload/upload.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { jobOf } from '../upload-facts.ts';
import { noRun, type Run, type UploadDependencies, type UploadStore } from '../upload-state.ts';

/** The jobs of an upload: the check of all rows, and the job that sends them. */
export function createUploadRuns(
  store: UploadStore,
  { api, connection, removeJob }: Pick<UploadDependencies, 'api' | 'connection' | 'removeJob'>,
  mapping: () => Mapping,
) {
  // Separate tasks: starting to send must not drop a check that is starting.
  const startTasks = { check: createLatestTask(), send: createLatestTask() };
  // A finished check has no further use and would stay in the list of jobs.
  store.subscribe((now, before) => {
    const formerJob = jobOf(before.check);
    if (formerJob !== null && formerJob !== jobOf(now.check)) void removeJob(formerJob);
    // A check that started with earlier choices is aborted.
    if (before.check.status === 'starting' && now.check.status === 'none') startTasks.check.drop();
  });

  return {
    async start(which: 'check' | 'send'): Promise<void> {
      const { file, dataset, reading, existing } = store.getState();
      if (file.status !== 'ready' || !dataset) return;
      const set = (run: Run) => store.setState({ [which]: run });
      const request = {
        connection,
        provider: dataset.provider,
        dataset: dataset.dataset,
        source: file.file.token,
        reading,
        mapping: mapping(),
        existing,
        dryRun: which === 'check',
      };
      set({ status: 'starting' });
      await startTasks[which].run((signal) => api.upload.start(request, { signal }), {
        onDone({ job }) {
          set({ status: 'started', job });
          if (which === 'send') store.setState({ check: noRun });
        },
        onFailed: (error) => set({ status: 'failed', error }),
        onCanceled: () => set(noRun),
      });
    },
    /** Cancels a job before it starts. */
    cancelStart() {
      for (const task of Object.values(startTasks)) task.cancel();
    },
    drop() {
      for (const task of Object.values(startTasks)) task.drop();
    },
  };
}
