import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading } from '../../../state/loadable.ts';
import type { UploadDependencies, UploadStore } from '../upload-state.ts';
import { targetRecordsQuery } from './record-query.ts';

/** Counts the records that the dataset has of the wells and range of the file. */
export function createExistingCount(
  { getState, setState }: UploadStore,
  { api, connection }: Pick<UploadDependencies, 'api' | 'connection'>,
) {
  const task = createLatestTask();
  return {
    /**
     * Counts them.
     * @param again also if they were counted
     */
    async count(again: boolean): Promise<void> {
      const { dataset, existingRecords } = getState();
      if (!again && existingRecords.status !== 'idle') return;
      const target = targetRecordsQuery(getState());
      if (!dataset || !target) return;
      const request = {
        connection,
        provider: dataset.provider,
        dataset: dataset.dataset,
        query: target.query,
      };
      setState({ existingRecords: loading });
      await load(
        task,
        async (signal) => (await api.query.count(request, { signal })).count,
        (part) => setState({ existingRecords: part }),
      );
    },
    cancel: task.cancel,
    /** Stops counting. The count no longer applies. */
    reset(): void {
      task.drop();
      if (getState().existingRecords !== idle) setState({ existingRecords: idle });
    },
  };
}
