import { createStore, type StoreApi } from 'zustand/vanilla';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { HeldTabs } from '../../../shared/tabs/tabs.ts';
import type { Api } from '../../api/api.ts';
import { follow } from '../../state/follow.ts';
import { keepTab, restoreTab, type TabKinds } from '../tab-kinds/tab-kinds.ts';
import type { Tabs } from '../tabs.ts';
import { createOutbox } from './outbox.ts';
import { watchTabs } from './watching.ts';

/** Remembers, for one window, which tabs were its own: a name without a meaning. */
export interface TabsMemory {
  readonly recall: () => string | null;
  readonly remember: (set: string) => void;
}

export interface KeepingNeeds {
  readonly api: { readonly tabs: Api['tabs']; readonly events: Pick<Api['events'], 'tabs'> };
  readonly connection: string;
  readonly tabs: Tabs;
  readonly kinds: TabKinds;
  readonly memory: TabsMemory;
  /** Told once what this window had is there again, asleep. */
  readonly onRestored: () => void;
  /** Waits, in milliseconds; gives the way to stop it. */
  readonly after: (ms: number, act: () => void) => () => void;
}

export interface Keeping {
  /** Why what is open may not be there after a restart, or what of it was lost before; null: all is kept. */
  readonly store: StoreApi<{ readonly problem: string | null }>;
  readonly actions: {
    /** Brings a tab back that was kept; its face says how that goes. */
    readonly wake: (id: string) => Promise<void>;
    /** The problem was read. */
    readonly dismiss: () => void;
  };
  /** Brings back what this window had, and keeps what is open until the signal aborts. */
  readonly start: (signal: AbortSignal) => void;
  /** Keeps at once what has changed, as when the page is about to go. */
  readonly flush: () => Promise<void>;
}

/** A change is kept so long after it at the earliest, and at the latest, in milliseconds. */
const pause = { quiet: 250, longest: 900, afterFailure: 5000 };
/** Letters in one call; a frame takes four times as many. */
const mostLetters = 4_000_000;

/** Keeps the tabs of a window in main, so that a reload, a crash or a restart brings them back as they were. */
export function createKeeping(needs: KeepingNeeds): Keeping {
  const { api, connection, tabs, kinds, memory, onRestored, after } = needs;
  const store = createStore<{ readonly problem: string | null }>()(() => ({ problem: null }));
  const outbox = createOutbox(mostLetters);
  const dirty = new Set<string>();
  let set: string | null = null;
  let failing = false;
  let waiting: { readonly stop: () => void; readonly since: number } | null = null;
  let sending: Promise<void> | null = null;

  function soon(ms = pause.quiet): void {
    if (set === null) return;
    const now = performance.now();
    const since = waiting?.since ?? now;
    waiting?.stop();
    // Who types without a pause is not left unkept for longer than a second.
    const wait = failing ? pause.afterFailure : Math.max(Math.min(ms, since + pause.longest - now), 0);
    waiting = { since, stop: after(wait, () => void flush()) };
  }

  async function send(): Promise<void> {
    if (set === null) return;
    const { tabs: open, closed, active } = tabs.store.getState();
    const touched = open.filter(({ id }) => dirty.has(id) || !outbox.knows(id));
    const kept = touched.flatMap((tab) => keepTab(kinds, tab) ?? []);
    dirty.clear();
    const ids = { open: open.map(({ id }) => id), closed: closed.map(({ id }) => id), active };
    const parts = outbox.take(ids, [...kept, ...closed.filter(({ id }) => !outbox.knows(id))]);
    if (!parts) return;
    try {
      for (const part of parts) await api.tabs.keep({ connection, set, ...part });
      if (failing) store.setState({ problem: null });
      failing = false;
    } catch (error) {
      // What of it has come to the disk is not known.
      outbox.forget();
      failing = true;
      store.setState({ problem: toAppError(error).message });
      soon();
    }
  }

  async function flush(): Promise<void> {
    waiting?.stop();
    waiting = null;
    if (sending) await sending;
    // Without a wait where nothing is under way: the page may be about to go.
    const mine = send().finally(() => {
      if (sending === mine) sending = null;
    });
    sending = mine;
    return mine;
  }

  function hear({ set: mine, kept, problem }: HeldTabs): void {
    const isNew = set !== mine;
    set = mine;
    memory.remember(mine);
    if (problem !== null) store.setState({ problem });
    // After a link that was lost main may be another one: it is told all again.
    outbox.forget();
    if (isNew) {
      tabs.actions.restore(kept);
      onRestored();
    }
    soon();
  }

  return {
    store,
    start(signal) {
      const stop = watchTabs(tabs, kinds, (id) => {
        if (id !== null) dirty.add(id);
        soon();
      });
      signal.addEventListener('abort', () => {
        stop();
        waiting?.stop();
        set = null;
      });
      const open = () => api.events.tabs({ connection, set: set ?? memory.recall() }, { signal });
      void follow(open, hear, { signal });
    },
    flush,
    actions: {
      async wake(id) {
        const tab = tabs.store.getState().tabs.find((each) => each.id === id);
        if (tab?.kind !== 'asleep' || tab.model.store.getState().waking.face === 'waking') return;
        tab.model.store.setState({ waking: { face: 'waking' } });
        const back = await restoreTab(kinds, tab.model.kept);
        if ('model' in back) tabs.actions.become(id, back);
        else tab.model.store.setState({ waking: back });
      },
      dismiss: () => store.setState({ problem: null }),
    },
  };
}

declare module '../../state/contexts.ts' {
  interface Session {
    readonly keeping: Keeping;
  }
}
