import { createStore } from 'zustand/vanilla';
import { mostClosed, type KeptTab, type KeptTabs } from '../../shared/tabs/tabs.ts';
import type { DatasetTab } from '../features/datasets/dataset-tab.ts';
import type { LiveTab } from '../features/live/live-tab.ts';
import type { QueryTab } from '../features/query/query-tab.ts';
import type { UploadTab } from '../features/upload/upload-tab.ts';
import type { Browse } from '../features/wells/browse.ts';
import type { ScopedWell } from '../features/wells/scope.ts';
import type { Feature } from '../state/feature.ts';
import { createAsleep, type AsleepTab } from './tab-kinds/asleep.ts';

/** What a tab holds; further kinds join the union, and `tab-kinds/` says how they are kept. */
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

export interface TabsActions {
  /** Opens a tab at the end and shows it; the wells that are chosen now are its own. */
  readonly open: (tab: TabContent, own?: Partial<Pick<Tab, 'name' | 'scope'>>) => void;
  readonly show: (id: string) => void;
  /** Shows another one beside the active one; null: none any more. */
  readonly showBeside: (id: string | null) => void;
  /** Shows the one so many places on, round the ends. */
  readonly showNext: (by: 1 | -1) => void;
  /** Asks nothing: what is closed can be opened again. */
  readonly close: (id: string) => void;
  readonly closeOthers: (id: string) => void;
  /** Opens the tab that was closed last. */
  readonly reopen: () => void;
  readonly duplicate: (id: string) => void;
  /** Null or blank: the tab is called by what it holds again. */
  readonly rename: (id: string, name: string | null) => void;
  /** Puts a tab at a place among the others, counted from 0. */
  readonly move: (id: string, to: number) => void;
  /** The wells that are chosen now belong to the tab in view. */
  readonly scope: (wells: readonly ScopedWell[]) => void;
  /** What was kept of a tab has become the tab itself. */
  readonly become: (id: string, content: TabContent) => void;
  /** Puts tabs that were kept before those that are open already. */
  readonly restore: (kept: KeptTabs) => void;
  /** Lets all go at once; nothing of it is kept among the closed ones. */
  readonly closeAll: () => void;
}

export type Tabs = Feature<TabsState, TabsActions>;

const defaults: TabsState = { tabs: [], active: null, beside: null, recent: [], closed: [] };
/** So many tabs stay drawn. */
const mostDrawn = 4;

export const newTabId = (): string => crypto.randomUUID();

const asleep = (kept: KeptTab): Tab => ({
  kind: 'asleep',
  title: kept.title,
  model: createAsleep(kept),
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
export function createTabs({ keep, chosen }: TabsNeeds): Tabs {
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

  const actions: TabsActions = {
    open(content, own = {}) {
      insert({ ...content, id: newTabId(), name: null, scope: chosen(), ...own }, getState().tabs.length);
    },
    show(id) {
      if (getState().tabs.some((tab) => tab.id === id)) setState(shown(id));
    },
    showBeside(id) {
      const { tabs, active } = getState();
      const other = id !== active && tabs.some((tab) => tab.id === id);
      setState({ beside: other ? id : null });
    },
    showNext(by) {
      const { tabs, active } = getState();
      const at = tabs.findIndex(({ id }) => id === active);
      const next = tabs.at((at + by) % tabs.length);
      if (next) setState(shown(next.id));
    },
    close: (id) => closeThese(getState().tabs.filter((tab) => tab.id === id)),
    closeOthers(id) {
      closeThese(getState().tabs.filter((tab) => tab.id !== id));
      actions.show(id);
    },
    reopen() {
      const { closed, tabs } = getState();
      const last = closed.at(-1);
      if (!last) return;
      setState({ closed: closed.slice(0, -1) });
      insert(asleep(last), tabs.length);
    },
    duplicate(id) {
      const { tabs } = getState();
      const at = tabs.findIndex((tab) => tab.id === id);
      const tab = tabs[at];
      const kept = tab && keep(tab);
      if (kept) insert(asleep({ ...kept, id: newTabId() }), at + 1);
    },
    rename: (id, name) => change(id, { name: name?.trim().slice(0, 200) || null }),
    move(id, to) {
      const { tabs } = getState();
      const tab = tabs.find((each) => each.id === id);
      if (tab) setState({ tabs: tabs.filter((each) => each !== tab).toSpliced(Math.max(to, 0), 0, tab) });
    },
    scope(wells) {
      const { tabs, active } = getState();
      const tab = tabs.find(({ id }) => id === active);
      if (tab && tab.scope !== wells) change(tab.id, { scope: wells });
    },
    become(id, content) {
      setState(({ tabs }) => ({
        tabs: tabs.map((tab) => (tab.id === id ? withContent(tab, content) : tab)),
      }));
    },
    restore({ open, closed, active }) {
      const { tabs, active: here } = getState();
      const ids = new Set(tabs.map(({ id }) => id));
      const restored = open.filter(({ id }) => !ids.has(id)).map(asleep);
      const wanted = here ?? (restored.some(({ id }) => id === active) ? active : (restored[0]?.id ?? null));
      setState({ tabs: [...restored, ...tabs], closed, ...shown(wanted) });
    },
    closeAll() {
      for (const { model } of getState().tabs) model.actions.close();
      setState(defaults);
    },
  };
  return { store, actions };
}

/** The tab with something else in it. */
const withContent = ({ id, name, scope }: Tab, content: TabContent): Tab => ({ ...content, id, name, scope });

declare module '../state/contexts.ts' {
  interface Session {
    readonly tabs: Tabs;
  }
}
