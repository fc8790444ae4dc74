import { createStore, type StoreApi } from 'zustand/vanilla';
import { toAppError, AppError } from '../../../shared/errors/errors.ts';
import {
  type Well,
  type PlatformWellId,
  hasAssetId,
  scopeOf,
  type ScopedWell,
  maxMarkChanges,
  maxRecent,
  noMarks,
  withMarks,
  type WellMarks,
  type WellMarksChange,
} from '../../../shared/wells/wells.ts';
import type { CatalogueEvent, LongCatalogueEvent, ResolvedName } from '../../../shared/contract/catalogue.ts';
import type { Api } from '../../api/api.ts';
import { selectedWells, type Tabs } from '../tabs/tabs.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { type Dataset, datasetShapes } from '../../../shared/datasets/datasets.ts';
import { newRecordsRequest, serviceNow } from '../records/request.ts';
import { isObject, parseJson } from '../../../shared/json.ts';
import { clockToleranceMs } from '../../../shared/instants.ts';
import {
  defaults,
  listedWells,
  type View,
  type WellsState,
  maxSelectedWells,
  withRecordTime,
} from './wells-state.ts';
import { parseWells } from '../../../shared/wells/packed-wells.ts';
import { failed, idle } from '../../state/loadable.ts';
import { isSameJson } from '../../state/use-stable.ts';
import { listOf, Resource, valueOrFailure } from '../../state/resource.ts';
import {
  omitFields,
  serviceFilterOf,
  type WellFilter,
  WellIndex,
  type WellQuery,
  type WellSort,
} from './well-index.ts';

interface ListingSubject {
  readonly api: Pick<Api, 'catalogue'>;
  readonly store: StoreApi<WellsState>;
  /** The current time in milliseconds. */
  readonly now: () => number;
  readonly connection: () => string;
  readonly selected: () => readonly ScopedWell[];
  /** Called when the list is complete: earlier results for single wells may be outdated. */
  readonly onComplete: () => void;
}

/**
 * Loads the wells of a connection, first the stored ones and then the service's, and applies search, filters,
 * and sort: to the list, or through the service for filters on fields that the list lacks.
 */
function createListing({ api, store, now, connection, selected, onComplete }: ListingSubject) {
  type Filter = NonNullable<Parameters<Api['catalogue']['wells']>[0]['filter']>;
  async function* read(filter: Filter, signal: AbortSignal) {
    const events = parseEvents(await api.catalogue.wells({ connection: connection(), filter }, { signal }));
    yield* listOf(events, (wells) => new WellIndex(wells), signal, now);
  }
  const lists = new Resource((_: null, signal) => read({}, signal), {
    onChange({ freshness, ...list }) {
      const { list: before } = store.getState();
      const isSame = list.status === 'loaded' && before.status === 'loaded' && list.value === before.value;
      store.setState(isSame ? { freshness } : { list, freshness });
      if (list.status === 'loaded' && !isSame) {
        requestFilter();
      }
      if (freshness.asOf !== null && (!isSame || !freshness.isLoading)) onComplete();
    },
  });
  /** The filter of the service's result, as text; empty: none. */
  let requested = '';
  const filtered = new Resource(read, {
    idOf: () => null,
    onChange(answer) {
      const { isLoading, asOf } = answer.freshness;
      // Not an empty list: it says that the filter isn't applied, and how to apply it.
      const isCanceled = !isLoading && asOf === null;
      const canceled = failed(new AppError('cancelled', {}));
      const result = valueOrFailure(answer);
      store.setState({ serviceResult: isCanceled && result.status !== 'failed' ? canceled : result });
      find();
    },
  });
  let names: WellQuery['names'];

  const find = (): void => {
    const { search, filter, sort, view, list, serviceResult, pinned, recent } = store.getState();
    if (list.status !== 'loaded') return;
    const part = serviceFilterOf(filter, (field) => list.value.has(field));
    const index = part ? (serviceResult.status === 'loaded' ? serviceResult.value : null) : list.value;
    const assetIds = {
      all: undefined,
      pinned,
      recent: new Set(recent),
      selected: new Set(scopeOf(selected())),
    }[view];
    const query: WellQuery = {
      text: search,
      filter: part ? omitFields(filter, part.fields) : filter,
      sort,
      ...(names ? { names } : {}),
      ...(assetIds ? { assetIds } : {}),
    };
    store.setState({ found: index?.find(query) ?? null });
  };

  /** Sends the filter to the service if the list can't apply it. Call after the filter or the list changes. */
  const requestFilter = (): void => {
    const { filter, list, serviceResult } = store.getState();
    if (list.status !== 'loaded') return;
    const part = serviceFilterOf(filter, (field) => list.value.has(field));
    const key = part ? JSON.stringify(part.filter) : '';
    if (key === requested && serviceResult.status !== 'failed') return find();
    requested = key;
    filtered.clear();
    if (part) return void filtered.refresh(part.filter);
    store.setState({ serviceResult: idle });
    find();
  };

  return {
    find,
    requestFilter,
    async load(): Promise<void> {
      requested = '';
      // The wells on screen stay until the new list is complete.
      if (listedWells(store.getState()).count === 0) lists.clear();
      await lists.refresh(null);
    },
    /** Sets the names for sorting by an id; returns whether they changed. */
    setNames(current: WellQuery['names']): boolean {
      const hasChanged = names !== current;
      names = current;
      return hasChanged;
    },
    cancel() {
      lists.cancel(null);
      filtered.cancel({});
    },
    drop() {
      lists.clear();
      filtered.clear();
    },
  };
}

