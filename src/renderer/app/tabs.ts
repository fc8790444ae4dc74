import { createStore } from 'zustand/vanilla';
import type { QueryTab } from '../features/query/query-tab.ts';
import type { UploadTab } from '../features/upload/upload-tab.ts';
import { featureContext, type Feature } from '../state/context.tsx';

/** What a tab holds; further kinds join the union. */
export type TabContent =
  | { readonly kind: 'query'; readonly title: string; readonly model: QueryTab }
  | { readonly kind: 'upload'; readonly title: string; readonly model: UploadTab };

/** A tab of the window. */
export type Tab = TabContent & { readonly id: string };

export interface TabsState {
  readonly tabs: readonly Tab[];
  readonly active: string | null;
}

export interface TabsActions {
  /** Opens a tab at the end and shows it. */
  readonly open: (tab: TabContent) => void;
  readonly show: (id: string) => void;
  readonly close: (id: string) => void;
  readonly closeAll: () => void;
}

export type Tabs = Feature<TabsState, TabsActions>;

const defaults: TabsState = { tabs: [], active: null };

/** The tabs of the window and which of them is shown. */
export function createTabs(): Tabs {
  const store = createStore<TabsState>()(() => defaults);
  let opened = 0;
  const actions: TabsActions = {
    open(tab) {
      opened += 1;
      const id = `tab-${opened}`;
      store.setState(({ tabs }) => ({ tabs: [...tabs, { ...tab, id }], active: id }));
    },
    show: (id) => store.setState({ active: id }),
    close(id) {
      const { tabs, active } = store.getState();
      const at = tabs.findIndex((tab) => tab.id === id);
      tabs[at]?.model.actions.close();
      const left = tabs.filter((tab) => tab.id !== id);
      // The neighbour takes the place of a shown tab: the next one, or else the one before.
      const next = left[Math.min(at, left.length - 1)]?.id ?? null;
      store.setState({ tabs: left, active: active === id ? next : active });
    },
    closeAll() {
      for (const { model } of store.getState().tabs) model.actions.close();
      store.setState(defaults);
    },
  };
  return { store, actions };
}

export const {
  Provide: ProvideTabs,
  useState: useTabs,
  useActions: useTabsActions,
} = featureContext<TabsState, TabsActions>('tabs');
