import type { ParameterValues } from '../../shared/language/parameters.ts';
import type { Wells } from '../features/wells/wells-state.ts';
import { hasAssetId, scopeOf, type ScopedWell } from '../features/wells/scope.ts';
import type { Dataset, DatasetAddress } from '../../shared/datasets/datasets.ts';
import type { Job } from '../../shared/jobs/jobs.ts';
import type { QuestionText } from '../../shared/query/question.ts';
import type { AssetId } from '../../shared/wells/well-ids.ts';
import type { Api } from '../api/api.ts';
import { createDatasetTab, type DatasetTab } from '../features/datasets/dataset-tab.ts';
import { createDatasets } from '../features/datasets/datasets.ts';
import { createDatasetSchemas } from '../features/query/editing/dataset-schemas.ts';
import { createHistory } from '../features/history/history.ts';
import { createViewStore } from '../features/results/view-store.ts';
import type { ResultsDependencies } from '../features/results/results.ts';
import type { RecordsThread } from '../features/records/records.ts';
import type { Settings } from '../features/settings/settings.ts';
import { waitForJob } from '../features/jobs/job-list.ts';
import { createQueryTab, type QuerySubject, type QueryTab } from '../features/query/query-tab.ts';
import { createUploadTab, type UploadTab } from '../features/upload/upload-tab.ts';
import type { UploadDependencies } from '../features/upload/upload-state.ts';
import { createBrowse } from '../features/wells/browse.ts';
import { createDirectory } from '../features/wells/directory.ts';
import { createWells } from '../features/wells/wells.ts';
import { monotonicClock } from '../state/use-now.ts';
import { words } from '../words/words.ts';
import { createDatasetLinks, refillOnScope, forwardSelectedWells } from './open-datasets.ts';
import { createUploads, resumeQueue, type OpenUploadsDependencies } from './open-uploads.ts';
import { createTabStorage, type TabStorageDependencies } from './tab-storage.ts';
import { toStoredTab, type TabFactories } from './stored-tabs.ts';
import { datasetFinder } from './dataset-finder.ts';
import { createLiveLinks } from './open-live.ts';
import { createQualityLinks } from './open-quality.ts';
import { followScope, applyTimeZone } from './follow-scope.ts';
import { waitForListedWells } from './listed-wells.ts';
import { listedWells } from '../features/wells/wells-state.ts';
import { recordRuns } from './record-runs.ts';
import { createSqlLinks } from './open-sql.ts';
import { createTabs } from './tabs.ts';

/**
 * The current values of parameters other than `ask`: the selected wells of a tab, and their company if they have
 * one in common.
 */
