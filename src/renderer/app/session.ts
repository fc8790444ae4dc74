import type { Dataset } from '../../shared/datasets.ts';
import type { Api } from '../api/api.ts';
import { createDatasets } from '../features/datasets/datasets.ts';
import type { RecordsThread } from '../features/results/records/records.ts';
import { createQueryTab, type QueryTab } from '../features/query/query-tab.ts';
import type { UploadTabNeeds } from '../features/upload/upload-tab.ts';
import { createWells } from '../features/wells/wells.ts';
import { steadyClock } from '../state/use-now.ts';
import { words } from '../words/words.ts';
import { createUploads, type OpenUploadsNeeds } from './open-uploads.ts';
import { createTabs } from './tabs.ts';

export interface SessionNeeds extends Omit<UploadTabNeeds, 'api'>, Pick<OpenUploadsNeeds, 'openElsewhere'> {
  readonly api: Pick<Api, 'wells' | 'datasets' | 'query' | 'upload' | 'files'>;
  readonly records: RecordsThread;
}

/**
 * All that one open connection has in the window: its wells and datasets, which of them are chosen, and its tabs. Each
 * open connection has its own; it stays while another one is shown, until the connection is closed.
 */
export function createSession({ api, records, ...needs }: SessionNeeds, connection: string) {
  const wells = createWells(api);
  const datasets = createDatasets(api);
  const tabs = createTabs();

  /** Opens a query to a dataset, filled in for the chosen wells. */
  function openQuery(dataset: Dataset): QueryTab {
    const subject = { connection, dataset, wells: wells.store.getState().chosen };
    const model = createQueryTab({ api, records, words: words.query, now: steadyClock }, subject);
    const earlier = tabs.store
      .getState()
      .tabs.filter((tab) => tab.kind === 'query' && tab.model.dataset.dataset === dataset.dataset);
    tabs.actions.open({ kind: 'query', title: words.tabs.query(dataset.dataset, earlier.length + 1), model });
    return model;
  }

  const uploads = createUploads({
    api,
    ...needs,
    connection,
    tabs,
    wells,
    lookAt(dataset, look) {
      const tab = openQuery(dataset);
      if (look) tab.actions.type('find', { query: look.query, sort: look.sort });
      void tab.actions.run();
    },
  });

  return {
    connection,
    wells,
    datasets,
    tabs,
    uploads,
    openDataset: (dataset: Dataset): void => void openQuery(dataset),
    /** Fetches what the lists show, anew where they show something already; what is open in tabs stays. */
    load(): void {
      void wells.actions.load(connection);
      void datasets.actions.load(connection);
    },
    /** Ends what runs and lets everything go. */
    close(): void {
      tabs.actions.closeAll();
      wells.actions.clear();
      datasets.actions.clear();
    },
  };
}

export type Session = ReturnType<typeof createSession>;
