import { createStore } from 'zustand/vanilla';
import type { Company } from '../../../shared/catalogue/catalogue.ts';
import { datasetShapes, type Dataset } from '../../../shared/datasets/datasets.ts';
import type { Api } from '../../api/api.ts';
import { compareNames } from '../../format/order.ts';
import { asked, brokenOff, heard, type Coming } from '../../state/kept.ts';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, loading, valueOr } from '../../state/loadable.ts';
import { defaults, type Datasets, type DatasetsActions, type DatasetsState } from './datasets-state.ts';
import { createDefinitions } from './definitions.ts';
import { filterDatasets, noFilter } from './filter.ts';
import { createHoldings } from './holdings.ts';
import { addressInWords } from './search.ts';

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
): Datasets {
  const store = createStore<DatasetsState>()(() => defaults);
  const { getState, setState } = store;
  const listing = latest();
  const naming = latest();
  let connection: string | null = null;
  const definitions = createDefinitions({
    api,
    connection: () => connection,
    learn: (known) =>
      setState(({ list }) => (list.face === 'full' ? { list: full(replaced(list.value, known)) } : {})),
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
  function show({ items, freshness }: Coming<Dataset>): void {
    const isNothing = items.length === 0 && freshness.asking;
    setState({ list: isNothing ? loading : full(items.toSorted(byAddress)), freshness });
  }

  async function hear(of: string, signal: AbortSignal): Promise<void> {
    let coming: Coming<Dataset> = asked;
    for await (const event of await api.catalogue.datasets({ connection: of }, { signal })) {
      const before = coming;
      coming = heard(coming, event);
      if (signal.aborted) return;
      if (coming.items === before.items) setState({ freshness: coming.freshness });
      else show(coming);
    }
  }

  const actions: DatasetsActions = {
    async load(of) {
      connection = of;
      definitions.reset();
      holdings.forget();
      const before = getState().list.face === 'full';
      setState({ ...(before ? {} : { list: loading }), freshness: asked.freshness });
      void naming.run(async (signal) => namesOf(api, of, signal), {
        done: (companies) => setState({ companies }),
        failed: () => undefined,
        cancelled: () => undefined,
      });
      await listing.run((signal) => hear(of, signal), {
        done: () => askHoldings(),
        failed: (error) =>
          setState(({ list, freshness }) => ({
            ...(list.face === 'full' ? {} : { list: failed(error) }),
            freshness: brokenOff({ ...asked, freshness }, error).freshness,
          })),
        cancelled: () =>
          setState(({ list, freshness }) => ({
            ...(list.face === 'full' ? {} : { list: idle }),
            freshness: brokenOff({ ...asked, freshness }, null).freshness,
          })),
      });
    },
    cancel: () => listing.cancel(),
    clear() {
      connection = null;
      changes += 1;
      listing.drop();
      naming.drop();
      definitions.reset();
      holdings.forget();
      setState(defaults);
    },
    filter(change) {
      setState(({ filter }) => ({ filter: { ...filter, ...change } }));
      askSoon();
    },
    clearFilters() {
      setState({ filter: noFilter, onlyHolding: false });
      holdings.cancel();
    },
    fold: (group) =>
      setState(({ folded }) => {
        const next = new Set(folded);
        if (!next.delete(group)) next.add(group);
        return { folded: next };
      }),
    inView: definitions.want,
    outOfView: definitions.leave,
    grown(address) {
      const of = addressInWords(address);
      const dataset = valueOr(getState().list, []).find((each) => addressInWords(each) === of);
      if (dataset) definitions.again(dataset);
    },
    forWells(wells) {
      setState({ wells });
      holdings.forget();
      askSoon();
    },
    showOnlyHolding(onlyHolding) {
      setState({ onlyHolding });
      if (onlyHolding) askHoldings();
      else if (getState().holdings.asking.face === 'running') holdings.cancel();
    },
    askOn: askHoldings,
    stopAsking: holdings.cancel,
    async learnScope({ type, provider, dataset }) {
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
    scopeOf: (dataset) => getState().scopes.get(addressInWords(dataset)),
    scopeLearnt: (dataset, scope) =>
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
  let coming: Coming<Company> = asked;
  try {
    for await (const event of await catalogue.companies({ connection }, { signal }))
      coming = heard(coming, event);
  } catch (error) {
    if (coming.items.length === 0) throw error;
  }
  return new Map(coming.items.map(({ id, name }) => [id, name]));
}

const replaced = (datasets: readonly Dataset[], known: Dataset): Dataset[] =>
  datasets.map((each) => (addressInWords(each) === addressInWords(known) ? known : each));

const byAddress = (a: Dataset, b: Dataset) => compareNames(addressInWords(a), addressInWords(b));
