import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../shared/errors/errors.ts';
import { maxClosed, type KeptTab, type KeptTabs, type TabNeighbor } from '../../shared/tabs/tabs.ts';
import type { DatasetTab } from '../features/dataset-tab/dataset-tab.ts';
import type { LiveTab } from '../features/live/live-tab.ts';
import type { QualityTab } from '../features/quality-tab/quality-tab.ts';
import type { QueryTab } from '../features/query/query-tab.ts';
import { hasUnsentFile } from '../features/upload/upload-facts.ts';
import type { UploadTab } from '../features/upload/upload-tab.ts';
import type { Browse } from '../features/wells/browse.ts';
import type { ScopedWell } from '../features/wells/scope.ts';

/**
 * The status of a stored tab. `stored`: not loaded yet; `unreadable`: invalid content; `unknown`: of a newer
 * version.
 */
export type RestoreStatus =
  | { readonly status: 'stored' | 'restoring' | 'unreadable' | 'unknown' }
  | { readonly status: 'failed'; readonly error: AppError };

/** A stored tab that was not loaded yet. Its content stays unchanged if loading fails. */
export interface StoredTab {
  readonly kept: KeptTab;
  readonly store: StoreApi<{ readonly restoration: RestoreStatus }>;
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
  | { readonly kind: 'stored'; readonly title: string; readonly model: StoredTab };

export type Tab = TabContent & {
  readonly id: string;
  /** The user's name for it; null: default. */
  readonly name: string | null;
  /** The wells that are selected while it is shown. */
  readonly scope: readonly ScopedWell[];
};

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
}

const defaults: TabsState = {
  tabs: [],
  active: null,
  neighbor: null,
  openForm: null,
  recent: [],
  closed: [],
};
/** The maximum number of mounted tabs. */
const maxMounted = 4;

export const newTabId = (): string => crypto.randomUUID();

const createStoredTab = (kept: KeptTab): Tab => ({
  kind: 'stored',
  title: kept.title,
  model: {
    kept,
    store: createStore<{ readonly restoration: RestoreStatus }>()(() => ({
      restoration: { status: 'stored' },
    })),
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

/** A tab at the other side of its neighbor. */
const atOtherSide = ({ side }: TabNeighbor, id: string): TabNeighbor => ({
  id,
  side: side === 'left' ? 'right' : 'left',
});

/** The tab with the focus; null: none is open. */
export const activeTab = ({ tabs, active }: Pick<TabsState, 'tabs' | 'active'>): Tab | null =>
  tabs.find(({ id }) => id === active) ?? null;

/** The tabs of one connection. */
export function createTabs({ store: toStored, selectedWells }: TabsDependencies) {
  const store = createStore<TabsState>()(() => defaults);
  const { getState, setState } = store;

  const shown = (id: string | null): Pick<TabsState, 'active' | 'neighbor' | 'recent'> => {
    const { recent, active, neighbor } = getState();
    const others = recent.filter((other) => other !== id);
    return {
      active: id,
      // The two in view stay where they are.
      neighbor: neighbor && id === neighbor.id && active !== null ? atOtherSide(neighbor, active) : neighbor,
      recent: id === null ? [] : [id, ...others].slice(0, maxMounted),
    };
  };

  function closeTabs(closedTabs: readonly Tab[]): void {
    const { tabs, active, neighbor, recent, closed } = getState();
    const stored = closedTabs.flatMap((tab) => toStored(tab) ?? []);
    for (const { model } of closedTabs) model.actions.close();
    const remaining = tabs.filter((tab) => !closedTabs.includes(tab));
    const isOpen = (id: string | undefined) => remaining.some((tab) => tab.id === id);
    const other = neighbor && isOpen(neighbor.id) ? neighbor : null;
    // The neighbor replaces the closed active tab, or else the next tab, or the previous one.
    const at = tabs.findIndex((tab) => closedTabs.includes(tab));
    const next = other?.id ?? remaining[Math.min(at, remaining.length - 1)]?.id ?? null;
    setState({
      tabs: remaining,
      closed: [...closed, ...stored].slice(-maxClosed),
      ...(isOpen(active ?? undefined)
        ? { recent: recent.filter(isOpen), neighbor: other }
        : { ...shown(next), neighbor: null }),
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
      const stored = tab && toStored(tab);
      if (stored) insert(createStoredTab({ ...stored, id: newTabId() }), at + 1);
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
    replaceStored(id: string, content: TabContent): void {
      setState(({ tabs }) => ({
        tabs: tabs.map((tab) => (tab.id === id ? withContent(tab, content) : tab)),
      }));
    },
    /** Inserts stored tabs before open ones. */
    restore({ open, closed, active, neighbor }: KeptTabs): void {
      const { tabs, active: current } = getState();
      const ids = new Set(tabs.map(({ id }) => id));
      const restored = open.filter(({ id }) => !ids.has(id)).map(createStoredTab);
      const isRestored = (id: string | null) => restored.some((tab) => tab.id === id);
      const wanted = current ?? (isRestored(active) ? active : (restored[0]?.id ?? null));
      setState({ tabs: [...restored, ...tabs], closed, ...shown(wanted) });
      if (neighbor && wanted === active && isRestored(neighbor.id)) setState({ neighbor });
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

declare module '../contexts.ts' {
  interface Session {
    readonly tabs: Tabs;
  }
}
