import { createStore } from 'zustand/vanilla';
import type { ResolvedName } from '../../../shared/wells/wells.ts';
import type { Api } from '../../api/api.ts';
import { selectedWells, type Tabs } from '../tabs/tabs.ts';
import type { WellFilter } from './filter.ts';
import { createListing } from './listing.ts';
import type { WellSort } from './sort.ts';
import { createWellSelection } from './well-selection.ts';
import { defaults, type View, type WellsState } from './wells-state.ts';

/**
 * The wells of the connection and their view.
 * @param tabs whose wells are selected
 */
export function createWells(api: Pick<Api, 'wells' | 'catalogue'>, tabs: Tabs, now = Date.now) {
  const store = createStore<WellsState>()(() => defaults);
  let connection = '';
  const listing = createListing({
    api,
    store,
    now,
    connection: () => connection,
    selected: () => selectedWells(tabs.store.getState()),
    // Earlier results for single wells may be outdated.
    onComplete: tabs.actions.updateWells,
  });
  const { find: refreshFound, refilter } = listing;
  const selection = createWellSelection(api, tabs, store, () => connection, refreshFound);

  const actions = {
    ...selection,
    async load(connectionOf: string): Promise<void> {
      connection = connectionOf;
      void api.wells.marks({ connection }).then(
        ({ pinned, ...marks }) => store.setState({ pinned: new Set(pinned), ...marks }),
        () => undefined,
      );
      await listing.load();
    },
    /** Loads the wells of the same connection again. */
    reload: () => void actions.load(connection),
    cancel: listing.cancel,
    /** Resets the state, as when the connection closes. */
    clear(): void {
      listing.drop();
      store.setState(defaults);
    },
    search(search: string): void {
      store.setState({ search });
      refreshFound();
    },
    filter(filter: WellFilter): void {
      store.setState({ filter });
      refilter();
    },
    /** @param names names for sorting by an id */
    sort(sort: WellSort, names?: ReadonlyMap<number, string>): void {
      listing.setNames(names);
      store.setState({ sort });
      refreshFound();
    },
    /** Updates the names for sorting by an id. */
    updateNames(names: ReadonlyMap<number, string>): void {
      if (listing.setNames(names)) refreshFound();
    },
    /**
     * Notes when the newest records of wells are from: the platform's activity can be hours older.
     * @param times Unix milliseconds by asset id
     */
    noteRecords(times: Iterable<readonly [assetId: number, at: number]>): void {
      const { recordTimes } = store.getState();
      const newer = [...times].filter(([assetId, at]) => at > (recordTimes.get(assetId) ?? 0));
      if (newer.length > 0) store.setState({ recordTimes: new Map([...recordTimes, ...newer]) });
    },
    show(view: View): void {
      store.setState({ view });
      refreshFound();
    },
    /** Requests the filter from the service again. */
    retryFilter: refilter,
    /**
     * The wells that match names, API numbers, or asset ids.
     * @throws AppError
     */
    resolve: (names: readonly string[], signal: AbortSignal): Promise<readonly ResolvedName[]> =>
      api.wells.resolve({ connection, names: [...names] }, { signal }),
  };
  return { store, actions };
}

export type Wells = ReturnType<typeof createWells>;
