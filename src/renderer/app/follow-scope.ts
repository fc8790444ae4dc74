import type { Wells } from '../features/wells/wells-state.ts';
import type { Tabs } from './tabs.ts';

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
      if (shown.scope !== wells.store.getState().chosen) wells.actions.restore(shown.scope);
      onShow(shown.id);
    }),
    wells.store.subscribe(({ chosen }, before) => {
      if (chosen !== before.chosen) tabs.actions.scope(chosen);
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
