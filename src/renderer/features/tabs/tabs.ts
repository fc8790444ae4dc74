import { tabTitle } from './tab-title.ts';
import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors/errors.ts';
import {
  maxClosed,
  maxTitleLength,
  type KeptTab,
  type KeptTabs,
  type TabNeighbor,
} from '../../../shared/tabs/tabs.ts';
import type { ScopedWell } from '../../../shared/wells/wells.ts';
import { words } from '../../words/words.ts';
import type { TabContent } from './tab-kind.ts';

/** `stored`: not loaded yet; `unreadable`: invalid content; `unknown`: of a newer version. */
export type RestoreStatus =
  | { readonly status: 'stored' | 'restoring' | 'unreadable' | 'unknown' }
  | { readonly status: 'failed'; readonly error: AppError };

type TimesSetting = NonNullable<KeptTab['times']>;

interface TabFacts {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  /** The user's name for it; null: default. */
  readonly name: string | null;
  /** The wells that are selected while it is shown. */
  readonly wells: readonly ScopedWell[];
  /** The time zone setting to apply when the tab is loaded; absent: that of its stored state. */
  readonly times?: TimesSetting | undefined;
}

/** A tab of any kind. A stored one that was not loaded yet keeps its state unchanged if loading fails. */
export type Tab = TabFacts &
  (
    | { readonly content: TabContent; readonly stored: null }
    | { readonly content: null; readonly stored: RestoreStatus & { readonly state: unknown } }
  );

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
  /** The tab that the next dataset or well replaces, until it is kept; null: none. */
  readonly preview: string | null;
  /** The tabs that close once a question about unfinished ones is answered; null: none is asked. */
  readonly closing: readonly string[] | null;
  /** What is closed with them once the question is answered; null: nothing else. */
  readonly closeAround: (() => void) | null;
  /** Recently shown tabs, newest first, which stay mounted. */
  readonly recent: readonly string[];
  /** Closed tabs that can be reopened, the last one last. */
  readonly closed: readonly KeptTab[];
  /** The wells that are selected while no tab is open. */
  readonly wellsWithoutTab: readonly ScopedWell[];
  /** Whether the window shows these tabs: not those of another connection, or the start screen. */
  readonly areInView: boolean;
}

const defaults: TabsState = {
  tabs: [],
  active: null,
  neighbor: null,
  openForm: null,
  preview: null,
  closing: null,
  closeAround: null,
  recent: [],
  closed: [],
  wellsWithoutTab: [],
  areInView: true,
};
const maxMounted = 4;

const newTabId = (): string => crypto.randomUUID();

const toTab = ({ id, kind, title, name, scope, times, state }: KeptTab): Tab => ({
  id,
  kind,
  title,
  name,
  wells: scope,
  times,
  content: null,
  stored: { status: 'stored', state },
});

export function toStoredTab(tab: Tab): KeptTab {
  const { id, kind, name, wells, times } = tab;
  // A title that changes is stored, too: it is shown before the tab is loaded.
  const title = tabTitle({ ...tab, name: null }).slice(0, maxTitleLength);
  const state = tab.content ? tab.content.serialize() : tab.stored.state;
  return { id, kind, title, name, scope: [...wells], times, state };
}

/** Shows times in tabs as the setting says: in stored ones when they are loaded. */
function withTimes({ tabs, closed }: Pick<TabsState, 'tabs' | 'closed'>, times: TimesSetting) {
  for (const { content } of tabs) content?.showTimes(times);
  return {
    tabs: tabs.map((tab) => (tab.content ? tab : { ...tab, times })),
    closed: closed.map((tab) => ({ ...tab, times })),
  };
}

function loadedTab({ times, ...tab }: Tab, content: TabContent): Tab {
  if (times !== undefined) content.showTimes(times);
  return { ...tab, content, stored: null };
}

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

/** What closing several tabs does with those that are unfinished: with all, without them, or with none. */
export type ClosingAnswer = 'all' | 'finished' | 'none';

/** The other side of a session that follows its tabs. */
export interface TabsFollower {
  /** Whether a tab has work that closing several tabs would end unseen. */
  readonly losesWorkOnClose: (tab: Tab) => boolean;
  readonly current: (wells: readonly ScopedWell[]) => readonly ScopedWell[];
  /** Other wells are selected: by the user, or with another tab. */
  readonly onWells: () => void;
}

