import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../shared/errors/errors.ts';
import { maxClosed, type KeptTab, type KeptTabs } from '../../shared/tabs/tabs.ts';
import type { DatasetTab } from '../features/datasets/dataset-tab.ts';
import type { LiveTab } from '../features/live/live-tab.ts';
import type { QualityTab } from '../features/quality/quality-tab.ts';
import type { QueryTab } from '../features/query/query-tab.ts';
import { hasUnsentFile } from '../features/upload/upload-facts.ts';
import type { UploadTab } from '../features/upload/upload-tab.ts';
import type { Browse } from '../features/wells/browse.ts';
import type { ScopedWell } from '../features/wells/scope.ts';

/**
 * The status of a stored tab. `asleep`: not loaded yet; `unreadable`: invalid content; `unknown`: of a newer
 * version.
 */
export type RestoreStatus =
  | { readonly status: 'asleep' | 'waking' | 'unreadable' | 'unknown' }
  | { readonly status: 'failed'; readonly error: AppError };

/** A stored tab that was not loaded yet. Its content stays unchanged if loading fails. */
export interface StoredTab {
  readonly kept: KeptTab;
  readonly store: StoreApi<{ readonly waking: RestoreStatus }>;
  readonly actions: { readonly close: () => void };
}

/** The content of a tab; `stored-tabs.ts` stores it. */
export type TabContent =
  | { readonly kind: 'query'; readonly title: string; readonly model: QueryTab }
  | { readonly kind: 'dataset'; readonly title: string; readonly model: DatasetTab }
  | { readonly kind: 'upload'; readonly title: string; readonly model: UploadTab }
  | { readonly kind: 'live'; readonly title: string; readonly model: LiveTab }
  | { readonly kind: 'quality'; readonly title: string; readonly model: QualityTab }
  | { readonly kind: 'browse'; readonly title: string; readonly model: Browse }
  | { readonly kind: 'asleep'; readonly title: string; readonly model: StoredTab };

export type Tab = TabContent & {
  readonly id: string;
  /** The user's name for it; null: default. */
  readonly name: string | null;
  /** The wells that are selected while it is shown. */
  readonly scope: readonly ScopedWell[];
};

export interface TabsState {
  readonly tabs: readonly Tab[];
  readonly active: string | null;
  /** A second tab beside the active one; null: none. */
  readonly secondTab: string | null;
  /** Recently shown tabs, newest first, which stay mounted. */
  readonly recent: readonly string[];
  /** Closed tabs that can be reopened, the last one last. */
  readonly closed: readonly KeptTab[];
}

const defaults: TabsState = { tabs: [], active: null, secondTab: null, recent: [], closed: [] };
/** The maximum number of mounted tabs. */
const maxMounted = 4;

export const newTabId = (): string => crypto.randomUUID();

const createStoredTab = (kept: KeptTab): Tab => ({
  kind: 'asleep',
  title: kept.title,
  model: {
    kept,
    store: createStore<{ readonly waking: RestoreStatus }>()(() => ({ waking: { status: 'asleep' } })),
    actions: { close: () => undefined },
  },
  id: kept.id,
  name: kept.name,
  scope: kept.scope,
});

export interface TabsDependencies {
  /** The stored form of a tab; null: it can't be reopened. */
  readonly store: (tab: Tab) => KeptTab | null;
  /** The currently selected wells. */
  readonly selectedWells: () => readonly ScopedWell[];
}

const isUnsentUpload = (tab: Tab): boolean =>
  tab.kind === 'upload' && hasUnsentFile(tab.model.store.getState());

