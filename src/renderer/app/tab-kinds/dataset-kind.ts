import * as z from 'zod';
import { datasetAddress } from '../../../shared/datasets/datasets.ts';
import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { DatasetTab } from '../../features/datasets/dataset-tab.ts';
import type { TabContent } from '../tabs.ts';
import type { TabKind } from './kind.ts';

const keptDataset = z.object({ dataset: datasetAddress });
export type KeptDataset = z.infer<typeof keptDataset>;

export interface DatasetKindNeeds {
  readonly make: (dataset: Dataset) => DatasetTab;
  /** @throws AppError `not_found` for one that is gone */
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
}

/** What is known of a dataset is asked anew: only which one it was is kept. */
export function datasetKind({
  make,
  findDataset,
}: DatasetKindNeeds): TabKind<TabContent & { kind: 'dataset' }> {
  return {
    keep: ({ dataset: { provider, dataset } }): KeptDataset => ({ dataset: { provider, dataset } }),
    watch: () => () => undefined,
    async restore(state, { title }) {
      const { dataset } = keptDataset.parse(state);
      return { kind: 'dataset', title, model: make(await findDataset(dataset)) };
    },
  };
}
