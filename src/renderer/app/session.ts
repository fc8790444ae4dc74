import type { ParameterValues } from '../../shared/language/parameters.ts';
import type { Wells } from '../features/wells/wells-state.ts';
import { hasAssetId, scopeOf } from '../features/wells/scope.ts';
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
import { liveFieldOf } from '../features/live/live-field.ts';
import { createLiveTab, type LiveSubject, type LiveTab, type OpenLive } from '../features/live/live-tab.ts';
import { pageStatus } from '../features/live/page-status.ts';
import { createQueryTab, type QuerySubject, type QueryTab } from '../features/query/query-tab.ts';
import { createUploadTab, type UploadTab } from '../features/upload/upload-tab.ts';
import type { UploadDependencies } from '../features/upload/upload-state.ts';
import { createBrowse } from '../features/wells/browse.ts';
import { createDirectory } from '../features/wells/directory.ts';
import { createWells } from '../features/wells/wells.ts';
import { delay } from '../state/delay.ts';
import { monotonicClock } from '../state/use-now.ts';
import { words } from '../words/words.ts';
import { createDatasetLinks, fillInAsLearnt, tellChosenWells } from './open-datasets.ts';
import { createUploads, resumeQueue, type OpenUploadsNeeds } from './open-uploads.ts';
import { createKeeping, type KeepingNeeds } from './keeping.ts';
import { keepTab, type TabMakers } from './kept-tabs.ts';
import { datasetFinder } from './dataset-finder.ts';
import { followScope, liveZone, showTimes } from './follow-scope.ts';
import { awaitListedWells } from './listed-wells.ts';
import { listedWells } from '../features/wells/wells-state.ts';
import { noteRuns } from './note-runs.ts';
import { createTabs } from './tabs.ts';

/**
 * What the parameters of a question stand for now, apart from what is asked for: the chosen wells, and their company
 * where all of them are of one.
 */
