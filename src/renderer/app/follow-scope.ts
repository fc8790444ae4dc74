import type { TimeView } from '../../shared/settings/settings.ts';
import type { Settings } from '../features/settings/settings.ts';
import { activeTab, type Tabs } from './tabs.ts';
import type { Wells } from '../features/wells/wells-state.ts';

/** Live views have no raw times, because of their plot. */
export const liveZone = (times: TimeView): Exclude<TimeView, 'raw'> => (times === 'raw' ? 'utc' : times);

/**
 * Applies the time zone setting to open tabs.
 * @returns a function that stops
 */
export function applyTimeZone(settings: Settings['store'], tabs: Pick<Tabs, 'store'>): () => void {
  return settings.subscribe(({ values: { times } }, before) => {
    if (times === before.values.times) return;
    for (const tab of tabs.store.getState().tabs) {
      if (tab.kind === 'query') tab.model.results.actions.show(times);
      if (tab.kind === 'live') tab.model.actions.show(liveZone(times));
    }
  });
}

/**
 * Each tab has its own selected wells: showing a tab restores them, and a new selection changes the tab's. An
 * initial query that the user hasn't changed follows it.
 * @returns a function that stops
 */
export function followScope(
  tabs: Tabs,
  wells: Pick<Wells, 'store' | 'actions'>,
  onShow: (id: string) => void,
): () => void {
  const stops = [
    tabs.store.subscribe((now, before) => {
      if (now.active === null || now.active === before.active) return;
      const shown = activeTab(now);
      if (!shown) return;
      if (shown.scope !== wells.store.getState().selected) wells.actions.restoreSelection(shown.scope);
      onShow(shown.id);
    }),
    wells.store.subscribe(({ selected }, before) => {
      if (selected === before.selected) return;
      tabs.actions.scope(selected);
      const tab = activeTab(tabs.store.getState());
      if (tab?.kind === 'query') tab.model.actions.refill();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
