import type { Settings } from '../settings/settings.ts';
import type { Tabs } from './tabs.ts';

/**
 * Applies the time zone setting to open tabs.
 * @returns a function that stops
 */
export const applyTimeZone = ({ store }: Pick<Settings, 'store'>, tabs: Pick<Tabs, 'store'>): (() => void) =>
  store.subscribe(({ values: { times } }, before) => {
    if (times === before.values.times) return;
    for (const { content } of tabs.store.getState().tabs) content?.showTimes(times);
  });