function valuesNow({ store }: Pick<Wells, 'store'>): Omit<ParameterValues, 'answers'> {
  const { selected, knownValues } = store.getState();
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

export interface SessionNeeds
  extends
    Pick<UploadDependencies, 'transferFile' | 'removeJob'>,
    Pick<OpenUploadsNeeds, 'openElsewhere' | 'queue'>,
    Pick<KeepingNeeds, 'after'> {
  /** What this window remembers of the tabs of a connection. */
  readonly memory: (connection: string) => KeepingNeeds['memory'];
  readonly api: Pick<
    Api,
    'wells' | 'catalogue' | 'datasets' | 'query' | 'upload' | 'files' | 'tabs' | 'history' | 'workspace'
  > & {
    readonly jobs: Pick<Api['jobs'], 'show'>;
    readonly events: Pick<Api['events'], 'tabs' | 'jobs'>;
  };
  readonly records: RecordsThread;
  /** What the person has set. */
  readonly settings: Settings['store'];
}

/** A question that was asked or saved before. */
export interface KnownQuestion {
  readonly address: DatasetAddress;
  readonly text: QuestionText;
  /** How the tab is called; absent: as any new one. */
  readonly name?: string;
  /** The wells it was asked for; absent: those that are chosen. */
  readonly assetIds?: readonly AssetId[];
  readonly run: boolean;
}

/**
 * All that one open connection has in the window: its wells and datasets, which of them are chosen, and its tabs. Each
 * open connection has its own; it stays while another one is shown, until the connection is closed.
 */
export function createSession(needs: SessionNeeds, connection: string) {
  const { api, records, settings, transferFile, removeJob, openElsewhere, queue, memory, after } = needs;
  const wells = createWells({ api });
  const directory = createDirectory(api);
  const datasets = createDatasets(api);
  const datasetSchemas = createDatasetSchemas(api, connection);
  const chosen = () => wells.store.getState().selected;
  const tabs = createTabs({ keep: keepTab, chosen });

  const views = createViewStore(api);
  const fields: ResultsDependencies['fields'] = async ({ provider, dataset }, signal) =>
    (await api.datasets.fields({ connection, provider, dataset }, { signal })).fields;

  function makeQuery(subject: Omit<QuerySubject, 'connection'>): QueryTab {
    const model = createQueryTab(
      {
        api,
        records,
        views,
        fields,
        defaults: () => settings.getState().values,
        initialZone: () => settings.getState().values.times,
        now: monotonicClock,
        values: () => valuesNow(wells),
      },
      { connection, scope: () => datasets.actions.scopeOf(subject.dataset), ...subject },
    );
    noteRuns(model, chosen, (run) => void history.actions.note(run));
    return model;
  }
  const makeDataset = (dataset: Dataset): DatasetTab =>
    createDatasetTab(
      { api, onScopeLearned: datasets.actions.learnedScope },
      { connection, dataset, wells: chosen },
    );
  const makeUpload = (dataset: Dataset | null, job?: Job): UploadTab =>
    createUploadTab(
      {
        api,
        connection,
        selectedWells: chosen,
        findWells: (assets) => awaitListedWells(wells, assets),
        transferFile,
        removeJob,
        findDataset: (address) => findDataset(address),
      },
      { dataset, job },
    );
  const findJob = (job: string) => api.jobs.show({ job });
  const findDataset = datasetFinder(api, datasets, connection);
  const makeLive = (subject: Omit<LiveSubject, 'connection'>): LiveTab =>
    createLiveTab(
      {
        live: records.live,
        surroundings: pageStatus,
        zone: () => liveZone(settings.getState().values.times),
        now: Date.now,
        wait: delay,
      },
      { connection, ...subject },
    );
  const make: TabMakers = {
    live: makeLive,
    query: makeQuery,
    browse: () => createBrowse({ api, connection }),
    dataset: makeDataset,
    upload: makeUpload,
    findDataset,
    findJob,
  };
  const ended = new AbortController();
  const atRest = (job: string) => waitForJob(api.events, job, ended.signal);
  const wake = (id: string) => keeping.actions.wake(id);
  const onRestored = () => void resumeQueue({ tabs, queue, wake, findJob, atRest });
  const keeping = createKeeping({
    api,
    connection,
    tabs,
    make,
    memory: memory(connection),
    onRestored,
    after,
  });
  const stopFollowing = followScope(tabs, wells, (id) => void keeping.actions.wake(id));
  const stopTelling = tellChosenWells(wells, datasets);
  const stopShowing = showTimes(settings, tabs);
  keeping.start(ended.signal);

  /** What a new query to a dataset is called: by the first number that none has. */
  function titleFor({ dataset }: DatasetAddress): string {
    const taken = new Set(tabs.store.getState().tabs.map(({ title }) => title));
    let number = 1;
    while (taken.has(words.tabs.query(dataset, number))) number += 1;
    return words.tabs.query(dataset, number);
  }

  /** Opens a query to a dataset, filled in for the chosen wells. */
  function openQuery(dataset: Dataset): QueryTab {
    const model = makeQuery({ dataset, wells: chosen() });
    tabs.actions.open({ kind: 'query', title: titleFor(dataset), model });
    void fillInAsLearnt(datasets, model);
    return model;
  }

  /** Opens a query to a dataset and loads its first records, unless the person typed something meanwhile. */
  async function openAndLoad(dataset: Dataset): Promise<void> {
    const model = openQuery(dataset);
    model.actions.focusEditor(true);
    await fillInAsLearnt(datasets, model);
    const isIdle = model.results.store.getState().answer.status === 'idle';
    if (settings.getState().values.runOnOpen && isIdle && model.actions.isUnchanged())
      await model.actions.run();
  }

  /** Follows what was asked in a tab of its own. */
  const openLive: OpenLive = (dataset, { query, fields }) => {
    const field = liveFieldOf(dataset);
    if (field === null) return;
    const model = makeLive({ dataset, query, fields, field });
    tabs.actions.open({ kind: 'live', title: words.live.tab(dataset.dataset), model });
  };
  // A tab that nobody sees asks for nothing.
  tabs.store.subscribe(({ tabs: open, active, beside }, before) => {
    for (const tab of open)
      if (tab.kind === 'live') tab.model.actions.setVisible(tab.id === active || tab.id === beside);
    if (beside !== null && beside !== before.beside) void keeping.actions.wake(beside);
  });
  /** Shows the tab that lists wells and what they belong to; there is one of it. */
  function openBrowse(): void {
    const open = tabs.store.getState().tabs.find(({ kind }) => kind === 'browse');
    if (open) tabs.actions.show(open.id);
    else {
      const model = createBrowse({ api, connection });
      tabs.actions.open({ kind: 'browse', title: words.wells.browse.tab, model });
    }
  }

  /** Opens a question that was asked or saved before. @throws AppError `not_found` where its dataset is gone */
  async function openQuestion({ address, text, name, assetIds, run }: KnownQuestion): Promise<void> {
    const dataset = await findDataset(address);
    const listed = listedWells(wells.store.getState());
    const scope = assetIds ? listed.wellsBy('assetId', assetIds).filter(hasAssetId) : chosen();
    const model = makeQuery({ dataset, wells: scope, text });
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
    atRest,
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
    keeping,
    history,
    uploads,
    openLive,
    datasetLinks: createDatasetLinks({ tabs, make: makeDataset, openQuery, upload: uploads.open }),
    openQuestion,
    /** Another question to the dataset in view; false: there is none in view. */
    openAnother(): boolean {
      const { tabs: open, active } = tabs.store.getState();
      const shown = open.find(({ id }) => id === active);
      if (shown?.kind !== 'query') return false;
      openQuery(shown.model.dataset);
      return true;
    },
    openBrowse,
    openDataset: (dataset: Dataset): void => void openAndLoad(dataset),
    /** Fetches what the lists show, anew where they show something already; what is open in tabs stays. */
    load(): void {
      void wells.actions.load(connection);
      directory.actions.load(connection);
      void datasets.actions.load(connection);
    },
    /** Ends what runs and lets everything go. */
    close(): void {
      stopFollowing();
      stopTelling();
      stopShowing();
      // What is open is kept as it is now, and is there again when the connection is opened the next time.
      void keeping.flush().finally(() => {
        ended.abort();
        tabs.actions.closeAll();
      });
      wells.actions.clear();
      directory.actions.clear();
      datasets.actions.clear();
    },
  };
}

export type Session = ReturnType<typeof createSession>;
