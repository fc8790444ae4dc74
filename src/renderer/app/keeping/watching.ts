import { watchTab, type TabKinds } from '../tab-kinds/tab-kinds.ts';
import type { Tab, Tabs } from '../tabs.ts';

/** Tells which tab may have changed: one that is new, another in its place, or one that was typed into. */
export function watchTabs(tabs: Tabs, kinds: TabKinds, touched: (id: string | null) => void): () => void {
  const watches = new Map<string, { model: Tab['model']; stop: () => void }>();

  function watchAll(open: readonly Tab[]): void {
    const now = new Map(open.map((tab) => [tab.id, tab.model]));
    for (const [id, watch] of watches) {
      if (now.get(id) === watch.model) continue;
      watch.stop();
      watches.delete(id);
    }
    for (const tab of open) {
      if (watches.has(tab.id)) continue;
      watches.set(tab.id, { model: tab.model, stop: watchTab(kinds, tab, () => touched(tab.id)) });
    }
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
    for (const watch of watches.values()) watch.stop();
  };
}
