import { createStore } from 'zustand/vanilla';
import type { Api } from '../../api/api.ts';
import { createChoice } from './choice.ts';
import { createListing } from './listing.ts';
import { defaults, type Wells, type WellsActions, type WellsState } from './wells-state.ts';

export interface WellsNeeds {
  readonly api: Pick<Api, 'wells' | 'catalogue'>;
  /** A clock, in milliseconds. */
  readonly now?: () => number;
}

/** The wells of the connection, how they are looked at, and which of them are chosen. */
export function createWells({ api, now = Date.now }: WellsNeeds): Wells {
  const store = createStore<WellsState>()(() => defaults);
  let connection = '';
  const needs = { api, store, now, connection: () => connection };
  const listing = createListing({ ...needs, onWhole: () => refresh() });
  const { find, refilter } = listing;
  const { refresh, ...choice } = createChoice({ ...needs, find });

  const actions: WellsActions = {
    ...choice,
    async load(of) {
      connection = of;
      void api.wells.marks({ connection }).then(
        ({ pinned, ...marks }) => store.setState({ pinned: new Set(pinned), ...marks }),
        () => undefined,
      );
      await listing.load();
    },
    again: () => void actions.load(connection),
    cancel: listing.cancel,
    clear() {
      listing.drop();
      store.setState(defaults);
    },
    search(search) {
      store.setState({ search });
      find();
    },
    filter(filter) {
      store.setState({ filter });
      refilter();
    },
    sort(sort, names) {
      listing.name(names);
      store.setState({ sort });
      find();
    },
    nameAgain(names) {
      if (listing.name(names)) find();
    },
    show(view) {
      store.setState({ view });
      find();
    },
    askAgain: refilter,
    resolve: (names, signal) => api.wells.resolve({ connection, names: [...names] }, { signal }),
  };
  return { store, actions };
}
