import type { TabContent } from './tab-kind.ts';
import type { Tabs } from './tabs.ts';

/**
 * Keeps the preview tab when its stored form changes, unless its kind changed it without the user.
 * @param tabs the tabs of a connection
 * @returns a function that stops
 */
export function keepEditedPreview({ store, actions }: Pick<Tabs, 'store' | 'actions'>): () => void {
  let watched: TabContent | null = null;
  let stopWatch = () => {};
  function watch(): void {
    const { tabs, preview } = store.getState();
    const content = tabs.find(({ id }) => id === preview)?.content ?? null;
    if (content === watched) return;
    stopWatch();
    watched = content;
    stopWatch = () => {};
    if (preview === null || content === null) return;
    let form = JSON.stringify(content.serialize());
    stopWatch = content.watch(() => {
      const now = JSON.stringify(content.serialize());
      if (now === form) return;
      if (content.isPristine()) form = now;
      else actions.pin(preview);
    });
  }
  const stop = store.subscribe(watch);
  return () => {
    stop();
    stopWatch();
  };
}
