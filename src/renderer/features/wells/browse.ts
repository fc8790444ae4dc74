import { createStore } from 'zustand/vanilla';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import type { Api } from '../../api/api.ts';
import {
  emptyLoadingList,
  interruptList,
  applyEvent,
  notLoaded,
  type StreamedList,
} from '../../state/streamed-list.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { createRenderThrottle } from '../../state/render-throttle.ts';
import { entityName } from './entity.ts';
import { toService, type EntityFilter, type EntityKind } from './entity-filters.ts';

/** What the tab lists: wells, or one of the kinds beside them. */
export type Listed = 'wells' | EntityKind;

export interface BrowseSort {
  readonly column: string;
  readonly descending: boolean;
}

export interface BrowseState {
  readonly listed: Listed;
  readonly coming: StreamedList<PlatformEntity>;
  readonly filter: EntityFilter;
  /** Of the entities; null: as they came. */
  readonly sort: BrowseSort | null;
  /** The id of the entity or platform id of the well that is looked at. */
  readonly selected: number | null;
}

/** The tab that lists wells, assets and what wells belong to. */
export type Browse = ReturnType<typeof createBrowse>;

/** So long after the last key a filter that is typed goes out, in milliseconds. */
const pauseMs = 250;
const nothing: StreamedList<PlatformEntity> = { items: [], replacement: null, freshness: notLoaded };

export interface BrowseNeeds {
  readonly api: Pick<Api, 'catalogue'>;
  readonly connection: string;
  /** Runs something later; the answer takes it back. */
  readonly after?: (ms: number, act: () => void) => () => void;
  /** A clock, in milliseconds. */
  readonly now?: () => number;
}

const afterTime = (ms: number, act: () => void) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** A list with its filters, which the service answers; one without filters is kept for working offline. */
export function createBrowse({ api, connection, after = afterTime, now = Date.now }: BrowseNeeds) {
  const store = createStore<BrowseState>()(() => ({
    listed: 'wells',
    coming: nothing,
    filter: {},
    sort: null,
    selected: null,
  }));
  const listing = createLatestTask();
  const namesOfAssets = new Map<number, string>();
  const learnNames = (items: readonly PlatformEntity[]) => {
    for (const item of items) namesOfAssets.set(item.id, entityName(item));
  };
  let takeBack = () => {};

  const load = () => {
    takeBack();
    const { listed, filter } = store.getState();
    if (listed === 'wells') return listing.drop();
    let coming: StreamedList<PlatformEntity> = emptyLoadingList;
    const isShown = createRenderThrottle(now);
    store.setState({ coming, selected: null });
    const end = (error: Parameters<typeof interruptList>[1]) =>
      store.setState({ coming: (coming = interruptList(coming, error)) });
    void listing.run(
      async (signal) => {
        const question = { connection, resource: listed, filter: toService(filter) };
        for await (const event of await api.catalogue.entities(question, { signal })) {
          if (signal.aborted) return;
          coming = applyEvent(coming, event);
          if (listed === 'assets' && event.kind === 'items') learnNames(event.items);
          if (isShown(event)) store.setState({ coming });
        }
      },
      { onDone: () => undefined, onFailed: end, onCanceled: () => end(null) },
    );
  };
  const actions = {
    list(listed: Listed, filter: EntityFilter = {}) {
      const above = filter.parent_asset_id;
      if (typeof above?.value === 'number') namesOfAssets.set(above.value, above.text);
      store.setState({ listed, filter, sort: null, selected: null });
      load();
    },
    filter(filter: EntityFilter) {
      store.setState({ filter });
      takeBack();
      takeBack = after(pauseMs, load);
    },
    sort: (sort: BrowseSort | null) => store.setState({ sort }),
    select: (selected: number | null) => store.setState({ selected }),
    load,
    cancel: () => listing.cancel(),
    close() {
      takeBack();
      listing.drop();
    },
  };
  return {
    store,
    actions,
    /** What an asset is called that was listed, or led to what is; undefined: neither. */
    nameOfAsset: (id: number) => namesOfAssets.get(id),
  };
}
