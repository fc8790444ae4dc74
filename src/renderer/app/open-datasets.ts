import type { Dataset } from '../../shared/datasets/datasets.ts';
import { selectedWells } from '../features/datasets/selected-wells.ts';
import type { DatasetTab } from '../features/dataset-tab/dataset-tab.ts';
import type { DatasetLinks, Datasets } from '../features/datasets/datasets.ts';
import { addressText } from '../features/datasets/search.ts';
import type { QueryTab } from '../features/query/query-tab.ts';
import type { Wells } from '../features/wells/wells-state.ts';
import { words } from '../words/words.ts';
import type { Tabs } from './tabs.ts';

export interface OpenDatasetsDependencies {
  readonly tabs: Tabs;
  readonly make: (dataset: Dataset) => DatasetTab;
  readonly openQuery: (dataset: Dataset) => QueryTab;
  readonly upload: DatasetLinks['openUpload'];
}

/** Opens a dataset in its tab, or in a new one, and queries on it. */
export function createDatasetLinks({
  tabs,
  make,
  openQuery,
  upload: openUpload,
}: OpenDatasetsDependencies): DatasetLinks {
  return {
    openUpload,
    openDataset(dataset) {
      const address = addressText(dataset);
      const known = tabs.store
        .getState()
        .tabs.find((tab) => tab.kind === 'dataset' && addressText(tab.model.dataset) === address);
      if (known) tabs.actions.show(known.id);
      else
        tabs.actions.open({
          kind: 'dataset',
          title: words.tabs.dataset(dataset.dataset),
          model: make(dataset),
        });
    },
    openQuery(dataset, text) {
      const tab = openQuery(dataset);
      if (text !== undefined) tab.actions.type('find', { query: text });
    },
  };
}

/** Updates the initial query when the dataset's scope differs from its type's default. */
export async function refillOnScope(datasets: Datasets, { dataset, actions }: QueryTab): Promise<void> {
  const isOther = await datasets.actions.learnScope(dataset);
  if (isOther) actions.refill();
}

/**
 * Forwards the selected wells to the datasets.
 * @returns a function that stops
 */
export function forwardSelectedWells(
  wells: Pick<Wells, 'store'>,
  datasets: Pick<Datasets, 'actions'>,
): () => void {
  return wells.store.subscribe(({ selected }, before) => {
    if (selected !== before.selected) datasets.actions.setWells(selectedWells(selected));
  });
}
