import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Holding } from '../../../shared/contract/catalogue.ts';
import {
  addressOf,
  isSameAddress,
  type Dataset,
  type DatasetAddress,
  type ScopeField,
  datasetShapes,
  scopeFieldOf,
} from '../../../shared/datasets/datasets.ts';
import type { Api } from '../../api/api.ts';
import { compareNames } from '../../format/order.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { idle, loaded, valueOr, type Loadable } from '../../state/loadable.ts';
import { listOf, notLoaded, Resource, type Freshness } from '../../state/resource.ts';
import { selectedWells, type Tabs } from '../tabs/tabs.ts';
import { wellIdsOf, type WellIds } from './well-ids.ts';
import { createDefinitions, createRowDefinitions, type Schedule } from './definitions.ts';
import { filterDatasets, noFilter, type DatasetFilter } from './filter.ts';
import { addressText } from './search.ts';
import type { AppError } from '../../../shared/errors/errors.ts';

/** The progress of the search for datasets with data of the selected wells. */
type HoldingsRequest =
  | { readonly status: 'idle' | 'done' }
  | { readonly status: 'running'; readonly checkedCount: number; readonly total: number }
  | { readonly status: 'stopped'; readonly error: AppError | null };

export interface HoldingsState {
  /** Results, by address. */
  readonly byDataset: ReadonlyMap<string, Holding>;
  readonly request: HoldingsRequest;
}

const noHoldings: HoldingsState = { byDataset: new Map(), request: { status: 'idle' } };

/** What arrives for one dataset after the other is rendered in batches: each would render the list again. */
const batchMs = 100;

/** Finds the datasets with data of the selected wells, one by one. */
function createHoldings(api: DatasetsApi, store: StoreApi<DatasetsState>, schedule: Schedule) {
  const get = () => store.getState().holdings;
  const set = (holdings: HoldingsState) => store.setState({ holdings });
  const searchTask = createLatestTask();

  async function search(
    request: Parameters<Api['datasets']['holdings']>[0],
    signal: AbortSignal,
  ): Promise<void> {
    const total = request.datasets.length;
    let checkedCount = 0;
    let batch: Holding[] = [];
    let isScheduled = false;
    const show = (): void => {
      isScheduled = false;
      if (signal.aborted || batch.length === 0) return;
      const byDataset = new Map(get().byDataset);
      for (const holding of batch) byDataset.set(addressText(holding), holding);
      batch = [];
      set({ byDataset, request: { status: 'running', checkedCount, total } });
    };
    try {
      for await (const holding of await api.datasets.holdings(request, { signal })) {
        checkedCount += 1;
        batch.push(holding);
        if (isScheduled) continue;
        isScheduled = true;
        schedule(batchMs, show);
      }
    } finally {
      // The last results come before the end: shown later, the search would seem to run.
      show();
    }
  }

  return {
    /** Starts with the datasets without a result; a running search is aborted. */
    async start(connection: string, wells: WellIds, datasets: readonly Dataset[]): Promise<void> {
      const { byDataset } = get();
      const unknown = datasets.filter((dataset) => !byDataset.has(addressText(dataset)));
      if (unknown.length === 0) {
        searchTask.drop();
        set({ byDataset, request: { status: 'done' } });
        return;
      }
      set({ byDataset, request: { status: 'running', checkedCount: 0, total: unknown.length } });
      const request = {
        connection,
        ...wells,
        datasets: unknown.map(({ provider, dataset, type }) => ({ provider, dataset, type })),
      };
      await searchTask.run((signal) => search(request, signal), {
        onDone: () => set({ ...get(), request: { status: 'done' } }),
        onFailed: (error) => set({ ...get(), request: { status: 'stopped', error } }),
        onCanceled: () => set({ ...get(), request: { status: 'stopped', error: null } }),
      });
    },
    cancel: (): void => searchTask.cancel(),
    /** Resets the results, as when other wells are selected. */
    reset(): void {
      searchTask.drop();
      set(noHoldings);
    },
  };
}

export interface DatasetsState {
  /** Loaded as soon as there are items; `freshness` says whether the list is complete. */
  readonly list: Loadable<readonly Dataset[]>;
  readonly freshness: Freshness;
  readonly filter: DatasetFilter;
  /** The keys of collapsed groups. */
  readonly collapsed: ReadonlySet<string>;
  /** Whether only datasets with data of the selected wells are shown. */
  readonly isHoldingOnly: boolean;
  readonly holdings: HoldingsState;
  /** Learned scopes of datasets whose type leaves them open, by address; null: none. */
  readonly scopes: ReadonlyMap<string, ScopeField | null>;
}

export const defaults: DatasetsState = {
  list: idle,
  freshness: notLoaded,
  filter: noFilter,
  collapsed: new Set(),
  isHoldingOnly: false,
  holdings: noHoldings,
  scopes: new Map(),
};

interface DatasetsApi {
  readonly datasets: Pick<Api['datasets'], 'holdings' | 'extent'>;
  readonly catalogue: Pick<Api['catalogue'], 'datasets' | 'dataset'>;
}

/** A definition has no type while the company listing fails; the list had it. */
function withKnownType(definition: Dataset | undefined, listed: Dataset): Dataset {
  if (!definition || definition.type !== null) return definition ?? listed;
  return { ...definition, type: listed.type, typeSaid: definition.typeSaid || listed.typeSaid };
}

/** Typing, or selecting several wells, counts as one change. */
const debounceMs = 300;