function currentValues(
  { store }: Pick<Wells, 'store'>,
  selected: readonly ScopedWell[],
): Omit<ParameterValues, 'answers'> {
  const { knownValues } = store.getState();
  const companies =
    selected.length > 0 ? new Set(selected.map(({ companyId }) => companyId)) : knownValues.ids.companyId;
  const [company = null, ...others] = companies;
  return {
    wells: scopeOf(selected),
    company: others.length === 0 ? company : null,
    now: Date.now(),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

export interface SessionDependencies
  extends
    Pick<UploadDependencies, 'transferFile' | 'removeJob'>,
    Pick<OpenUploadsDependencies, 'openElsewhere' | 'queue'>,
    Pick<TabStorageDependencies, 'schedule'> {
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
    readonly events: Pick<Api['events'], 'tabs' | 'jobs'>;
  };
  readonly records: RecordsThread;
  /** The user's settings. */
  readonly settings: Settings['store'];
}

/** A query from the history or the saved ones. */
export interface StoredQuery {
  readonly address: DatasetAddress;
  readonly text: QuestionText;
  /** The tab's name; absent: default. */
  readonly name?: string;
  /** The wells of the query; absent: the selected ones. */
  readonly assetIds?: readonly AssetId[];
  readonly run: boolean;
}

// The language module is large, and rarely needed here.
const loadBoundQuery = () => import('../features/query/bound-query.ts');

/**
 * The features of one open connection: wells, datasets, tabs. They stay while another connection is shown,
 * until this one is closed.
 */
export function createSession(dependencies: SessionDependencies, connection: string) {
  const { api, records, settings, transferFile, removeJob, openElsewhere, queue, memory, schedule } =
    dependencies;
  const wells = createWells({ api });
  const directory = createDirectory(api);
  const datasets = createDatasets(api);
  const datasetSchemas = createDatasetSchemas(api, connection);
  const selectedWells = () => wells.store.getState().selected;
  const tabs = createTabs({ store: toStoredTab, selectedWells });

  const views = createViewStore(api);
  const fields: ResultsDependencies['fields'] = async ({ provider, dataset }, signal) =>
    (await api.datasets.fields({ connection, provider, dataset }, { signal })).fields;

  function makeQuery(subject: Pick<QuerySubject, 'dataset' | 'text'>): QueryTab {
    let model: QueryTab | null = null;
    const tabOfQuery = () => tabs.store.getState().tabs.find((tab) => tab.model === model);
    // Before its tab is open, the selected ones.
    const ownWells = () => tabOfQuery()?.scope ?? selectedWells();
    model = createQueryTab(
      {
        api,
        records,
        views,
        fields,
        defaults: () => settings.getState().values,
        initialZone: () => settings.getState().values.times,
        now: monotonicClock,
        values: () => currentValues(wells, ownWells()),
      },
      {
        connection,
        scope: () => datasets.actions.scopeOf(subject.dataset),
        wells: ownWells,
        selectWells(chosen) {
          const tab = tabOfQuery();
          if (tab && tab.id !== tabs.store.getState().active) tabs.actions.scope(chosen, tab.id);
          else wells.actions.selectWells(chosen);
        },
        ...subject,
      },
    );
    recordRuns(model, {
      selectedWells: ownWells,
      nameOf: (id) => listedWells(wells.store.getState()).well('assetId', id)?.name,
      note: (run) => void history.actions.note(run),
    });
    return model;
  }
  const makeDataset = (dataset: Dataset): DatasetTab =>
    createDatasetTab(
      { api, onScopeLearned: datasets.actions.learnedScope },
      { connection, dataset, wells: selectedWells },
    );
  const makeUpload = (dataset: Dataset | null, job?: Job): UploadTab =>
    createUploadTab(
      {
        api,
        connection,
        selectedWells: selectedWells,
        findWells: (assets) => waitForListedWells(wells, assets),
        transferFile,
        removeJob,
        findDataset: (address) => findDataset(address),
      },
      { dataset, job },
    );
  const findJob = (job: string) => api.jobs.show({ job });
  const findDataset = datasetFinder(api, datasets, connection);
  const live = createLiveLinks({ connection, tabs, records, settings });
  const quality = createQualityLinks({
    api,
    connection,
    tabs,
    selectedWells,
    waitForJob: (job) => jobEnd(job),
  });
  const make: TabFactories = {
    live: live.make,
    quality: quality.make,
    query: makeQuery,
    browse: () => createBrowse({ api, connection }),
    dataset: makeDataset,
    upload: makeUpload,
    findDataset,
    findJob,
  };
  const controller = new AbortController();
  const jobEnd = (job: string) => waitForJob(api.events, job, controller.signal);
  const wake = (id: string) => tabStorage.actions.wake(id);
  const onRestored = () => void resumeQueue({ tabs, queue, wake, findJob, waitForJob: jobEnd });
  const tabStorage = createTabStorage({
    api,
    connection,
    tabs,
    make,
    windowMemory: memory(connection),
    onRestored,
    schedule,
  });
  const stopFollowing = followScope(tabs, wells, (id) => void tabStorage.actions.wake(id));
  const stopTelling = forwardSelectedWells(wells, datasets);
  const stopShowing = applyTimeZone(settings, tabs);
  tabStorage.start(controller.signal);

  /** The default title of a query: the first free number. */
  function titleFor({ dataset }: DatasetAddress): string {
    const taken = new Set(tabs.store.getState().tabs.map(({ title }) => title));
    let number = 1;
    while (taken.has(words.tabs.query(dataset, number))) number += 1;
    return words.tabs.query(dataset, number);
  }

  /** Opens a query on a dataset for the selected wells. */
  function openQuery(dataset: Dataset): QueryTab {
    const model = makeQuery({ dataset });
    tabs.actions.open({ kind: 'query', title: titleFor(dataset), model });
    void refillOnScope(datasets, model);
    return model;
  }

  /** Opens a query and loads its first records, unless the user typed meanwhile. */
  async function openAndLoad(dataset: Dataset): Promise<void> {
    const model = openQuery(dataset);
    model.actions.focusEditor(true);
    await refillOnScope(datasets, model);
    const isIdle = model.results.store.getState().answer.status === 'idle';
    if (settings.getState().values.runOnOpen && isIdle && model.actions.isUnchanged())
      await model.actions.run();
  }

  // Hidden tabs make no requests.
  tabs.store.subscribe(({ tabs: open, active, secondTab }, before) => {
    for (const tab of open)
      if (tab.kind === 'live') tab.model.actions.setVisible(tab.id === active || tab.id === secondTab);
    if (secondTab !== null && secondTab !== before.secondTab) void tabStorage.actions.wake(secondTab);
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

  /**
   * Opens a query from the history or the saved ones.
   * @throws AppError `not_found` if its dataset no longer exists
   */
  async function openQuestion({ address, text, name, assetIds, run }: StoredQuery): Promise<void> {
    const dataset = await findDataset(address);
    const listed = listedWells(wells.store.getState());
    const scope = assetIds ? listed.wellsBy('assetId', assetIds).filter(hasAssetId) : selectedWells();
    // Wells that aren't listed can't be selected; the query then names its wells itself.
    const isListed = !assetIds || assetIds.every((id) => scope.some(({ assetId }) => assetId === id));
    const own = isListed ? text : (await loadBoundQuery()).withWellIds(text, assetIds);
    const model = makeQuery({ dataset, text: own });
    tabs.actions.open({ kind: 'query', title: titleFor(dataset), model }, { name: name ?? null, scope });
    if (run) void model.actions.run();
  }
  const history = createHistory({
    api,
    connection,
    openQuestion: (run, text, how) =>
      openQuestion({
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
    openElsewhere,
    waitForJob: jobEnd,
    openRecords(dataset, look) {
      const tab = openQuery(dataset);
      if (look) tab.actions.type('find', { query: look.query, sort: look.sort });
      void tab.actions.run();
    },
  });

  return {
    connection,
    wells,
    directory,
    datasets,
    datasetSchemas,
    tabs,
    tabStorage,
    history,
    uploads,
    openLive: live.open,
    openQuality: quality.open,
    datasetLinks: createDatasetLinks({ tabs, make: makeDataset, openQuery, upload: uploads.open }),
    openQuestion,
    /** Opens another query on the active dataset; false: there is none. */
    openAnother(): boolean {
      const { tabs: open, active } = tabs.store.getState();
      const shown = open.find(({ id }) => id === active);
      if (shown?.kind !== 'query') return false;
      openQuery(shown.model.dataset);
      return true;
    },
    openBrowse,
    ...createSqlLinks(tabs, openQuestion),
    openDataset: (dataset: Dataset): void => void openAndLoad(dataset),
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
