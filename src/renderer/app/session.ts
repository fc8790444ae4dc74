import type { Dataset } from '../../shared/datasets/datasets.ts';
import type { Job } from '../../shared/jobs/jobs.ts';
import type { Api } from '../api/api.ts';
import { createDatasetTab, type DatasetTab } from '../features/dataset-tab/dataset-tab.ts';
import { createDatasets } from '../features/datasets/datasets.ts';
import { createDatasetIndexes } from '../features/query/editing/dataset-indexes.ts';
import { createHistory } from '../features/history/history.ts';
import type { TabCommands } from '../features/commands/command-table.ts';
import type { Tour } from '../features/tour/tour.ts';
import type { Jobs } from '../features/jobs/jobs.ts';
import type { RecordsThread } from '../features/records/records.ts';
import type { FieldCatalogue } from '../features/datasets/field-catalogue.ts';
import type { Settings } from '../features/settings/settings.ts';
import { createUploadTab, type UploadTab } from '../features/upload/upload-tab.ts';
import type { UploadDependencies } from '../features/upload/upload-state.ts';
import { createBrowse } from '../features/wells/browse.ts';
import { createDirectory } from '../features/wells/directory.ts';
import type { ScopedWell } from '../features/wells/scope.ts';
import { createWells } from '../features/wells/wells.ts';
import { words } from '../words/words.ts';
import { createDatasetLinks, forwardSelectedWells } from './open-datasets.ts';
import { createUploads, resumeQueue, type OpenUploadsDependencies } from './open-uploads.ts';
import { createTabStorage, type TabStorageDependencies } from './tab-storage.ts';
import { toStoredTab, type TabFactories } from './stored-tabs.ts';
import { datasetFinder } from '../features/datasets/dataset-finder.ts';
import { createLiveLinks } from './open-live.ts';
import { createQueryLinks } from './open-queries.ts';
import { createQualityLinks } from './open-quality.ts';
import { followScope, applyTimeZone } from './follow-scope.ts';
import { waitForListedWells } from '../features/wells/listed-wells.ts';
import { createSqlLinks } from './open-sql.ts';
import { activeTab, createTabs, type Tab } from './tabs.ts';
import { commandsOfTab, tabsCommands } from './commands/tabs-commands.ts';

export interface SessionDependencies
  extends
    Pick<UploadDependencies, 'transferFile' | 'removeJob'>,
    Pick<OpenUploadsDependencies, 'queue'>,
    Pick<TabStorageDependencies, 'schedule'> {
  /** Shows another connection by its name; null: it is this one, or it isn't saved. */
  readonly openElsewhere: (name: string) => Pick<Session, 'uploads' | 'openReport'> | null;
  /** Stores a connection's tabs for this window. */
  readonly memory: (connection: string) => TabStorageDependencies['windowMemory'];
  readonly api: Pick<
    Api,
    | 'wells'
    | 'catalogue'
    | 'datasets'
    | 'query'
    | 'quality'
    | 'upload'
    | 'files'
    | 'tabs'
    | 'history'
    | 'workspace'
  > & {
    readonly jobs: Pick<Api['jobs'], 'show'>;
    readonly events: Pick<Api['events'], 'tabs'>;
  };
  readonly records: RecordsThread;
  readonly fields: FieldCatalogue;
  readonly waitForJob: Jobs['actions']['waitForEnd'];
  /** The user's settings. */
  readonly settings: Settings['store'];
  /** The tour of the window; needs the settings. */
  readonly tour: () => Tour;
  /** Shows the list of datasets with the focus in its search. */
  readonly showDatasets: () => void;
}

/**
 * The features of one open connection: wells, datasets, tabs. They stay while another connection is shown,
 * until this one is closed.
 */
