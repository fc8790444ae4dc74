import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PlatformEntity } from '../../../shared/wells.ts';
import type { Api } from '../../api/api.ts';
import { asked, brokenOff, heard, unasked, type Coming } from '../../state/kept.ts';
import { latest } from '../../state/latest.ts';
import { toService, type EntityFilter, type EntityKind } from './entity-filters.ts';

/** What the tab lists: wells, or one of the kinds beside them. */
export type Listed = 'wells' | EntityKind;

export interface BrowseSort {
  readonly column: string;
  readonly descending: boolean;
}

export interface BrowseState {
  readonly listed: Listed;
  readonly coming: Coming<PlatformEntity>;
  readonly filter: EntityFilter;
  /** Of the entities; null: as they came. */
  readonly sort: BrowseSort | null;
  /** The id of the entity or platform id of the well that is looked at. */
  readonly selected: number | null;
}

export interface BrowseActions {
  readonly list: (listed: Listed, filter?: EntityFilter) => void;
  readonly filter: (filter: EntityFilter) => void;
  readonly sort: (sort: BrowseSort | null) => void;
  readonly select: (id: number | null) => void;
  readonly load: () => void;
  readonly cancel: () => void;
  readonly close: () => void;
}

/** The tab that lists wells, assets and what wells belong to. */
export interface Browse {
  readonly store: StoreApi<BrowseState>;
  readonly actions: BrowseActions;
}

/** So long after the last key a filter that is typed goes out, in milliseconds. */
const pauseMs = 250;
const nothing: Coming<PlatformEntity> = { items: [], beside: null, freshness: unasked };

export interface BrowseNeeds {
  readonly api: Pick<Api, 'catalogue'>;
  readonly connection: string;
  /** Runs something later; the answer takes it back. */
  readonly after?: (ms: number, act: () => void) => () => void;
}

const afterTime = (ms: number, act: () => void) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** A list with its filters, which the service answers; one without filters is kept for working offline. */
export function createBrowse({ api, connection, after = afterTime }: BrowseNeeds): Browse {
  const store = createStore<BrowseState>()(() => ({
    listed: 'wells',
    coming: nothing,
    filter: {},
    sort: null,
    selected: null,
  }));
  const listing = latest();
  let takeBack = () => {};

  const load = () => {
    takeBack();
    const { listed, filter } = store.getState();
    if (listed === 'wells') return listing.drop();
    let coming: Coming<PlatformEntity> = asked;
    store.setState({ coming, selected: null });
    const end = (error: Parameters<typeof brokenOff>[1]) =>
      store.setState({ coming: (coming = brokenOff(coming, error)) });
    void listing.run(
      async (signal) => {
        const question = { connection, resource: listed, filter: toService(filter) };
        for await (const event of await api.catalogue.entities(question, { signal })) {
          if (signal.aborted) return;
          coming = heard(coming, event);
          store.setState({ coming });
        }
      },
      { done: () => undefined, failed: end, cancelled: () => end(null) },
    );
  };
  const actions: BrowseActions = {
    list(listed, filter = {}) {
      store.setState({ listed, filter, sort: null, selected: null });
      load();
    },
    filter(filter) {
      store.setState({ filter });
      takeBack();
      takeBack = after(pauseMs, load);
    },
    sort: (sort) => store.setState({ sort }),
    select: (selected) => store.setState({ selected }),
    load,
    cancel: () => listing.cancel(),
    close() {
      takeBack();
      listing.drop();
    },
  };
  return { store, actions };
}
