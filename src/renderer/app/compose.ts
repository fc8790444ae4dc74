import type { Dataset } from '../../shared/datasets.ts';
import { createApi } from '../api/api.ts';
import { handOverFile } from '../api/dropped.ts';
import type { ReconnectingLink } from '../api/reconnecting.ts';
import { createConnections } from '../features/connections/connections.ts';
import { lastConnectionIn } from '../features/connections/last-connection.ts';
import { createDatasets } from '../features/datasets/datasets.ts';
import { createExport } from '../features/export/export.ts';
import { createJobs } from '../features/jobs/jobs.ts';
import { createParser } from '../features/results/parser.ts';
import { createQueryTab, type QueryTab } from '../features/query/query-tab.ts';
import { createWells } from '../features/wells/wells.ts';
import { createWorkspace } from '../features/workspace/workspace.ts';
import { steadyClock } from '../state/use-now.ts';
import { words } from '../words/words.ts';
import { createUploads } from './open-uploads.ts';
import { createTabs } from './tabs.ts';

// Written out in one piece, for the build to see that this is a worker of its own.
const startParsing = () =>
  new Worker(new URL('../features/results/parse-worker.ts', import.meta.url), {
    type: 'module',
    name: 'records',
  });

/**
 * Builds the features over one link and says what follows from what: nothing else knows more than one feature.
 */
export function compose(link: ReconnectingLink) {
  const api = createApi(link.link);
  const connections = createConnections(api, lastConnectionIn(sessionStorage));
  const wells = createWells(api);
  const datasets = createDatasets(api);
  const jobs = createJobs(api);
  const workspace = createWorkspace({ api, now: Date.now, after: (ms, act) => setTimeout(act, ms) });
  const exporting = createExport(api, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const tabs = createTabs();
  const parser = createParser(startParsing);

  // Another connection is another world: its wells and datasets are loaded, and the old one's tabs go.
  connections.store.subscribe(({ current }, before) => {
    if (current?.id === before.current?.id) return;
    tabs.actions.closeAll();
    wells.actions.clear();
    datasets.actions.clear();
    if (!current) return;
    void wells.actions.load(current.id);
    void datasets.actions.load(current.id);
  });

  /** Opens a query to a dataset, filled in for the chosen wells. */
  function openQuery(dataset: Dataset): QueryTab | null {
    const { current } = connections.store.getState();
    if (!current) return null;
    const subject = { connection: current.id, dataset, wells: wells.store.getState().chosen };
    const model = createQueryTab({ api, parser, words: words.query, now: steadyClock }, subject);
    const earlier = tabs.store
      .getState()
      .tabs.filter((tab) => tab.kind === 'query' && tab.model.dataset.dataset === dataset.dataset);
    tabs.actions.open({ kind: 'query', title: words.tabs.query(dataset.dataset, earlier.length + 1), model });
    return model;
  }
  const openDataset = (dataset: Dataset): void => void openQuery(dataset);

  const uploads = createUploads({
    api,
    handOver: handOverFile,
    dropJob: jobs.actions.drop,
    tabs,
    connections,
    wells,
    lookAt(dataset, look) {
      const tab = openQuery(dataset);
      if (look) {
        tab?.actions.type('query', look.query);
        tab?.actions.type('sort', look.sort);
      }
      void tab?.actions.run();
    },
  });

  /** Loads and follows what the window needs, until the signal aborts. */
  function start(signal: AbortSignal): void {
    void workspace.actions.load();
    void connections.actions.load();
    void jobs.actions.follow(signal);
    void workspace.actions.follow(signal);
  }

  return {
    link,
    connections,
    wells,
    datasets,
    jobs,
    workspace,
    exporting,
    uploads,
    tabs,
    openDataset,
    start,
  };
}

export type Composition = ReturnType<typeof compose>;