export function createSession(dependencies: SessionDependencies, connection: string) {
  const { api, records, fields, settings, transferFile, removeJob, openElsewhere, queue, memory, schedule } =
    dependencies;
  const { tour, showDatasets } = dependencies;
  const wells = createWells({ api });
  const directory = createDirectory(api);
  const datasets = createDatasets(api);
  const datasetIndexes = createDatasetIndexes(api, connection);
  const selectedWells = () => wells.store.getState().selected;
  const tabs = createTabs({ store: toStoredTab, selectedWells });
  const controller = new AbortController();
  const findDataset = datasetFinder(api, datasets, connection);
  const findJob = (job: string) => api.jobs.show({ job });
  const jobEnd = (job: string) => dependencies.waitForJob(job, controller.signal);

  /** The wells of the tab with a content; before it is open, the selected ones. */
  const wellsOf = (content: () => Tab['model'] | null) => (): readonly ScopedWell[] => {
    const model = content();
    return tabs.store.getState().tabs.find((tab) => tab.model === model)?.scope ?? selectedWells();
  };
  function makeDataset(dataset: Dataset): DatasetTab {
    let model: DatasetTab | null = null;
    model = createDatasetTab(
      { api, catalogue: fields, onScopeLearned: datasets.actions.learnedScope },
      { connection, dataset, wells: wellsOf(() => model) },
    );
    return model;
  }
  function makeUpload(dataset: Dataset | null, job?: Job): UploadTab {
    let model: UploadTab | null = null;
    model = createUploadTab(
      {
        api,
        connection,
        selectedWells: wellsOf(() => model),
        findWells: (assets) => waitForListedWells(wells, assets),
        transferFile,
        removeJob,
        findDataset,
        waitForJob: jobEnd,
      },
      { dataset, job },
    );
    return model;
  }
  const queries = createQueryLinks({
    api,
    connection,
    records,
    fields,
    settings,
    wells,
    datasets,
    tabs,
    findDataset,
    note: (run) => void history.actions.note(run),
  });
  const live = createLiveLinks({ connection, tabs, records, settings });
  const quality = createQualityLinks({
    api,
    connection,
    tabs,
    selectedWells,
    waitForJob: jobEnd,
    openElsewhere,
    checks: () => {
      const { spikeThreshold, minFlatRecords } = settings.getState().values;
      return { spikeThreshold, minFlatRecords };
    },
    findDataset,
  });
  const make: TabFactories = {
    live: live.make,
    quality: quality.make,
    query: queries.make,
    browse: () => createBrowse({ api, connection }),
    dataset: makeDataset,
    upload: makeUpload,
    findDataset,
    findJob,
  };
  const restore = (id: string) => tabStorage.actions.restore(id);
  const onRestored = () => void resumeQueue({ tabs, queue, restore, findJob, waitForJob: jobEnd });
  const tabStorage = createTabStorage({
    api,
    connection,
    tabs,
    make,
    windowMemory: memory(connection),
    onRestored,
    schedule,
  });
  const stopFollowing = followScope(tabs, wells, (id) => void restore(id));
  const stopTelling = forwardSelectedWells(wells, datasets);
  const stopShowing = applyTimeZone(settings, tabs);
  tabStorage.start(controller.signal);

  // Hidden tabs make no requests, and their records are released first.
  tabs.store.subscribe(({ tabs: open, active, neighbor }, before) => {
    for (const tab of open) {
      const isVisible = tab.id === active || tab.id === neighbor?.id;
      if (tab.kind === 'live') tab.model.actions.setVisible(isVisible);
      if (tab.kind === 'query') tab.model.results.actions.setVisible(isVisible);
    }
    if (neighbor && neighbor.id !== before.neighbor?.id) void restore(neighbor.id);
  });
  /** Opens the tables of wells and groups in a single tab. */
  function openBrowse(): void {
    const open = tabs.store.getState().tabs.find(({ kind }) => kind === 'browse');
    if (open) tabs.actions.show(open.id);
    else {
      const model = createBrowse({ api, connection });
      tabs.actions.open({ kind: 'browse', title: words.wells.browse.tab, model });
    }
  }

  const history = createHistory({
    api,
    connection,
    openQuestion: (run, text, how) =>
      queries.openStored({
        address: { provider: run.provider, dataset: run.dataset },
        text,
        assetIds: run.wells.map(({ assetId }) => assetId),
        ...how,
      }),
  });

  const uploads = createUploads({
    tabs,
    make: makeUpload,
    queue,
    openElsewhere: (name) => openElsewhere(name)?.uploads ?? null,
    waitForJob: jobEnd,
    openRecords(dataset, look) {
      const tab = queries.open(dataset);
      if (look) tab.actions.type('find', { query: look.query, sort: look.sort });
      void tab.actions.run();
    },
  });

  return {
    connection,
    wells,
    directory,
    datasets,
    datasetIndexes,
    tabs,
    tabStorage,
    history,
    uploads,
    openLive: live.open,
    openQuality: quality.open,
    openReport: quality.openReport,
    datasetLinks: createDatasetLinks({
      tabs,
      make: makeDataset,
      openQuery: queries.open,
      upload: uploads.open,
    }),
    openQuestion: queries.openStored,
    commands: tabsCommands(tabs),
    /** The commands of the tab with the focus; null: no tab is open. */
    activeTabCommands(): TabCommands | null {
      const tab = activeTab(tabs.store.getState());
      return tab && commandsOfTab(tab, { tabs, openLive: live.open });
    },
    tour,
    /** Opens another query on the dataset of the active one, or else the list of datasets. */
    openAnother(): void {
      const shown = activeTab(tabs.store.getState());
      if (shown?.kind === 'query') queries.open(shown.model.dataset);
      else showDatasets();
    },
    openBrowse,
    ...createSqlLinks(tabs, queries.openStored),
    openDataset: (dataset: Dataset): void => void queries.openAndLoad(dataset),
    /** Loads the lists, or loads them again. Open tabs stay. */
    load(): void {
      void wells.actions.load(connection);
      directory.actions.load(connection);
      void datasets.actions.load(connection);
    },
    /** Aborts all tasks and releases everything. */
    close(): void {
      stopFollowing();
      stopTelling();
      stopShowing();
      // The tabs are stored, and restored when the connection is opened again.
      void tabStorage.flush().finally(() => {
        controller.abort();
        tabs.actions.closeAll();
      });
      wells.actions.clear();
      directory.actions.clear();
      datasets.actions.clear();
    },
  };
}

export type Session = ReturnType<typeof createSession>;

declare module '../contexts.ts' {
  interface Session {
    readonly tour: () => Tour;
  }
}

export { createTour } from '../features/tour/tour.ts';
