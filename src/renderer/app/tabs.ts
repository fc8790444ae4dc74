import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../shared/errors/errors.ts';
import { mostClosed, type KeptTab, type KeptTabs } from '../../shared/tabs/tabs.ts';
import type { DatasetTab } from '../features/datasets/dataset-tab.ts';
import type { LiveTab } from '../features/live/live-tab.ts';
import type { QueryTab } from '../features/query/query-tab.ts';
import type { UploadTab } from '../features/upload/upload-tab.ts';
import type { Browse } from '../features/wells/browse.ts';
import type { ScopedWell } from '../features/wells/scope.ts';

/**
 * How far a kept tab is on its way back. `asleep`: nobody has looked at it yet; `unreadable`: what was kept is not what
 * its kind can read; `unknown`: its kind is not known here, a newer version made it.
 */
export type Waking =
  | { readonly status: 'asleep' | 'waking' | 'unreadable' | 'unknown' }
  | { readonly status: 'failed'; readonly error: AppError };

/**
 * A tab that was kept and has not been looked at since: no more than what was kept, which stays as it is however often
 * it can't be brought back.
 */
export interface AsleepTab {
  readonly kept: KeptTab;
  readonly store: StoreApi<{ readonly waking: Waking }>;
  readonly actions: { readonly close: () => void };
}

/** What a tab holds; `kept-tabs.ts` says how further kinds are kept. */
export type TabContent =
  | { readonly kind: 'query'; readonly title: string; readonly model: QueryTab }
  | { readonly kind: 'dataset'; readonly title: string; readonly model: DatasetTab }
  | { readonly kind: 'upload'; readonly title: string; readonly model: UploadTab }
  | { readonly kind: 'live'; readonly title: string; readonly model: LiveTab }
  | { readonly kind: 'browse'; readonly title: string; readonly model: Browse }
  | { readonly kind: 'asleep'; readonly title: string; readonly model: AsleepTab };

/** A tab of the window. */
export type Tab = TabContent & {
  readonly id: string;
  /** What the person calls it; null: what it holds says how it is called. */
  readonly name: string | null;
  /** The wells that are chosen while it is shown. */
  readonly scope: readonly ScopedWell[];
};

export interface TabsState {
  readonly tabs: readonly Tab[];
  readonly active: string | null;
  /** A second one shown at the right of the active one, to compare; null: none. */
  readonly beside: string | null;
  /** Those shown last, the newest first: they stay drawn, scrolled and with their undo. All others are cheap. */
  readonly recent: readonly string[];
  /** What can be opened again, the last closed last. */
  readonly closed: readonly KeptTab[];
}

const defaults: TabsState = { tabs: [], active: null, beside: null, recent: [], closed: [] };
/** So many tabs stay drawn. */
const mostDrawn = 4;

export const newTabId = (): string => crypto.randomUUID();

const asleep = (kept: KeptTab): Tab => ({
  kind: 'asleep',
  title: kept.title,
  model: {
    kept,
    store: createStore<{ readonly waking: Waking }>()(() => ({ waking: { status: 'asleep' } })),
    actions: { close: () => undefined },
  },
  id: kept.id,
  name: kept.name,
  scope: kept.scope,
});

export interface TabsNeeds {
  /** What is kept of a tab; null: nothing, so it can't be opened again. */
  readonly keep: (tab: Tab) => KeptTab | null;
  /** The wells that are chosen now. */
  readonly chosen: () => readonly ScopedWell[];
}

