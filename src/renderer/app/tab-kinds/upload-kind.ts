import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { keepUpload, keptUpload } from '../../features/upload/kept-upload.ts';
import type { UploadTab } from '../../features/upload/upload-tab.ts';
import type { TabContent } from '../tabs.ts';
import type { TabKind } from './kind.ts';

export interface UploadKindNeeds {
  readonly make: (dataset: Dataset | null, job?: Job) => UploadTab;
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
  /** @throws AppError `job_unknown` for one that was discarded */
  readonly findJob: (job: string) => Promise<Job>;
}

/**
 * An upload that was begun is kept by its job, whose ledger it shows again. Before that its file is kept, as long as
 * main runs, and what was chosen for it.
 */
export function uploadKind(needs: UploadKindNeeds): TabKind<TabContent & { kind: 'upload' }> {
  const { make, findDataset, findJob } = needs;
  return {
    keep: ({ store }) => keepUpload(store.getState()),
    watch: ({ store }, changed) => store.subscribe(changed),
    async restore(state, { title }) {
      const { dataset, job, draft } = keptUpload.parse(state);
      const model = job ? make(null, await findJob(job)) : make(dataset && (await findDataset(dataset)));
      if (draft) void model.actions.restore(draft);
      return { kind: 'upload', title, model };
    },
  };
}
