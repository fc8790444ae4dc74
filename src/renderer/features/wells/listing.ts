import type { StoreApi } from 'zustand/vanilla';
import type { LongCatalogueEvent } from '../../../shared/catalogue/catalogue.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import { wellsIn } from '../../../shared/wells/packed-wells.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import type { Api } from '../../api/api.ts';
import { emptyLoadingList, interruptList, applyEvent, type StreamedList } from '../../state/streamed-list.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { failed, loaded, idle, loading } from '../../state/loadable.ts';
import { createRenderThrottle } from '../../state/render-throttle.ts';
import { partToAsk, without } from './filter.ts';
import { scopeOf } from './scope.ts';
import { WellIndex, type WellQuestion } from './well-index.ts';
import type { WellsState } from './wells-state.ts';

export interface ListingNeeds {
  readonly api: Pick<Api, 'catalogue'>;
  readonly store: StoreApi<WellsState>;
  /** A clock, in milliseconds. */
  readonly now: () => number;
  readonly connection: () => string;
  /** All wells have come: what is known of single ones may be another. */
  readonly onWhole: () => void;
}

/**
 * Loads the wells of a connection, those kept at once and then what the service says, and finds those that the state
 * asks for: among the wells that are listed, or by the service where these don't say what a filter asks.
 */
export function createListing({ api, store, now, connection, onWhole }: ListingNeeds) {
  const loadingList = createLatestTask();
  const answering = createLatestTask();
  let names: WellQuestion['names'];
  /** The filter that the service was asked for last; empty: none. */
  let lastAsked = '';

  const find = (): void => {
    const { search, filter, sort, view, list, said, answer, chosen, pinned, recent } = store.getState();
    if (list.status !== 'loaded') return;
    const part = partToAsk(filter, said.fields);
    const index = part ? (answer.status === 'loaded' ? answer.value : null) : list.value;
    const only = { all: undefined, pinned, recent: new Set(recent), chosen: new Set(scopeOf(chosen)) }[view];
    const question = {
      text: search,
      filter: part ? without(filter, part.fields) : filter,
      sort,
      ...(names ? { names } : {}),
      ...(only ? { only } : {}),
    };
    store.setState({ found: index?.find(question) ?? null });
  };

  /** After the filter or the list has changed: asks the service where the list can't answer. */
  const refilter = (): void => {
    const { filter, said, list, answer } = store.getState();
    if (list.status !== 'loaded') return;
    const part = partToAsk(filter, said.fields);
    const key = part ? JSON.stringify(part.filter) : '';
    if (key === lastAsked && answer.status !== 'failed') return find();
    lastAsked = key;
    answering.drop();
    if (!part) {
      store.setState({ answer: idle });
      return find();
    }
    store.setState({ answer: loading, found: null });
    void answering.run(
      async (signal) => {
        const events = await api.catalogue.wells(
          { connection: connection(), filter: part.filter },
          { signal },
        );
        await follow(events, signal, ({ items }, isShown) => {
          if (!isShown) return;
          store.setState({ answer: loaded(new WellIndex(items)) });
          find();
        });
      },
      {
        onDone: () => undefined,
        onFailed: (error) => store.setState({ answer: failed(error) }),
        onCanceled: () => store.setState({ answer: idle }),
      },
    );
  };

  /** Tells how far a list has come with each event, and whether it is time to show that. */
  async function follow(
    events: AsyncIterable<LongCatalogueEvent>,
    signal: AbortSignal,
    tell: (list: StreamedList<Well>, isShown: boolean, kind: LongCatalogueEvent['kind']) => void,
  ): Promise<void> {
    let list: StreamedList<Well> = emptyLoadingList;
    const isShown = createRenderThrottle(now);
    for await (const event of events) {
      if (signal.aborted) return;
      list = applyEvent(list, event.kind === 'items' ? { ...event, items: wellsIn(event.text) } : event);
      tell(list, isShown(event), event.kind);
    }
  }

  function show({ items, freshness }: StreamedList<Well>): void {
    const { list } = store.getState();
    store.setState({ freshness });
    const hasOthers = list.status !== 'loaded' || list.value.wells !== items;
    if (!hasOthers || (items.length === 0 && freshness.isLoading)) return;
    const index = new WellIndex(items);
    store.setState({ list: loaded(index), said: index.said });
    refilter();
  }

  return {
    find,
    refilter,
    async load(): Promise<void> {
      lastAsked = '';
      const { list } = store.getState();
      // Wells that are seen already stay until all of the new ones are there.
      const isFirst = list.status !== 'loaded' || list.value.count === 0;
      if (isFirst) store.setState({ list: loading });
      store.setState(({ freshness }) => ({ freshness: { ...freshness, isLoading: true, error: null } }));
      let coming: StreamedList<Well> = emptyLoadingList;
      /** It broke off: what has come stands, unless there is a list before it that is whole. */
      const end = (error: AppError | null): void => {
        const ended = { asking: false, error };
        if (isFirst && coming.items.length > 0) show(interruptList(coming, error));
        else
          store.setState(({ list: now, freshness }) => ({
            list: now.status === 'loaded' ? now : error ? failed(error) : idle,
            freshness: { ...freshness, ...ended },
          }));
      };
      await loadingList.run(
        async (signal) => {
          const events = await api.catalogue.wells({ connection: connection() }, { signal });
          await follow(events, signal, (next, isShown, kind) => {
            coming = next;
            if (isShown && (isFirst || next.freshness.asOf !== null)) show(next);
            if (kind === 'whole' || kind === 'same') onWhole();
          });
        },
        { onDone: () => undefined, onFailed: end, onCanceled: () => end(null) },
      );
    },
    /** Takes the names of what the wells are sorted by, where that is an id. True: they are others than before. */
    name(known: WellQuestion['names']): boolean {
      const areOthers = names !== known;
      names = known;
      return areOthers;
    },
    cancel() {
      loadingList.cancel();
      answering.cancel();
    },
    /** Ends what runs. */
    drop() {
      loadingList.drop();
      answering.drop();
    },
  };
}
