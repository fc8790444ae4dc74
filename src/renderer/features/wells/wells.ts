import { createStore, type StoreApi } from 'zustand/vanilla';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { ResolvedName, Well } from '../../../shared/wells/wells.ts';
import type { Api } from '../../api/api.ts';
import { selectedWells, type Tabs } from '../tabs/tabs.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { WellFilter } from './filter.ts';
import { createListing } from './listing.ts';
import type { WellSort } from './sort.ts';
import { recordTimesIn, recordTimesRequest } from './record-times.ts';
import { defaults, listedWells, type View, type WellsState, maxSelectedWells } from './wells-state.ts';
import type { PlatformWellId } from '../../../shared/wells/well-ids.ts';
import { hasAssetId, scopeOf, type ScopedWell } from '../../../shared/wells/scope.ts';

const noReadings = { count: 0, lastTurn: NaN };

/**
 * The wells of the connection and their view.
 * @param tabs whose wells are selected
 */
export function createWells(
  api: Pick<Api, 'wells' | 'catalogue'> & { readonly query: Pick<Api['query'], 'pipeline'> },
  tabs: Tabs,
  now = Date.now,
) {
  const store = createStore<WellsState>()(() => defaults);
  let connection = '';
  const marksTask = createLatestTask();
  const timesTask = createLatestTask();
  /** The readings of times so far; null: one runs. */
  let timeReadings: { readonly count: number; readonly lastTurn: number } | null = noReadings;
  const listing = createListing({
    api,
    store,
    now,
    connection: () => connection,
    selected: () => selectedWells(tabs.store.getState()),
    onComplete: tabs.actions.updateWells,
  });
  const { find: refreshFound, requestFilter } = listing;
  const selection = createWellSelection(api, tabs, store, () => connection, refreshFound);

  const actions = {
    ...selection,
    async load(connectionOf: string): Promise<void> {
      connection = connectionOf;
      void marksTask.run(() => api.wells.marks({ connection }), {
        onDone: ({ pinned, ...marks }) => store.setState({ pinned: new Set(pinned), ...marks }),
        onFailed: () => undefined,
        onCanceled: () => undefined,
      });
      await listing.load();
    },
    /** Loads the wells of the same connection again. */
    reload: () => void actions.load(connection),
    cancel: listing.cancel,
    /** Resets the state, as when the connection closes. */
    clear(): void {
      listing.drop();
      marksTask.drop();
      timesTask.drop();
      timeReadings = noReadings;
      store.setState(defaults);
    },
    search(search: string): void {
      store.setState({ search });
      refreshFound();
    },
    filter(filter: WellFilter): void {
      store.setState({ filter });
      requestFilter();
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
      const newest = new Map<number, number>();
      for (const [assetId, at] of times)
        if (at > (newest.get(assetId) ?? recordTimes.get(assetId) ?? 0)) newest.set(assetId, at);
      if (newest.size > 0) store.setState({ recordTimes: new Map([...recordTimes, ...newest]) });
    },
    /**
     * Reads when the newest records of wells are from: by one request in a turn, none while another runs, and the datasets in
     * turn. Times stay as they are if it fails.
     * @param datasets over time
     * @param turn another number for each reading
     */
    readRecordTimes(datasets: readonly Dataset[], turn: number): void {
      const before = timeReadings;
      const dataset = before && datasets[before.count % datasets.length];
      if (!before || !dataset || before.lastTurn === turn) return;
      const { recordTimes } = store.getState();
      const { wells } = listedWells(store.getState());
      const request = recordTimesRequest(connection, dataset, wells, recordTimes);
      if (!request) return;
      timeReadings = null;
      const end = () => void (timeReadings = { count: before.count + 1, lastTurn: turn });
      const read = async (signal: AbortSignal) =>
        recordTimesIn((await api.query.pipeline(request, { signal })).records);
      void timesTask.run(read, {
        onDone(times) {
          end();
          actions.noteRecords(times);
        },
        onFailed: end,
        onCanceled: end,
      });
    },
    show(view: View): void {
      store.setState({ view });
      refreshFound();
    },
    /** Requests the filter from the service again. */
    retryFilter: requestFilter,
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

const maxRecent = 30;

/**
 * Selects the wells of tabs, and keeps the wells that the user pinned or used recently.
 * @param refreshFound applies search, filters, and sort again
 */
function createWellSelection(
  api: Pick<Api, 'wells'>,
  tabs: Tabs,
  store: StoreApi<WellsState>,
  connection: () => string,
  refreshFound: () => void,
) {
  const selected = () => selectedWells(tabs.store.getState());
  const updateMarks = (marks: Parameters<Api['wells']['mark']>[0]['marks']) =>
    // Marks that can't be stored last as long as the window.
    void api.wells.mark({ connection: connection(), marks }).then(
      () => store.setState({ marksProblem: null }),
      (error: unknown) => store.setState({ marksProblem: toAppError(error) }),
    );
  const saveMarks = (wells: readonly ScopedWell[]) => {
    if (wells.length === 0 || wells.length > maxRecent) return;
    const recent = [...new Set([...scopeOf(wells), ...store.getState().recent])].slice(0, maxRecent);
    store.setState({ recent });
    updateMarks({ recent });
  };
  const select = (wells: readonly ScopedWell[], tab?: string) => {
    const next = wells.slice(0, maxSelectedWells);
    const previous = new Set(selected().map(({ platformId }) => platformId));
    tabs.actions.selectWells(next, tab);
    saveMarks(next.filter(({ platformId }) => !previous.has(platformId)));
  };

  return {
    /** Other wells are selected. */
    onSelected(): void {
      if (store.getState().view === 'selected') refreshFound();
    },
    /** Adds wells to the selection and removes others. Wells without an asset id are ignored. */
    changeSelection(add: readonly Well[], remove: ReadonlySet<string | number> = new Set()): void {
      const remaining = selected().filter(({ platformId }) => !remove.has(platformId));
      const before = new Set(remaining.map(({ platformId }) => platformId));
      select([...remaining, ...add.filter(hasAssetId).filter(({ platformId }) => !before.has(platformId))]);
    },
    /** Selects exactly these wells, by default for the active tab. */
    selectWells(wells: readonly Well[], tab?: string): void {
      const unique = new Map(wells.filter(hasAssetId).map((well) => [well.platformId, well]));
      select([...unique.values()], tab);
    },
    /** Removes one well, or all, from the selection. */
    deselect: (platformId: PlatformWellId) =>
      select(selected().filter((well) => well.platformId !== platformId)),
    deselectAll: () => select([]),
    pin({ assetId }: ScopedWell, pinned: boolean): void {
      const all = new Set(store.getState().pinned);
      if (pinned) all.add(assetId);
      else all.delete(assetId);
      store.setState({ pinned: all });
      updateMarks({ pinned: [...all] });
      if (store.getState().view === 'pinned') refreshFound();
    },
    /** Sets the fields of rows (`facts`), or the columns of the table. */
    setFields(where: 'facts' | 'columns', fields: readonly string[]): void {
      store.setState({ [where]: fields });
      updateMarks({ [where]: [...fields] });
    },
  };
}
