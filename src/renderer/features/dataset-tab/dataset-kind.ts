import { lazy } from 'react';
import * as z from 'zod';
import { addressOf, datasetAddress, datasetName, type Dataset } from '../../../shared/datasets/datasets.ts';
import type { Session } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { findDataset } from '../datasets/dataset-finder.ts';
import { addressText } from '../datasets/search.ts';
import { defineTabKind } from '../tabs/tab-kind.ts';
import { createDatasetTab, type DatasetTab } from './dataset-tab.ts';

function createTab({ app, connection, datasets, tabs }: Session, dataset: Dataset): DatasetTab {
  let model: DatasetTab | null = null;
  model = createDatasetTab(app, datasets, {
    connection,
    dataset,
    wells: () => datasetKind.wellsOf(tabs.store.getState(), model),
  });
  return model;
}

export const datasetKind = defineTabKind({
  kind: 'dataset',
  schema: z.object({ dataset: datasetAddress }),
  restore: async ({ dataset }, session): Promise<DatasetTab> =>
    createTab(session, await findDataset(session, dataset)),
  serialize: ({ dataset }) => ({ dataset: addressOf(dataset) }),
  stores: ({ store }) => [store],
  View: lazy(() => import('./dataset-tab-view.tsx')),
  helpPage: 'find-a-well.md#Find datasets with data for the selected wells',
  dataset: ({ dataset }) => dataset,
  setVisible: ({ actions }, isVisible) => actions.setVisible(isVisible),
});

export function openDetails(session: Session, dataset: Dataset): void {
  const { store, actions } = session.tabs;
  const address = addressText(dataset);
  const datasetTab = store.getState().tabs.find((tab) => {
    const model = datasetKind.of(tab);
    return model !== null && addressText(model.dataset) === address;
  });
  if (datasetTab) actions.show(datasetTab.id);
  else
    actions.open(datasetKind.open(createTab(session, dataset)), {
      title: words.tabs.dataset(datasetName(dataset)),
    });
}
