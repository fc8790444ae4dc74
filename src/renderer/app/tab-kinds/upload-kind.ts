import * as z from 'zod';
import { datasetAddress } from '../../../shared/datasets.ts';
import type { Dataset, DatasetAddress } from '../../../shared/datasets.ts';
import { jobId, type Job } from '../../../shared/jobs.ts';
import { jobOf } from '../../features/upload/upload-state.ts';
import type { UploadTab } from '../../features/upload/upload-tab.ts';
import type { TabContent } from '../tabs.ts';
import type { TabKind } from './kind.ts';

const keptUpload = z.object({ dataset: datasetAddress.nullable(), job: jobId.nullable() });
export type KeptUpload = z.infer<typeof keptUpload>;

export interface UploadKindNeeds {
  readonly make: (dataset: Dataset | null, job?: Job) => UploadTab;
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
  /** @throws AppError `job_unknown` for one that was discarded */
  readonly findJob: (job: string) => Promise<Job>;
}

/**
 * An upload that was begun is kept by its job, whose ledger it shows again. Before that only where it is to go is kept:
 * what was picked is at hand as long as the page is, and has to be picked again.
 */
export function uploadKind(needs: UploadKindNeeds): TabKind<TabContent & { kind: 'upload' }> {
  const { make, findDataset, findJob } = needs;
  const kept = ({ store }: UploadTab): KeptUpload => {
    const { dataset, send } = store.getState();
    const address = dataset && { provider: dataset.provider, dataset: dataset.dataset };
    return { dataset: address, job: jobOf(send) };
  };
  return {
    keep: kept,
    watch: ({ store }, changed) =>
      store.subscribe(
        (now, before) => (now.dataset !== before.dataset || now.send !== before.send) && changed(),
      ),
    async restore(state, { title }) {
      const { dataset, job } = keptUpload.parse(state);
      const model = job ? make(null, await findJob(job)) : make(dataset && (await findDataset(dataset)));
      return { kind: 'upload', title, model };
    },
  };
}