export function createTabs({ current, onWells, losesWorkOnClose }: TabsFollower) {
  const store = createStore<TabsState>()(() => defaults);
  const { getState, setState } = store;

  store.subscribe((now, before) => {
    // Hidden tabs make no requests, and their records are released first.
    for (const { id, content } of now.tabs)
      content?.setVisible(now.areInView && (id === now.active || id === now.neighbor?.id));
    if (selectedWells(now) !== selectedWells(before)) onWells();
  });

  /** The preview, if it is among tabs and not among those to keep. */
  const keptPreview = (tabs: readonly Tab[], kept: readonly (string | null)[] = []): string | null => {
    const { preview } = getState();
    return tabs.some(({ id }) => id === preview) && !kept.includes(preview) ? preview : null;
  };

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
    const isOpen = (id: string | null) => remaining.some((tab) => tab.id === id);
    const other = neighbor && isOpen(neighbor.id) ? neighbor : null;
    // The neighbor replaces the closed active tab, or else the next tab, or the previous one.
    const at = tabs.findIndex((tab) => closedTabs.includes(tab));
    const next = other?.id ?? remaining[Math.min(at, remaining.length - 1)]?.id ?? null;
    const view = isOpen(active) ? { recent, neighbor: other } : { ...shown(next), neighbor: null };
    setState({
      tabs: remaining,
      preview: keptPreview(remaining),
      closed: [...closed, ...stored].slice(-maxClosed),
      wellsWithoutTab: selectedWells(getState()),
      ...view,
      recent: view.recent.filter(isOpen),
    });
  }

  /** Closes tabs, after a question if that ends work: of one tab its own, of several that of any. */
  function askOrClose(toClose: readonly Tab[]): void {
    const endsWork =
      toClose.length > 1
        ? toClose.some(losesWorkOnClose)
        : toClose.some(({ content }) => content?.hasUnsavedWork());
    if (endsWork) setState({ closing: toClose.map(({ id }) => id), closeAround: null });
    else if (toClose.length > 0) closeTabs(toClose);
  }

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
     * @param isPreview whether it takes the place of the preview; default: false
     */
    open(
      content: { readonly kind: string; readonly content: TabContent },
      parts: Pick<Tab, 'title'> & Partial<Pick<Tab, 'name' | 'wells'>>,
      isPreview = false,
    ): void {
      const { tabs, preview, neighbor } = getState();
      const tab = { id: newTabId(), name: null, wells: selectedWells(getState()), stored: null };
      const opened: Tab = { ...tab, ...content, ...parts };
      const replaced = isPreview ? tabs.find(({ id }) => id === preview) : undefined;
      if (!replaced) {
        insert(opened, tabs.length);
        if (isPreview) setState({ preview: opened.id });
        return;
      }
      const next = shown(opened.id);
      setState({
        ...next,
        tabs: tabs.map((other) => (other === replaced ? opened : other)),
        preview: opened.id,
        recent: next.recent.filter((id) => id !== replaced.id),
        neighbor: neighbor?.id === replaced.id ? null : next.neighbor,
      });
      // Nothing was done with it, so it isn't among the closed tabs.
      replaced.content?.close();
    },
    /** Keeps a tab: it is no longer the preview. */
    pin(id: string): void {
      if (getState().preview === id) setState({ preview: null });
    },
    show(id: string): void {
      if (getState().tabs.some((tab) => tab.id === id)) setState(shown(id));
    },
    /** Shows a tab at the right of the active one; null: none, and the tab at the left stays. */
    showBeside(id: string | null): void {
      const { tabs, active, neighbor } = getState();
      if (id === null) setState({ ...(neighbor?.side === 'left' && shown(neighbor.id)), neighbor: null });
      else if (id !== active && tabs.some((tab) => tab.id === id))
        // Two tabs that are compared stay.
        setState({ neighbor: { id, side: 'right' }, preview: keptPreview(tabs, [id, active]) });
    },
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
    /** No confirmation unless work ends: closed tabs can be reopened. */
    close: (id: string): void => askOrClose(getState().tabs.filter((tab) => tab.id === id)),
    closeOthers(id: string): void {
      actions.show(id);
      askOrClose(getState().tabs.filter((tab) => tab.id !== id));
    },
    losesWorkOnClose,
    /** The tabs whose work ends with the page. */
    unsaved: (): readonly Tab[] => getState().tabs.filter(({ content }) => content?.hasUnsavedWork()),
    /** Closes what the tabs are part of, such as their connection, after a question if that ends work. */
    askBefore(close: () => void): void {
      const unsaved = actions.unsaved();
      if (unsaved.length === 0) close();
      else setState({ closing: unsaved.map(({ id }) => id), closeAround: close });
    },
    closeAll: (): void => askOrClose(getState().tabs),
    answerClosing(answer: ClosingAnswer): void {
      const { tabs, closing, closeAround } = getState();
      setState({ closing: null, closeAround: null });
      if (closeAround) return answer === 'all' ? closeAround() : undefined;
      const toClose = tabs.filter(
        (tab) => closing?.includes(tab.id) && (answer === 'all' || !losesWorkOnClose(tab)),
      );
      if (answer !== 'none' && toClose.length > 0) closeTabs(toClose);
    },
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
      if (!tab) return;
      const { name, content, wells } = tab;
      // A title of its own content has a number, too.
      const isNamed = name !== null || (content?.title(wells) ?? null) === null;
      const copy = {
        id: newTabId(),
        name: isNamed ? words.tabs.copy(tabTitle(tab)).slice(0, maxTitleLength) : null,
      };
      insert(toTab({ ...toStoredTab(tab), ...copy }), at + 1);
    },
    /** Null or blank: the default title. */
    rename(id: string, name: string | null): void {
      change(id, (tab) => ({ ...tab, name: name?.trim().slice(0, maxTitleLength) || null }));
      actions.pin(id);
    },
    move(id: string, to: number): void {
      const { tabs } = getState();
      const tab = tabs.find((open) => open.id === id);
      if (!tab) return;
      setState({ tabs: tabs.filter((other) => other !== tab).toSpliced(Math.max(to, 0), 0, tab) });
      actions.pin(id);
    },
    /** Selects wells for a tab, by default for the active one; null: for the next one. */
    selectWells(wells: readonly ScopedWell[], of = getState().active): void {
      if (of === null) return setState({ wellsWithoutTab: wells });
      change(of, (tab) => (tab.wells === wells ? tab : { ...tab, wells }));
      if (of === getState().active) activeTab(getState())?.content?.onWellsSelected();
    },
    updateWells: (): void =>
      setState(({ tabs, wellsWithoutTab }) => ({
        tabs: tabs.map(withWells),
        wellsWithoutTab: current(wellsWithoutTab),
      })),
    setInView: (areInView: boolean): void => setState({ areInView }),
    showTimes: (times: TimesSetting): void => setState(withTimes(getState(), times)),
    load: (id: string, content: TabContent): void => change(id, (tab) => loadedTab(tab, content)),
    setRestoreStatus: (id: string, status: RestoreStatus): void =>
      change(id, (tab) => (tab.stored ? { ...tab, stored: { ...status, state: tab.stored.state } } : tab)),
    /** Inserts stored tabs before open ones. */
    restore({ open, closed, active, neighbor, preview }: KeptTabs): void {
      const { tabs, active: shownId } = getState();
      const ids = new Set(tabs.map(({ id }) => id));
      const restored = open.filter(({ id }) => !ids.has(id)).map((kept) => withWells(toTab(kept)));
      const isRestored = (id: string | null) => restored.some((tab) => tab.id === id);
      const wanted = shownId ?? (isRestored(active) ? active : (restored[0]?.id ?? null));
      setState({ tabs: [...restored, ...tabs], closed, ...shown(wanted) });
      if (getState().preview === null && isRestored(preview)) setState({ preview });
      if (neighbor && wanted === active && isRestored(neighbor.id)) setState({ neighbor });
    },
    /** Closes all tabs without adding them to the closed ones. */
    clear(): void {
      for (const { content } of getState().tabs) content?.close();
      setState(defaults);
    },
  };
  return { store, actions };
}

export type Tabs = ReturnType<typeof createTabs>;
