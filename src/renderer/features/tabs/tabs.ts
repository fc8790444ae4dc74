import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors/errors.ts';
import {
  maxClosed,
  maxTitleLength,
  type KeptTab,
  type KeptTabs,
  type TabNeighbor,
} from '../../../shared/tabs/tabs.ts';
import type { ScopedWell } from '../../../shared/wells/scope.ts';
import type { TabContent } from './tab-kind.ts';
import { tabTitle } from './tab-title.ts';

/**
 * The status of a stored tab. `stored`: not loaded yet; `unreadable`: invalid content; `unknown`: of a newer
 * version.
 */
export type RestoreStatus =
  | { readonly status: 'stored' | 'restoring' | 'unreadable' | 'unknown' }
  | { readonly status: 'failed'; readonly error: AppError };

interface TabFacts {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  /** The user's name for it; null: default. */
  readonly name: string | null;
  /** The wells that are selected while it is shown. */
  readonly wells: readonly ScopedWell[];
}

/** A tab of any kind. A stored one that was not loaded yet keeps its state unchanged if loading fails. */
export type Tab = TabFacts &
  (
    | { readonly content: TabContent; readonly stored: null }
    | { readonly content: null; readonly stored: RestoreStatus & { readonly state: unknown } }
  );

/** A form that is open for a tab. */
export interface TabForm {
  readonly tab: string;
  readonly form: 'rename' | 'save';
}

export interface TabsState {
  readonly tabs: readonly Tab[];
  /** The tab with the focus, or the last one that had it: commands and the sidebar act on it. */
  readonly active: string | null;
  /** The other tab in view, beside the active one; null: none. */
  readonly neighbor: TabNeighbor | null;
  readonly openForm: TabForm | null;
  /** Recently shown tabs, newest first, which stay mounted. */
  readonly recent: readonly string[];
  /** Closed tabs that can be reopened, the last one last. */
  readonly closed: readonly KeptTab[];
  /** The wells that are selected while no tab is open. */
  readonly wellsWithoutTab: readonly ScopedWell[];
}

const defaults: TabsState = {
  tabs: [],
  active: null,
  neighbor: null,
  openForm: null,
  recent: [],
  closed: [],
  wellsWithoutTab: [],
};
/** The maximum number of mounted tabs. */
const maxMounted = 4;

export const newTabId = (): string => crypto.randomUUID();

const toTab = ({ id, kind, title, name, scope, state }: KeptTab): Tab => ({
  id,
  kind,
  title,
  name,
  wells: scope,
  content: null,
  stored: { status: 'stored', state },
});

/** A tab as it is stored. */
export function toStoredTab(tab: Tab): KeptTab {
  const { id, kind, name, wells } = tab;
  // A title that changes is stored, too: it is shown before the tab is loaded.
  const title = tabTitle({ ...tab, name: null }).slice(0, maxTitleLength);
  const state = tab.content ? tab.content.serialize() : tab.stored.state;
  return { id, kind, title, name, scope: [...wells], state };
}

/** A tab at the other side of its neighbor. */
const atOtherSide = ({ side }: TabNeighbor, id: string): TabNeighbor => ({
  id,
  side: side === 'left' ? 'right' : 'left',
});

/** The tab with the focus; null: none is open. */
export const activeTab = ({ tabs, active }: Pick<TabsState, 'tabs' | 'active'>): Tab | null =>
  tabs.find(({ id }) => id === active) ?? null;

/** The wells of the tab with the focus: the sidebar shows and changes them. */
export const selectedWells = (state: TabsState): readonly ScopedWell[] =>
  activeTab(state)?.wells ?? state.wellsWithoutTab;

/** The other side of a session that follows its tabs. */
export interface TabsFollower {
  /** The current versions of wells. */
  readonly current: (wells: readonly ScopedWell[]) => readonly ScopedWell[];
  /** Other wells are selected: by the user, or with another tab. */
  readonly onWells: () => void;
}

