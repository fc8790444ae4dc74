import type { StoreApi } from 'zustand/vanilla';
import type { Api } from '../../api/api.ts';
import { latest } from '../../state/latest.ts';
import { failed, full, idle, loading } from '../../state/loadable.ts';
import { partToAsk, without } from './filter.ts';
import { bringIn } from './list/bring-in.ts';
import type { WellThread } from './list/client.ts';
import { firstInView } from './list/found-wells.ts';
import { scopeOf } from './scope.ts';
import type { WellsState } from './wells-state.ts';

export interface LookingNeeds {
  readonly api: Pick<Api, 'catalogue'>;
  readonly thread: WellThread;
  readonly store: StoreApi<WellsState>;
  readonly now: () => number;
  readonly connection: () => string;
}

/** Looks for the wells that the state asks for: among those listed, or with the service where these don't say. */
export interface Looking {
  /** Among the wells at hand; a newer question silences this one. */
  readonly find: () => void;
  /** After the filter or the list has changed: asks the service where the list can't answer. */
  readonly refilter: () => void;
  /** The names of what the wells are sorted by, where that is an id. True: they are others than before. */
  readonly name: (names: ReadonlyMap<number, string> | undefined) => boolean;
  readonly cancel: () => void;
  /** The next filter is a new one, whatever it is. */
  readonly forget: () => void;
  /** Ends what runs. */
  readonly drop: () => void;
}

export function createLooking({ api, thread, store, now, connection }: LookingNeeds): Looking {
  const answering = latest();
  const finding = latest();
  let names: ReadonlyMap<number, string> | undefined;
  /** The filter that the service was asked for last; empty: none. */
  let lastAsked = '';

  const find = () => {
    const { search, filter, sort, view, list, said, chosen, pinned, recent, found } = store.getState();
    if (list.face !== 'full') return;
    const part = partToAsk(filter, said.fields);
    const only = { all: undefined, pinned, recent: new Set(recent), chosen: new Set(scopeOf(chosen)) }[view];
    const question = {
      text: search,
      filter: part ? without(filter, part.fields) : filter,
      sort,
      ...(names ? { names } : {}),
      ...(only ? { only } : {}),
    };
    const around = found?.inView() ?? firstInView;
    void finding.run(() => thread.find(part ? 'answer' : 'all', question, around), {
      done: (wells) => store.setState({ found: wells }),
      failed: (error) => store.setState({ list: failed(error) }),
      cancelled: () => undefined,
    });
  };

  const refilter = () => {
    const { filter, said, list, answer } = store.getState();
    if (list.face !== 'full') return;
    const part = partToAsk(filter, said.fields);
    const key = part ? JSON.stringify(part.filter) : '';
    if (key === lastAsked && answer.face !== 'failed') return find();
    lastAsked = key;
    answering.drop();
    if (!part) {
      store.setState({ answer: idle });
      return find();
    }
    store.setState({ answer: loading, found: null });
    thread.empty('answer');
    void answering.run(
      async (signal) => {
        const question = { connection: connection(), filter: part.filter };
        await bringIn({
          thread,
          list: 'answer',
          events: await api.catalogue.wells(question, { signal }),
          now,
          signal,
          tell({ count, version }) {
            store.setState({ answer: full({ count, version }) });
            find();
          },
        });
      },
      {
        done: () => undefined,
        failed: (error) => store.setState({ answer: failed(error) }),
        cancelled: () => store.setState({ answer: idle }),
      },
    );
  };

  return {
    find,
    refilter,
    name(known) {
      const others = names !== known;
      names = known;
      return others;
    },
    cancel: answering.cancel,
    forget: () => void (lastAsked = ''),
    drop() {
      answering.drop();
      finding.drop();
    },
  };
}
