import { createStore } from 'zustand/vanilla';
import type { Company } from '../../../shared/catalogue/catalogue.ts';
import {
  datasetShapes,
  type Dataset,
  type DatasetAddress,
  type ScopeField,
} from '../../../shared/datasets/datasets.ts';
import type { Api } from '../../api/api.ts';
import { compareNames } from '../../format/order.ts';
import {
  emptyLoadingList,
  interruptList,
  applyEvent,
  notLoaded,
  type StreamedList,
  type Freshness,
} from '../../state/streamed-list.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded, idle, loading, valueOr, type Loadable } from '../../state/loadable.ts';
import type { ChosenWells } from './chosen-wells.ts';
import { createDefinitions } from './definitions.ts';
import { filterDatasets, noFilter, type DatasetFilter } from './filter.ts';
import { createHoldings, nothingKnown, type HoldingsState } from './holdings.ts';
import { addressInWords } from './search.ts';

/** What leads on from a dataset. */
export interface DatasetLinks {
  /** Opens what is known of it. */
  readonly look: (dataset: Dataset) => void;
  /** Opens a query to it, for the chosen wells; with a text, that one. */
  readonly query: (dataset: Dataset, text?: string) => void;
  /** Opens an upload into it. */
  readonly upload: (dataset: Dataset) => void;
}

export interface DatasetsState {
  /** Full as soon as something has come; `freshness` says whether that is all. */
  readonly list: Loadable<readonly Dataset[]>;
  readonly freshness: Freshness;
  /** Names of companies by id, as far as they are known. */
  readonly companies: ReadonlyMap<number, string>;
  readonly filter: DatasetFilter;
  /** Keys of the groups that are folded. */
  readonly folded: ReadonlySet<string>;
  /** The wells that are chosen in the window. */
  readonly wells: ChosenWells;
  /** Whether only datasets with data of these wells are wanted. */
  readonly onlyHolding: boolean;
  readonly holdings: HoldingsState;
  /** What scopes the records of datasets whose type leaves it open, by address, as far as it was learnt. */
  readonly scopes: ReadonlyMap<string, ScopeField | null>;
}

export const defaults: DatasetsState = {
  list: idle,
  freshness: notLoaded,
  companies: new Map(),
  filter: noFilter,
  folded: new Set(),
  wells: { assets: [], companies: [] },
  onlyHolding: false,
  holdings: nothingKnown,
  scopes: new Map(),
};

export interface DatasetsNeeds {
  readonly datasets: Pick<Api['datasets'], 'holdings' | 'extent'>;
  readonly catalogue: Pick<Api['catalogue'], 'datasets' | 'dataset' | 'companies'>;
}

/** Typing, or choosing wells one after the other, is one change. */
const settleMs = 300;

