import { createStore } from 'zustand/vanilla';
import { MissingIds, type PlatformEntity } from '../../../shared/wells/wells.ts';
import type { PlatformResource } from '../../../shared/wells/platform-filters.ts';
import type { Api } from '../../api/api.ts';
import type { ListSort } from '../../ui/grid/list-grid.tsx';
import { scheduleTimeout } from '../../state/follow-stream.ts';
import { valueOr } from '../../state/loadable.ts';
import { listOf, notLoaded, Resource, type Freshness } from '../../state/resource.ts';
import { entityName } from './directory.ts';
import type { EntityFilter } from './entities.ts';

export interface BrowseState {
  readonly list: PlatformResource;
  readonly entities: { readonly items: readonly PlatformEntity[]; readonly freshness: Freshness };
  readonly filter: EntityFilter;
  /** API numbers that no asset of the complete list has; none if the filter has other conditions. */
  readonly notFound: readonly string[];
  /** The order of the table; null: as the service sends entities, and as the list of wells is. */
  readonly sort: ListSort | null;
  /** The id of the selected entity; null: none. */
  readonly selected: number | null;
}

export type Browse = ReturnType<typeof createBrowse>;

/** The delay between the last key and the request, in milliseconds. */
const filterDelayMs = 250;

export interface BrowseDependencies {
  readonly api: Pick<Api, 'catalogue'>;
  readonly connection: string;
  /** Schedules a call and returns a function that cancels it. */
  readonly schedule?: (ms: number, act: () => void) => () => void;
  /** The current time in milliseconds. */
  readonly now?: () => number;
}

const toServiceFilter = (filter: EntityFilter): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filter).map(([name, { value }]) => [name, value]));

/** A list whose filters the service applies. Only the unfiltered list is stored for offline use. */
export function createBrowse({
  api,
  connection,
  schedule = scheduleTimeout,
  now = Date.now,
}: BrowseDependencies) {
  const store = createStore<BrowseState>()(() => ({
    list: 'wells',
    entities: { items: [], freshness: notLoaded },
    filter: {},
    notFound: [],
    sort: null,
    selected: null,
  }));
  const assetNames = new Map<number, string>();
  const addAssetNames = (items: readonly PlatformEntity[]) => {
    for (const item of items) assetNames.set(item.id, entityName(item));
  };
  let cancelScheduled = () => {};

  async function* read(_: null, signal: AbortSignal) {
    const { list, filter } = store.getState();
    if (list === 'wells') return;
    const request = { connection, resource: list, filter: toServiceFilter(filter) };
    yield* listOf(await api.catalogue.entities(request, { signal }), (items) => items, signal, now);
  }
  const entities = new Resource(read, {
    onChange({ freshness, ...answer }) {
      const items = valueOr(answer, []);
      const { list, filter } = store.getState();
      store.setState({ entities: { items, freshness } });
      if (list === 'assets') addAssetNames(items);
      if (freshness.isLoading || freshness.isStale || freshness.asOf === null) return;
      const missing = new MissingIds(toServiceFilter(filter));
      missing.remove(items);
      store.setState({ notFound: filter.api_number ? missing.texts : [] });
    },
  });

  const load = () => {
    cancelScheduled();
    if (store.getState().list === 'wells') return entities.clear();
    store.setState({ notFound: [], selected: null });
    entities.clear();
    void entities.refresh(null);
  };
  const actions = {
    list(list: PlatformResource, filter: EntityFilter = {}) {
      const openParent = filter.parent_asset_id;
      if (typeof openParent?.value === 'number') assetNames.set(openParent.value, openParent.text);
      store.setState({ list, filter, sort: null, selected: null });
      load();
    },
    filter(filter: EntityFilter) {
      store.setState({ filter, notFound: [] });
      cancelScheduled();
      cancelScheduled = schedule(filterDelayMs, load);
    },
    sort: (sort: ListSort | null) => store.setState({ sort }),
    select: (selected: number | null) => store.setState({ selected }),
    load,
    cancel: () => entities.cancel(null),
    close() {
      cancelScheduled();
      entities.clear();
    },
  };
  return {
    store,
    actions,
    /** The name of an asset that was listed or opened here; undefined: unknown. */
    assetName: (id: number) => assetNames.get(id),
  };
}
