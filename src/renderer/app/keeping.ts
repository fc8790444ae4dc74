import { createStore } from 'zustand/vanilla';
import { toAppError } from '../../shared/errors/errors.ts';
import type { HeldTabs } from '../../shared/tabs/tabs.ts';
import type { Api } from '../api/api.ts';
import { followStream } from '../state/follow-stream.ts';
import { keepTab, restoreTab, watchTab, type TabMakers } from './kept-tabs.ts';
import { createOutbox } from './outbox.ts';
import type { Tab, Tabs } from './tabs.ts';

export interface KeepingNeeds {
  readonly api: { readonly tabs: Api['tabs']; readonly events: Pick<Api['events'], 'tabs'> };
  readonly connection: string;
  readonly tabs: Tabs;
  readonly make: TabMakers;
  /** Remembers, for one window, which tabs were its own: a name without a meaning. */
  readonly memory: { readonly recall: () => string | null; readonly remember: (set: string) => void };
  /** Told once what this window had is there again, asleep. */
  readonly onRestored: () => void;
  /** Waits, in milliseconds; gives the way to stop it. */
  readonly after: (ms: number, act: () => void) => () => void;
}

/** Calls back with each tab that may have changed: a new one, another in its place, or one that was typed into. */
function watchTabs(tabs: Tabs, touched: (id: string | null) => void): () => void {
  const watches = new Map<Tab['model'], () => void>();
  function watchAll(open: readonly Tab[]): void {
    const models = new Set(open.map(({ model }) => model));
    for (const [model, stop] of watches) {
      if (models.has(model)) continue;
      stop();
      watches.delete(model);
    }
    for (const tab of open)
      if (!watches.has(tab.model))
        watches.set(
          tab.model,
          watchTab(tab, () => touched(tab.id)),
        );
  }
  watchAll(tabs.store.getState().tabs);
  const stop = tabs.store.subscribe((now, before) => {
    if (now.tabs !== before.tabs) {
      watchAll(now.tabs);
      const known = new Set(before.tabs);
      for (const tab of now.tabs) if (!known.has(tab)) touched(tab.id);
    }
    touched(null);
  });
  return () => {
    stop();
    for (const stopWatch of watches.values()) stopWatch();
  };
}

/** A change is kept so long after it at the earliest, and at the latest, in milliseconds. */
const pause = { quiet: 250, longest: 900, afterFailure: 5000 };
/** Letters in one call; a frame takes four times as many. */
const mostLetters = 4_000_000;

/** Keeps the tabs of a window in main, so that a reload, a crash or a restart brings them back as they were. */
export function createKeeping(needs: KeepingNeeds) {
  const { api, connection, tabs, make, memory, onRestored, after } = needs;
  /** Why what is open may not be there after a restart, or what of it was lost before; null: all is kept. */
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
    const kept = touched.flatMap((tab) => keepTab(tab) ?? []);
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
    /** Brings back what this window had, and keeps what is open until the signal aborts. */
    start(signal: AbortSignal): void {
      const stop = watchTabs(tabs, (id) => {
        if (id !== null) dirty.add(id);
        soon();
      });
      signal.addEventListener('abort', () => {
        stop();
        waiting?.stop();
        set = null;
      });
      const open = () => api.events.tabs({ connection, set: set ?? memory.recall() }, { signal });
      void followStream(open, hear, { signal });
    },
    /** Keeps at once what has changed, as when the page is about to go. */
    flush,
    actions: {
      /** Brings a tab back that was kept; its face says how that goes. */
      async wake(id: string): Promise<void> {
        const tab = tabs.store.getState().tabs.find((each) => each.id === id);
        if (tab?.kind !== 'asleep' || tab.model.store.getState().waking.status === 'waking') return;
        tab.model.store.setState({ waking: { status: 'waking' } });
        const back = await restoreTab(make, tab.model.kept);
        if ('model' in back) tabs.actions.become(id, back);
        else tab.model.store.setState({ waking: back });
      },
      /** The problem was read. */
      dismiss: () => store.setState({ problem: null }),
    },
  };
}

export type Keeping = ReturnType<typeof createKeeping>;

declare module '../state/contexts.ts' {
  interface Session {
    readonly keeping: Keeping;
  }
}