async function* parseEvents(events: AsyncIterable<LongCatalogueEvent>): AsyncGenerator<CatalogueEvent<Well>> {
  for await (const event of events)
    yield event.kind === 'items' ? { ...event, items: parseWells(event.text) } : event;
}

/** The time between two readings, in milliseconds. */
export const recordTimesPaceMs = 120_000;
/** Maximum number of wells in a request: those with the latest times. */
const maxTimedWells = 50;

/** After which times records of wells are new; empty: no well has had records. */
const recordStarts = (wells: readonly Well[], recordTimes: WellsState['recordTimes']) =>
  wells
    .filter(hasAssetId)
    .map((well) => ({
      assetId: well.assetId,
      at: Date.parse(withRecordTime(well, recordTimes).lastActiveAt ?? ''),
    }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, maxTimedWells)
    .map(({ assetId, at }) => ({ assetId, timestamp: { $gt: at } }));

/** What a request for new records computes: the newest time of each well. */
const newestTimes = {
  $group: { _id: `$${datasetShapes.time.scopeField}`, at: { $max: '$timestamp' } },
};

/** The times in a result of {@link newestTimes}, in Unix milliseconds by asset id; other contents are skipped. */
function recordTimesIn(page: Uint8Array): (readonly [assetId: number, at: number])[] {
  const records = parseJson(new TextDecoder().decode(page));
  return (Array.isArray(records) ? records : []).flatMap((record) => {
    const [asset, at] = isObject(record) ? [record['_id'], record['at']] : [];
    return typeof asset === 'number' && typeof at === 'number' ? [[asset, at] as const] : [];
  });
}

const noReadings = { count: 0, lastTurn: NaN };

function createRecordTimes(
  api: { readonly query: Pick<Api['query'], 'now' | 'pipeline'> },
  store: StoreApi<WellsState>,
  connection: () => string,
  now: () => number,
) {
  const task = createLatestTask();
  /** The readings of times so far; null: one runs. */
  let timeReadings: { readonly count: number; readonly lastTurn: number } | null = noReadings;
  /** How far this computer's clock is ahead of the service's, as of the last reading, in milliseconds. */
  let aheadMs = 0;

  /**
   * Notes when the newest records of wells are from: the platform's activity can be hours older. Later times than now are
   * skipped, as those of wrong clocks.
   * @param times Unix milliseconds by asset id
   */
  function noteRecords(times: Iterable<readonly [assetId: number, at: number]>): void {
    const { recordTimes } = store.getState();
    const latest = now() - aheadMs + clockToleranceMs;
    const newest = new Map<number, number>();
    for (const [assetId, at] of times)
      if (at <= latest && at > (newest.get(assetId) ?? recordTimes.get(assetId) ?? 0))
        newest.set(assetId, at);
    if (newest.size > 0) store.setState({ recordTimes: new Map([...recordTimes, ...newest]) });
  }

  /**
   * Reads when the newest records of wells are from: by one request in a turn, none while another runs, and the datasets in
   * turn. Times stay as they are if it fails.
   * @param datasets over time
   * @param turn another number for each reading
   */
  function readRecordTimes(datasets: readonly Dataset[], turn: number): void {
    const before = timeReadings;
    const dataset = before && datasets[before.count % datasets.length];
    if (!before || !dataset || before.lastTurn === turn) return;
    const { recordTimes } = store.getState();
    const { wells } = listedWells(store.getState());
    const starts = recordStarts(wells, recordTimes);
    if (starts.length === 0) return;
    timeReadings = null;
    const end = () => void (timeReadings = { count: before.count + 1, lastTurn: turn });
    const subject = { connection: connection(), dataset };
    const read = async (signal: AbortSignal) => {
      const serviceMs = await serviceNow(api.query, subject.connection, dataset, now);
      aheadMs = now() - serviceMs;
      const request = newRecordsRequest({ ...subject, now: serviceMs }, starts, [newestTimes]);
      return recordTimesIn((await api.query.pipeline(request, { signal })).records);
    };
    void task.run(read, {
      onDone(times) {
        end();
        noteRecords(times);
      },
      onFailed: end,
      onCanceled: end,
    });
  }

  function drop(): void {
    task.drop();
    timeReadings = noReadings;
  }
  return { actions: { noteRecords, readRecordTimes }, drop };
}

export function createWells(
  api: Pick<Api, 'wells' | 'catalogue'> & { readonly query: Pick<Api['query'], 'now' | 'pipeline'> },
  tabs: Tabs,
  now = Date.now,
) {
  const store = createStore<WellsState>()(() => defaults);
  let connection = '';
  const marksTask = createLatestTask();
  const times = createRecordTimes(api, store, () => connection, now);
  const listing = createListing({
    api,
    store,
    now,
    connection: () => connection,
    selected: () => selectedWells(tabs.store.getState()),
    onComplete: tabs.actions.updateWells,
  });
  const { find: refreshFound, requestFilter } = listing;
  const { show: showMarks, markUsed, ...marks } = createMarks(api, store, () => connection, refreshFound);

  const actions = {
    ...createWellSelection(tabs, store, markUsed, refreshFound),
    ...marks,
    ...times.actions,
    async load(connectionOf: string): Promise<void> {
      connection = connectionOf;
      void marksTask.run(() => api.wells.marks({ connection }), {
        onDone: showMarks,
        onFailed: () => undefined,
      });
      await listing.load();
    },
    reload: () => void actions.load(connection),
    cancel: listing.cancel,
    /** Resets the state, as when the connection closes. */
    clear(): void {
      listing.drop();
      marksTask.drop();
      times.drop();
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
    sort(sort: WellSort, names?: ReadonlyMap<number, string>): void {
      listing.setNames(names);
      store.setState({ sort });
      refreshFound();
    },
    updateNames(names: ReadonlyMap<number, string>): void {
      if (listing.setNames(names)) refreshFound();
    },
    show(view: View): void {
      store.setState({ view });
      refreshFound();
    },
    retryFilter: requestFilter,
    /** The wells that match names, API numbers, or asset ids. @throws AppError */
    resolve: (names: readonly string[], signal: AbortSignal): Promise<readonly ResolvedName[]> =>
      api.wells.resolve({ connection, names: [...names] }, { signal }),
  };
  return { store, actions };
}

export type Wells = ReturnType<typeof createWells>;

/**
 * The wells that the user pinned or used recently, and the visible fields of wells.
 * @param refreshFound applies search, filters, and sort again
 */
function createMarks(
  api: Pick<Api, 'wells'>,
  store: StoreApi<WellsState>,
  connection: () => string,
  refreshFound: () => void,
) {
  let stored = noMarks;
  /** Changes that are not stored, oldest first: they last as long as the window, and are sent with the next one. */
  let unstored: readonly WellMarksChange[] = [];
  const show = (marks: WellMarks) => {
    stored = marks;
    const now = unstored.reduce(withMarks, stored);
    const { view, pinned, recent, facts, columns } = store.getState();
    const isOther = { pinned: !isSameJson([...pinned], now.pinned), recent: !isSameJson(recent, now.recent) };
    store.setState({
      pinned: isOther.pinned ? new Set(now.pinned) : pinned,
      recent: isOther.recent ? now.recent : recent,
      facts: isSameJson(facts, now.facts) ? facts : now.facts,
      columns: isSameJson(columns, now.columns) ? columns : now.columns,
    });
    if ((view === 'pinned' || view === 'recent') && isOther[view]) refreshFound();
  };
  const mark = (change: WellMarksChange) => {
    const changes = [...unstored, change].slice(-maxMarkChanges);
    unstored = changes;
    show(stored);
    void api.wells.mark({ connection: connection(), changes }).then(
      (marks) => {
        unstored = unstored.filter((other) => !changes.includes(other));
        show(marks);
        store.setState({ marksProblem: null });
      },
      (error: unknown) => store.setState({ marksProblem: toAppError(error) }),
    );
  };
  return {
    show,
    markUsed(wells: readonly ScopedWell[]): void {
      if (wells.length > 0 && wells.length <= maxRecent) mark({ used: scopeOf(wells) });
    },
    pin: ({ assetId }: ScopedWell, pinned: boolean) => mark({ [pinned ? 'pin' : 'unpin']: [assetId] }),
    /** Sets the fields of rows (`facts`), or the columns of the table. */
    setFields: (where: 'facts' | 'columns', fields: readonly string[]) => mark({ [where]: [...fields] }),
  };
}

/**
 * @param markUsed is called with wells that were not selected before
 * @param refreshFound applies search, filters, and sort again
 */
function createWellSelection(
  tabs: Tabs,
  store: StoreApi<WellsState>,
  markUsed: (wells: readonly ScopedWell[]) => void,
  refreshFound: () => void,
) {
  const selected = () => selectedWells(tabs.store.getState());
  const select = (wells: readonly ScopedWell[], tab?: string) => {
    const next = wells.slice(0, maxSelectedWells);
    const previous = new Set(selected().map(({ platformId }) => platformId));
    tabs.actions.selectWells(next, tab);
    markUsed(next.filter(({ platformId }) => !previous.has(platformId)));
  };

  return {
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
    deselect: (platformId: PlatformWellId) =>
      select(selected().filter((well) => well.platformId !== platformId)),
    deselectAll: () => select([]),
  };
}