/** The tabs of one connection. */
export function createTabs({ current, onWells }: TabsFollower) {
  const store = createStore<TabsState>()(() => defaults);
  const { getState, setState } = store;

  store.subscribe((now, before) => {
    // Hidden tabs make no requests, and their records are released first.
    for (const { id, content } of now.tabs) content?.setVisible(id === now.active || id === now.neighbor?.id);
    if (selectedWells(now) !== selectedWells(before)) onWells();
  });

  const shown = (id: string | null): Pick<TabsState, 'active' | 'neighbor' | 'recent'> => {
    const { recent, active, neighbor } = getState();
    const otherIds = recent.filter((other) => other !== id);
    return {
      active: id,
      // The two in view stay where they are.
      neighbor: neighbor && id === neighbor.id && active !== null ? atOtherSide(neighbor, active) : neighbor,
      recent: id === null ? [] : [id, ...otherIds].slice(0, maxMounted),
    };
  };

  function closeTabs(closedTabs: readonly Tab[]): void {
    const { tabs, active, neighbor, recent, closed } = getState();
    const stored = closedTabs.map(toStoredTab);
    for (const { content } of closedTabs) content?.close();
    const remaining = tabs.filter((tab) => !closedTabs.includes(tab));
    const isOpen = (id: string | undefined) => remaining.some((tab) => tab.id === id);
    const other = neighbor && isOpen(neighbor.id) ? neighbor : null;
    // The neighbor replaces the closed active tab, or else the next tab, or the previous one.
    const at = tabs.findIndex((tab) => closedTabs.includes(tab));
    const next = other?.id ?? remaining[Math.min(at, remaining.length - 1)]?.id ?? null;
    setState({
      tabs: remaining,
      closed: [...closed, ...stored].slice(-maxClosed),
      wellsWithoutTab: selectedWells(getState()),
      ...(isOpen(active ?? undefined)
        ? { recent: recent.filter(isOpen), neighbor: other }
        : { ...shown(next), neighbor: null }),
    });
  }

  /** Inserts a tab at an index and shows it. */
  function insert(tab: Tab, at: number): void {
    setState({ tabs: getState().tabs.toSpliced(at, 0, tab), ...shown(tab.id) });
  }

  const change = (id: string | null, part: (tab: Tab) => Tab): void =>
    setState(({ tabs }) => ({ tabs: tabs.map((tab) => (tab.id === id ? part(tab) : tab)) }));
  const withWells = (tab: Tab): Tab => {
    const wells = current(tab.wells);
    return wells === tab.wells ? tab : { ...tab, wells };
  };

  const actions = {
    /**
     * Opens a tab at the end, by default with the selected wells.
     * @param content from its kind
     */
    open(
      content: { readonly kind: string; readonly content: TabContent },
      parts: Pick<Tab, 'title'> & Partial<Pick<Tab, 'name' | 'wells'>>,
    ): void {
      const { tabs } = getState();
      const tab = { id: newTabId(), name: null, wells: selectedWells(getState()), stored: null };
      insert({ ...tab, ...content, ...parts }, tabs.length);
    },
    show(id: string): void {
      if (getState().tabs.some((tab) => tab.id === id)) setState(shown(id));
    },
    /** Shows a tab at the right of the active one; null: none, and the tab at the left stays. */
    showBeside(id: string | null): void {
      const { tabs, active, neighbor } = getState();
      if (id === null) setState({ ...(neighbor?.side === 'left' && shown(neighbor.id)), neighbor: null });
      else if (id !== active && tabs.some((tab) => tab.id === id))
        setState({ neighbor: { id, side: 'right' } });
    },
    /** Exchanges the places of the two tabs in view. */
    swapSides: (): void =>
      setState(({ neighbor }) => ({ neighbor: neighbor && atOtherSide(neighbor, neighbor.id) })),
    /** Opens a form for a tab; null: closes it. */
    showForm: (openForm: TabForm | null): void => setState({ openForm }),
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
      closeTabs(getState().tabs.filter((tab) => tab.id !== id && !tab.content?.hasUnsentFile()));
      actions.show(id);
    },
    /** Reopens the last closed tab. */
    reopen(): void {
      const { closed, tabs } = getState();
      const last = closed.at(-1);
      if (!last) return;
      setState({ closed: closed.slice(0, -1) });
      insert(withWells(toTab(last)), tabs.length);
    },
    duplicate(id: string): void {
      const { tabs } = getState();
      const at = tabs.findIndex((tab) => tab.id === id);
      const tab = tabs[at];
      if (tab) insert(toTab({ ...toStoredTab(tab), id: newTabId() }), at + 1);
    },
    /** Null or blank: the default title. */
    rename: (id: string, name: string | null): void =>
      change(id, (tab) => ({ ...tab, name: name?.trim().slice(0, 200) || null })),
    /** Moves a tab to an index among the others. */
    move(id: string, to: number): void {
      const { tabs } = getState();
      const tab = tabs.find((tab) => tab.id === id);
      if (tab) setState({ tabs: tabs.filter((other) => other !== tab).toSpliced(Math.max(to, 0), 0, tab) });
    },
    /** Selects wells for a tab, by default for the active one; null: for the next one. */
    selectWells(wells: readonly ScopedWell[], of = getState().active): void {
      if (of === null) return setState({ wellsWithoutTab: wells });
      change(of, (tab) => (tab.wells === wells ? tab : { ...tab, wells }));
      if (of === getState().active) activeTab(getState())?.content?.onWellsSelected();
    },
    /** Replaces the wells of all tabs by their current versions. */
    updateWells: (): void =>
      setState(({ tabs, wellsWithoutTab }) => ({
        tabs: tabs.map(withWells),
        wellsWithoutTab: current(wellsWithoutTab),
      })),
    /** Replaces a stored tab by the loaded one. */
    load: (id: string, content: TabContent): void => change(id, (tab) => ({ ...tab, content, stored: null })),
    /** The progress of loading a stored tab. */
    setRestoreStatus: (id: string, status: RestoreStatus): void =>
      change(id, (tab) => (tab.stored ? { ...tab, stored: { ...status, state: tab.stored.state } } : tab)),
    /** Inserts stored tabs before open ones. */
    restore({ open, closed, active, neighbor }: KeptTabs): void {
      const { tabs, active: shownId } = getState();
      const ids = new Set(tabs.map(({ id }) => id));
      const restored = open.filter(({ id }) => !ids.has(id)).map((kept) => withWells(toTab(kept)));
      const isRestored = (id: string | null) => restored.some((tab) => tab.id === id);
      const wanted = shownId ?? (isRestored(active) ? active : (restored[0]?.id ?? null));
      setState({ tabs: [...restored, ...tabs], closed, ...shown(wanted) });
      if (neighbor && wanted === active && isRestored(neighbor.id)) setState({ neighbor });
    },
    /** Closes all tabs without adding them to the closed ones. */
    closeAll(): void {
      for (const { content } of getState().tabs) content?.close();
      setState(defaults);
    },
  };
  return { store, actions };
}

export type Tabs = ReturnType<typeof createTabs>;
