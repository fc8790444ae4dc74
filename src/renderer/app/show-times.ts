import type { TimeView } from '../../shared/settings/settings.ts';
import type { Settings } from '../features/settings/settings.ts';
import type { Tabs } from './tabs.ts';

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
