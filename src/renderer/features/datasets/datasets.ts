import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets.ts';
import type { Api } from '../../api/api.ts';
import type { Feature } from '../../state/context.tsx';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, loading, type Loadable } from '../../state/loadable.ts';
import { refine } from './refine.ts';
import { addressInWords, type TypeFilter } from './search.ts';

export interface DatasetsState {
  readonly list: Loadable<Dataset[]>;
  readonly search: string;
  readonly type: TypeFilter;
}

export interface DatasetsActions {
  readonly load: (connection: string) => Promise<void>;
  readonly cancel: () => void;
  /** Back to nothing, as when the connection is left. */
  readonly clear: () => void;
  readonly search: (text: string) => void;
  readonly filterType: (type: TypeFilter) => void;
}

export type Datasets = Feature<DatasetsState, DatasetsActions>;

const defaults: DatasetsState = { list: idle, search: '', type: 'all' };

/** The datasets of the connection. */
export function createDatasets(api: Pick<Api, 'datasets'>): Datasets {
  const store = createStore<DatasetsState>()(() => defaults);
  const listing = latest();
  const refining = latest();
  const learn = (known: Dataset) =>
    store.setState(({ list }) => (list.face === 'full' ? { list: full(replaced(list.value, known)) } : {}));

  const actions: DatasetsActions = {
    async load(connection) {
      store.setState({ list: loading });
      await listing.run((signal) => api.datasets.list({ connection }, { signal }), {
        done: (datasets) => {
          store.setState({ list: full(datasets.toSorted(byAddress)) });
          void refining.run((signal) => refine(api, connection, datasets, learn, signal), quietly);
        },
        failed: (error) => store.setState({ list: failed(error) }),
        cancelled: () => store.setState({ list: idle }),
      });
    },
    cancel: () => listing.cancel(),
    clear() {
      listing.drop();
      refining.drop();
      store.setState(defaults);
    },
    search: (search) => store.setState({ search }),
    filterType: (type) => store.setState({ type }),
  };
  return { store, actions };
}

// What is not learnt is not shown; the list stands without it.
const quietly = { done: () => undefined, failed: () => undefined, cancelled: () => undefined };

const replaced = (datasets: readonly Dataset[], known: Dataset): Dataset[] =>
  datasets.map((each) => (addressInWords(each) === addressInWords(known) ? known : each));

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const byAddress = (a: Dataset, b: Dataset) => collator.compare(addressInWords(a), addressInWords(b));
