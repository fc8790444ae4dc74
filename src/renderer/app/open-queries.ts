import type { Dataset, DatasetAddress } from '../../shared/datasets/datasets.ts';
import type { ParameterValues } from '../../shared/language/parameters.ts';
import type { QuestionText } from '../../shared/query/question.ts';
import type { AssetId } from '../../shared/wells/well-ids.ts';
import type { Api } from '../api/api.ts';
import type { Datasets } from '../features/datasets/datasets.ts';
import { createQueryTab, type QuerySubject, type QueryTab } from '../features/query/query-tab.ts';
import type { RecordsThread } from '../features/records/records.ts';
import type { ResultsDependencies } from '../features/results/results.ts';
import { createViewStore } from '../features/results/view-store.ts';
import type { FieldCatalogue } from '../features/datasets/field-catalogue.ts';
import type { Settings } from '../features/settings/settings.ts';
import { hasAssetId, scopeOf, type ScopedWell } from '../features/wells/scope.ts';
import { listedWells, type Wells } from '../features/wells/wells-state.ts';
import { monotonicClock } from '../state/use-now.ts';
import { words } from '../words/words.ts';
import { refillOnScope } from './open-datasets.ts';
import { recordRuns } from './record-runs.ts';
import type { Tabs } from './tabs.ts';

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

interface OpenQueriesDependencies {
  readonly api: Pick<Api, 'query' | 'datasets' | 'workspace'>;
  readonly connection: string;
  readonly records: RecordsThread;
  readonly fields: FieldCatalogue;
  readonly settings: Settings['store'];
  readonly wells: Wells;
  readonly datasets: Datasets;
  readonly tabs: Tabs;
  readonly findDataset: (address: DatasetAddress) => Promise<Dataset>;
  /** Adds a run to the history. */
  readonly note: Parameters<typeof recordRuns>[1]['note'];
}

/** Creates queries, and opens them in tabs. */
export function createQueryLinks({
  api,
  connection,
  records,
  fields,
  settings,
  wells,
  datasets,
  tabs,
  findDataset,
  note,
}: OpenQueriesDependencies) {
  const selected = () => wells.store.getState().selected;
  const views = createViewStore(api);
  const watchUnits: ResultsDependencies['watchUnits'] = (dataset, onUnits) =>
    fields.actions.watch(connection, dataset, onUnits);

  function make(subject: Pick<QuerySubject, 'dataset' | 'text'>): QueryTab {
    let model: QueryTab | null = null;
    const tabOfQuery = () => tabs.store.getState().tabs.find((tab) => tab.model === model);
    // Before its tab is open, the selected ones.
    const ownWells = () => tabOfQuery()?.scope ?? selected();
    model = createQueryTab(
      {
        api,
        records,
        views,
        watchUnits,
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
      note,
    });
    return model;
  }
  /** The default title of a query: the first free number. */
  function titleFor({ dataset }: DatasetAddress): string {
    const taken = new Set(tabs.store.getState().tabs.map(({ title }) => title));
    let number = 1;
    while (taken.has(words.tabs.query(dataset, number))) number += 1;
    return words.tabs.query(dataset, number);
  }

  /** Opens a query on a dataset for the selected wells. */
  function open(dataset: Dataset): QueryTab {
    const model = make({ dataset });
    tabs.actions.open({ kind: 'query', title: titleFor(dataset), model });
    void refillOnScope(datasets, model);
    return model;
  }

  /** Opens a query and loads its first records, unless the user typed meanwhile. */
  async function openAndLoad(dataset: Dataset): Promise<void> {
    const model = open(dataset);
    model.actions.focusEditor(true);
    await refillOnScope(datasets, model);
    const isIdle = model.results.store.getState().answer.status === 'idle';
    if (settings.getState().values.runOnOpen && isIdle && model.actions.isUnchanged())
      await model.actions.run();
  }

  /**
   * Opens a query from the history or the saved ones.
   * @throws AppError `not_found` if its dataset no longer exists
   */
  async function openStored({ address, text, name, assetIds, run }: StoredQuery): Promise<void> {
    const dataset = await findDataset(address);
    const listed = listedWells(wells.store.getState());
    const scope = assetIds ? listed.wellsBy('assetId', assetIds).filter(hasAssetId) : selected();
    // Wells that aren't listed can't be selected; the query then names its wells itself.
    const isListed = !assetIds || assetIds.every((id) => scope.some(({ assetId }) => assetId === id));
    const own = isListed ? text : (await loadBoundQuery()).withWellIds(text, assetIds);
    const model = make({ dataset, text: own });
    tabs.actions.open({ kind: 'query', title: titleFor(dataset), model }, { name: name ?? null, scope });
    if (run) void model.actions.run();
  }
  return {
    make,
    open,
    openAndLoad,
    openStored,
  };
}
