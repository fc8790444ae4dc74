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
     * Counts the existing records of the wells.
     * @param again also if they were counted
     */
    async count(again: boolean): Promise<void> {
      const { dataset, existingRecords: counted } = getState();
      if (!again && counted.status !== 'idle') return;
      const look = targetRecordsQuery(getState());
      if (!dataset || !look) return;
      const request = { connection, provider: dataset.provider, dataset: dataset.dataset, query: look.query };
      setState({ existingRecords: loading });
      await load(
        task,
        async (signal) => (await api.query.count(request, { signal })).count,
        (existingRecords) => setState({ existingRecords }),
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