/** The tabs of one connection and which of them is shown. */
export function createTabs({ keep, chosen }: TabsNeeds) {
  const store = createStore<TabsState>()(() => defaults);
  const { getState, setState } = store;

  const shown = (id: string | null): Pick<TabsState, 'active' | 'beside' | 'recent'> => {
    const { recent, active, beside } = getState();
    const others = recent.filter((each) => each !== id);
    return {
      active: id,
      // Two tabs beside one another change places when the other one is shown.
      beside: id !== null && id === beside ? active : beside,
      recent: id === null ? [] : [id, ...others].slice(0, mostDrawn),
    };
  };

  function closeThese(gone: readonly Tab[]): void {
    const { tabs, active, closed } = getState();
    const kept = gone.flatMap((tab) => keep(tab) ?? []);
    for (const { model } of gone) model.actions.close();
    const left = tabs.filter((tab) => !gone.includes(tab));
    // The neighbour takes the place of a shown tab: the next one, or else the one before.
    const at = tabs.findIndex((tab) => gone.includes(tab));
    const next = left[Math.min(at, left.length - 1)]?.id ?? null;
    const stays = left.some(({ id }) => id === active);
    const { beside } = getState();
    setState({
      tabs: left,
      closed: [...closed, ...kept].slice(-mostClosed),
      ...(stays
        ? { recent: getState().recent.filter((id) => left.some((tab) => tab.id === id)) }
        : shown(next)),
      // Neither one that is gone nor the one that is shown now.
      beside: left.some(({ id }) => id === beside) && (stays || next !== beside) ? beside : null,
    });
  }

  /** Puts a tab in at a place and shows it. */
  function insert(tab: Tab, at: number): void {
    setState({ tabs: getState().tabs.toSpliced(at, 0, tab), ...shown(tab.id) });
  }

  const change = (id: string, part: Pick<Tab, 'name'> | Pick<Tab, 'scope'>): void =>
    setState(({ tabs }) => ({ tabs: tabs.map((tab) => (tab.id === id ? { ...tab, ...part } : tab)) }));

  const actions = {
    /** Opens a tab at the end and shows it; the wells that are chosen now are its own. */
    open(content: TabContent, own: Partial<Pick<Tab, 'name' | 'scope'>> = {}): void {
      insert({ ...content, id: newTabId(), name: null, scope: chosen(), ...own }, getState().tabs.length);
    },
    show(id: string): void {
      if (getState().tabs.some((tab) => tab.id === id)) setState(shown(id));
    },
    /** Shows another one beside the active one; null: none any more. */
    showBeside(id: string | null): void {
      const { tabs, active } = getState();
      const other = id !== active && tabs.some((tab) => tab.id === id);
      setState({ beside: other ? id : null });
    },
    /** Shows the one so many places on, round the ends. */
    showNext(by: 1 | -1): void {
      const { tabs, active } = getState();
      const at = tabs.findIndex(({ id }) => id === active);
      const next = tabs.at((at + by) % tabs.length);
      if (next) setState(shown(next.id));
    },
    /** Asks nothing: what is closed can be opened again. */
    close: (id: string): void => closeThese(getState().tabs.filter((tab) => tab.id === id)),
    closeOthers(id: string): void {
      closeThese(getState().tabs.filter((tab) => tab.id !== id));
      actions.show(id);
    },
    /** Opens the tab that was closed last. */
    reopen(): void {
      const { closed, tabs } = getState();
      const last = closed.at(-1);
      if (!last) return;
      setState({ closed: closed.slice(0, -1) });
      insert(asleep(last), tabs.length);
    },
    duplicate(id: string): void {
      const { tabs } = getState();
      const at = tabs.findIndex((tab) => tab.id === id);
      const tab = tabs[at];
      const kept = tab && keep(tab);
      if (kept) insert(asleep({ ...kept, id: newTabId() }), at + 1);
    },
    /** Null or blank: the tab is called by what it holds again. */
    rename: (id: string, name: string | null): void =>
      change(id, { name: name?.trim().slice(0, 200) || null }),
    /** Puts a tab at a place among the others, counted from 0. */
    move(id: string, to: number): void {
      const { tabs } = getState();
      const tab = tabs.find((each) => each.id === id);
      if (tab) setState({ tabs: tabs.filter((each) => each !== tab).toSpliced(Math.max(to, 0), 0, tab) });
    },
    /** The wells that are chosen now belong to the tab in view. */
    scope(wells: readonly ScopedWell[]): void {
      const { tabs, active } = getState();
      const tab = tabs.find(({ id }) => id === active);
      if (tab && tab.scope !== wells) change(tab.id, { scope: wells });
    },
    /** What was kept of a tab has become the tab itself. */
    become(id: string, content: TabContent): void {
      setState(({ tabs }) => ({
        tabs: tabs.map((tab) => (tab.id === id ? withContent(tab, content) : tab)),
      }));
    },
    /** Puts tabs that were kept before those that are open already. */
    restore({ open, closed, active }: KeptTabs): void {
      const { tabs, active: here } = getState();
      const ids = new Set(tabs.map(({ id }) => id));
      const restored = open.filter(({ id }) => !ids.has(id)).map(asleep);
      const wanted = here ?? (restored.some(({ id }) => id === active) ? active : (restored[0]?.id ?? null));
      setState({ tabs: [...restored, ...tabs], closed, ...shown(wanted) });
    },
    /** Lets all go at once; nothing of it is kept among the closed ones. */
    closeAll(): void {
      for (const { model } of getState().tabs) model.actions.close();
      setState(defaults);
    },
  };
  return { store, actions };
}

export type Tabs = ReturnType<typeof createTabs>;

const withContent = ({ id, name, scope }: Tab, content: TabContent): Tab => ({ ...content, id, name, scope });

declare module '../state/contexts.ts' {
  interface Session {
    readonly tabs: Tabs;
  }
}
