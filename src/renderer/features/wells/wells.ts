import { createStore } from 'zustand/vanilla';
import type { Api } from '../../api/api.ts';
import { failed } from '../../state/loadable.ts';
import { createChoice } from './choice.ts';
import type { WellThread } from './list/client.ts';
import { firstInView } from './list/found-wells.ts';
import { createListing } from './listing.ts';
import { createLooking } from './looking.ts';
import { createNaming } from './naming.ts';
import { defaults, type Wells, type WellsActions, type WellsState } from './wells-state.ts';

export interface WellsNeeds {
  readonly api: Pick<Api, 'wells' | 'catalogue'>;
  readonly thread: WellThread;
  /** A clock, in milliseconds. */
  readonly now?: () => number;
}

/** The wells of the connection, how they are looked at, and which of them are chosen. */
export function createWells({ api, thread, now = Date.now }: WellsNeeds): Wells {
  const store = createStore<WellsState>()(() => defaults);
  let connection = '';
  const needs = { api, thread, store, now, connection: () => connection };
  const looking = createLooking(needs);
  const { find, refilter } = looking;
  const { refresh, ...choice } = createChoice({ ...needs, find });
  const naming = createNaming(needs);
  // Rows on screen can't be fetched any more: the list says so and offers to load the wells again.
  thread.onLost((error) => store.setState({ list: failed(error), found: null }));
  const onWhole = () => {
    refresh();
    naming.forget();
  };
  const listing = createListing({ ...needs, looking, onWhole });

  const actions: WellsActions = {
    ...choice,
    async load(of) {
      connection = of;
      looking.forget();
      void api.wells.marks({ connection }).then(
        ({ pinned, ...marks }) => store.setState({ pinned: new Set(pinned), ...marks }),
        () => undefined,
      );
      await listing.load(of);
    },
    again: () => void actions.load(connection),
    cancel() {
      listing.cancel();
      looking.cancel();
    },
    clear() {
      listing.drop();
      looking.drop();
      looking.forget();
      thread.close();
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
      looking.name(names);
      store.setState({ sort });
      find();
    },
    nameAgain(names) {
      if (looking.name(names)) find();
    },
    show(view) {
      store.setState({ view });
      find();
    },
    askAgain: refilter,
    wells: thread.wells,
    searchAll: thread.search,
    findAll: (text) =>
      thread.find('all', { text, filter: {}, sort: { by: 'name', descending: false } }, firstInView),
    likely: thread.likely,
    mentioned: thread.mentioned,
    wantName: naming.want,
    resolve: (names, signal) => api.wells.resolve({ connection, names: [...names] }, { signal }),
  };
  return { store, actions };
}