/** The datasets of the connection, their details, and their filters. @param tabs whose wells are selected */
export function createDatasets(
  api: DatasetsApi,
  connection: string,
  tabs: Pick<Tabs, 'store'>,
  schedule: Schedule = (ms, act) => void setTimeout(act, ms),
) {
  const store = createStore<DatasetsState>()(() => defaults);
  const { getState, setState } = store;
  const selectedIds = () => wellIdsOf(selectedWells(tabs.store.getState()));
  async function* read(_: null, signal: AbortSignal) {
    const events = await api.catalogue.datasets({ connection }, { signal });
    yield* listOf(events, (datasets) => datasets.toSorted(byAddress), signal);
  }
  /** The list as it arrived last: in the state, definitions that were loaded separately replace its items. */
  let arrived: readonly Dataset[] = [];
  const lists = new Resource(read, {
    onChange({ freshness, ...list }) {
      const isSame =
        list.status === 'loaded' && getState().list.status === 'loaded' && list.value === arrived;
      setState(isSame ? { freshness } : { list, freshness });
      arrived = valueOr(list, []);
    },
  });
  const arriving = new Map<string, Dataset>();
  const definitions = createDefinitions(api, (definition) => {
    const dataset = valueOr(definition, null);
    if (!dataset) return;
    if (arriving.size === 0) schedule(batchMs, showDefinitions);
    arriving.set(addressText(dataset), dataset);
  });
  function showDefinitions(): void {
    const { list } = getState();
    if (list.status === 'loaded')
      setState({
        list: loaded(list.value.map((dataset) => withKnownType(arriving.get(addressText(dataset)), dataset))),
      });
    arriving.clear();
  }
  const rows = createRowDefinitions(
    (dataset) => definitions.refresh({ connection, ...addressOf(dataset) }),
    schedule,
  );
  const holdings = createHoldings(api, store, schedule);

  let changes = 0;
  function requestHoldings(): void {
    // This request includes the scheduled ones.
    changes += 1;
    const { list, filter, isHoldingOnly } = getState();
    const wells = selectedIds();
    if (!isHoldingOnly || wells.assets.length === 0) return;
    void holdings.start(connection, wells, filterDatasets(valueOr(list, []), filter));
  }
  function scheduleHoldings(): void {
    const change = (changes += 1);
    schedule(debounceMs, () => {
      if (change === changes) requestHoldings();
    });
  }

  const actions = {
    async load(): Promise<void> {
      definitions.invalidate();
      arriving.clear();
      rows.reset();
      holdings.reset();
      await lists.refresh(null);
      const { isLoading, error, asOf } = getState().freshness;
      if (!isLoading && !error && asOf !== null) requestHoldings();
    },
    cancel: (): void => lists.cancel(null),
    /** Resets the state, as when the connection closes. */
    clear(): void {
      changes += 1;
      lists.clear();
      definitions.clear();
      arriving.clear();
      rows.reset();
      holdings.reset();
      setState(defaults);
    },
    filter(change: Partial<DatasetFilter>): void {
      setState(({ filter }) => ({ filter: { ...filter, ...change } }));
      scheduleHoldings();
    },
    clearFilters(): void {
      setState({ filter: noFilter, isHoldingOnly: false });
      holdings.cancel();
    },
    toggleGroup: (group: string): void =>
      setState(({ collapsed }) => {
        const next = new Set(collapsed);
        if (!next.delete(group)) next.add(group);
        return { collapsed: next };
      }),
    onRowVisible: rows.request,
    onRowHidden: rows.leave,
    /** Records were added to a dataset: its definition is loaded again, and it can have data of the selected wells. */
    onRecordsAdded(address: DatasetAddress): void {
      const dataset = valueOr(getState().list, []).find((dataset) => isSameAddress(dataset, address));
      if (!dataset) return;
      rows.invalidate(dataset);
      const { byDataset, request } = getState().holdings;
      const kept = new Map(byDataset);
      const key = addressText(dataset);
      if (kept.get(key)?.holds !== 'some') kept.delete(key);
      setState({ holdings: { byDataset: kept, request } });
      requestHoldings();
    },
    onWellsSelected(): void {
      holdings.reset();
      scheduleHoldings();
    },
    showOnlyHolding(isHoldingOnly: boolean): void {
      setState({ isHoldingOnly });
      if (isHoldingOnly) requestHoldings();
      else if (getState().holdings.request.status === 'running') holdings.cancel();
    },
    resumeHoldings: requestHoldings,
    stopHoldings: holdings.cancel,
    /**
     * Finds the scope of a dataset whose type leaves it open, with one request for each dataset. If that
     * fails, the type's default applies.
     * @returns whether the scope differs from the type's default
     */
    async learnScope({ type, provider, dataset }: Dataset): Promise<boolean> {
      const wells = selectedIds();
      const { scopes } = getState();
      const isOpen = type === null || datasetShapes[type].scopeFields.length > 1;
      const key = addressText({ provider, dataset });
      if (!isOpen || wells.assets.length === 0 || scopes.has(key)) return false;
      const question = { connection, provider, dataset, type, ...wells };
      const extent = await api.datasets.extent(question).catch(() => null);
      if (!extent || extent.problem) return false;
      actions.learnedScope({ provider, dataset }, extent.scope);
      return extent.scope !== scopeFieldOf(type);
    },
    /** The scope of a dataset; null: none; undefined: not learned, so the type's default applies. */
    scopeOf: (dataset: DatasetAddress): ScopeField | null | undefined =>
      getState().scopes.get(addressText(dataset)),
    learnedScope: (dataset: DatasetAddress, scope: ScopeField | null): void =>
      setState(({ scopes }) => ({ scopes: new Map(scopes).set(addressText(dataset), scope) })),
  };
  return { store, actions, definitions };
}

const byAddress = (a: Dataset, b: Dataset) => compareNames(addressText(a), addressText(b));

export type Datasets = ReturnType<typeof createDatasets>;