/** The tabs of one connection. */
export function createTabs({ store: keep, selectedWells }: TabsDependencies) {
  const store = createStore<TabsState>()(() => defaults);
  const { getState, setState } = store;

  const shown = (id: string | null): Pick<TabsState, 'active' | 'secondTab' | 'recent'> => {
    const { recent, active, secondTab } = getState();
    const others = recent.filter((each) => each !== id);
    return {
      active: id,
      // If the second tab becomes active, the two change places.
      secondTab: id !== null && id === secondTab ? active : secondTab,
      recent: id === null ? [] : [id, ...others].slice(0, maxMounted),
    };
  };

  function closeTabs(closedTabs: readonly Tab[]): void {
    const { tabs, active, closed } = getState();
    const kept = closedTabs.flatMap((tab) => keep(tab) ?? []);
    for (const { model } of closedTabs) model.actions.close();
    const left = tabs.filter((tab) => !closedTabs.includes(tab));
    // The next tab replaces a closed one, or else the previous one.
    const at = tabs.findIndex((tab) => closedTabs.includes(tab));
    const next = left[Math.min(at, left.length - 1)]?.id ?? null;
    const stays = left.some(({ id }) => id === active);
    const { secondTab } = getState();
    setState({
      tabs: left,
      closed: [...closed, ...kept].slice(-maxClosed),
      ...(stays
        ? { recent: getState().recent.filter((id) => left.some((tab) => tab.id === id)) }
        : shown(next)),
      // Neither a closed tab nor the active one.
      secondTab: left.some(({ id }) => id === secondTab) && (stays || next !== secondTab) ? secondTab : null,
    });
  }

  /** Inserts a tab at an index and shows it. */
  function insert(tab: Tab, at: number): void {
    setState({ tabs: getState().tabs.toSpliced(at, 0, tab), ...shown(tab.id) });
  }

  const change = (id: string, part: Pick<Tab, 'name'> | Pick<Tab, 'scope'>): void =>
    setState(({ tabs }) => ({ tabs: tabs.map((tab) => (tab.id === id ? { ...tab, ...part } : tab)) }));

  const actions = {
    /** Opens a tab at the end with the selected wells. */
    open(content: TabContent, own: Partial<Pick<Tab, 'name' | 'scope'>> = {}): void {
      insert(
        { ...content, id: newTabId(), name: null, scope: selectedWells(), ...own },
        getState().tabs.length,
      );
    },
    show(id: string): void {
      if (getState().tabs.some((tab) => tab.id === id)) setState(shown(id));
    },
    /** Shows a second tab beside the active one; null: none. */
    showBeside(id: string | null): void {
      const { tabs, active } = getState();
      const other = id !== active && tabs.some((tab) => tab.id === id);
      setState({ secondTab: other ? id : null });
    },
    /** Shows the tab at an offset, wrapping around. */
    showNext(by: 1 | -1): void {
      const { tabs, active } = getState();
      const at = tabs.findIndex(({ id }) => id === active);
      const next = tabs.at((at + by) % tabs.length);
      if (next) setState(shown(next.id));
    },
    /** No confirmation: closed tabs can be reopened. */
    close: (id: string): void => closeTabs(getState().tabs.filter((tab) => tab.id === id)),
    /** Uploads whose rows aren't sent yet stay: the user closes each of them individually. */
    closeOthers(id: string): void {
      closeTabs(getState().tabs.filter((tab) => tab.id !== id && !isUnsentUpload(tab)));
      actions.show(id);
    },
    /** Reopens the last closed tab. */
    reopen(): void {
      const { closed, tabs } = getState();
      const last = closed.at(-1);
      if (!last) return;
      setState({ closed: closed.slice(0, -1) });
      insert(createStoredTab(last), tabs.length);
    },
    duplicate(id: string): void {
      const { tabs } = getState();
      const at = tabs.findIndex((tab) => tab.id === id);
      const tab = tabs[at];
      const kept = tab && keep(tab);
      if (kept) insert(createStoredTab({ ...kept, id: newTabId() }), at + 1);
    },
    /** Null or blank: the default title. */
    rename: (id: string, name: string | null): void =>
      change(id, { name: name?.trim().slice(0, 200) || null }),
    /** Moves a tab to an index among the others. */
    move(id: string, to: number): void {
      const { tabs } = getState();
      const tab = tabs.find((each) => each.id === id);
      if (tab) setState({ tabs: tabs.filter((each) => each !== tab).toSpliced(Math.max(to, 0), 0, tab) });
    },
    /** Sets a tab's wells, by default the active one's. */
    scope(wells: readonly ScopedWell[], of = getState().active): void {
      const tab = getState().tabs.find(({ id }) => id === of);
      if (tab && tab.scope !== wells) change(tab.id, { scope: wells });
    },
    /** Replaces a stored tab by the loaded one. */
    become(id: string, content: TabContent): void {
      setState(({ tabs }) => ({
        tabs: tabs.map((tab) => (tab.id === id ? withContent(tab, content) : tab)),
      }));
    },
    /** Inserts stored tabs before open ones. */
    restore({ open, closed, active }: KeptTabs): void {
      const { tabs, active: here } = getState();
      const ids = new Set(tabs.map(({ id }) => id));
      const restored = open.filter(({ id }) => !ids.has(id)).map(createStoredTab);
      const wanted = here ?? (restored.some(({ id }) => id === active) ? active : (restored[0]?.id ?? null));
      setState({ tabs: [...restored, ...tabs], closed, ...shown(wanted) });
    },
    /** Closes all tabs without adding them to the closed ones. */
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