/** The datasets of the connection, what is known of each, and which of them are looked for. */
export function createDatasets(
  api: DatasetsNeeds,
  after: (ms: number, act: () => void) => void = (ms, act) => void setTimeout(act, ms),
) {
  const store = createStore<DatasetsState>()(() => defaults);
  const { getState, setState } = store;
  const listing = createLatestTask();
  const naming = createLatestTask();
  let connection: string | null = null;
  const definitions = createDefinitions({
    api,
    connection: () => connection,
    learn: (known) =>
      setState(({ list }) => (list.status === 'loaded' ? { list: loaded(replaced(list.value, known)) } : {})),
    after,
  });
  const holdings = createHoldings({
    api,
    get: () => getState().holdings,
    set: (state) => setState({ holdings: state }),
    after,
  });

  let changes = 0;
  function askHoldings(): void {
    // What was put off is asked with this.
    changes += 1;
    const { list, filter, wells, onlyHolding } = getState();
    if (!onlyHolding || connection === null || wells.assets.length === 0) return;
    void holdings.ask(connection, wells, filterDatasets(valueOr(list, []), filter));
  }
  function askSoon(): void {
    const change = (changes += 1);
    after(settleMs, () => {
      if (change === changes) askHoldings();
    });
  }

  /** Shows what has come so far; what was learnt of single datasets stays until the service says otherwise. */
  function show({ items, freshness }: StreamedList<Dataset>): void {
    const isNothing = items.length === 0 && freshness.isLoading;
    setState({ list: isNothing ? loading : loaded(items.toSorted(byAddress)), freshness });
  }

  async function hear(of: string, signal: AbortSignal): Promise<void> {
    let coming: StreamedList<Dataset> = emptyLoadingList;
    for await (const event of await api.catalogue.datasets({ connection: of }, { signal })) {
      const before = coming;
      coming = applyEvent(coming, event);
      if (signal.aborted) return;
      if (coming.items === before.items) setState({ freshness: coming.freshness });
      else show(coming);
    }
  }

  const actions = {
    async load(of: string): Promise<void> {
      connection = of;
      definitions.reset();
      holdings.forget();
      const before = getState().list.status === 'loaded';
      setState({ ...(before ? {} : { list: loading }), freshness: emptyLoadingList.freshness });
      void naming.run(async (signal) => namesOf(api, of, signal), {
        onDone: (companies) => setState({ companies }),
        onFailed: () => undefined,
        onCanceled: () => undefined,
      });
      await listing.run((signal) => hear(of, signal), {
        onDone: () => askHoldings(),
        onFailed: (error) =>
          setState(({ list, freshness }) => ({
            ...(list.status === 'loaded' ? {} : { list: failed(error) }),
            freshness: interruptList({ ...emptyLoadingList, freshness }, error).freshness,
          })),
        onCanceled: () =>
          setState(({ list, freshness }) => ({
            ...(list.status === 'loaded' ? {} : { list: idle }),
            freshness: interruptList({ ...emptyLoadingList, freshness }, null).freshness,
          })),
      });
    },
    cancel: (): void => listing.cancel(),
    /** Back to nothing, as when the connection is left. */
    clear(): void {
      connection = null;
      changes += 1;
      listing.drop();
      naming.drop();
      definitions.reset();
      holdings.forget();
      setState(defaults);
    },
    filter(change: Partial<DatasetFilter>): void {
      setState(({ filter }) => ({ filter: { ...filter, ...change } }));
      askSoon();
    },
    clearFilters(): void {
      setState({ filter: noFilter, onlyHolding: false });
      holdings.cancel();
    },
    fold: (group: string): void =>
      setState(({ folded }) => {
        const next = new Set(folded);
        if (!next.delete(group)) next.add(group);
        return { folded: next };
      }),
    /** A dataset is in view, or out of it again. */
    inView: definitions.want,
    outOfView: definitions.leave,
    /** Rows were stored in a dataset: what is said of it is asked for again. */
    grown(address: DatasetAddress): void {
      const of = addressInWords(address);
      const dataset = valueOr(getState().list, []).find((each) => addressInWords(each) === of);
      if (dataset) definitions.again(dataset);
    },
    /** Other wells are chosen. */
    forWells(wells: ChosenWells): void {
      setState({ wells });
      holdings.forget();
      askSoon();
    },
    showOnlyHolding(onlyHolding: boolean): void {
      setState({ onlyHolding });
      if (onlyHolding) askHoldings();
      else if (getState().holdings.asking.status === 'running') holdings.cancel();
    },
    /** Goes on asking which datasets hold data after it was stopped. */
    askOn: askHoldings,
    stopAsking: holdings.cancel,
    /**
     * Finds out what scopes the records of a dataset whose type leaves that open. True: something else than its type
     * says first. Asks once for each dataset; what can't be learnt is as the type says.
     */
    async learnScope({ type, provider, dataset }: Dataset): Promise<boolean> {
      const { wells, scopes } = getState();
      const of = connection;
      const isOpen = type === null || datasetShapes[type].scopeFields.length > 1;
      const key = addressInWords({ provider, dataset });
      if (!isOpen || of === null || wells.assets.length === 0 || scopes.has(key)) return false;
      const question = { connection: of, provider, dataset, type, ...wells };
      const extent = await api.datasets.extent(question).catch(() => null);
      if (!extent || extent.problem || connection !== of) return false;
      actions.scopeLearnt({ provider, dataset }, extent.scope);
      return extent.scope !== (type === null ? 'asset_id' : datasetShapes[type].scopeField);
    },
    /** What scopes the records of a dataset; null: nothing does. Undefined: it was not learnt, and is as the type says. */
    scopeOf: (dataset: DatasetAddress): ScopeField | null | undefined =>
      getState().scopes.get(addressInWords(dataset)),
    scopeLearnt: (dataset: DatasetAddress, scope: ScopeField | null): void =>
      setState(({ scopes }) => ({ scopes: new Map(scopes).set(addressInWords(dataset), scope) })),
  };
  return { store, actions };
}

/** The names of the companies; kept ones until the service has said them. */
async function namesOf(
  { catalogue }: DatasetsNeeds,
  connection: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  let coming: StreamedList<Company> = emptyLoadingList;
  try {
    for await (const event of await catalogue.companies({ connection }, { signal }))
      coming = applyEvent(coming, event);
  } catch (error) {
    if (coming.items.length === 0) throw error;
  }
  return new Map(coming.items.map(({ id, name }) => [id, name]));
}

const replaced = (datasets: readonly Dataset[], known: Dataset): Dataset[] =>
  datasets.map((each) => (addressInWords(each) === addressInWords(known) ? known : each));

const byAddress = (a: Dataset, b: Dataset) => compareNames(addressInWords(a), addressInWords(b));

export type Datasets = ReturnType<typeof createDatasets>;

declare module '../../state/contexts.ts' {
  interface Session {
    readonly datasets: Datasets;
    readonly datasetLinks: DatasetLinks;
  }
}
