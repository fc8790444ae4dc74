import { createStore } from 'zustand/vanilla';
import type { Api } from '../../api/api.ts';
import { createWellSelection } from './well-selection.ts';
import { createListing } from './listing.ts';
import { defaults, type Wells, type WellsActions, type WellsState } from './wells-state.ts';

export interface WellsDependencies {
  readonly api: Pick<Api, 'wells' | 'catalogue'>;
  /** The current time in milliseconds. */
  readonly now?: () => number;
}

/** The wells of the connection, their view, and the selection. */
export function createWells({ api, now = Date.now }: WellsDependencies): Wells {
  const store = createStore<WellsState>()(() => defaults);
  let connection = '';
  const dependencies = { api, store, now, connection: () => connection };
  const listing = createListing({ ...dependencies, onComplete: () => refresh() });
  const { find: refreshFound, refilter } = listing;
  const { refresh, ...selection } = createWellSelection({ ...dependencies, refreshFound });

  const actions: WellsActions = {
    ...selection,
    async load(connectionOf) {
      connection = connectionOf;
      void api.wells.marks({ connection }).then(
        ({ pinned, ...marks }) => store.setState({ pinned: new Set(pinned), ...marks }),
        () => undefined,
      );
      await listing.load();
    },
    reload: () => void actions.load(connection),
    cancel: listing.cancel,
    clear() {
      listing.drop();
      store.setState(defaults);
    },
    search(search) {
      store.setState({ search });
      refreshFound();
    },
    filter(filter) {
      store.setState({ filter });
      refilter();
    },
    sort(sort, names) {
      listing.setNames(names);
      store.setState({ sort });
      refreshFound();
    },
    updateNames(names) {
      if (listing.setNames(names)) refreshFound();
    },
    show(view) {
      store.setState({ view });
      refreshFound();
    },
    retryFilter: refilter,
    resolve: (names, signal) => api.wells.resolve({ connection, names: [...names] }, { signal }),
  };
  return { store, actions };
}
