import type { StoreApi } from 'zustand/vanilla';
import type { LongCatalogueEvent } from '../../../shared/catalogue/catalogue.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { parseWells } from '../../../shared/wells/packed-wells.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import type { Api } from '../../api/api.ts';
import { emptyLoadingList, interruptList, applyEvent, type StreamedList } from '../../state/streamed-list.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded, idle, loading } from '../../state/loadable.ts';
import { createRenderThrottle } from '../../state/render-throttle.ts';
import { serviceFilterOf, omitFields } from './filter.ts';
import { scopeOf, type ScopedWell } from '../../../shared/wells/scope.ts';
import { WellIndex, type WellQuery } from './well-index.ts';
import type { WellsState } from './wells-state.ts';

interface ListingSubject {
  readonly api: Pick<Api, 'catalogue'>;
  readonly store: StoreApi<WellsState>;
  /** The current time in milliseconds. */
  readonly now: () => number;
  readonly connection: () => string;
  /** The selected wells. */
  readonly selected: () => readonly ScopedWell[];
  /** Called when the list is complete: earlier results for single wells may be outdated. */
  readonly onComplete: () => void;
}

/**
 * Loads the wells of a connection, first the stored ones and then the service's, and applies search, filters,
 * and sort: to the list, or through the service for filters on fields that the list lacks.
 */
export function createListing({ api, store, now, connection, selected, onComplete }: ListingSubject) {
  const listTask = createLatestTask();
  const filterTask = createLatestTask();
  let names: WellQuery['names'];
  /** The last filter sent to the service; empty: none. */
  let lastRequest = '';

  const find = (): void => {
    const { search, filter, sort, view, list, knownValues, serviceResult, pinned, recent } = store.getState();
    if (list.status !== 'loaded') return;
    const part = serviceFilterOf(filter, knownValues.fields);
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

  /**
   * Sends the filter to the service if the list can't apply it. Call after the filter or the list changes.
   */
  const requestFilter = (): void => {
    const { filter, knownValues, list, serviceResult } = store.getState();
    if (list.status !== 'loaded') return;
    const part = serviceFilterOf(filter, knownValues.fields);
    const key = part ? JSON.stringify(part.filter) : '';
    if (key === lastRequest && serviceResult.status !== 'failed') return find();
    lastRequest = key;
    filterTask.drop();
    if (!part) {
      store.setState({ serviceResult: idle });
      return find();
    }
    store.setState({ serviceResult: loading, found: null });
    void filterTask.run(
      async (signal) => {
        const events = await api.catalogue.wells(
          { connection: connection(), filter: part.filter },
          { signal },
        );
        await follow(events, signal, ({ items }, isShown) => {
          if (!isShown) return;
          store.setState({ serviceResult: loaded(new WellIndex(items)) });
          find();
        });
      },
      {
        onDone: () => undefined,
        onFailed: (error) => store.setState({ serviceResult: failed(error) }),
        // Not an empty list: it says that the filter isn't applied, and how to apply it.
        onCanceled: () => store.setState({ serviceResult: failed(new AppError('cancelled', {})) }),
      },
    );
  };

  /** Passes the list after each event to `update`, with whether to render it. */
  async function follow(
    events: AsyncIterable<LongCatalogueEvent>,
    signal: AbortSignal,
    update: (list: StreamedList<Well>, isShown: boolean, kind: LongCatalogueEvent['kind']) => void,
  ): Promise<void> {
    let list: StreamedList<Well> = emptyLoadingList;
    const isShown = createRenderThrottle(now);
    for await (const event of events) {
      if (signal.aborted) return;
      list = applyEvent(list, event.kind === 'items' ? { ...event, items: parseWells(event.text) } : event);
      update(list, isShown(event), event.kind);
    }
  }

  function show({ items, freshness }: StreamedList<Well>): void {
    const { list } = store.getState();
    store.setState({ freshness });
    const hasOthers = list.status !== 'loaded' || list.value.wells !== items;
    if (!hasOthers || (items.length === 0 && freshness.isLoading)) return;
    const index = new WellIndex(items);
    store.setState({ list: loaded(index), knownValues: index.knownValues });
    requestFilter();
  }

  return {
    find,
    requestFilter,
    async load(): Promise<void> {
      lastRequest = '';
      const { list } = store.getState();
      // The wells on screen stay until the new list is complete.
      const isFirst = list.status !== 'loaded' || list.value.count === 0;
      if (isFirst) store.setState({ list: loading });
      store.setState(({ freshness }) => ({
        freshness: { ...freshness, isLoading: true, error: null },
        isCanceled: false,
      }));
      let coming: StreamedList<Well> = emptyLoadingList;
      /** The stream broke off. Loaded wells stay unless the previous list was complete. */
      const end = (error: AppError | null): void => {
        const ended = { isLoading: false, error };
        if (isFirst && coming.items.length > 0) show(interruptList(coming, error));
        else
          store.setState(({ list: now, freshness }) => ({
            list: now.status === 'loaded' ? now : error ? failed(error) : idle,
            freshness: { ...freshness, ...ended },
            isCanceled: error === null,
          }));
      };
      await listTask.run(
        async (signal) => {
          const events = await api.catalogue.wells({ connection: connection() }, { signal });
          await follow(events, signal, (next, isShown, kind) => {
            coming = next;
            if (isShown && (isFirst || next.freshness.asOf !== null)) show(next);
            if (kind === 'whole' || kind === 'same') onComplete();
          });
        },
        { onDone: () => undefined, onFailed: end, onCanceled: () => end(null) },
      );
    },
    /**
     * Sets the names for sorting by an id.
     * @returns whether they changed
     */
    setNames(current: WellQuery['names']): boolean {
      const hasChanged = names !== current;
      names = current;
      return hasChanged;
    },
    cancel() {
      listTask.cancel();
      filterTask.cancel();
    },
    /** Aborts all tasks. */
    drop() {
      listTask.drop();
      filterTask.drop();
    },
  };
}
