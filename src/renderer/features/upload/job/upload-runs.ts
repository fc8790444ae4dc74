import type { Mapping } from '../../../../shared/upload/upload.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { jobOf, noRun, type Run, type UploadNeeds, type UploadStore } from '../upload-state.ts';

/** The jobs of an upload: the trial over all rows, and the one that sends them. */
export function createUploadRuns(
  store: UploadStore,
  { api, connection, dropJob }: Pick<UploadNeeds, 'api' | 'connection' | 'dropJob'>,
  mapping: () => Mapping,
) {
  // Each has its own: sending must not leave a check behind that never ends.
  const starting = { check: createLatestTask(), send: createLatestTask() };
  // A trial is of use while it is looked at; what it leaves behind would only stand in the way of the uploads.
  store.subscribe((now, before) => {
    const gone = jobOf(before.check);
    if (gone !== null && gone !== jobOf(now.check)) void dropJob(gone);
    // The choices are others now: what began with those before is given up.
    if (before.check.status === 'starting' && now.check.status === 'none') starting.check.drop();
  });

  return {
    async start(which: 'check' | 'send'): Promise<void> {
      const { file, dataset, reading, existing } = store.getState();
      if (file.status !== 'granted' || !dataset) return;
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
      await starting[which].run((signal) => api.upload.start(request, { signal }), {
        onDone({ job }) {
          set({ status: 'started', job });
          if (which === 'send') store.setState({ check: noRun });
        },
        onFailed: (error) => set({ status: 'failed', error }),
        onCanceled: () => set(noRun),
      });
    },
    /** Gives up a job that has not begun. */
    cancelStart() {
      for (const task of Object.values(starting)) task.cancel();
    },
    drop() {
      for (const task of Object.values(starting)) task.drop();
    },
  };
}
