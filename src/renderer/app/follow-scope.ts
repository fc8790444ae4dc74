import type { TimeView } from '../../shared/settings/settings.ts';
import type { Settings } from '../features/settings/settings.ts';
import type { Tabs } from './tabs.ts';
import type { Wells } from '../features/wells/wells-state.ts';

/** What is followed has no raw times: a plot of it stands beside the table. */
export const liveZone = (times: TimeView): Exclude<TimeView, 'raw'> => (times === 'raw' ? 'utc' : times);

/** Has the open tabs show their times as the person sets it, each time that changes; gives the way to stop it. */
export function showTimes(settings: Settings['store'], tabs: Pick<Tabs, 'store'>): () => void {
  return settings.subscribe(({ values: { times } }, before) => {
    if (times === before.values.times) return;
    for (const tab of tabs.store.getState().tabs) {
      if (tab.kind === 'query') tab.model.results.actions.show(times);
      if (tab.kind === 'live') tab.model.actions.show(liveZone(times));
    }
  });
}

/**
 * The chosen wells belong to the tab in view: to show a tab is to choose its wells again, and to choose others is to
 * change that tab's. Gives the way to stop it.
 */
export function followScope(
  tabs: Tabs,
  wells: Pick<Wells, 'store' | 'actions'>,
  onShow: (id: string) => void,
): () => void {
  const stops = [
    tabs.store.subscribe((now, before) => {
      if (now.active === null || now.active === before.active) return;
      const shown = now.tabs.find(({ id }) => id === now.active);
      if (!shown) return;
      if (shown.scope !== wells.store.getState().selected) wells.actions.restoreSelection(shown.scope);
      onShow(shown.id);
    }),
    wells.store.subscribe(({ selected }, before) => {
      if (selected !== before.selected) tabs.actions.scope(selected);
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
